"""How many arrive in an episode of Hadimassa: as a second reading of its text has it, and repaired, nobody stuck."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import swarm
from swarm.compiled import kernel
from swarm.mission_file import load_mission

SEEDS, EPISODES, TICKS, WALKERS = 20, 20, 200, 150
BEGUN = 2  # episodes until as many arrive as later on: the first walkers are still on their way
AT_ONCE = 0.25  # arrivals that are fewer where all decide at once, in 100 runs of 20 episodes each way
WALL, SOURCE, RED = 1, 2, 3


def canvas():
    """Colours of the default layout by (x + 16, y + 16), and Manhattan distances from red patches among red ones."""
    colour = np.zeros((33, 33), np.int64)
    boxes = [
        (-14, 9, -9, 14, SOURCE), (10, -16, 16, -10, RED), (-7, 0, 0, 0, WALL), (3, 0, 16, 0, WALL), (3, -5, 3, 0, WALL)
    ]  # fmt: skip
    for left, low, right, high, kind in boxes:
        colour[left + 16 : right + 17, low + 16 : high + 17] = kind
    distance = np.full((33, 33), 9e9)
    for x, y in np.argwhere(colour == RED):
        if (colour[max(x - 1, 0) : x + 2, max(y - 1, 0) : y + 2] == RED).all():
            distance[x, y] = 0.0
    for steps in range(33 * 33):
        for x, y in np.argwhere(distance == steps):
            for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= a < 33 and 0 <= b < 33 and colour[a, b] != WALL:
                    distance[a, b] = min(distance[a, b], steps + 1)
    return colour, distance


@kernel
def in_cone(dx, dy, heading):
    """NetLogo's in-cone 1.1 180; headings in rad, clockwise from north."""
    if dx * dx + dy * dy > 1.21:
        return False
    off = (math.atan2(dx, dy) - heading + math.pi) % (2 * math.pi) - math.pi
    return (dx == 0.0 and dy == 0.0) or abs(off) <= math.pi / 2 + 1e-12


@kernel
def plain(rng, colour, distance, starts, ticks, walkers):
    """Arrivals in each tick, of walkers who act one after the other, in another order in each tick.

    Nothing but its rule stops a walker at a wall; who would leave the canvas does not move.
    """
    at, heading, step = np.empty((walkers, 2)), np.empty(walkers), np.empty(walkers)
    for i in range(walkers):
        at[i] = starts[rng.integers(0, len(starts))]
        heading[i] = math.radians(rng.integers(0, 360))
        step[i] = rng.uniform(0.7 * 0.35, 1.3 * 0.35)
    arrivals, order, seen = np.zeros(ticks, np.int64), np.arange(walkers), np.empty((walkers + 25, 2))
    for tick in range(ticks):
        rng.shuffle(order)
        for i in order:
            x, y, found = at[i, 0], at[i, 1], 0
            column, row = math.floor(x + 0.5), math.floor(y + 0.5)
            for a in range(max(column - 2, -16), min(column + 2, 16) + 1):
                for b in range(max(row - 2, -16), min(row + 2, 16) + 1):
                    if colour[a + 16, b + 16] == 1 and in_cone(a - x, b - y, heading[i]):
                        seen[found, 0], seen[found, 1] = a - x, b - y
                        found += 1
            for j in range(walkers):
                if j != i and in_cone(at[j, 0] - x, at[j, 1] - y, heading[i]):
                    seen[found] = at[j] - at[i]
                    found += 1
            if found > 0:  # face one of them, forward step / -8
                dx, dy = seen[rng.integers(0, found)]
                way = math.atan2(dx, dy) if dx != 0.0 or dy != 0.0 else heading[i]
                go = -step[i] / 8
            else:
                least, ties, to_x, to_y = 1e99, 0, 0, 0
                for a in range(max(column - 1, -16), min(column + 1, 16) + 1):
                    for b in range(max(row - 1, -16), min(row + 1, 16) + 1):
                        far = distance[a + 16, b + 16]
                        if (a == column and b == row) or far > least:
                            continue
                        ties = ties + 1 if far == least else 1
                        if rng.random() * ties < 1.0:
                            to_x, to_y = a, b
                        least = far
                off = (math.atan2(to_x - x, to_y - y) - heading[i] + math.pi) % (2 * math.pi) - math.pi
                heading[i] += np.sign(off) * math.radians(2.0)
                way, go = heading[i], step[i]
            x, y = x + go * math.sin(way), y + go * math.cos(way)
            if -16.5 <= x < 16.5 and -16.5 <= y < 16.5:
                at[i, 0], at[i, 1] = x, y
            if distance[math.floor(at[i, 0] + 0.5) + 16, math.floor(at[i, 1] + 0.5) + 16] == 0.0:
                at[i] = starts[rng.integers(0, len(starts))]
                arrivals[tick] += 1
    return arrivals


@cache
def runs(variant):
    mission = load_mission("hadimassa").changed({"controller.params.variant": variant})
    return [swarm.run(mission, seed=seed) for seed in range(SEEDS)]


def once_begun(arrivals):
    """(S,) mean arrivals an episode of each run, from the third on."""
    return np.array(arrivals)[:, BEGUN:].mean(axis=1)


@pytest.mark.science
def test_as_the_text_has_it_12_to_13_arrive_and_a_second_reading_agrees():
    colour, distance = canvas()
    assert [(colour == kind).sum() for kind in (SOURCE, RED, WALL)] == [36, 49, 27]
    assert (distance == 0.0).sum() == 36
    starts = np.argwhere(colour == SOURCE) - 16.0
    read = [
        plain(np.random.default_rng(seed), colour, distance, starts, EPISODES * TICKS, WALKERS) for seed in range(SEEDS)
    ]
    read = once_begun([ticks.reshape(EPISODES, TICKS).sum(axis=1) for ticks in read])
    ours = once_begun([run.arrivals for run in runs("literal")])
    assert 12.0 <= ours.mean() <= 13.0
    assert 12.0 <= read.mean() <= 13.5
    assert (
        abs(ours.mean() - read.mean()) < 3.0 * math.hypot(ours.std(ddof=1), read.std(ddof=1)) / math.sqrt(SEEDS) + 0.5
    )


@pytest.mark.science
def test_repaired_walkers_beat_the_text_fourfold_on_every_seed():
    literal, repaired = (np.array([run.metrics["throughput"] for run in runs(v)]) for v in ("literal", "repaired"))
    assert repaired.min() > 4.0 * literal.max()


@pytest.mark.science
def test_nobody_repaired_stays_within_a_metre_for_an_episode():
    """By the whole trajectories: who arrives is moved by more than a step, so it has been elsewhere as well."""
    for run in runs("repaired"):
        place = run.trajectory.position
        for first in range(0, EPISODES * TICKS, TICKS):
            away = place[first : first + TICKS + 1] - place[first]
            assert np.hypot(away[..., 0], away[..., 1]).max(axis=0).min() > 1.0
        assert run.passed
        assert run.stuck == ()


@pytest.mark.science
def test_everybody_repaired_arrives_again_and_again():
    """In 60 episodes, of which a walker has some 20 arrivals on average; the text has walkers who never come."""
    mission = load_mission("hadimassa").changed({"duration": 60.0 * TICKS, "criteria": {}})
    for seed in range(3):
        place = swarm.run(mission, seed=seed).trajectory.position
        jumps = np.hypot(*np.moveaxis(np.diff(place, axis=0), -1, 0)) > 2.0
        assert jumps.sum(axis=0).min() >= 3
