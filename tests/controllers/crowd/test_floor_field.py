"""The floor-field automaton: probabilities, conflicts, traces, and one walker a cell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swarm.controllers.models.crowd import FloorField
from swarm.controllers.models.crowd.cells import cells_of
from swarm.controllers.models.crowd.hopping import chances, resolve, spread
from swarm.errors import BadInput
from swarm.mission_file import load_mission
from swarm.simulation import Simulation

STILL = np.zeros(2, np.bool_)


def chance_of(static, traces=None, free=None, at=((1, 1),), last=None, k_dynamic=0.0, own=0.0, wraps=STILL):
    traces = np.zeros((1, 3, 3)) if traces is None else traces
    free = np.ones((3, 3), np.bool_) if free is None else free
    at = np.array(at, np.int64)
    last = np.zeros(len(at), np.int64) if last is None else np.array(last, np.int64)
    return chances(
        at, last, np.ones(len(at), np.bool_), np.zeros(len(at), np.int64), np.array(static, float), traces, free, wraps,
        2.0, k_dynamic, own,
    )  # fmt: skip


def test_cells_are_chosen_by_the_exponential_of_the_static_field():
    weights = np.exp(2.0 * np.array([0.0, 1.0, 0.0, -1.0, 0.0]))
    assert chance_of([[0.0, 1.0, 0.0, -1.0, 0.0]])[0] == pytest.approx(weights / weights.sum())


def test_what_is_taken_or_solid_is_not_chosen():
    free = np.ones((3, 3), np.bool_)
    free[0, 1] = False  # the cell towards −x
    chance = chance_of([[0.0] * 5, [0.0] * 5], free=free, at=((1, 1), (2, 1)))
    assert chance[0] == pytest.approx([1 / 3, 0.0, 1 / 3, 0.0, 1 / 3])
    assert chance[1] == pytest.approx([1 / 3, 0.0, 1 / 3, 0.0, 1 / 3])  # at the edge of the world


def test_traces_draw_and_ones_own_last_does_not():
    traces = np.zeros((1, 3, 3))
    traces[0, 0, 1], traces[0, 1, 2] = 0.5, 2.0
    weights = np.exp([0.0, 0.0, 3.0 * 2.0, 3.0 * 0.5, 0.0])
    assert chance_of([[0.0] * 5], traces, k_dynamic=3.0)[0] == pytest.approx(weights / weights.sum())
    weights[3] = math.exp(3.0 * (0.5 - 0.4))  # it came along +x, so that what is at −x is its own
    assert chance_of([[0.0] * 5], traces, last=[1], k_dynamic=3.0, own=0.4)[0] == pytest.approx(weights / weights.sum())


def conflict(order, stop, friction):
    """Two walkers that both want the middle of a row of three; theirs cells then, and the traces."""
    at, traces = np.array([[0, 0], [2, 0]], np.int64), np.zeros((1, 3, 1))
    chance = np.array([[0.0, 1.0, 0, 0, 0], [0.0, 0, 0, 1.0, 0]])
    target = resolve(
        at, chance, np.ones(2, np.bool_), np.zeros(2, np.int64), np.array([0.5, 0.5]), np.array(order), np.array(stop),
        friction, traces, STILL,
    )  # fmt: skip
    return target.tolist(), traces[0, :, 0].tolist()


def test_of_two_that_want_one_cell_one_goes_and_leaves_a_trace():
    assert conflict([0.7, 0.2], [0.9, 0.9], 0.5) == ([[0, 0, 0], [1, 0, 3]], [0.0, 0.0, 1.0])
    assert conflict([0.1, 0.2], [0.9, 0.9], 0.5) == ([[1, 0, 1], [2, 0, 0]], [1.0, 0.0, 0.0])


def test_friction_holds_both_up():
    assert conflict([0.7, 0.2], [0.9, 0.4], 0.5) == ([[0, 0, 0], [2, 0, 0]], [0.0, 0.0, 0.0])


def test_traces_spread_and_fade():
    traces = np.zeros((1, 3, 3))
    traces[0, 1, 1] = 1.0
    spread(traces, np.ones((3, 3), np.bool_), STILL, 0.4, 0.5)
    assert traces[0, 1, 1] == pytest.approx(0.5 * 0.6)
    assert traces[0, 0, 1] == traces[0, 2, 1] == traces[0, 1, 0] == pytest.approx(0.5 * 0.1)
    assert traces[0, 0, 0] == 0.0


def test_nothing_of_a_trace_goes_into_walls():
    traces = np.ones((1, 3, 1))
    free = np.array([[True], [True], [False]])
    traces[0, 2, 0] = 0.0
    spread(traces, free, STILL, 0.4, 0.0)
    assert traces[0, :, 0].tolist() == pytest.approx([1.0, 1.0, 0.0])


def test_cells_have_room_for_a_hull_and_a_torus_holds_a_whole_number(make_world):
    world = make_world(2, [{"kind": "box", "center": [0.0, 0.0], "size": [0.8, 0.8]}], half=1.2, boundary="walls")
    cells = cells_of(world, 0.4, 0.19, 0.0)
    assert cells.free.shape == (6, 6)
    assert (~cells.free).sum() == 4
    assert cells.of(np.array([[-1.1, 1.1], [9.0, 0.1]])).tolist() == [[0, 5], [5, 3]]
    torus = cells_of(make_world(2, half=1.1, boundary="torus"), 0.4, 0.19, 0.0)
    assert torus.free.shape == (6, 6)  # 2.2 / 0.4 = 5.5
    assert torus.side == pytest.approx([2.2 / 6] * 2)


def test_walkers_settle_one_a_cell_and_too_many_are_refused(make_world):
    cells = cells_of(make_world(2, half=0.4, boundary="walls"), 0.4, 0.1, 0.0)
    zero = np.zeros(4, np.int64)
    settled = cells.settled(np.full((4, 2), 0.1), zero)
    assert sorted(map(tuple, settled.tolist())) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    with pytest.raises(BadInput, match="at most as many walkers as free cells, 4"):
        cells.settled(np.zeros((5, 2)), np.zeros(5, np.int64))


def test_a_walker_goes_a_cell_in_a_cell_time(make_view, make_briefing):
    controller = FloorField(k_static=100.0)
    controller.reset(make_briefing([[0.2, 0.2]]))
    position, hop = np.array([[0.2, 0.2]]), round(0.4 / 1.34 * 48)
    for step in range(3 * hop):
        position = position + controller(make_view(position, target=[20.0, 0.2], time=step / 48)) / 48
    assert position == pytest.approx(np.array([[1.4, 0.2]]))


def test_nobody_shares_a_cell_and_everybody_gets_out():
    changes = {"controller": {"use": "floor-field"}, "swarm.motion.radius": 0.19, "swarm.count": 60}
    with Simulation(load_mission("bottleneck").changed({**changes, "criteria": {}}), 0) as sim:
        while not sim.done:
            sim.step()
            cells = sim.controller._at[sim.view.alive]
            assert len(np.unique(cells, axis=0)) == len(cells)
        assert sim.success
        assert sim.metrics["collisions"] == 0
