"""What every repaired source model keeps: turns, shifts and the order of agents, with predators and food about."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.models.fish import FishFollowers, FishInformed, FishPrey, FishSchool, FishShark
from swarm.controllers.models.python_boids import PythonBoids, PythonBoidsPredator
from swarm.controllers.models.steering_boids import SteeringBoids
from swarm.state import LEADER

FOOD = np.array([5.2, 4.9, 5.1])
# From the place of the food to a model.
MODELS = {
    "fish-school": lambda food: FishSchool(),
    "fish-prey": lambda food: FishPrey(),
    "fish-shark": lambda food: FishShark(),
    "fish-followers": lambda food: FishFollowers(food=tuple(food)),
    "fish-informed": lambda food: FishInformed(food=tuple(food)),
    "steering-boids": lambda food: SteeringBoids(),
    "python-boids": lambda food: PythonBoids(separation_distance=1.0, alignment_distance=2.0, cohesion_distance=3.0),
    "python-boids-predator": lambda food: PythonBoidsPredator(),
}


def scene(seed):
    """Places and velocities of eight agents, and of three of the other party, about the middle of the box."""
    rng = np.random.default_rng(seed)
    return rng.uniform(4, 6, (11, 3)), rng.uniform(-1, 1, (11, 3))


def commands(name, look, places, velocity, food):
    """Of the first eight, with the rest as both their predators and their prey."""
    view = look(
        places[:8], velocity[:8], side=100.0, role=[0] * 6 + [LEADER] * 2, predators=places[8:], hunting=velocity[8:],
        prey=places[8:], dt=0.05 if name.startswith("python") else 1.0,
    )  # fmt: skip
    return MODELS[name](food)(view)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(5))
def test_turning_and_shifting_everything_turns_the_commands(name, seed, look):
    places, velocity = scene(seed)
    rotation, _ = np.linalg.qr(np.random.default_rng(seed + 100).standard_normal((3, 3)))
    middle, there = np.full(3, 5.0), np.array([40.0, 60.0, 50.0])
    straight = commands(name, look, places + 30.0, velocity, FOOD + 30.0)
    moved = (places - middle) @ rotation + there
    other = commands(name, look, moved, velocity @ rotation, (FOOD - middle) @ rotation + there)
    assert other == pytest.approx(straight @ rotation, abs=1e-9)
    assert np.abs(straight).max() > 1e-3


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_agents_and_of_the_others_does_not_matter(name, seed, look):
    places, velocity = scene(seed)
    one = commands(name, look, places + 30.0, velocity, FOOD + 30.0)
    order = np.random.default_rng(seed).permutation(8)
    mixed = np.concatenate([order, [10, 8, 9]])
    other = commands(name, look, places[mixed] + 30.0, velocity[mixed], FOOD + 30.0)
    assert other == pytest.approx(one[order], abs=1e-12)
