"""A sweep shows all that can be seen, keeps its margin, and is the same every time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from swarm.tasks.sweep import SEEN, _tour, sweep

ROOMS = [
    {"kind": "box", "center": [4.0, 2.0, 1.5], "size": [0.3, 4.0, 3.0]},
    {"kind": "box", "center": [7.0, 4.0, 1.5], "size": [0.3, 4.0, 3.0]},
]
HOME = np.array([1.0, 1.0, 1.5])
MARGIN = 0.3


def flown(world, reach, home=HOME):
    path = sweep(world, home, world.bounds[0], world.bounds[1], reach, MARGIN)
    return np.concatenate([home[None], path])


def legs_of(path, spacing=0.05):
    return np.concatenate([np.linspace(a, b, 2 + int(np.linalg.norm(b - a) / spacing)) for a, b in pairwise(path)])


def all_in_sight(world, path, reach, spacing):
    """Share of the free cells that some point has within reach and in sight, by asking for every pair."""
    axes = [np.arange(low + spacing / 2, high, spacing) for low, high in world.bounds.T]
    cells = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, world.dim)
    cells = cells[world.clearance(cells)[0] > 0.05]
    seen = np.zeros(len(cells), bool)
    for point in path:
        near = np.linalg.norm(cells - point, axis=1) <= reach
        seen[near] |= world.visible(np.repeat(point[None], near.sum(), axis=0), cells[near])
    return seen.mean()


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("reach", [2.5, 4.0, 20.0])
def test_all_that_is_free_comes_in_sight(dim, reach, make_room):
    rooms = [{**r, "center": r["center"][:dim], "size": r["size"][:dim]} for r in ROOMS]
    world = make_room(rooms, bounds=([0.0] * dim, [10.0, 6.0, 3.0][:dim]))
    assert all_in_sight(world, flown(world, reach, HOME[:dim]), reach, 0.25) >= SEEN - 0.005


@pytest.mark.parametrize("reach", [2.5, 4.0])
def test_legs_keep_the_margin(reach, make_room):
    world = make_room(ROOMS)
    path = flown(world, reach)
    cell = world.route(HOME, MARGIN).grid.cell
    assert world.clearance(legs_of(path))[0].min() >= MARGIN - cell
    assert world.visible(path[:-1], path[1:]).all()


def test_the_same_world_described_again_is_swept_the_same_way(make_room):
    assert np.array_equal(flown(make_room(ROOMS), 3.0), flown(make_room(ROOMS), 3.0))


def test_what_is_in_sight_from_home_needs_no_way(make_room):
    world = make_room(bounds=((0.0, 0.0, 0.0), (2.0, 2.0, 2.0)))
    assert sweep(world, np.ones(3), *world.bounds, 9.0, MARGIN).tolist() == [[1.0, 1.0, 1.0]]


def test_a_shut_room_is_left_out(make_room):
    shut = [{"kind": "box", "center": [5.0, 3.0, 1.5], "size": [0.3, 6.0, 3.0]}]
    assert flown(make_room(shut), 3.0)[:, 0].max() < 5.0


def test_a_tour_of_places_on_a_line_goes_along_it():
    place = np.array([0.0, 3.0, 1.0, 4.0, 2.0])
    assert _tour(np.abs(place[:, None] - place)) == [0, 2, 4, 1, 3]
