"""The walker body: through nothing solid, whatever is commanded."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarm
from swarm.bodies.walker.body import Walkers
from swarm.errors import BadInput, SimulationError
from swarm.worlds import build_world

MAZE = ("G..#.#..", ".#..#...", "..##..#.", "#....#..", ".##.#..S")
PILLAR = (".....", ".....", "..#..", ".....", "G...S")  # the wall cell covers 1.5 to 2.5 m both ways


def test_a_free_walker_goes_as_far_as_it_is_told(crowd):
    body = crowd.walkers(crowd.world("....", "G..S"), [[1.0, 0.25]])
    state = body.advance(np.array([[0.6, 0.5]]))
    assert state.position.tolist() == [[1.6, 0.75]]
    assert np.allclose(state.velocity, [[0.6, 0.5]], rtol=0, atol=1e-15)


def test_a_command_beyond_the_speed_limit_is_cut_to_it(crowd):
    body = crowd.walkers(crowd.world("....", "G..S"), [[1.0, 0.0]], speed_limit=0.5)
    assert np.allclose(body.advance(np.array([[30.0, 40.0]])).position, [[1.3, 0.4]])


def test_a_walker_that_meets_a_wall_goes_on_along_it(crowd):
    body = crowd.walkers(crowd.world(*PILLAR), [[1.0, 1.7]])
    state = body.advance(np.array([[1.0, 0.6]]))  # at x = 1.5 it is at y = 2.0, beside the pillar
    assert np.allclose(state.position, [[1.5, 2.3]], atol=1e-8)
    assert state.position[0, 0] < 1.5
    assert np.allclose(state.velocity, [[0.5, 0.6]], atol=1e-8)


def test_the_edge_of_the_plan_is_a_wall(crowd):
    body = crowd.walkers(crowd.world("....", "G..S"), [[3.0, 1.0]])
    state = body.advance(np.array([[1.5, 1.0]]))
    assert np.allclose(state.position, [[3.5, 1.5]], atol=1e-8)


@pytest.mark.parametrize("there", [(0.5, 0.5), (0.50001, 0.5), (0.4, 0.4)])
def test_nobody_slips_between_two_walls_that_meet_at_a_corner(crowd, there):
    world = crowd.world("#.S", ".#.", "..G")
    for start, way in (([0.0, 1.0], 1.0), ([1.0, 2.0], -1.0)):
        body = crowd.walkers(world, [start])
        for _ in range(3):
            state = body.advance(way * np.array([there]))
        assert (np.abs(state.position - start) <= 0.5).all()


def test_a_corner_is_not_cut(crowd):
    """The straight way from (1, 1) to (2, 2) would pass through the pillar's corner cell only at its end."""
    body = crowd.walkers(crowd.world(*PILLAR), [[1.4, 1.4]])
    state = body.advance(np.array([[0.5, 0.5]]))
    assert not crowd.in_walls(crowd.world(*PILLAR), state.position).any()


def test_a_step_back_keeps_the_heading_and_a_step_turns_it(crowd):
    body = crowd.walkers(crowd.world("....", "G..S"), [[1.0, 0.5]], heading=0.3, speed_limit=0.4)
    assert crowd.yaw(body.advance(np.array([[-0.09, 0.0]])))[0] == pytest.approx(0.3)
    assert crowd.yaw(body.advance(np.array([[0.0, 0.11]])))[0] == pytest.approx(np.pi / 2)
    assert crowd.yaw(body.advance(np.array([[-0.3, 0.0]])))[0] == pytest.approx(np.pi)


def test_being_stopped_is_one_contact_until_one_comes_free(crowd):
    world = crowd.world(*PILLAR)
    body = crowd.walkers(world, [[1.0, 2.0]])
    body.advance(np.array([[1.0, 0.0]]))
    (contact,) = body.contacts
    assert (contact.agent, contact.other, contact.time) == (0, -1, 1.0)
    assert world.surfaces[contact.surface] == "block 0"
    assert contact.speed == pytest.approx(0.5)
    body.advance(np.array([[1.0, 0.0]]))
    assert body.contacts == []
    body.advance(np.array([[-0.5, 0.0]]))
    body.advance(np.array([[1.0, 0.0]]))
    assert len(body.contacts) == 1


