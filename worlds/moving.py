"""What can be wrong with the ways of a world's moving obstacles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.schema import show
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World


def check_ways(
    obstacles: Sequence[Obstacle], bounds: Floats, boundary: str, where: str, faults: list[str], notices: list[str]
) -> None:
    """Look at where moving obstacles go.

    A centre that leaves bounds that are closed, or that wrap, is a fault. What sticks out of the bounds, or into
    another obstacle, is not: a sliding door is in its wall. A mover that starts with its centre inside something that
    stands still gets a notice, because nobody can ever meet all of it.

    Args:
        obstacles: All of the world's.
        bounds: (2, D) m.
        boundary: torus, walls or open.
        where: Prefix of every message, before "[index]".
        faults, notices: Get what is wrong, and what a user should know.
    """
    movers = [(index, obstacle) for index, obstacle in enumerate(obstacles) if obstacle.motion is not None]
    if not movers:
        return
    fixed = tuple(obstacle for obstacle in obstacles if obstacle.motion is None)
    alone = World("", bounds, "open", False, fixed)
    depth, _, surface = alone.nearest(np.array([obstacle.center for _, obstacle in movers]))
    for place, (index, obstacle) in enumerate(movers):
        assert obstacle.motion is not None
        stops = {"center": obstacle.center}
        stops |= {f"motion.path[{number}]": point for number, point in enumerate(obstacle.motion.path)}
        for key, point in stops.items() if boundary != "open" else ():
            if (np.array(point) < bounds[0]).any() or (np.array(point) > bounds[1]).any():
                faults.append(
                    f"{where}[{index}].{key}: expected what moves to stay in the bounds {show(bounds.tolist())}, "
                    f"got {show(list(point))}"
                )
        if depth[place] < 0.0:
            inside = alone.surfaces[int(surface[place])]
            notices.append(f"{where}[{index}].center: {obstacle.name} moves, and starts inside {inside}")
