"""Published models of pedestrians: forces, gaps in time, and cells."""

from __future__ import annotations

from swarm.controllers.models.crowd.floor_field import FloorField
from swarm.controllers.models.crowd.social_force import SocialForce
from swarm.controllers.models.crowd.time_gap import TimeGap

__all__ = ["FloorField", "SocialForce", "TimeGap"]
