"""A way on which all of an area comes in sight."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats
from swarm.worlds.kept import Kept
from swarm.worlds.world import World

SHARE = 0.8  # of the sensing range that a plan counts on: a swarm is not all in its middle
CELLS = 2_500  # places to be seen, at most about so many
STANDS = 700  # places to see from, at most about so many
FINE = 0.4  # m between places, at least; a short range and a small area ask for a fine grid, whatever stands there
CELL = 0.5  # m, of the grid on which ways between places are compared
LEVEL = 0.5  # share of its worth that a place a sensing range higher or lower loses: climbing takes time
ROOM = 0.9  # m around a place to look from, where there is such a place: a swarm has to turn there
STOPS = 150  # places to look from; more take minutes to put in order
SEEN = 0.995  # share of the cells after which enough is seen


_sweeps: Kept[Floats] = Kept(4)


def sweep(world: World, home: Floats, low: Floats, high: Floats, reach: float, margin: float) -> Floats:
    """Plan from where to look, and in which order.

    Places to look from are chosen greedily, each seeing most of what the others do not (set cover; Chvatal 1979), and
    put in the order of a short tour from home (nearest neighbour, then 2-opt; Croes 1958) over the lengths of the ways
    between them.

    Args:
        world: Where.
        home: (D,) m, where the swarm is.
        low, high: (D,) m, corners of the area.
        reach: m, sensing range.
        margin: m that the way keeps from everything solid.

    Returns:
        (K, D) m, way-points after home, K at least 1; straight legs between them keep the margin.

    Raises:
        BadInput: "range: ...", where the area is too large for all of it to be looked at from so near.
    """
    size = high - low
    if _spacing(size, FINE, CELLS) > SHARE * reach:
        raise BadInput(
            f"range: {reach:g} m is too short for an area of {' x '.join(f'{edge:g}' for edge in size)} m; "
            "expected a longer range or a smaller area"
        )
    key = (home.tobytes(), low.tobytes(), high.tobytes(), reach, margin)
    return _sweeps.get(world, key, lambda: _planned(world, home, low, high, SHARE * reach, margin))


def _planned(world: World, home: Floats, low: Floats, high: Floats, reach: float, margin: float) -> Floats:
    cells = _free(world, low, high, min(reach / 3.0, FINE), CELLS, 0.05)
    start = world.route(home, margin, CELL)
    stands = _free(world, low, high, min(reach / 2.0, FINE), STANDS, max(margin, ROOM), home)
    if len(stands) == 0:
        stands = _free(world, low, high, min(reach / 2.0, FINE), STANDS, margin, home)
    stands = np.concatenate([home[None], stands[start.reachable(stands)]])
    climb = np.abs(stands[:, 2:] - home[2:]).sum(axis=1)
    chosen = [0, *_cover(_sees(world, stands, cells, reach), 1.0 - np.minimum(LEVEL * climb / reach, 0.9))]
    if len(chosen) > STOPS:
        raise BadInput(
            f"range: {reach / SHARE:g} m takes {len(chosen)} places to look from here, expected {STOPS} at most: "
            "a longer range or a smaller area"
        )
    routes = [start, *(world.route(stands[k], margin, CELL) for k in chosen[1:])]
    length = np.stack([route.distance(stands[chosen]) for route in routes])
    order = _tour(length)
    way: list[Floats] = [home]
    for before, after in pairwise(order):
        way.extend(routes[after].path(stands[chosen[before]])[1:])
    return np.array(way[1:] or way)


def _cover(sees: Bools, liking: Floats) -> list[int]:
    """Rows of sees (S, C) that together see nearly all that all rows do; row 0 counts as chosen; liking is (S,)."""
    left = sees.any(axis=0) & ~sees[0]
    enough = (1.0 - SEEN) * sees.any(axis=0).sum()
    chosen: list[int] = []
    while left.sum() > enough:
        best = int(((sees & left).sum(axis=1) * liking).argmax())
        chosen.append(best)
        left &= ~sees[best]
    seen = sees[[0, *chosen]].sum(axis=0)
    for place in list(chosen):  # what later choices see as well was not needed
        if (seen[sees[place]] > 1).all():
            chosen.remove(place)
            seen -= sees[place]
    return chosen


def _tour(length: Floats) -> list[int]:
    """A short open tour from place 0 through all, by lengths (K, K)."""
    order, left = [0], set(range(1, len(length)))
    while left:
        order.append(min(left, key=lambda place: (length[order[-1], place], place)))
        left.remove(order[-1])
    better = True
    while better:
        better = False
        for i, j in combinations(range(1, len(order)), 2):
            before, after = order[i - 1], order[j + 1] if j + 1 < len(order) else None
            old, new = length[before, order[i]], length[before, order[j]]
            if after is not None:
                old, new = old + length[order[j], after], new + length[order[i], after]
            if new < old - 1e-9:
                order[i : j + 1] = order[i : j + 1][::-1]
                better = True
    return order


def _spacing(size: Floats, spacing: float, most: int) -> float:
    """m between the places of a grid in a box (D,) m: what is wished for, or as much as leaves no more than `most`."""
    while np.prod(np.maximum(np.floor(size / spacing), 1.0)) > most:
        spacing *= 1.1
    return spacing


def _free(
    world: World, low: Floats, high: Floats, spacing: float, most: int, margin: float, home: Floats | None = None
) -> Floats:
    """(P, D) m, places on a grid in a box that keep a margin; one layer at the height of home, if given."""
    size = high - low
    spacing = _spacing(size, spacing, most)
    axes = []
    for start, length in zip(low, size):
        count = max(int(length / spacing), 1)
        axes.append(start + length * (np.arange(count) + 0.5) / count)
    if home is not None and len(home) == 3 and low[2] < home[2] < high[2]:
        below, above = int((home[2] - low[2]) / spacing), int((high[2] - home[2]) / spacing)
        axes[2] = home[2] + spacing * np.arange(-below, above + 1)
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
