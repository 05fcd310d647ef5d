"""A crowd that walks from sources to goals (Hadimassa)."""

from __future__ import annotations

from swarm.controllers.models.hadimassa.walkers import Hadimassa

__all__ = ["Hadimassa"]
