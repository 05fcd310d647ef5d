"""From where a perspective picture is taken, so that obstacles hide as little of the flight as can be."""

from __future__ import annotations

import numpy as np

from swarm.plots.camera import Camera
from swarm.plots.flown import Flown
from swarm.state import Floats
from swarm.worlds.world import World

ELEVATIONS = (40.0, 48.0, 56.0)  # degrees; steeper shows more of the flight and less of the obstacles
AZIMUTHS = (80.0, 100.0, 62.0)
GATES = (62.0,), (40.0,)  # azimuths and elevations where there are gates: they face along the flight
STEEP = 56.0  # of a world of two dimensions
LOOKED_AT = 240  # places of the flight
# Share of the flight that must come in sight for another view to be worth it.
SIDEWAYS, STEEPER = 0.03, 0.04


def best_camera(flight: Flown, box: Floats, room: Floats) -> Camera:
    """The camera that sees most of a flight.

    Args:
        flight: What is to be seen.
        box: (2, 3) m, what the picture shows.
        room: (2, 2) pixels, lower left and upper right corner of what the box may fill.
    """
    world = flight.world
    if world.dim == 2:
        return Camera.around(box, np.radians(AZIMUTHS[0]), np.radians(STEEP), room)
    flown = flight.trajectory.position[flight.trajectory.alive]
    places = flown[np.linspace(0, len(flown) - 1, min(len(flown), LOOKED_AT)).astype(int)]
    azimuths, elevations = GATES if world.gates else (AZIMUTHS, ELEVATIONS)
    best, least = None, np.inf
    for k, elevation in enumerate(elevations):
        for m, azimuth in enumerate(azimuths):
            camera = Camera.around(box, np.radians(azimuth), np.radians(elevation), room)
            cost = hidden(world, places, camera.eye) + STEEPER * k + SIDEWAYS * m
            if cost < least - 1e-9:
                best, least = camera, cost
    assert best is not None
    return best


def hidden(world: World, places: Floats, eye: Floats) -> float:
    """Share of places (P, 3) m that obstacles hide from an eye (3,) m; walls, floor and ceiling are not drawn."""
    if not world.obstacles or len(places) == 0:
        return 0.0
    alone = World("", world.bounds, "open", False, world.obstacles)
    return 1.0 - float(alone.visible(np.broadcast_to(eye, places.shape), places).mean())
