"""Pictures of crowds: floors without a goal, bound for several exits, moments, legends and films."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import swarm
from swarm.bodies.contact import Contact
from swarm.plots import style
from swarm.plots.animation import width_of
from swarm.plots.bound import COLORS, exit_colors, exits_taken
from swarm.plots.flock import caption, draw_flock
from swarm.plots.floor_plan import PLAIN, cell_colours, plan_legend
from swarm.plots.flown import flown
from swarm.plots.numbers import recorded_numbers
from swarm.plots.snapshots import draw_snapshots, moments_of
from swarm.plots.timeline import draw_timeline
from swarm.worlds.floor_plan import FREE, FloorPlan, read_rows
from tests.plots.test_walkers_drawn import made, walk

WEST = {"kind": "area", "name": "west", "center": [0.0, 1.0], "size": [1.0, 3.0]}
EAST = {"kind": "area", "name": "east", "center": [5.0, 1.0], "size": [1.0, 3.0]}
BOTH = {"world": {"zones": [WEST, EAST]}, "task": {"kind": "evacuate", "exits": ["west", "east"]}}


def words(page):
    return [text.get_text() for text in page.legends[0].get_texts()]


def apart():
    """Two walk east and one walks west; one of the first leaves in the last sample but one."""
    place = walk(8)
    place[..., 0] += 1.0
    place[:, 2, 0] = 5.0 - 0.5 * np.arange(8)
    alive = np.ones((8, 3), bool)
    alive[7:, 0] = False
    return made(place, alive, body="point", plan=False, **BOTH)


def test_a_floor_without_a_goal_is_plain_and_light_and_nothing_is_said_of_ways():
    plan = FloorPlan(read_rows(["..#", "..."]))
    colours = cell_colours(plan)
    assert (colours[plan.cells == FREE] == PLAIN).all()
    assert PLAIN > 0.85
    assert [patch.get_label() for patch in plan_legend(plan)] == ["obstacle"]


def test_a_goal_under_what_moves_is_still_a_goal():
    ground = FloorPlan(read_rows([".G"]))
    covered = replace(FloorPlan(read_rows([".#"])), ground=ground)
    assert (cell_colours(covered)[0, 0] == 0.0).all()
    assert "no way to the goal" in [patch.get_label() for patch in plan_legend(covered)]


def test_each_has_the_colour_of_the_exit_that_it_takes():
    flight = apart()
    assert exits_taken(flight).tolist() == [1, 1, 0]
    assert exit_colors(flight) == [COLORS[1], COLORS[1], COLORS[0]]
    with style.styled():
        page, snapshots = draw_flock(flight), draw_snapshots(flight)
    for each in (page, snapshots):
        assert words(each)[:2] == ["bound for west", "bound for east"]
    painted = {tuple(color) for each in page.axes[0].collections for color in each.get_facecolor()}
    assert {to_rgba(COLORS[0]), to_rgba(COLORS[1])} <= painted


def test_with_one_exit_nobody_is_bound_for_another():
    one = {"world": {"zones": [WEST]}, "task": {"kind": "evacuate", "exits": ["west"]}}
    assert exits_taken(made(walk(4), body="point", plan=False, **one)) is None


def test_each_exit_is_named_once():
    with style.styled():
        page = draw_flock(apart())
    told = [text.get_text() for text in page.axes[0].texts]
    assert sorted(text for text in told if "exit" in text or "west" in text or "east" in text) == [
        "exit east", "exit west",
    ]  # fmt: skip


def test_the_last_of_the_snapshots_is_of_a_moment_when_somebody_was_there():
    place, alive = walk(12), np.ones((12, 3), bool)
    place[..., 0] = np.minimum(place[..., 0], 5.0)
    alive[9:] = False
    one = {"world": {"zones": [EAST]}, "task": {"kind": "evacuate", "exits": ["east"]}}
    assert moments_of(made(place, alive, body="point", plan=False, **one)) == [0, 4, 8]


@pytest.mark.parametrize(("time", "told"), [(6.541666, "6.5 s"), (200.0, "200 s"), (12345.678, "12345.7 s")])
def test_times_have_one_decimal(time, told):
    flight = made(walk(3))
    trajectory = replace(flight.trajectory, time=np.array([0.0, 1.0, time]))
    assert caption(replace(flight, trajectory=trajectory), 2).split(":")[0] == told


def test_circles_around_who_touches_something_are_in_the_legend_where_there_are_any():
    flight = made(walk(5))
    touched = replace(flight, result=replace(flight.result, contacts=(Contact(3.5, 0, -1, 0, 0.1),)))
    with style.styled():
        assert "contact" in words(draw_flock(touched))
        assert "contact" in words(draw_snapshots(touched))
        assert "contact" not in words(draw_flock(flight))


def test_ways_in_the_legend_are_those_of_each_moment_that_is_painted():
    """At most 5 + 1 steps to the goal; with a wall but for its upper end, 2 up, 5 across and 2 down from the corner."""
    flight = made(walk(9), world={"floor_plan": {"rows": ["S.....", "......", ".....G"]}})
    painted = np.array([[3, 1, 4, 1], [3, 2, 4, 1]])
    later = replace(flight, trajectory=replace(flight.trajectory, painted=painted))
    with style.styled():
        page, chart = draw_snapshots(later), draw_timeline(later)
    (free,) = [word for word in words(page) if word.startswith("free")]
    assert free == "free, lighter is nearer to the goal: 1 to 6 m, then 1 to 9 m"
    assert later.painting == [3.0]
    assert "painted" in [text.get_text() for axes in chart.axes for text in axes.texts]
    marked = [line.get_xdata()[0] for axes in chart.axes for line in axes.lines if len(set(line.get_xdata())) == 1]
    assert 3.0 in marked


def test_a_film_tells_arrivals_as_the_task_counts_them():
    mission = swarm.load_mission("hadimassa").changed({"duration": 400.0, "criteria": {}})
    flight = flown(mission, swarm.run(mission, seed=0))
    arrivals = flight.result.arrivals
    assert flight.arrived[[200, 400]].tolist() == [arrivals[0], sum(arrivals)]
    numbers = {number.word: number.text for number in recorded_numbers(flight, 400)}
    assert numbers["arrived"] == str(sum(arrivals))
    assert numbers["throughput"] == f"{np.mean(arrivals):.1f}"
    assert {n.word: n.text for n in recorded_numbers(flight, 250)}["throughput"] == f"{arrivals[0]:.1f}"


def test_a_film_of_a_square_plan_is_not_half_empty():
    mission = swarm.load_mission("hadimassa").changed({"duration": 5.0, "criteria": {}})
    flight = flown(mission, swarm.run(mission, seed=0))
    width = width_of(flight, (1280, 720), 100.0)
    assert width % 2 == 0
    assert 592 / width > 0.6  # pixels of 5.92 inches of plan: 7.2 without 0.78 above and 0.5 below
