"""Published models of collective motion give their published values."""

from __future__ import annotations

import copy
import math

import numba
import numpy as np
import pytest

import swarm
from swarm.metrics.heading import order
from swarm.state import Floats

SPEED, RADIUS = 0.03, 1.0  # m/s and m, Vicsek et al. 1995
SKIPPED, STEPS = 5_000, 15_000
# Noise, agents and side of the box in m to the mean order.
PUBLISHED = {
    (1.0, 40, 3.1): 0.958, (3.0, 40, 3.1): 0.652, (5.0, 40, 3.1): 0.206,
    (1.0, 100, 5.0): 0.953, (3.0, 100, 5.0): 0.619, (5.0, 100, 5.0): 0.131,
}  # fmt: skip


@numba.njit
def vicsek_by_the_paper(position: Floats, angle: Floats, side: float, noise: Floats) -> tuple[Floats, Floats]:
    """Equations 1 and 2 written down, all pairs; noise (T, N) rad. Places and order before each step and at the end."""
    steps, agents = noise.shape
    places, orders = np.empty((steps + 1, agents, 2)), np.empty(steps + 1)
    for t in range(steps + 1):
        places[t] = position
        orders[t] = math.hypot(np.cos(angle).sum(), np.sin(angle).sum()) / agents
        if t == steps:
            break
        c, s = np.cos(angle), np.sin(angle)
        after = np.empty(agents)
        for i in range(agents):
            x, y = 0.0, 0.0
            for j in range(agents):
                dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
                dx -= side * round(dx / side)
                dy -= side * round(dy / side)
                if dx * dx + dy * dy <= RADIUS * RADIUS:
                    x += c[j]
                    y += s[j]
            after[i] = math.atan2(y, x) + noise[t, i]
        for i in range(agents):
            position[i, 0] = (position[i, 0] + SPEED * c[i]) % side
            position[i, 1] = (position[i, 1] + SPEED * s[i]) % side
        angle = after
    return places, orders


def test_the_vicsek_mission_flies_the_paper_s_equations():
    with swarm.Simulation(swarm.load_mission("vicsek"), 0) as sim:
        rng = copy.deepcopy(sim.briefing.rng)
        start, velocity = sim.state.position.copy(), sim.state.velocity
        for _ in range(61):
            sim.step()
        flown = sim.trajectory
        ordered = order(flown.velocity)
    rng.standard_normal(start.shape)  # directions for those at rest, of whom there are none
    noise = np.array([rng.uniform(-1.5, 1.5, 100) for _ in range(60)])
    places, orders = vicsek_by_the_paper(start, np.arctan2(velocity[:, 1], velocity[:, 0]), 5.0, noise)
    off = flown.position[:61] - places
    off -= 5.0 * np.rint(off / 5.0)
    assert np.abs(off).max() < 1e-4  # commands pass as float32
    assert ordered[1:62] == pytest.approx(orders, abs=1e-3)  # one step late, as the model's docstring says


@pytest.mark.science
@pytest.mark.parametrize(("noise", "agents", "side"), PUBLISHED)
def test_order_of_the_paper_s_equations_is_the_published_one(noise: float, agents: int, side: float) -> None:
    rng = np.random.default_rng(1)
    draws = rng.uniform(-noise / 2, noise / 2, (STEPS, agents))
    start, angle = rng.uniform(0, side, (agents, 2)), rng.uniform(-np.pi, np.pi, agents)
    _, orders = vicsek_by_the_paper(start, angle, side, draws)
    assert orders[SKIPPED:].mean() == pytest.approx(PUBLISHED[noise, agents, side], abs=0.03)


@pytest.mark.science
def test_the_vicsek_mission_passes_whole() -> None:
    result = swarm.run("vicsek", 0)
    assert result.metrics["order"] == pytest.approx(0.619, abs=0.03)
    assert result.passed


def couzin(width: float, seed: int = 0) -> tuple[float, float]:
    """Polarisation and milling with a zone of orientation this wide, m."""
    wide = {"controller.params.orientation_width": width, "swarm.perception.range": 15.0 + width, "criteria": {}}
    result = swarm.run(swarm.load_mission("couzin", wide), seed)
    return result.metrics["order"], result.metrics["milling"]


@pytest.mark.science
@pytest.mark.parametrize("width", [0.0, 0.25])
def test_without_a_zone_of_orientation_couzin_s_agents_are_a_swarm(width: float) -> None:
    polarisation, milling = couzin(width)
    assert polarisation < 0.3
    assert milling < 0.4


@pytest.mark.science
@pytest.mark.parametrize("seed", [0, 1])
def test_a_narrow_zone_of_orientation_makes_a_torus(seed: int) -> None:
    polarisation, milling = couzin(3.0, seed)
    assert polarisation < 0.4
    assert milling > 0.65


@pytest.mark.science
def test_a_wide_zone_of_orientation_makes_a_parallel_group() -> None:
    polarisation, milling = couzin(5.0)
    assert polarisation > 0.9
    assert milling < 0.4


def spread(beta: float, seed: int, size: float) -> tuple[float, float]:
    """RMS difference to the mean velocity after two minutes over that at the start, and how far the mean has moved."""
    changes = {"controller.params.beta": beta, "swarm.spawn.size": [size, size], "duration": 120.0, "criteria": {}}
    flight = swarm.run(swarm.load_mission("cucker-smale", changes), seed).trajectory
    first, last = flight.velocity[1], flight.velocity[-1]
    ratio = np.std(last, axis=0).max() / np.std(first, axis=0).max()
    return float(ratio), float(np.abs(last.mean(axis=0) - first.mean(axis=0)).max())


@pytest.mark.science
@pytest.mark.parametrize("beta", [0.0, 0.25, 0.45])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_velocities_agree_from_every_start_below_one_half(beta: float, seed: int) -> None:
    ratio, moved = spread(beta, seed, 20.0)
    assert ratio < 0.01
    assert moved < 1e-6


@pytest.mark.science
def test_velocities_of_a_scattered_flock_do_not_agree_far_above_one_half() -> None:
    assert spread(1.5, 0, 20.0)[0] > 0.5


@pytest.mark.science
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_lattice_gathers_about_its_goal(seed: int) -> None:
    assert swarm.run("olfati-saber", seed).passed
