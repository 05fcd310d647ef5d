"""The meshes of the library: file -> what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from swarm.worlds.modelling import buildings, furniture, maze, yard
from swarm.worlds.modelling.form import Form

FORMS: Mapping[str, Callable[[], Form]] = {
    "arch.obj": yard.arch,
    "bridge.obj": maze.bridge,
    "chair.ply": furniture.chair,
    "containers.stl": yard.containers,
    "crane.dae": yard.crane,
    "door-wall.obj": buildings.door_wall,
    "gate-ring.obj": yard.gate_ring,
    "lamp.dae": furniture.lamp,
    "maze-walls-x.stl": maze.walls_x,
    "maze-walls-y.stl": maze.walls_y,
    "net.ply": yard.net,
    "rooms.obj": buildings.rooms,
    "shelf.stl": furniture.shelf,
    "sofa.glb": furniture.sofa,
    "table.obj": furniture.table,
    "torus.glb": yard.torus,
    "trap-wall.stl": buildings.trap_wall,
    "window-wall.obj": buildings.window_wall,
}
