"""What pictures tell of a task: where it leads, and what happened to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from swarm.errors import BadInput
from swarm.mission_file import mission_from_table
from swarm.plots import style
from swarm.plots.charts import select
from swarm.plots.flown import Flown, flown
from swarm.plots.hero import draw_hero
from swarm.plots.hidden import hidden_target
from swarm.plots.lookout import best_camera, hidden
from swarm.plots.paths import draw_paths, end_word
from swarm.plots.sketch import Sketch, sketch
from swarm.plots.story import events
from swarm.plots.timeline import draw_timeline
from swarm.recording import Trajectory
from swarm.simulation import Simulation
from swarm.tasks import TASKS, read_task
from swarm.worlds import Obstacle, World, Zone

Make = Callable[..., tuple]
BOUNDS = np.array([[-4.0, -6.0, 0.0], [36.0, 6.0, 4.0]])
GATES = (
    Zone("gate", "first", (10.0, 0.0, 1.5), (12.0, 4.0), order=1),
    Zone("gate", "second", (20.0, 0.0, 1.5), (12.0, 4.0), order=2),
)


def task(**table: object) -> object:
    faults: list[str] = []
    made = read_task(table, "task", faults)
    assert not faults
    return made


def straight(count: int = 2, steps: int = 101) -> Trajectory:
    """Agents side by side along +x at 0.3 m a sample of 0.1 s, the second 3 m behind."""
    time = 0.1 * np.arange(steps)
    position = np.zeros((steps, count, 3))
    position[..., 0] = 3.0 * time[:, None] - 3.0 * np.arange(count)
    position[..., 2] = 1.5
    still = np.zeros_like(position)
    alive = np.ones((steps, count), bool)
    return Trajectory(time, position, still + (3.0, 0, 0), still, still[..., 0], alive, np.zeros(count, np.int64))


@pytest.mark.parametrize("kind", TASKS)
def test_every_kind_of_task_has_a_sketch(kind: str) -> None:
    keys = {
        "reach": {"target": [30.0, 0.0, 1.5]},
        "exit": {"target": [30.0, 0.0, 1.5]},
        "evacuate": {"target": [30.0, 0.0, 1.5]},
        "follow": {"path": [[0.0, 0.0, 1.5], [30.0, 0.0, 1.5]]},
    }
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    made = sketch(task(kind=kind, **keys.get(kind, {})), world)
    assert (made.end is None) == (kind in ("flock", "search", "circulate"))
    assert np.isfinite(made.places).all()


def test_an_exit_is_in_the_middle_of_its_area() -> None:
    area = Zone("area", "door", (30.0, 2.0, 1.0), (2.0, 2.0, 2.0))
    made = sketch(task(kind="exit", exit="door"), World("w", BOUNDS, "walls", True, zones=(area,)))
    assert made.word == "exit"
    np.testing.assert_allclose(made.end, (30.0, 2.0, 1.0))


def test_places_hold_the_target_with_its_radius_and_the_path() -> None:
    made = Sketch(end=np.array([1.0, 2.0]), radius=0.5, path=np.array([[0.0, 0.0], [1.0, 2.0]]))
    np.testing.assert_allclose(made.places.min(axis=0), (0.0, 0.0))
    np.testing.assert_allclose(made.places.max(axis=0), (1.5, 2.5))


def test_gates_without_a_target_end_behind_the_last_one_named() -> None:
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    np.testing.assert_allclose(sketch(task(kind="gates", approach=2.0), world).end, (22.0, 0.0, 1.5))
    named = task(kind="gates", gates=["second", "first"], approach=2.0)
    np.testing.assert_allclose(sketch(named, world).end, (12.0, 0.0, 1.5))


def test_gate_is_passed_when_the_last_agent_is_through() -> None:
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    told = events(task(kind="gates"), world, straight(), None)
    # The second agent is at 3 t - 3: at 10 m after 4.34 s, at 20 m after 7.67 s.
    assert [event.time for event in told] == pytest.approx([4.4, 7.7])
    assert [event.agent for event in told] == [1, 1]
    assert [event.short for event in told] == ["first", "second"]


def test_gates_that_not_all_crossed_in_order_are_not_told() -> None:
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    assert len(events(task(kind="gates", gates=["second", "first"]), world, straight(), None)) == 1
    assert events(task(kind="gates"), world, straight(steps=40), None) == []


def test_target_is_found_by_the_first_in_range_with_nothing_in_between() -> None:
    target = np.array([15.0, 0.0, 1.5])
    looking = task(kind="search", range=4.0)
    (event,) = events(looking, World("w", BOUNDS, "walls", True), straight(), target)
    assert (event.time, event.agent) == (pytest.approx(3.7), 0)  # 3 t >= 15 - 4
    wall = Obstacle("box", (14.05, 0.0, 2.0), "wall", size=(0.2, 12.0, 4.0))
    (event,) = events(looking, World("w", BOUNDS, "walls", True, (wall,)), straight(), target)
    assert event.time == pytest.approx(4.8)  # the first sample beyond the wall, which ends at 14.15 m
    assert events(looking, World("w", BOUNDS, "walls", True), straight(steps=20), target) == []


SEARCH = {
    "name": "search",
    "duration": 5.0,
    "world": {"bounds": [[0.0, 0.0, 0.0], [9.0, 9.0, 3.0]], "boundary": "walls"},
    "swarm": {"count": 2, "spawn": {"center": [1.5, 1.5, 1.5], "shape": "line", "spacing": 0.8}},
    "controller": {"use": "boids"},
    "task": {"kind": "search", "range": 3.0},
    "criteria": {"success": {"equals": True}},
}


@pytest.mark.parametrize("seed", [0, 3])
def test_hidden_target_is_where_the_run_had_it(seed: int) -> None:
    mission = mission_from_table(SEARCH, "search.toml")
    with Simulation(mission, seed) as sim:
        found = hidden_target(mission, sim.world, seed, sim.state.position)
        np.testing.assert_array_equal(found, sim.goal.hidden)  # type: ignore[attr-defined]


def told_flight(make_flight: Make, kind: str) -> Flown:
    """The flight of `make_flight`, as another task's."""
    mission, result = make_flight(world={"bounds": BOUNDS.tolist(), "boundary": "walls"})
    table = {"kind": "search", "range": 4.0, "target": [15.0, 0.0, 1.5]} if kind == "search" else {"kind": "gates"}
    object.__setattr__(mission, "task", task(**table))
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    return Flown(mission, result, result.trajectory, world)


