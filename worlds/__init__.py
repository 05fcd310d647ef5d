"""Where a swarm moves: worlds, their files and generators, distances, routes and the PyBullet realisation."""

from __future__ import annotations

from swarm.worlds.file import build_world, load_world, world_names
from swarm.worlds.motion import Motion
from swarm.worlds.near import Near
from swarm.worlds.obstacles import Mesh, Obstacle
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

__all__ = ["Mesh", "Motion", "Near", "Obstacle", "World", "Zone", "build_world", "load_world", "world_names"]
