"""A way on which all of an area comes in sight."""

from __future__ import annotations

import numpy as np

from swarm.state import Bools, Floats
from swarm.worlds.world import World

SHARE = 0.8  # of the sensing range that a plan counts on: a swarm is not all in its middle
CELLS = 2_500  # places to be seen, at most about so many
STANDS = 700  # places to see from, at most about so many
SEEN = 0.995  # share of the cells after which the plan is done
PAUSE = 2.0  # m of way that a new place to look from costs on top: few long legs, not many short ones


def sweep(world: World, home: Floats, low: Floats, high: Floats, reach: float, margin: float) -> Floats:
    """Plan where to look from, one place after the other: always where most is newly seen for the way there.

    Greedy next-best-view planning (Connolly 1985; Gonzalez-Banos and Latombe 2002, with cost as length of way).

    Args:
        world: Where.
        home: (D,) m, where the swarm is.
        low, high: (D,) m, corners of the area.
        reach: m, sensing range.
        margin: m that the way keeps from everything solid.

    Returns:
        (K, D) m, way-points from home on, K at least 1; straight legs between them keep the margin.
    """
    reach = SHARE * reach
    cells = _free(world, low, high, reach / 3.0, CELLS, 0.05)
    stands = np.concatenate([home[None], _free(world, low, high, reach / 2.0, STANDS, margin)])
    sees = _sees(world, stands, cells, reach)
    cells_seen = sees[0]
    wanted = SEEN * sees.any(axis=0).sum()
    way, here = [home], home
    while cells_seen.sum() < wanted:
        route = world.route(here, min(margin, 0.999 * float(world.clearance(here[None])[0][0])))
        cost = np.where(route.reachable(stands), route.distance(stands), np.inf)
        gain = (sees & ~cells_seen).sum(axis=1)
        worth = np.where(np.isfinite(cost), gain / (cost + PAUSE), 0.0)
        best = int(worth.argmax())
        if worth[best] <= 0.0:
            break  # what is left cannot be seen from anywhere that can be reached
        legs = route.path(stands[best])[::-1][1:]
        way.extend(legs)
        for stand in legs:  # on the way, too, there is something to see
            cells_seen = cells_seen | _sees(world, stand[None], cells, reach)[0]
        here = stands[best]
    return np.array(way[1:] or way)


def _free(world: World, low: Floats, high: Floats, spacing: float, most: int, margin: float) -> Floats:
    """(P, D) m, places on a grid in a box that keep a margin."""
    size = high - low
    while np.prod(np.maximum(np.floor(size / spacing), 1.0)) > most:
        spacing *= 1.1
    axes = []
    for start, length in zip(low, size):
        count = max(int(length / spacing), 1)
        axes.append(start + length * (np.arange(count) + 0.5) / count)
    places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(low))
    return np.asarray(places[world.clearance(places)[0] > margin])


def _sees(world: World, stands: Floats, cells: Floats, reach: float) -> Bools:
    """(S, C) whether a cell is in reach and in sight of a stand."""
    result = np.zeros((len(stands), len(cells)), dtype=np.bool_)
    offset = stands[:, None] - cells
    stand, cell = np.nonzero((offset * offset).sum(axis=2) <= reach * reach)
    if len(stand):
        result[stand, cell] = world.visible(stands[stand], cells[cell])
    return result
