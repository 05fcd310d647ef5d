"""Circulating on walkers, points and drones, by more than one rule."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.mission_file import mission_from_table
from swarm.simulation import Simulation

SMALL = """
#############
#SS.........#
#SS.........#
#SS....#....#
#......#....#
#......#.GGG#
#......#.GGG#
#......#.GGG#
#############
"""


def mission(count=8, duration=120.0, **controller):
    """A small room of two halves."""
    return mission_from_table(
        {
            "name": "small", "duration": duration, "world": {"floor_plan": {"rows": SMALL}},
            "swarm": {"count": count, "body": "walker", "physics_hz": 1, "command_hz": 1, "speed_limit": 0.455,
                      "perception": {"range": 1.1}},
            "controller": {"use": "hadimassa"} | controller,
            "task": {"kind": "circulate", "episode": 60.0},
        },
        "small.toml",
    )  # fmt: skip


def flown(asked, body, controller=None):
    """Arrivals of whole episodes, and the finished simulation."""
    sim = Simulation(asked, 0, body=body, controller=controller)
    while not sim.done:
        sim.step()
    sim.close()
    return sum(sim.goal.arrivals) + sim.goal.now, sim


@pytest.mark.slow
def test_throughput_on_points_is_that_of_walkers():
    asked = swarm.load_mission("hadimassa", {"duration": 400.0})
    arrivals = {body: flown(asked, body)[0] for body in ("walker", "point")}
    assert arrivals["walker"] > 40
    assert arrivals["point"] == pytest.approx(arrivals["walker"], rel=0.05)  # the repaired rule runs into no wall


@pytest.mark.slow
@pytest.mark.parametrize(("controller", "duration", "within"), [("boids", 120.0, 0.15), ("hadimassa", 400.0, 0.4)])
def test_drones_circulate_at_their_scale_without_a_contact(controller, duration, within):
    asked = mission(duration=duration)
    arrivals, sim = flown(asked, "drone", controller)
    on_foot, _ = flown(asked, "walker", controller)
    assert sim.contacts == []
    assert sim.state.alive.all()
    assert arrivals > 8  # somebody has come more than once
    assert arrivals == pytest.approx(on_foot, rel=within)
    scale, plan = sim.mission.transfer.factor, sim.world.origin.floor_plan
    start = sim.trajectory.position[0]
    assert plan.source_cells[plan.cell_of(start[:, :2] / scale)].all()
    np.testing.assert_array_equal(start[:, 2], sim.mission.transfer.altitude)


@pytest.mark.parametrize("body", ["walker", "point"])
def test_boids_follow_the_way_to_the_goal_again_and_again(body):
    arrivals, sim = flown(mission(duration=240.0), body, controller="boids")
    assert np.isfinite(sim.goal.errands.arrival).all()
    assert arrivals > 16
    assert sim.success


def test_the_way_leads_round_the_wall_and_is_scaled_for_who_flies(crowd):
    sims = {body: Simulation(mission(), 0, body=body) for body in ("walker", "drone")}
    place = np.array([[4.0, 1.0]])  # beside the wall; the goal is behind it
    length, direction = sims["walker"].goal.way.toward(place)
    assert direction[0, 1] > 0.5  # up, to the gap
    flight = sims["drone"].goal.way
    far, level = flight.toward(flight.up(place))
    np.testing.assert_allclose(far, flight.scale * length)
    np.testing.assert_allclose(level, [[*direction[0], 0.0]])
    corners = flight.path(flight.up(place)[0])
    np.testing.assert_allclose(corners[:, 2], sims["drone"].mission.transfer.altitude)
    for sim in sims.values():
        sim.close()


def test_the_way_follows_a_plan_that_is_painted():
    with Simulation(mission(), 0) as sim:
        way = sim.goal.way
        before = way.toward(np.array([[4.0, 1.0]]))[0]
        sim.paint([[4, 7, 0], [5, 7, 0], [6, 7, 0]])  # a door in the wall
        assert sim.goal.way is way
        assert way.toward(np.array([[4.0, 1.0]]))[0] < before - 1.0


def test_who_comes_nowhere_for_whole_episodes_is_named_as_stuck():
    def idle(view):
        return np.zeros_like(view.position)

    _, sim = flown(mission(count=3, duration=100.0), "walker", idle)
    assert sim.metrics["stuck"] == 3
    assert [stuck.agent for stuck in sim.stuck] == [0, 1, 2]
    _, moving = flown(mission(count=3, duration=100.0), "walker", "boids")
    assert moving.metrics["stuck"] == 0
