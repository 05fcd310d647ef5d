"""Wind is the sum of what the file says, and a gust depends on the seed and its number alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.mission_file import mission_from_table
from swarm.worlds import build_world

BOUNDS = {2: [[0.0, 0.0], [10.0, 10.0]], 3: [[0.0, 0.0, 0.0], [10.0, 10.0, 10.0]]}
MISSION = {
    "name": "m", "duration": 4.0, "world": {"dim": 2, "bounds": [[0, 0], [9, 9]], "boundary": "torus"},
    "swarm": {"count": 3, "body": "point", "physics_hz": 1, "command_hz": 1}, "controller": {"use": "boids"},
}  # fmt: skip


def world_with(*winds, dim=2, seed=0):
    return build_world({"dim": dim, "bounds": BOUNDS[dim], "boundary": "walls", "wind": list(winds)}, "w.toml", seed)


def test_without_wind_the_air_is_still():
    world = world_with(dim=3)
    assert world.wind == ()
    assert world.wind_at(7.0).tolist() == [0.0, 0.0, 0.0]


def test_direction_is_the_angle_from_x_towards_y_in_which_the_air_goes():
    assert world_with({"direction": 90, "speed": 2}).wind_at(3.0) == pytest.approx([0.0, 2.0])
    climbing = world_with({"direction": 180, "speed": 2, "climb": 30}, dim=3).wind_at(0.0)
    assert climbing == pytest.approx([-2 * math.cos(math.pi / 6), 0.0, 1.0])


def test_winds_add():
    world = world_with({"direction": 0, "speed": 3}, {"direction": 90, "speed": 4})
    assert world.wind_at(0.0) == pytest.approx([3.0, 4.0])
    assert world.wind_direction(np.array([0.0, 9.0])) == pytest.approx([math.atan2(4, 3)] * 2)


def test_before_the_first_gust_it_blows_as_written_and_then_each_gust_for_as_long():
    world = world_with({"direction": 45, "speed": 1, "gusts": {"every": 50, "turn": "any"}})
    written = [math.cos(math.pi / 4)] * 2
    assert world.wind_at(0.0) == pytest.approx(written)
    assert world.wind_at(49.9) == pytest.approx(written)
    first = world.wind_at(50.0)
    assert first.tolist() == world.wind_at(99.9).tolist()
    assert not np.allclose(first, written)
    assert not np.allclose(world.wind_at(100.0), first)


def test_gusts_stay_within_their_turn_and_spread():
    world = world_with({**STEADY, "gusts": {"every": 1, "turn": 20, "speed": 0.5}})
    air = np.array([world.wind_at(float(t)) for t in range(400)])
    angle, speed = np.degrees(np.arctan2(air[:, 1], air[:, 0])), np.linalg.norm(air, axis=1)
    assert np.abs(angle).max() <= 20
    assert np.abs(angle).max() > 18
    assert 0.5 <= speed.min() < 0.55
    assert 1.45 < speed.max() <= 1.5


def test_any_direction_is_any_and_no_speed_is_negative():
    world = world_with({"direction": 0, "speed": 0.5, "gusts": {"every": 1, "speed": 1.0}})
    air = np.array([world.wind_at(float(t)) for t in range(1, 400)])
    assert (np.linalg.norm(air, axis=1) <= 1.5 + 1e-12).all()
    blown = air[np.linalg.norm(air, axis=1) > 0]
    assert 200 < len(blown) < 399  # a quarter of the gusts are calms
    quarters = np.floor_divide(np.arctan2(blown[:, 1], blown[:, 0]), math.pi / 2)
    assert (np.bincount((quarters + 2).astype(int)) > 40).all()


def test_any_time_can_be_asked_for_first():
    wind = {"direction": 0, "speed": 1, "gusts": {"every": 2}}
    forward, backward = world_with(wind, seed=3), world_with(wind, seed=3)
    times = np.arange(0.0, 40.0, 0.7)
    there = [forward.wind_at(t).tolist() for t in times]
    assert there == [backward.wind_at(t).tolist() for t in times[::-1]][::-1]


def test_another_seed_brings_other_gusts_unless_they_have_a_seed_of_their_own():
    gusts = {"direction": 0, "speed": 1, "gusts": {"every": 1}}
    assert not np.allclose(world_with(gusts, seed=0).wind_at(5.0), world_with(gusts, seed=1).wind_at(5.0))
    own = {"direction": 0, "speed": 1, "gusts": {"every": 1, "seed": 4}}
    assert np.array_equal(world_with(own, seed=0).wind_at(5.0), world_with(own, seed=1).wind_at(5.0))


def test_two_equal_winds_have_gusts_of_their_own():
    gusts = {"direction": 0, "speed": 1, "gusts": {"every": 1}}
    air = world_with(gusts, gusts).wind_at(1.0)
    assert not np.allclose(air, 2 * world_with(gusts).wind_at(1.0))


def test_worlds_at_other_times_keep_their_wind():
    mover = {
        "kind": "sphere", "center": [5, 5], "radius": 1, "motion": {"path": [[6, 5]], "speed": 1},
    }  # fmt: skip
    table = {"dim": 2, "bounds": BOUNDS[2], "boundary": "torus", "obstacles": [mover]}
    world = build_world({**table, "wind": [{"direction": 0, "speed": 1}]}, "w.toml")
    for other in (world.at(3.0), world.still, world.walled(), world.alone()):
        assert other.wind_at(0.0) == pytest.approx([1.0, 0.0])


STEADY = {"direction": 0, "speed": 1}


@pytest.mark.parametrize(
    ("wind", "said"),
    [
        ({"speed": 1}, "w.toml: wind[0].direction: missing"),
        ({"direction": 0, "speed": -1}, "w.toml: wind[0].speed: expected a number >= 0"),
        ({"direction": "north", "speed": 1}, 'w.toml: wind[0].direction: expected a number, got "north"'),
        (
            {"direction": 0, "speed": 1, "climb": 5},
            "w.toml: wind[0].climb: expected 0 in a world of two dimensions, got",
        ),
        ({**STEADY, "gust": {}}, "w.toml: wind[0].gust: unknown key"),
        (
            {"direction": 0, "speed": 1, "gusts": {"every": 0}},
            "w.toml: wind[0].gusts.every: expected a number >= 0.001",
        ),
        ({**STEADY, "gusts": {}}, "w.toml: wind[0].gusts.every: missing"),
        ({**STEADY, "gusts": {"every": 1, "turn": 200}}, "w.toml: wind[0].gusts.turn: expected"),
        (
            {"direction": 0, "speed": 1, "gusts": {"every": 1, "turn": "all"}},
            "w.toml: wind[0].gusts.turn: expected any",
        ),
        (3, "w.toml: wind[0]: expected a table, got 3"),
    ],
)
def test_what_is_wrong_is_one_line(wind, said):
    with pytest.raises(BadInput) as caught:
        world_with(wind)
    (fault,) = caught.value.faults
    assert fault.startswith(said), fault


def test_a_run_has_the_gusts_of_its_seed():
    gusts = [{"direction": 0, "speed": 1, "gusts": {"every": 1}}]
    mission = mission_from_table({**MISSION, "world": {**MISSION["world"], "wind": gusts}}, "m.toml")
    blown = [swarm.Simulation(mission, seed=seed).world.wind_at(2.0).tolist() for seed in (0, 1, 0)]
    assert blown[0] == blown[2] != blown[1]


def test_views_show_the_wind_of_their_time():
    wind = [{"direction": 90, "speed": 2, "gusts": {"every": 1}}]
    mission = mission_from_table({**MISSION, "world": {**MISSION["world"], "wind": wind}}, "m.toml")
    with swarm.Simulation(mission, seed=5) as sim:
        for _ in range(3):
            assert sim.view.wind.tolist() == sim.world.wind_at(sim.view.time).tolist()
            sim.step()


def test_mean_heading_counts_from_where_the_wind_goes():
    class Downwind:
        """Always flies 30 degrees to the left of the wind."""

        def __call__(self, view):
            angle = math.atan2(view.wind[1], view.wind[0]) + math.radians(30)
            return np.tile([math.cos(angle), math.sin(angle)], (len(view.position), 1))

    wind = [{"direction": 200, "speed": 1, "gusts": {"every": 50}}]
    table = {**MISSION, "duration": 500.0, "world": {**MISSION["world"], "wind": wind}}
    result = swarm.run(mission_from_table(table, "m.toml"), seed=0, controller=Downwind())
    heading = result.series["mean_heading"]
    # What is flown at the end of a step was decided before a gust that begins there: once in 50 s, and at the start.
    assert (np.abs(heading - math.radians(30)) < 1e-6).sum() >= len(heading) - 11
    assert result.metrics["mean_heading"] == pytest.approx(math.radians(30), abs=0.1)
    steady = {**table, "world": {**MISSION["world"], "wind": [{"direction": 200, "speed": 1}]}}
    result = swarm.run(mission_from_table(steady, "m.toml"), seed=0, controller=Downwind())
    assert result.metrics["mean_heading"] == pytest.approx(math.radians(30))
