"""The missions of the source systems of fish, steering boids and Python boids meet their criteria on several seeds."""

from __future__ import annotations

import pytest

import swarm

MISSIONS = (
    "fish-school", "fish-predator", "fish-informed", "steering-boids", "python-boids", "python-boids-obstacle",
    "python-boids-predator",
)  # fmt: skip


@pytest.mark.science
@pytest.mark.parametrize("name", MISSIONS)
def test_the_mission_passes_on_five_seeds(name: str) -> None:
    missed = [seed for seed in range(5) if not swarm.run(swarm.load_mission(name), seed=seed).passed]
    assert not missed


@pytest.mark.science
@pytest.mark.parametrize("name", ["fish-school", "steering-boids", "python-boids", "python-boids-obstacle"])
def test_the_mission_fails_as_the_text_has_it(name: str) -> None:
    literal = swarm.load_mission(name).changed({"controller.params.variant": "literal"})
    assert not any(swarm.run(literal, seed=seed).passed for seed in range(3))
