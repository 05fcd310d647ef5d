"""Bodies that take room begin where others are far enough."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from swarm.tasks.beginning import Room
from swarm.tasks.circulate import Circulate

ROWS = ("SS......", "SS......", "....GGG.", "....GGG.", "....GGG.")  # of the goal only (5, 1) is inner


@given(
    agents=st.integers(1, 40), radius=st.floats(0.02, 0.3), standing=st.integers(0, 20), seed=st.integers(0, 2**32 - 1)
)
@settings(max_examples=60, deadline=None)
def test_places_are_two_hull_diameters_from_everybody_and_from_each_other(crowd, agents, radius, standing, seed):
    plan = crowd.world(*ROWS).floor_plan
    room = Room(plan, agents, radius)
    others = np.random.default_rng(seed).uniform([-0.5, 2.5], [2.0, 4.5], (standing, 2))
    served, places = room.share_out(np.arange(agents), others, seed, 7)
    assert (plan.source_cells[plan.cell_of(places)]).all()
    hulls = 2 * radius
    assert (cdist(places, others) >= 3 * hulls - 1e-9).all()  # centres: a gap of two diameters and two radii
    apart = cdist(places, places)[np.triu_indices(len(places), 1)]
    assert (apart >= 3 * hulls - 1e-9).all()
    if len(served) < agents:  # no place that is left would do
        taken = np.concatenate([others, places])
        assert (cdist(room.places, taken).min(axis=1) < 3 * hulls).all()


def test_places_are_squares_of_source_cells_no_more_than_are_needed(crowd):
    plan = crowd.world(*ROWS).floor_plan
    assert len(Room(plan, 2, 0.05).places) == 4  # one a cell
    assert len(Room(plan, 8, 0.05).places) == 4 * 4  # two for each agent
    assert len(Room(plan, 1000, 0.05).places) == 4 * 9  # 0.3 m apart, three to a side


def begun(crowd, places, radius, **keys):
    world = crowd.world(*ROWS)
    scene = dataclasses.replace(crowd.scene(world, places), radius=radius)
    return Circulate(**keys).begin(scene), world


def test_all_start_on_sources_apart_where_there_is_room(crowd):
    goal, world = begun(crowd, np.tile([7.0, 4.0], (6, 1)), 0.05)
    plan = world.floor_plan
    assert plan.source_cells[plan.cell_of(goal.moves.position)].all()
    assert cdist(goal.moves.position, goal.moves.position)[np.triu_indices(6, 1)].min() >= 0.3
    crowded, _ = begun(crowd, np.tile([7.0, 4.0], (6, 1)), 0.2)
    assert crowded.moves is None  # four places for six: they start where the swarm spawns


def test_who_finds_no_place_waits_at_the_goal_and_arrives_once(crowd):
    goal, world = begun(crowd, [[5.0, 1.0], [0.0, 3.0], [1.0, 3.0], [0.0, 4.0], [1.0, 4.0]], 0.15, start="spawn")
    full = [[5.0, 1.0], [0.0, 3.0], [1.0, 3.0], [0.0, 4.0], [1.0, 4.0]]
    for place in ([5.0, 1.0], [5.0, 2.2], [5.0, 1.0]):  # out of the goal and in again
        full[0] = place
        goal.update(world, crowd.state(full))
        assert goal.moves is None
        assert goal.waiting.tolist() == [True, False, False, False, False]
    full[3] = [4.0, 4.0]
    goal.update(world, crowd.state(full))
    assert goal.moves.agents.tolist() == [0]
    np.testing.assert_array_equal(goal.moves.position, [[0.0, 4.0]])
    assert goal.now == 1
    assert not goal.waiting.any()
    full[0] = [5.0, 1.0]
    goal.update(world, crowd.state(full))
    assert goal.now == 2