def test_the_lost_stay_and_the_placed_live_again(crowd):
    body = crowd.walkers(crowd.world("....", "G..S"), [[1.0, 0.0], [2.0, 0.0]])
    assert body.lose(np.array([1])).alive.tolist() == [True, False]
    state = body.advance(np.ones((2, 2)) * 0.3)
    assert state.position[1].tolist() == [2.0, 0.0]
    state = body.place(np.array([1]), np.array([[0.25, 0.75]]), np.array([1.0]))
    assert state.alive.all()
    assert state.position[1].tolist() == [0.25, 0.75]
    assert crowd.yaw(state)[1] == pytest.approx(1.0)
    assert state.velocity[1].tolist() == [0.0, 0.0]


def test_who_is_placed_in_a_wall_stands_on_the_nearest_walkable_place(crowd):
    body = crowd.walkers(crowd.world(*PILLAR), [[1.0, 1.0]])
    state = body.place(np.array([0]), np.array([[1.7, 2.1]]))
    assert np.allclose(state.position, [[1.5, 2.1]], atol=1e-8)
    assert not crowd.in_walls(crowd.world(*PILLAR), state.position).any()


def test_no_walker_ends_inside_a_trolley(crowd):
    trolley = {
        "kind": "box", "name": "trolley", "center": [1.0, 0.0], "size": [1.0, 1.0],
        "motion": {"path": [[1.0, 0.0], [6.0, 0.0]], "speed": 0.5},
    }  # fmt: skip
    world = crowd.world("G......S", "........", obstacles=[trolley])
    body = crowd.walkers(world, [[2.0, 0.0], [3.2, -0.3], [4.0, 1.0]])
    for _ in range(12):
        state = body.advance(np.zeros((3, 2)))
        assert not crowd.in_walls(world.at(state.time), state.position).any()
    assert state.position[2].tolist() == [4.0, 1.0]


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), cell=st.sampled_from([1.0, 0.4, 2.5, 1e-3, 1e-6, 1e6]),
    longest=st.floats(0.1, 5.0) | st.sampled_from([1e3, 1e6, 1e150]),
    origin=st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)) | st.just((0.0, 0.0)),
)  # fmt: skip
def test_nobody_is_ever_in_a_wall(crowd, seed, cell, longest, origin):
    world = crowd.world(*MAZE, cell=cell, origin=origin)
    rng = np.random.default_rng(seed)
    row, column = np.nonzero(world.floor_plan.walkable)
    body = crowd.walkers(world, world.floor_plan.center_of(row, column), speed_limit=longest * cell)
    for _ in range(10):
        command = rng.uniform(-1.0, 1.0, (len(row), 2)) * longest * cell
        command[:4] = np.round(command[:4] / cell) * cell  # along rows and columns, and just as far as an edge
        command[4:8] = 0.5 * np.round(command[4:8] / cell * 2) * cell
        state = body.advance(command)
        assert not crowd.in_walls(world, state.position).any()
        off = 1e-8 * cell + 16.0 * np.spacing(np.abs(world.bounds).max())  # of coordinates and of what walls keep off
        assert (np.hypot(*state.velocity.T) <= np.hypot(*command.T) * (1 + 1e-9) + off).all()


@pytest.mark.slow
def test_a_million_random_commands_lead_into_no_wall(crowd):
    world = swarm.load_world("hadimassa")
    row, column = np.nonzero(world.floor_plan.walkable)
    body = crowd.walkers(world, world.floor_plan.center_of(row, column), speed_limit=1.0)
    rng = np.random.default_rng(0)
    for _ in range(1_000_000 // len(row) + 1):
        command = rng.normal(0.0, 0.6, (len(row), 2))
        assert not crowd.in_walls(world, body.advance(command).position).any()


def test_walkers_need_a_floor_plan():
    world = build_world({"dim": 2, "bounds": [[0, 0], [5, 5]], "boundary": "walls"}, "test")
    with pytest.raises(BadInput, match="floor plan"):
        Walkers(1).reset(world, np.ones((1, 2)), np.zeros(1))


@pytest.mark.parametrize("command", [np.zeros((2, 2)), np.full((1, 2), np.nan)])
def test_nonsense_is_refused(crowd, command):
    body = crowd.walkers(crowd.world("G..S"), [[1.0, 0.0]])
    with pytest.raises(SimulationError, match="expected"):
        body.advance(command)
