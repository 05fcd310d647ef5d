"""What the library missions promise of their controllers, flown by drones in Bullet."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.metrics import formation_error

MODELS = ("cf2x", "cf2x_L250")
TRUNKS = (4.0, 24.0)  # m, where the forest begins and ends along x


def flown(mission, model, seeds):
    with swarm.Simulation(swarm.load_mission(mission, {"swarm.model": model}), seed=seeds[0]) as sim:
        for seed in seeds:
            sim.reset(seed)
            while not sim.done:
                sim.step()
            yield sim


def check_safe(sim, separation, clearance):
    path = sim.trajectory.position
    apart = np.linalg.norm(path[:, :, None] - path[:, None], axis=-1) + 9 * np.eye(path.shape[1])
    assert sim.success, sim.seed
    assert not sim.contacts, sim.seed
    assert apart.min() >= separation, sim.seed
    assert sim.trajectory.clearance.min() >= clearance, sim.seed
    assert (np.abs(path[:, :, 1]) < 6.0).all()
    assert (path[:, :, 2] < 4.0).all()


def check_formation(sim):
    error = formation_error(sim.trajectory.position, sim.briefing.formation)
    x = sim.trajectory.position[:, :, 0]
    before, after = x.max(axis=1) < TRUNKS[0], x.min(axis=1) > TRUNKS[1]
    assert error[before].mean() <= 0.10
    assert error[after].mean() <= 0.10
    assert error[~before & ~after].mean() <= 0.35
    back = np.argmax(after) + round(1.0 / sim.dt)
    assert (error[back:] < 0.25).all()


@pytest.mark.parametrize("model", MODELS)
def test_five_drones_keep_their_formation_through_forests(model):
    for sim in flown("five-drone-formation", model, range(2)):
        check_safe(sim, 0.30, 0.10)
        check_formation(sim)


@pytest.mark.parametrize("model", MODELS)
def test_five_boids_get_through_forests(model):
    for sim in flown("five-drone-boids", model, range(2)):
        check_safe(sim, 0.30, 0.10)


@pytest.mark.parametrize("model", MODELS)
def test_five_drones_turn_and_change_speed_in_formation(model):
    for sim in flown("five-drone-open", model, [0]):
        assert sim.success
        assert not sim.contacts
        assert formation_error(sim.trajectory.position, sim.briefing.formation).max() <= 0.15


@pytest.mark.science
@pytest.mark.parametrize("model", MODELS)
def test_a_hundred_forests_are_crossed_in_formation(model):
    for sim in flown("five-drone-formation", model, range(100)):
        check_safe(sim, 0.30, 0.10)
        check_formation(sim)


@pytest.mark.science
@pytest.mark.parametrize("model", MODELS)
def test_a_hundred_forests_are_crossed_by_boids(model):
    for sim in flown("five-drone-boids", model, range(100)):
        check_safe(sim, 0.30, 0.10)
