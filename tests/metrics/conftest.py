"""Recordings to measure, and each metric written down once more, one sample at a time, as its definition reads."""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components


@dataclass
class Recording:
    """T samples of N agents, some of which are lost on the way."""

    time: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    command: np.ndarray
    clearance: np.ndarray
    alive: np.ndarray
    dt: float = 0.1


def record(rng: np.random.Generator, samples: int, count: int, dim: int, lost: int = 0) -> Recording:
    """A random walk dense enough for contacts, near misses and split groups to come and go."""
    step = rng.normal(0.0, 0.12, (samples, count, dim))
    position = rng.uniform(0.0, 2.0, (count, dim)) + np.cumsum(step, axis=0)
    alive = np.ones((samples, count), bool)
    for agent in rng.permutation(count)[:lost]:
        alive[rng.integers(1, samples) :, agent] = False
    return Recording(
        np.arange(samples) * 0.1, position, step / 0.1, rng.normal(size=(samples, count, dim)),
        rng.normal(0.3, 0.3, (samples, count)), alive,
    )  # fmt: skip


def apart(position, box=None):
    step = position[:, None] - position[None]
    if box is not None:
        box = np.asarray(box)
        step = np.where(box > 0, step - box * np.round(step / np.where(box > 0, box, 1.0)), step)
    return np.linalg.norm(step, axis=-1)


def unit(velocity):
    length = np.linalg.norm(velocity, axis=-1, keepdims=True)
    return np.where(length > 1e-9, velocity / np.where(length > 1e-9, length, 1.0), 0.0)


def pair_distances(position, box=None):
    return apart(position, box)[np.triu_indices(len(position), 1)]


def labels(position, reach, box=None):
    return connected_components(apart(position, box) <= reach, directed=False)


def second_eigenvalue(position, reach, box=None):
    near = (apart(position, box) <= reach).astype(float)
    return np.linalg.eigvalsh(np.diag(near.sum(axis=1)) - near)[1]


def milling(position, velocity):
    away = unit(position - position.mean(axis=0))
    if position.shape[1] == 2:
        ahead = unit(velocity)
        return abs((away[:, 0] * ahead[:, 1] - away[:, 1] * ahead[:, 0]).mean())
    return np.linalg.norm(np.cross(away, unit(velocity)).mean(axis=0))


def onsets(state):
    """Rising edges of (T, ...) booleans by sample; a state that holds in the first sample begins there."""
    before = np.concatenate([np.zeros_like(state[:1]), state[:-1]])
    return (state & ~before).reshape(len(state), -1).sum(axis=1)


def best_fit_by_permutations(position, slots):
    """Least error over all injections of agents into slots, with the closed-form shift and yaw of each."""
    best = np.inf
    here = position - position.mean(axis=0)
    for chosen in itertools.permutations(range(len(slots)), len(position)):
        there = slots[list(chosen)] - slots[list(chosen)].mean(axis=0)
        turned = ((here[:, 0] + 1j * here[:, 1]) * np.conj(there[:, 0] + 1j * there[:, 1])).sum()
        yaw = np.angle(turned)
        fitted = there.copy()
        fitted[:, 0] = np.cos(yaw) * there[:, 0] - np.sin(yaw) * there[:, 1]
        fitted[:, 1] = np.sin(yaw) * there[:, 0] + np.cos(yaw) * there[:, 1]
        best = min(best, np.sqrt(((here - fitted) ** 2).sum() / len(here)))
    return best


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def plain() -> ModuleType:
    """The plain definitions, and `record`."""
    return sys.modules[__name__]
