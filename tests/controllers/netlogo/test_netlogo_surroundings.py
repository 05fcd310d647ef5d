"""What NetLogo's boids do about predators, obstacles, edges and wind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.controllers.models.netlogo.boids import NetLogoBoids
from swarm.controllers.models.netlogo.degrees import turned_right
from swarm.controllers.models.netlogo.obstacles import CUT, clear_ahead, literal_turns
from swarm.controllers.models.netlogo.wind import Wind

WALL = {"kind": "box", "center": [0.0, 0.0], "size": [1.0, 33.0]}  # pxcor = 0


def told(model, view, turtles, make_briefing, seed=0):
    model.reset(turtles.briefing(make_briefing, view, seed))
    return model


@pytest.mark.parametrize("variant", ["repaired", "literal"])
def test_a_boid_that_sees_a_predator_turns_about_and_goes_one_and_a_half(variant, turtles):
    view = turtles.view([[0, 0], [9, 0]], turtles.pointing([0, 0]), predators=[[3.0, 4.0]])
    command = NetLogoBoids(variant=variant)(view)
    assert command[0] == pytest.approx([-0.9, -1.2])  # 1.5 straight away from it
    assert command[1] == pytest.approx([0.0, 1.0])  # it is 7.2 from the other, which sees 5 far


def test_a_predator_across_the_edge_is_seen_the_short_way_round(turtles):
    view = turtles.view([[16, 0]], turtles.pointing([0]), predators=[[-16.0, 0.0]])
    assert NetLogoBoids()(view)[0] == pytest.approx([-1.5, 0.0])


def test_the_nearest_of_two_predators_counts_and_flockmates_do_not(turtles):
    view = turtles.view([[0, 0], [1, 1]], turtles.pointing([0, 0]), predators=[[0.0, 2.0], [-4.0, 0.0]])
    assert NetLogoBoids()(view)[0] == pytest.approx([0.0, -1.5])


def test_the_text_sees_an_obstacle_in_every_empty_cell_and_its_endless_turn_is_cut_off_after_a_circle(
    turtles, make_briefing
):
    world = turtles.world(obstacles=[WALL])
    view = turtles.view([[10, 0], [-2, 0]], turtles.pointing([0, 90]), world=world)
    assert CUT == 8
    assert literal_turns(2, 45.0) == pytest.approx([360.0, 360.0])
    literal = told(NetLogoBoids(variant="literal"), view, turtles, make_briefing)(view)
    assert literal == pytest.approx(view.velocity)  # on into the wall
    repaired = told(NetLogoBoids(), view, turtles, make_briefing)(view)
    assert repaired == pytest.approx(turtles.pointing([0.0, 180.0]))  # 90 + 45 is not yet free


def test_a_boid_looks_ahead_as_far_as_it_is_told(turtles, make_briefing):
    world = turtles.world(obstacles=[WALL])
    view = turtles.view([[-4, 0]], turtles.pointing([90]), world=world)
    for look_ahead, heading in ((2.0, 90.0), (5.0, 180.0)):
        model = told(NetLogoBoids(look_ahead=look_ahead), view, turtles, make_briefing)
        assert turtles.heading_of(model(view)) == pytest.approx([heading])


def test_an_obstacle_across_the_edge_is_seen(turtles, make_briefing):
    post = {"kind": "box", "center": [-16.0, 0.0], "size": [1.0, 1.0]}
    view = turtles.view([[15.5, 0]], turtles.pointing([90]), world=turtles.world(obstacles=[post]))
    model = told(NetLogoBoids(), view, turtles, make_briefing)
    assert turtles.heading_of(model(view)) != pytest.approx([90.0])


@given(seed=st.integers(0, 10_000))
def test_after_turning_the_next_step_touches_nothing(seed, turtles, make_briefing):
    rng = np.random.default_rng(seed)
    boxes = [{"kind": "box", "center": [x, y], "size": [1.0, 1.0]} for x, y in rng.integers(-8, 9, (40, 2)).tolist()]
    world = turtles.world(obstacles=boxes)
    position = rng.uniform(-9, 9, (30, 2))
    position = position[world.clearance(position)[0] > 0.02]
    heading = turtles.pointing(rng.uniform(0, 360, len(position)))
    view = turtles.view(position, heading, world=world)
    command = told(NetLogoBoids(vision=1e-9), view, turtles, make_briefing)(view)
    way = position[:, None] + command[:, None] * np.linspace(0.0, 1.0, 101)[:, None]
    free = world.clearance(way)[0].min(axis=1) > 0.0
    turned = [turned_right(heading, np.full(len(heading), 45.0 * k)) for k in range(8)]
    possible = np.any([clear_ahead(world, position, t, np.ones(len(t)), 0.0) for t in turned], axis=0)
    assert possible.sum() > len(position) // 2
    assert free[possible].all()


def test_near_an_edge_a_boid_faces_the_middle_and_in_a_corner_the_text_s_second_line_wins(turtles, make_briefing):
    world = turtles.world(boundary="walls")
    view = turtles.view([[11.5, 0], [-2, -12], [12, 12], [11.4, 5]], turtles.pointing([90, 180, 45, 90]), world=world)
    repaired, literal = (
        turtles.heading_of(
            told(NetLogoBoids(variant=v, avoid_edges=True, vision=0.1), view, turtles, make_briefing)(view)
        )
        for v in ("repaired", "literal")
    )
    assert repaired == pytest.approx([270.0, 0.0, 225.0, 90.0], abs=1e-9)
    assert literal == pytest.approx([270.0, 0.0, 180.0, 90.0], abs=1e-9)


def test_walls_are_kept_off_unless_told_otherwise_and_a_torus_is_not(turtles):
    for boundary, heading in (("walls", 270.0), ("torus", 90.0)):
        view = turtles.view([[15, 0]], turtles.pointing([90]), world=turtles.world(boundary=boundary))
        assert turtles.heading_of(NetLogoBoids()(view)) == pytest.approx([heading])


def test_the_text_s_wind_turns_a_heading_of_10_towards_350_the_long_way_round():
    wind = {"strength": 1.0, "direction": 350.0, "interval": 0.0}
    heading = np.radians([[10.0]])
    direction = np.hstack([np.sin(heading), np.cos(heading)])
    turned = [Wind(**wind, wraps=wraps).blow(direction, 1.0, 1.0)[0] for wraps in (True, False)]
    degrees = np.degrees(np.arctan2([t[0] for t in turned], [t[1] for t in turned]))
    assert degrees == pytest.approx([10 - 0.1 * 20, 10 + 0.1 * 340])


def test_the_first_tick_has_had_no_wind_and_each_later_one_a_tenth_of_the_way_for_each_unit():
    wind = Wind(5.0, 90.0, 0.0, True)
    north = np.array([[0.0, 1.0]])
    assert np.array_equal(wind.blow(north, 0.0, 1.0), north)
    assert np.degrees(np.arctan2(*wind.blow(north, 1.0, 1.0)[0])) == pytest.approx(45.0)
    assert np.degrees(np.arctan2(*wind.blow(north, 1.0, 0.5)[0])) == pytest.approx(22.5)


def test_the_wind_turns_every_interval_and_alike_for_one_seed():
    winds = [Wind(1.0, None, 50.0, True) for _ in range(2)]
    for wind, seed in zip(winds, (3, 3)):
        wind.begin(np.random.default_rng(seed))
    seen = [[wind.at(float(t)) for t in range(500)] for wind in winds]
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 10
    assert np.flatnonzero(np.diff(seen[0])).tolist() == list(range(49, 499, 50))


def test_a_given_direction_is_the_first_and_a_second_run_begins_with_it_again(turtles, make_briefing):
    model = NetLogoBoids(wind_strength=10.0, wind_direction=90.0, gust_interval=50.0)
    for _ in range(2):
        heading = []
        for time in (1.0, 120.0):
            view = turtles.view([[0, 0]], turtles.pointing([0]), time=time)
            if time == 1.0:
                told(model, view, turtles, make_briefing, seed=4)
            heading.append(float(turtles.heading_of(model(view))[0]))
        assert heading[0] == pytest.approx(90.0)
        rng = np.random.default_rng(4)
        assert heading[1] == pytest.approx(rng.uniform(0, 360, 2)[1])
