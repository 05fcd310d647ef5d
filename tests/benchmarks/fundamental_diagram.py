"""How fast a crowd walks at a density, in a corridor that is closed to a ring, beside Weidmann's curve."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from swarm.bodies.point.body import Points
from swarm.bodies.point.motion import Motion
from swarm.controllers.models.crowd import SocialForce, TimeGap
from swarm.packing import clashes
from swarm.state import Floats
from swarm.view import Senses, View
from swarm.worlds import build_world

LENGTH, WIDTH = 20.0, 4.0  # m
RADIUS, APART = 0.15, 0.35  # m, of a hull and between starts
HZ, SETTLE, MEASURE = 20, 20.0, 20.0  # Hz, s, s
DENSITIES = (0.5, 1.0, 1.5, 2.0)  # 1/m²


def weidmann(density: float) -> float:
    """m/s at a density in 1/m² (Weidmann 1993)."""
    return 1.34 * (1.0 - math.exp(-1.913 * (1.0 / density - 1.0 / 5.4)))


class East:
    """The way goes along +x, for ever."""

    @property
    def route(self) -> East:
        """Itself."""
        return self

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """(A,) and (A, 2)."""
        direction = np.zeros_like(points)
        direction[:, 0] = 1.0
        return np.ones(len(points)), direction


def speed_at(model: Any, density: float, seed: int = 0) -> float:
    """Mean speed, m/s, along the corridor over 20 s, after 20 s to settle; walkers start at places drawn at random.

    Args:
        model: A controller.
        density: 1/m².
        seed: Of the places.
    """
    walls = [
        {"kind": "box", "name": name, "center": [LENGTH / 2.0, y], "size": [LENGTH, 2.0]}
        for name, y in (("lower", -1.0), ("upper", WIDTH + 1.0))
    ]
    bounds = [[0.0, -2.0], [LENGTH, WIDTH + 2.0]]
    world = build_world({"dim": 2, "bounds": bounds, "boundary": "torus", "obstacles": walls}, "corridor")
    count, rng, position = round(density * LENGTH * WIDTH), np.random.default_rng(seed), np.empty((0, 2))
    while len(position) < count:
        drawn = rng.uniform([0.0, RADIUS], [LENGTH, WIDTH - RADIUS], (4 * count, 2))
        tried = np.concatenate([position, drawn])
        clash = clashes(tried, APART, world.bounds[0], world.space.period, skip=True, most=count)
        position = tried[: len(clash)][clash < 0]
    body = Points(count, HZ, HZ, 3.0, Motion(radius=RADIUS))
    state = body.reset(world, position, np.zeros(count))
    senses = Senses(
        world=world, dt=1.0 / HZ, radius=RADIUS, speed_limit=3.0, acceleration_limit=math.inf, reach=3.0,
        field_of_view=2.0 * np.pi, box=world.space.period, target=None, path=None, way=East(),
    )  # fmt: skip
    speeds = []
    for step in range(round((SETTLE + MEASURE) * HZ)):
        state = body.advance(model(View(senses, state)))
        if step >= SETTLE * HZ:
            speeds.append(state.velocity[:, 0].mean())
    return float(np.mean(speeds))


def table() -> Iterator[str]:
    """A line a density."""
    models = {
        "time-gap": TimeGap(),
        "time-gap, l 0.39 m, T 0.8 s": TimeGap(length=0.39, time_gap=0.8),
        "social-force": SocialForce(radius=0.25),
        "social-force, 1995": SocialForce(variant="1995"),
    }
    yield f"{'walkers a m²':>14} {'Weidmann':>10}" + "".join(f" {name:>28}" for name in models) + "   m/s"
    for density in DENSITIES:
        cells = ""
        for model in models.values():
            found = speed_at(model, density)
            cells += f" {f'{found:.2f} ({found / weidmann(density) - 1.0:+.0%})':>28}"
        yield f"{density:>14.1f} {weidmann(density):>10.2f}{cells}"
