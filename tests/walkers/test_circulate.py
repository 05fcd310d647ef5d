"""Arrivals, groups, episodes, and who is stuck."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.tasks.circulate import Circulate
from swarm.tasks.freeing import free_places

ROWS = ("SS......", "SS......", "....GGG.", "....GGG.", "....GGG.")  # of the goal only (5, 1) is inner


def begun(crowd, placing=True, **keys):
    world = crowd.world(*ROWS)
    return Circulate(**keys).begin(crowd.scene(world, [[7.0, 4.0], [7.0, 3.0]], placing=placing)), world


def test_the_default_plan_has_36_places_to_arrive():
    plan = swarm.load_world("hadimassa").floor_plan
    assert plan.goal_cells.sum() == 36
    assert plan.source_cells.sum() == 36


def test_one_arrives_on_an_inner_cell_and_begins_anew_at_a_source(crowd):
    goal, world = begun(crowd)
    places = set()
    for time in range(1, 200):
        goal.update(world, crowd.state([[5.4, 1.4], [5.6, 1.4]], time=float(time)))
        assert goal.moves.agents.tolist() == [0]
        places.add(tuple(goal.moves.position[0]))
    assert places == {(0.0, 3.0), (0.0, 4.0), (1.0, 3.0), (1.0, 4.0)}
    assert goal.now == 199
    assert goal.errands.arrival.tolist() == [1.0, np.inf]


def test_bodies_that_cannot_be_put_elsewhere_arrive_once(crowd):
    goal, world = begun(crowd, placing=False)
    for x in (5.0, 5.2, 7.0, 5.0):
        goal.update(world, crowd.state([[x, 1.0], [7.0, 4.0]]))
        assert goal.moves is None
    assert goal.now == 1


def test_in_groups_who_has_arrived_is_gone_until_the_last_has(crowd):
    goal, world = begun(crowd, circulation="batch")
    goal.update(world, crowd.state([[5.0, 1.0], [7.0, 4.0]]))
    assert (goal.leaving.tolist(), goal.moves) == ([0], None)
    goal.update(world, crowd.state([[5.0, 1.0], [7.0, 4.0]], alive=[False, True]))
    assert (goal.leaving.tolist(), goal.moves) == ([], None)
    goal.update(world, crowd.state([[5.0, 1.0], [5.0, 1.0]], alive=[False, True]))
    assert goal.leaving.tolist() == []
    assert goal.moves.agents.tolist() == [0, 1]
    assert goal.now == 2


def test_an_episode_counts_its_own_arrivals(crowd):
    goal, world = begun(crowd, episode=4)
    for tick in range(1, 15):
        x = 5.0 if tick in (1, 2, 4, 5, 9, 10, 11, 12, 13) else 7.0
        goal.update(world, crowd.state([[x, 1.0], [7.0, 4.0]], time=float(tick)))
    assert goal.arrivals == [3, 1, 4]
    assert goal.now == 1
    outcomes = goal.outcomes()
    running = 0.95 * (0.95 * (0.05 * 3) + 0.05 * 1) + 0.05 * 4
    assert outcomes["throughput"] == pytest.approx(8 / 3)
    assert outcomes["throughput_running"] == pytest.approx(running)
    assert outcomes["throughput_corrected"] == pytest.approx(running / (1 - 0.95**3))


def test_stuck_is_who_was_nowhere_else_in_an_episode_and_has_not_arrived(crowd):
    """One goes 2 m off and comes back, one sways by 0.9 m, one sways and arrives, and one goes in the next episode."""
    world = crowd.world(*ROWS)
    start = np.array([[0.0, 2.0], [3.0, 3.0], [4.4, 1.4], [0.0, 0.0]])
    goal = Circulate(episode=4, start="spawn").begin(crowd.scene(world, start))
    sways = [[2.0, 0.9, 0.7, 0.9], [0.0, 0.0, 0.0, 0.0], [1.5, 0.9, 0.0, 0.9], [0.0, 0.0, 0.0, 0.0]]
    for tick, sway in enumerate(sways, 1):
        assert not goal.bound.any()
        goal.update(world, crowd.state(start + np.outer(sway, [1.0, 0.0]), time=float(tick)))
    assert goal.now == 0
    assert goal.bound.tolist() == [False, True, False, True]
    for tick in range(5, 9):
        goal.update(world, crowd.state(start + np.array([[0, 0], [0, 0], [0, 0], [1.1, 0]]), time=float(tick)))
    assert goal.bound.tolist() == [True, True, True, False]


def test_before_the_first_episode_has_ended_there_is_no_throughput(crowd):
    assert set(begun(crowd)[0].outcomes().values()) == {None}


def test_the_goal_is_met_when_everybody_has_been_there(crowd):
    goal, world = begun(crowd)
    states = [crowd.state([[5.0, 1.0], [7.0, 4.0]], time=1.0), crowd.state([[0.0, 4.0], [5.0, 1.0]], time=2.0)]
    met = []
    for state in states:
        goal.update(world, state)
        met.append(goal.met(state))
    assert met == [False, True]
    assert goal.met_at == 2.0


def test_everybody_starts_at_a_source_or_where_the_mission_says(crowd):
    goal, world = begun(crowd)
    assert world.floor_plan.source_cells[world.floor_plan.cell_of(goal.moves.position)].all()
    assert begun(crowd, start="spawn")[0].moves is None


@pytest.mark.parametrize("free", [False, True])
def test_who_came_nowhere_in_an_episode_is_put_on_the_nearest_empty_cell(crowd, free):
    goal, world = begun(crowd, free=free, episode=2, start="spawn")
    for _ in range(2):
        goal.update(world, crowd.state([[7.2, 3.9], [5.0, 3.0]]))  # one moved 0.2 m, the other 2 m
    if free:
        assert goal.moves.agents.tolist() == [0]
        assert goal.moves.position.tolist() == [[7.0, 3.0]]
    else:
        assert goal.moves is None


def test_those_who_are_freed_get_a_cell_each(crowd):
    world = crowd.world(*ROWS)
    position = np.array([[7.0, 4.0], [7.1, 4.1], [7.2, 4.1], [6.0, 4.0]])
    places = free_places(world.floor_plan, position, np.arange(3))
    cells = {tuple(place) for place in places.tolist()}
    assert cells == {(7.0, 3.0), (6.0, 3.0), (7.0, 2.0)}


@pytest.mark.parametrize(
    ("rows", "count", "said"),
    [(("G..",), 1, "source"), (("GS",), 3, "expected a walkable cell for each of 3")],
)
def test_what_cannot_be_is_said(crowd, rows, count, said):
    with pytest.raises(BadInput, match=said):
        Circulate().begin(crowd.scene(crowd.world(*rows), np.zeros((count, 2))))


def test_a_world_without_a_plan_is_refused():
    mission = swarm.load_mission("python-boids").changed({"task.kind": "circulate"})
    with pytest.raises(BadInput, match="floor plan"):
        swarm.Simulation(mission)
