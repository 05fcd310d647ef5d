"""Worlds of solid cells."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.errors import BadInput
from swarm.worlds import build_world
from swarm.worlds.generators.cells import sides_of_pockets


def world_of(seed=0, dim=2, **keys):
    bounds = [[-16.5] * dim, [16.5] * dim]
    return build_world(
        {"dim": dim, "bounds": bounds, "boundary": "torus", "generator": {"kind": "cells", **keys}}, "test", seed
    )


@pytest.mark.parametrize("seed", range(20))
def test_fifty_different_cells_of_the_grid_are_solid(seed):
    world = world_of(seed)
    centers = np.array([cell.center for cell in world.obstacles])
    assert len(np.unique(centers, axis=0)) == len(centers) == 50
    assert np.array_equal(centers, np.rint(centers))  # NetLogo's patches have whole numbers, -16 to 16
    assert np.abs(centers).max() <= 16
    assert {(cell.kind, cell.size) for cell in world.obstacles} == {("box", (1.0, 1.0))}


def test_another_seed_makes_other_cells_and_the_same_the_same():
    made = [sorted(cell.center for cell in world_of(seed).obstacles) for seed in (0, 1, 0)]
    assert made[0] == made[2] != made[1]


def test_every_cell_is_as_likely_as_any_other():
    centers = np.concatenate([[cell.center for cell in world_of(seed, count=200).obstacles] for seed in range(50)])
    counts, _, _ = np.histogram2d(centers[:, 0], centers[:, 1], bins=3, range=((-16.5, 16.5), (-16.5, 16.5)))
    # 10,000 cells over nine parts, 1,111 each, within four standard deviations of a plain Poisson count.
    np.testing.assert_allclose(counts, 10_000 / 9, atol=4 * np.sqrt(10_000 / 9))


@pytest.mark.parametrize("count", [50, 300])
def test_nobody_starts_in_a_pocket(count):
    for seed in range(10):
        solid = np.array([cell.center for cell in world_of(seed, count=count).obstacles])
        assert len(solid) == count
        free = {(x, y) for x in range(-16, 17) for y in range(-16, 17)} - {(int(x), int(y)) for x, y in solid}
        reached, front = set(), [next(iter(free))]
        while front:
            x, y = front.pop()
            if (x, y) in free and (x, y) not in reached:
                reached.add((x, y))
                front += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        assert reached == free


def test_a_pocket_has_one_side_that_may_be_opened():
    ring = np.array([1, 3, 5, 7])  # of 3 x 3: the middle is shut in, and so is each corner
    assert set(sides_of_pockets(ring, 3, 3)) <= set(ring)
    assert len(sides_of_pockets(ring, 3, 3)) > 0
    assert len(sides_of_pockets(ring[:1], 3, 3)) == 0


def test_spots_are_kept_clear():
    spots = [[0.0, 0.0], [5.2, 5.2]]
    for seed in range(10):
        world = world_of(seed, count=300, keep_clear=spots, clear=1.0)
        assert (world.clearance(np.array(spots))[0] > 1.0).all()


def test_in_three_dimensions_cells_are_columns_and_a_cell_may_be_of_any_size():
    world = world_of(dim=3, count=4, cell=3.0)
    assert {cell.size for cell in world.obstacles} == {(3.0, 3.0, 33.0)}
    assert {cell.center[2] for cell in world.obstacles} == {0.0}
    centers = np.array([cell.center[:2] for cell in world.obstacles])
    assert np.allclose((centers + 16.5 - 1.5) % 3.0, 0.0)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"count": 1090}, "count: expected at most the 1089 cells that may be solid, got 1090"),
        ({"count": 900}, "count: found no 900 cells that leave the free ones connected; use fewer"),
        ({"cell": 0.0}, "cell: expected"),
        ({"cell": 1e-3}, "cell: expected at most a million cells in the world"),
        ({"counts": 3}, 'counts: unknown key (did you mean "count"?)'),
    ],
)
def test_faults_are_one_line_each(keys, line):
    with pytest.raises(BadInput) as refused:
        world_of(**keys)
    (fault,) = refused.value.faults
    assert line in fault
