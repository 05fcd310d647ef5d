"""Walkers on a floor plan, and those who leave by an exit, in pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.patches import Rectangle

from swarm.bodies.contact import Contact
from swarm.mission import Mission
from swarm.mission_file import load_mission, mission_from_table
from swarm.plots import style
from swarm.plots.agents import FADING, Agents
from swarm.plots.animation import frames
from swarm.plots.below import ground_below
from swarm.plots.charts import select
from swarm.plots.flock import draw_flock, shown_end
from swarm.plots.floor_plan import MARK, cell_colours
from swarm.plots.flown import Flown, flown
from swarm.plots.moment import Moments, Watched, look
from swarm.plots.numbers import happened, recorded_numbers
from swarm.plots.overview import draw_overview
from swarm.plots.roles import CAUGHT, LEFT, ON_PLAN
from swarm.plots.snapshots import draw_snapshots
from swarm.plots.timeline import draw_timeline
from swarm.plots.views import panels
from swarm.plots.walkers import walkers
from swarm.recording import Trajectory
from swarm.result import Result
from swarm.runner import run
from swarm.state import MEMBER, PREDATOR, State
from swarm.worlds import load_world
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, rows_of
from swarm.worlds.floor_plan.image import COLOURS

YELLOW = to_rgba(ON_PLAN[MEMBER])
ROWS = ["S.....", "......", ".....G"]
DOOR = {"kind": "area", "name": "door", "center": [5.0, 1.0], "size": [1.0, 3.0]}


def made(
    place: np.ndarray, alive: np.ndarray | None = None, command: np.ndarray | None = None, body: str = "walker",
    plan: bool = True, **table: Any,
) -> Flown:  # fmt: skip
    """A recording of positions (T, N, 2) m, a sample a second."""
    world: dict[str, Any] = {"floor_plan": {"rows": ROWS}} if plan else {"dim": 2, "bounds": [[-0.5] * 2, [5.5, 2.5]]}
    world |= table.pop("world", {})
    count = place.shape[1]
    mission: Mission = mission_from_table(
        {
            "name": "made-up", "duration": float(len(place)), "world": world, "controller": {"use": "hadimassa"},
            "swarm": {
                "count": count, "body": body, "physics_hz": 1, "command_hz": 1, "speed_limit": 1.0,
                "perception": {"range": 1.1},
            },
            "task": {"kind": "circulate"}, **table,
        },
        "made-up.toml",
    )  # fmt: skip
    time = np.arange(float(len(place)))
    velocity = np.zeros_like(place)
    velocity[1:] = np.diff(place, axis=0)
    alive = np.ones(place.shape[:2], np.bool_) if alive is None else alive
    command = velocity if command is None else command
    trajectory = Trajectory(
        time, place, np.clip(velocity, -1.0, 1.0), np.clip(command, -1.0, 1.0), np.full(alive.shape, 1.0), alive,
        np.full(count, MEMBER),
    )  # fmt: skip
    result = Result(
        "made-up", 0, "hadimassa", body, None, True, (), {}, time[-1], len(time) - 1, "", {}, trajectory, {}
    )
    return flown(mission, result)


def walk(samples: int, count: int = 3) -> np.ndarray:
    """(T, N, 2) m, straight on at half a metre a second."""
    place = np.zeros((samples, count, 2))
    place[..., 0] = 0.5 * np.arange(samples)[:, None]
    place[..., 1] = np.arange(count) % 3
    return place


def shapes(flight: Flown, sample: int) -> tuple[np.ndarray, np.ndarray]:
    _, (panel,) = panels(np.array(flight.world.bounds), 0.5, (8.0, 8.0))
    return Agents(panel, flight.trajectory.role, 1.0, flight.on_plan).shapes(Moments(flight, 1.0)[sample])


def test_a_walker_is_a_disc_with_a_bar_ahead_both_with_a_dark_edge() -> None:
    fill = np.array([YELLOW])
    corners, colors = walkers(np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]]), np.array([1.0]), fill, 0.1)
    rim, disc = corners[1] - (3.0, 4.0), corners[3] - (3.0, 4.0)
    radius = np.hypot(*disc.T)
    np.testing.assert_allclose(radius, radius[0])
    np.testing.assert_allclose(np.hypot(*rim.T), radius[0] + 0.1)
    bar = corners[2] - (3.0, 4.0)
    np.testing.assert_allclose((bar[:, 1].min(), bar[:, 1].max()), (0.0, 1.75 * radius[0]), atol=1e-12)  # ahead is +y
    assert np.abs(bar[:, 0]).max() < radius[0]
    np.testing.assert_allclose(colors, [to_rgba(style.INK)] * 2 + [YELLOW] * 2)


def test_walkers_on_a_plan_are_yellow_even_where_there_is_a_colour_for_each() -> None:
    corners, colors = shapes(made(walk(5)), 4)
    assert corners.shape[1:] == (16, 2)
    assert (colors[-12:] == YELLOW).all(axis=1).sum() == 6  # of each of the three, disc and bar


def test_there_is_no_trail_to_where_one_was_put() -> None:
    place = walk(8)
    place[5:, 0] -= (2.0, -2.0)  # arrived and put at the source
    flight = made(place)
    assert flight.breaks.sum() == 1
    assert flight.breaks[4, 0]
    trail = Moments(flight, 20.0)[6].trail
    assert np.isfinite(trail[0]).all()
    assert np.isnan(trail[1:, 0]).all()
    assert np.isfinite(trail[:, 1:]).all()


def test_a_walker_that_steps_back_a_little_does_not_turn_round() -> None:
    place, command = walk(4, 1), np.zeros((4, 1, 2))
    command[1, 0], command[2, 0], command[3, 0] = (0.0, 0.5), (0.0, -0.2), (0.3, 0.0)  # a quarter of 1 m/s turns
    np.testing.assert_allclose(made(place, command=command).direction[1:, 0], [(0, 1), (0, 1), (1, 0)], atol=1e-12)


def test_who_looks_where_is_read_from_the_attitude() -> None:
    yaw = np.array([0.0, 0.5, -2.0, np.pi])
    attitude = np.stack([0 * yaw, 0 * yaw, np.sin(yaw / 2), np.cos(yaw / 2)], axis=1)
    np.testing.assert_allclose(look(attitude), np.stack([np.cos(yaw), np.sin(yaw)], axis=1), atol=1e-12)


def test_a_small_crowd_on_a_plan_is_no_swarm_of_drones() -> None:
    flight = made(walk(5))
    assert flight.crowd
    with style.styled():
        page = draw_flock(flight)
    assert [text.get_text() for text in page.legends[0].get_texts()][:2] == [
        "walker, its bar points ahead",
        "source",
    ]


def _trolley(samples: int) -> Flown:
    trolley = {
        "kind": "box", "name": "trolley", "center": [2.0, 1.5], "size": [0.9, 1.9],
        "motion": {"path": [[2.0, 0.5]], "speed": 0.125},
    }  # fmt: skip
    return made(walk(samples)[:, :1], world={"obstacles": [trolley]})


def test_snapshots_show_how_far_it_is_with_the_trolley_where_it_is_then() -> None:
    flight = _trolley(9)
    with style.styled():
        page = draw_snapshots(flight)
    shown = [next(i for i in axes.images if i.get_gid() == MARK).get_array() for axes in page.axes]
    for sample, image in zip((0, 4, 8), shown):
        plan = flight.world.at(float(sample)).floor_plan
        assert plan is not None
        np.testing.assert_array_equal(image, cell_colours(plan))
    assert (np.asarray(shown[0]) != np.asarray(shown[2])).any()
    assert "moves" in [text.get_text() for text in page.legends[0].get_texts()]


def test_films_show_the_trolley_and_the_cells_as_they_are() -> None:
    flight = _trolley(9)
    with style.styled():
        films = [np.array(f) for f in frames(flight, np.array([0.0, 8.0]), (640, 360), 100.0)]
    mover = np.array(to_rgb(style.MOVER)) * 255
    there = [np.argwhere(np.abs(film[..., :3] - mover).max(axis=-1) < 2).mean(axis=0) for film in films]
    assert there[1][0] > there[0][0] + 20  # rows of pixels: it has gone down
    greys = []
    for sample in (0, 8):
        plan = flight.world.at(float(sample)).floor_plan
        assert plan is not None
        cells = cell_colours(plan)[plan.cells == FREE][:, 0]
        greys.append(set((cells * 255).astype(int).tolist()))
    for mine, other, film in ((0, 1, films[0]), (1, 0, films[1])):
        (grey, *_) = greys[mine] - greys[other]
        flat = np.abs(film[..., :3].astype(int) - grey).max(axis=-1) <= 1
        assert flat.sum() > 500  # the better part of a cell


def leaving(kind: str = "evacuate", **more: Any) -> Flown:
    """Three go to the door; agent 0 leaves at 4 s, agent 1 is lost in the middle at 6 s."""
    place = walk(12)
    place[:, 0, 0] += 3.0
    place[4:, 0] = (5.0, 0.0)
    place[6:, 1] = place[6, 1]
    place[:, 2] *= 0.5
    alive = np.ones((12, 3), np.bool_)
    alive[4:, 0] = alive[6:, 1] = False
    task = {"kind": kind, **({"exits": ["door"]} if kind == "evacuate" else {"target": [90.0, 0.0]}), **more}
    return made(place, alive, body="point", plan=False, world={"zones": [DOOR]}, task=task)


def test_who_left_is_not_lost() -> None:
    flight = leaving()
    assert flight.left.tolist() == [True, False, False]
    assert flight.lost.tolist() == [-1, 6, -1]
    moment = Moments(flight, 1.0)[7]
    assert moment.left.tolist() == [0]
    np.testing.assert_allclose(moment.crosses, flight.trajectory.position[6, 1][None])
    np.testing.assert_allclose(moment.since, (3.0, 1.0, 0.0))
    assert [(n.word, n.text) for n in recorded_numbers(flight, 7)] == [("left", "1")]
    assert happened(flight, 7) == ["1 of 3 alive"]


def test_a_task_that_lets_nobody_leave_has_lost_them() -> None:
    flight = leaving("reach")
    assert not flight.left.any()
    assert flight.lost.tolist() == [4, 6, -1]


def test_who_left_fades_in_a_colour_that_the_caught_do_not_have() -> None:
    _, colors = shapes(leaving(), 5)
    green = colors[(colors[:, :3] == to_rgb(LEFT)).all(axis=1)]
    np.testing.assert_allclose(green[:, 3], [1.0 - 1.0 / FADING])
    assert not (colors[:, :3] == to_rgb(CAUGHT)).all(axis=1).any()
    _, later = shapes(leaving(), 6)
    assert not (later[:, :3] == to_rgb(LEFT)).all(axis=1).any()


def test_the_exit_is_a_green_area_with_the_word() -> None:
    flight = leaving()
    with style.styled():
        page = draw_flock(made(walk(5), body="point", plan=False, world={"zones": [DOOR]}, task=_evacuate()))
        snapshots = draw_snapshots(flight)
    for axes in (*page.axes, *snapshots.axes):
        areas = [a for a in axes.patches if isinstance(a, Rectangle) and a.get_edgecolor() == to_rgba(style.GOAL)]
        assert [(a.get_xy(), a.get_width(), a.get_height()) for a in areas] == [((4.5, -0.5), 1.0, 3.0)]
        assert [text.get_text() for text in axes.texts if "door" in text.get_text()] == ["exit door"]  # named once


def _evacuate() -> dict[str, Any]:
    return {"kind": "evacuate", "exits": ["door"]}


def test_the_large_picture_of_an_evacuation_is_not_an_empty_room() -> None:
    place, alive = walk(8, 4), np.ones((8, 4), np.bool_)
    for agent, sample in enumerate((2, 3, 5, 6)):
        alive[sample:, agent] = False
        place[sample:, agent] = (5.0, 1.0)
    flight = made(place, alive, body="point", plan=False, world={"zones": [DOOR]}, task=_evacuate())
    assert flight.left.all()
    assert shown_end(flight) == 4  # 4, 4, 3, 2, 2, 1, 0, 0 are still there
    assert shown_end(leaving()) == 11


def test_in_groups_who_has_arrived_comes_back_and_is_never_lost() -> None:
    place, alive = walk(12, 1), np.ones((12, 1), np.bool_)
    place[3:6, 0], alive[3:6] = (5.0, 0.0), False  # the goal cell
    place[6:, 0] = (0.0, 2.0)
    place[9:, 0], alive[9:] = (5.0, 0.0), False
    flight = made(place, alive, task={"kind": "circulate", "circulation": "batch"})
    shown = Moments(flight, 1.0)
    assert flight.left.all()
    assert [shown[k].left.tolist() for k in (2, 4, 7, 10)] == [[], [0], [], [0]]
    assert [float(shown[k].since[0]) for k in (2, 4, 7, 10)] == [0.0, 1.0, 0.0, 1.0]
    assert [recorded_numbers(flight, k)[-1] for k in (4, 7)] == [("arrived", "1", ""), ("arrived", "0", "")]


def _state(time: float, place: np.ndarray, alive: list[bool], speed: float = 0.5) -> State:
    count = len(place)
    turned = np.tile([0.0, 0.0, np.sin(0.5), np.cos(0.5)], (count, 1))
    velocity = np.tile([speed, 0.0], (count, 1))
    none = np.zeros(count, np.int64)
    return State(time, place, velocity, turned, np.zeros((count, 3)), np.array(alive), none, none)


def test_a_live_picture_tells_apart_who_left_and_breaks_trails_where_one_was_put_elsewhere() -> None:
    flight = made(walk(4), task={"kind": "circulate", "circulation": "batch"})
    watched = Watched(flight.world, 3, 8, flight.task.out)
    place = walk(4)
    watched.add(_state(0.0, place[0], [True] * 3))
    gone = place[1].copy()
    gone[0] = (5.0, 0.0)
    moment = watched.add(_state(1.0, gone, [False, False, True]))
    assert moment.left.tolist() == [0]  # agent 1 is gone elsewhere than at the goal
    assert np.isnan(moment.trail[0, 0]).all()
    assert np.isfinite(moment.trail[0, 1:]).all()
    np.testing.assert_allclose(moment.direction, np.tile([np.cos(1.0), np.sin(1.0)], (3, 1)))
    assert watched.add(_state(2.0, place[2], [True] * 3)).left.tolist() == []


def test_predators_do_not_hunt_at_exits() -> None:
    flight = leaving()
    flight.trajectory.role[2] = PREDATOR
    _, colors = shapes(flight, 6)
    assert (colors[:, :3] == to_rgb(CAUGHT)).all(axis=1).sum() == 1  # agent 1, caught just now
    assert (shapes(flight, 5)[1][:, :3] == to_rgb(LEFT)).all(axis=1).sum() == 1


@pytest.mark.parametrize(("kind", "word"), [("evacuate", "evacuated"), ("circulate", "all have arrived")])
def test_the_timeline_calls_the_end_of_a_task_by_its_name(kind: str, word: str) -> None:
    flight = made(walk(8), plan=kind == "circulate", body="walker" if kind == "circulate" else "point",
                  world={} if kind == "circulate" else {"zones": [DOOR]},
                  task={"kind": "circulate"} if kind == "circulate" else _evacuate())  # fmt: skip
    flight.result.metrics["time_to_target"] = 5.0
    with style.styled():
        page = draw_timeline(flight)
    assert any(text.get_text() == f"{word}\n5.0 s" for text in page.axes[0].texts)


def _painted(samples: int) -> Flown:
    """A wall from the first step on, and a goal elsewhere from sample 5 on."""
    flight = made(walk(samples)[:, :1])
    painted = np.array([[1, 1, 2, OBSTACLE], [1, 1, 3, OBSTACLE], [5, 0, 5, GOAL], [5, 1, 2, FREE]])
    return replace(flight, trajectory=replace(flight.trajectory, painted=painted))


def test_the_plan_is_shown_as_it_was_painted_at_the_time() -> None:
    flight = _painted(9)
    plans = [flight.world_at(sample).floor_plan for sample in range(9)]
    assert ["".join(rows_of(plan)) for plan in plans if plan is not None] == [
        "S................G", *["S.......##.......G"] * 4, *["S....G...#.......G"] * 4,
    ]  # fmt: skip
    with style.styled():
        page, last = draw_snapshots(flight), draw_flock(flight)
        films = [np.array(f) for f in frames(flight, np.array([0.0, 4.0, 8.0]), (640, 360), 100.0)]
    shown = [next(i for i in axes.images if i.get_gid() == MARK).get_array() for axes in (*page.axes, last.axes[0])]
    sky = np.array(to_rgb(COLOURS[OBSTACLE])) * 255
    blue = [int((np.abs(film[..., :3] - sky).max(axis=-1) < 2).sum()) for film in films]
    for sample, image in zip((0, 4, 8, 8), shown):
        plan = plans[sample]
        assert plan is not None
        np.testing.assert_array_equal(image, cell_colours(plan))
    assert blue[0] == 0
    assert blue[1] == pytest.approx(2 * blue[2], rel=0.1)
    words = [text.get_text() for text in page.legends[0].get_texts()]
    assert len({word.partition(":")[0] for word in words}) == len(words)
    assert "obstacle" in words


def test_who_joins_later_is_not_there_before_and_who_is_taken_out_had_no_accident() -> None:
    alive = np.ones((9, 3), np.bool_)
    alive[:4, 1], alive[6:, 2] = False, False
    flight = made(walk(9), alive)
    assert flight.ended.tolist() == [-1, -1, 6]
    assert flight.lost.tolist() == [-1, -1, -1]
    assert not np.isfinite(Moments(flight, 1.0)[0].since[1])
    assert len(Moments(flight, 1.0)[8].crosses) == 0
    colours = [shapes(flight, sample)[1] for sample in (0, 5, 8)]
    assert [int((each == YELLOW).all(axis=1).sum()) for each in colours] == [4, 6, 4]  # disc and bar of each


def _left(samples: int, count: int, touched: int) -> Flown:
    """Two leave by the door, in samples 3 and 5; contacts all the while."""
    alive = np.ones((samples, count), np.bool_)
    alive[3:, 0], alive[5:, 1] = False, False
    place = walk(samples, count)
    place[..., 0], place[:, :2, 0] = 1.0, 5.0
    flight = made(
        place, alive, body="point", plan=False, world={"zones": [DOOR]}, task={"kind": "evacuate", "exits": ["door"]}
    )
    hits = tuple(Contact(float(k * samples / touched), 2, -1, 0, 1.0) for k in range(touched))
    return replace(flight, result=replace(flight.result, contacts=hits))


def test_how_many_have_left_is_drawn_over_time() -> None:
    flight = _left(9, 3, 1)
    charts = {chart.name: chart.values.tolist() for chart in select(flight)}
    assert charts["left"] == [0, 0, 0, 1, 1, 2, 2, 2, 2]
    assert "left" not in {chart.name for chart in select(made(walk(5)))}


def test_people_who_leave_are_drawn_as_a_crowd_however_few() -> None:
    assert _left(9, 3, 1).crowd
    assert not made(walk(9), plan=False, body="point", task={"kind": "flock"}).crowd


def test_contacts_are_drawn_over_the_whole_run_and_counted() -> None:
    with style.styled():
        page = draw_timeline(_left(9, 3, 1000))
    lines = [line for line in page.axes[0].lines if line.get_color() == style.FAULT]
    moments = sorted(float(np.asarray(line.get_xdata())[0]) for line in lines)
    assert 150 <= len(moments) <= 200
    assert moments[0] == 0.0
    assert moments[-1] > 8.9
    assert "1,000 contacts" in [text.get_text() for text in page.axes[0].texts]


@pytest.mark.parametrize("batch", [False, True])
def test_a_legend_is_no_wider_than_its_page(batch: bool) -> None:
    trolley = {
        "kind": "box",
        "name": "t",
        "center": [2.0, 1.0],
        "size": [1.0, 1.0],
        "motion": {"path": [[3.0, 1.0]], "speed": 0.1},
    }
    rows = ["S.....#.", "......##", ".....G#."]
    circulation = "batch" if batch else "constant"
    flight = made(
        walk(5), world={"obstacles": [trolley], "floor_plan": {"rows": rows}},
        task={"kind": "circulate", "circulation": circulation},
    )  # fmt: skip
    with style.styled():
        page = draw_flock(flight)
    (legend,) = page.legends
    assert len(legend.get_texts()) >= 7
    box = legend.get_window_extent()
    assert box.x0 >= 0.0
    assert box.x1 <= page.bbox.width


def test_who_goes_at_a_goal_that_was_painted_has_left() -> None:
    alive = np.ones((9, 3), np.bool_)
    alive[4:, 0], alive[6:, 1:] = False, False
    place = np.zeros((9, 3, 2))
    place[:] = (5.0, 2.0)  # the goal from sample 5 on
    place[:, 2] = (1.0, 1.0)
    flight = made(place, alive, task={"kind": "circulate", "circulation": "batch"})
    painted = np.array([[5, 0, 5, GOAL]])
    flight = replace(flight, trajectory=replace(flight.trajectory, painted=painted))
    assert flight.left.tolist() == [False, True, False]


def _flown_over(duration: float, **over: Any) -> Flown:
    mission = load_mission("hadimassa", {"duration": duration, "swarm.count": 3, "criteria": {}, **over})
    return flown(mission, run(mission, seed=0, body="drone"))


def test_drones_fly_over_sources_and_goal_in_their_colours() -> None:
    flight = _flown_over(2.0)
    places = {ground.word: ground.corners for ground in ground_below(flight.world)}
    scale = flight.result.scale
    for word, (left, low, right, high) in {
        "source": (-14.5, 8.5, -8.5, 14.5),
        "goal": (10.5, -16.5, 16.5, -10.5),
    }.items():
        corners = [[left, low], [right, low], [right, high], [left, high]]
        np.testing.assert_allclose(places[word], [scale * np.array(corners)])
    assert ground_below(load_world("hadimassa")) == []  # there it is the plan that is drawn
    with style.styled():
        page = draw_overview(flight.world, "w")
    assert {"source", "goal"} <= {text.get_text() for text in page.legends[0].get_texts()}


def test_a_drone_that_is_gone_from_the_goal_has_arrived() -> None:
    flight = _flown_over(2.0, **{"task.circulation": "batch"})
    place = flight.result.scale * np.array([[12.0, -14.0, 0.5], [0.0, 5.0, 0.5], [12.0, 14.0, 0.5]])
    assert flight.task.out(place).tolist() == [True, False, False]