def test_found_target_is_marked_in_every_picture(make_flight: Make) -> None:
    flight = told_flight(make_flight, "search")
    moment = f"{flight.events[0].time:.1f} s"
    with style.styled():
        plan, hero, charts = draw_paths(flight), draw_hero(flight), draw_timeline(flight)
    assert f"target, found at {moment}" in [text.get_text() for text in plan.axes[0].texts]
    assert f"target, found at {moment}" in [text.get_text() for text in hero.axes[0].texts]
    assert "found" in [text.get_text() for text in charts.axes[0].texts]


def test_target_that_was_not_found_is_said_so(make_flight: Make) -> None:
    flight = told_flight(make_flight, "search")
    flight.__dict__["events"] = []
    assert end_word(flight) == "target, not found"


def test_gates_are_marked_in_every_picture(make_flight: Make) -> None:
    flight = told_flight(make_flight, "gates")
    assert len(flight.events) == 2
    with style.styled():
        plan, hero, charts = draw_paths(flight), draw_hero(flight), draw_timeline(flight)
    for axes in (*plan.axes, hero.axes[0]):
        assert {"1", "2"} <= {text.get_text() for text in axes.texts}
    assert {"first", "second"} <= {text.get_text() for text in charts.axes[0].texts}
    assert select(flight)


def test_hidden_share_is_that_behind_obstacles() -> None:
    wall = Obstacle("box", (5.0, 0.0, 2.0), "wall", size=(0.2, 12.0, 4.0))
    world = World("w", BOUNDS, "walls", True, (wall,))
    places = np.array([[1.0, 0.0, 1.0], [2.0, 0.0, 1.0], [8.0, 0.0, 1.0], [9.0, 0.0, 1.0]])
    assert hidden(world, places, np.array([-20.0, 0.0, 1.5])) == 0.5
    assert hidden(World("w", BOUNDS, "walls", True), places, np.array([-20.0, 0.0, 90.0])) == 0.0


def test_camera_looks_over_a_wall_in_front_of_the_flight(make_flight: Make) -> None:
    mission, result = make_flight()
    box, room = BOUNDS, np.array([[0.0, 0.0], [1600.0, 700.0]])
    fence = tuple(
        Obstacle("box", (x, -3.4, 1.9), f"fence {x}", size=(6.0, 0.2, 3.8)) for x in np.arange(-1.0, 36.0, 6.0)
    )
    low = best_camera(Flown(mission, result, result.trajectory, World("w", BOUNDS, "walls", True)), box, room)
    high = best_camera(Flown(mission, result, result.trajectory, World("w", BOUNDS, "walls", True, fence)), box, room)
    assert high.axes[2, 2] < low.axes[2, 2]  # looks down more steeply


def test_flights_of_worlds_with_an_unknown_gate_are_bad_input() -> None:
    world = World("w", BOUNDS, "walls", True, zones=GATES)
    with pytest.raises(BadInput, match="third"):
        events(task(kind="gates", gates=["third"]), world, straight(), None)


def test_plain_flights_have_no_events(make_flight: Make) -> None:
    flight = flown(*make_flight(seconds=1.0))
    assert flight.events == []
    assert end_word(flight) is None
