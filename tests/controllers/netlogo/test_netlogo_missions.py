"""The missions of NetLogo's boids: what the repaired ones do, and the literal ones beside them, in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import swarm
from swarm.library import library
from swarm.metrics.extent import compactness

MISSIONS = sorted(name for name in library() if name.startswith("netlogo-"))
LITERAL = {"controller.params.variant": "literal", "criteria": {}}
HUNTER = "swarm.roles.0.controller.params."
PRINTED = (25.3, 18.7, 12.4, 8.1, 5.2, 3.8)  # m, compactness in the text's hypothetical table, cohesion caps 0 to 5
BOX = np.array([33.0, 33.0])  # m


def flown(name, seed=0, **changes):
    return swarm.run(swarm.load_mission(name, changes), seed)


def measured(name, metric, seeds, **changes):
    return np.array([flown(name, seed, **changes).metrics[metric] for seed in seeds])


def heading_agreement(velocity, degrees):
    """Mean cosine between velocities (..., 2) and NetLogo headings that broadcast against them."""
    towards = np.stack([np.sin(np.radians(degrees)), np.cos(np.radians(degrees))], axis=-1)
    return float((velocity * towards).sum(axis=-1).mean() / np.linalg.norm(velocity, axis=-1).mean())


def test_there_is_a_mission_for_every_part_of_the_source():
    parts = ["3d", "boids", "cells", "edges", "leaders", "obstacles", "predator", "target", "wind"]
    assert {f"netlogo-{part}" for part in parts} <= set(MISSIONS)


@pytest.mark.parametrize("name", MISSIONS)
def test_the_mission_passes(name):
    assert flown(name).passed


@pytest.mark.science
@pytest.mark.parametrize("name", MISSIONS)
@pytest.mark.parametrize("seed", range(1, 5))
def test_the_mission_passes_on_other_seeds(name, seed):
    assert flown(name, seed).passed


def test_repaired_boids_come_to_fly_alike_and_so_do_literal_ones():
    assert measured("netlogo-boids", "order", range(3)).min() > 0.98
    assert measured("netlogo-boids", "order", range(3), **LITERAL).min() > 0.95


def test_a_flock_sent_north_stays_whole_unless_its_headings_are_averaged_like_numbers():
    north = {"swarm.spawn.heading": 90.0, "duration": 60, "measure.from": 0.0, "criteria": {}}
    for variant, least, most in (("repaired", 0.95, 1.0), ("literal", 0.0, 0.8)):
        for seed in range(3):
            series = flown("netlogo-boids", seed, **north, **{"controller.params.variant": variant}).series
            assert least <= series["order"][1:].min() <= most


@pytest.mark.science
def test_literal_flocks_end_up_flying_south_and_repaired_ones_anywhere():
    north = {
        variant: [
            flown("netlogo-boids", seed, **{**LITERAL, "controller.params.variant": variant})
            .trajectory.velocity[200:, :, 1]
            .mean()
            for seed in range(12)
        ]
        for variant in ("literal", "repaired")
    }
    assert np.mean(north["literal"]) < -0.4
    assert np.mean(np.array(north["literal"]) < 0.0) >= 0.75
    assert abs(np.mean(north["repaired"])) < 0.3


def test_a_literal_predator_catches_nobody_and_a_repaired_one_does():
    assert measured("netlogo-predator", "captures", range(3)).min() >= 10
    slow = {HUNTER + "variant": "literal", "criteria": {}}
    assert measured("netlogo-predator", "captures", range(3), **slow).max() == 0
    assert measured("netlogo-predator", "captures", range(3), **{**slow, **LITERAL}).max() == 0


def test_hunger_is_a_hundred_and_fifty_for_each_catch_less_a_tenth_a_tick_and_never_below_zero():
    result = flown("netlogo-predator")
    assert result.series["hunger"][0] == 100.0
    assert result.series["hunger"][-1] == pytest.approx(100.0 + 50.0 * result.metrics["captures"] - 0.1 * 500)
    starving = flown("netlogo-predator", **{HUNTER + "speed": 0.0, "duration": 1100, "swarm.count": 1, "criteria": {}})
    assert starving.series["hunger"][-1] == pytest.approx(0.0)


def test_two_predators_hunt_one_flock():
    both = flown("netlogo-predator", **{"swarm.roles.0.count": 2})
    assert both.trajectory.position.shape[1] == 52
    assert both.passed


def test_a_hunter_of_isolated_boids_catches_too():
    assert (
        measured("netlogo-predator", "captures", range(2), **{HUNTER + "chase": "isolated", "criteria": {}}).min() >= 1
    )


@pytest.mark.parametrize("name", ["netlogo-obstacles", "netlogo-cells"])
def test_literal_boids_run_into_what_repaired_ones_turn_away_from(name):
    for look_ahead in (2.0, 5.0):
        ahead = {"controller.params.look_ahead": look_ahead, "criteria": {}}
        assert measured(name, "obstacle_collisions", range(2), **ahead).max() == 0
    assert measured(name, "obstacle_collisions", range(2), **LITERAL).min() > 50


def test_leaders_on_a_course_take_the_flock_along_and_without_one_they_do_not():
    steered, free = (
        [
            heading_agreement(flown("netlogo-leaders", seed, **change).trajectory.velocity[200:, :45], 45.0)
            for seed in range(4)
        ]
        for change in ({}, {HUNTER + "max_target_turn": 0.0, "criteria": {}})
    )
    assert min(steered) > 0.9
    assert max(steered) - min(steered) < 0.1 < max(free) - min(free)


def test_leaders_circle_about_their_target_and_the_flock_passes_by():
    place = flown("netlogo-target").trajectory.position[200:]
    offset = place - [10.0, 10.0]
    distance = np.linalg.norm(offset - BOX * np.rint(offset / BOX), axis=2)
    assert distance[:, 45:].mean() < 6.0
    assert distance[:, :45].mean() > 9.0


@pytest.mark.parametrize("strength", [1.0, 5.0])
def test_the_flock_turns_with_the_wind(strength):
    agreement = {}
    for variant in ("repaired", "literal"):
        change = {"controller.params.variant": variant, "controller.params.wind_strength": strength, "criteria": {}}
        with swarm.Simulation(swarm.load_mission("netlogo-wind", change), 1) as sim:
            wind = []
            while not sim.done:
                sim.step()
                wind.append(sim.controller._wind.at(max(sim.state.time - 2.0, 0.0)))
            agreement[variant] = heading_agreement(sim.trajectory.velocity[200:], np.array(wind)[199:, None])
    assert agreement["repaired"] > 0.8 + 0.03 * strength
    assert agreement["literal"] < agreement["repaired"]  # it takes the long way round at some gusts


def test_in_three_dimensions_the_flock_keeps_about_its_height_and_only_from_above_comes_the_predator():
    result = flown("netlogo-3d")
    place = result.trajectory.position[200:]
    alive = result.trajectory.alive[200:, :50]
    height = place[:, :50, 2][alive]
    assert height.mean() == pytest.approx(50.0, abs=3.0)
    assert height.std() < 6.0
    assert place[:, 50, 2].max() > 60.0
    calm = flown("netlogo-3d", **{"swarm.roles": [], "criteria": {}})
    assert calm.trajectory.position[200:, :, 2] == pytest.approx(50.0, abs=0.1)
    assert calm.metrics["order"] > 0.95


@given(place=arrays(float, (5, 2), elements=st.floats(-16.5, 16.5)))
def test_nothing_on_the_torus_is_further_from_its_middle_than_half_a_diagonal(place):
    assert compactness(place, box=BOX) <= 33.0 * np.sqrt(2.0) / 2.0 + 1e-9


def test_the_first_row_of_the_printed_table_is_impossible_and_even_a_scatter_is_at_half_of_it():
    bound = 33.0 * np.sqrt(2.0) / 2.0
    assert PRINTED[0] > bound == pytest.approx(23.33, abs=0.01)
    # Mean distance to the middle of a square of side a: a (sqrt 2 + ln(1 + sqrt 2)) / 6.
    scatter = 33.0 * (np.sqrt(2.0) + np.log(1.0 + np.sqrt(2.0))) / 6.0
    assert scatter == pytest.approx(12.63, abs=0.01)
    assert PRINTED[1] > scatter
    for variant in ("repaired", "literal"):
        change = {"controller.params.max_cohere_turn": 0.0, "controller.params.variant": variant, "criteria": {}}
        series = flown("netlogo-boids", **change).series["compactness"]
        assert series.max() < bound < PRINTED[0]
        assert series[200:].mean() < 14.0
