"""The order parameters and the fitness of Vásárhelyi et al. 2018."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swarm import metrics
from swarm.errors import BadInput
from swarm.metrics.vasarhelyi import Flocking, braking_distance, cluster_range, step_down, vasarhelyi_fitness


@pytest.mark.parametrize("reach", [0.4, 0.7])
def test_cluster_parameters_follow_their_definitions(plain, rng, reach):
    run = plain.record(rng, 30, 8, 3)
    corr = metrics.phi_corr(run.position, run.velocity, reach)
    disc, cluster = metrics.phi_disc(run.position, reach), metrics.phi_cluster(run.position, reach)
    for t, (position, velocity) in enumerate(zip(run.position, run.velocity)):
        _, label = plain.labels(position, reach)
        sizes = np.bincount(label)
        together = (label[:, None] == label[None])[np.triu_indices(8, 1)]
        dot = (plain.unit(velocity) @ plain.unit(velocity).T)[np.triu_indices(8, 1)]
        assert corr[t] == pytest.approx(dot[together].mean() if together.any() else 0.0)
        assert (disc[t], cluster[t]) == ((sizes == 1).sum(), sizes.min())


def test_share_of_pairs_too_near():
    position = np.array([[0.0, 0.0], [0.3, 0.0], [5.0, 0.0]])
    assert metrics.phi_coll(position, 0.2) == pytest.approx(1.0 / 3.0)
    assert metrics.safety(position, 0.2) == pytest.approx(2.0 / 3.0)


def test_distance_outside_is_the_mean_over_those_outside():
    assert metrics.phi_wall(np.array([1.0, -0.3, -0.7, -0.05]), radius=0.1) == pytest.approx(0.4)
    assert metrics.phi_wall(np.array([1.0, np.inf]), radius=0.1) == 0.0


def test_released_parameters_give_the_cluster_range():
    # v = 4 m/s lies below a/p = 6.25 m/s, so D = v/p = 10 m.
    assert braking_distance(4.0, 2.5, 0.4) == pytest.approx(10.0)
    assert cluster_range(4.0, 2.5, 0.4, 25.7, 35.7 - 25.7) == pytest.approx(45.7)
    # Above it the square-root branch; both meet at a/p with v/p.
    assert braking_distance(6.25, 2.5, 0.4) == pytest.approx(6.25 / 0.4)
    assert braking_distance(8.0, 2.5, 0.4) == pytest.approx(0.5 * (64.0 / 2.5 + 2.5 / 0.16))


def test_step_is_half_a_cosine():
    assert (step_down(0.9, 4.0, 3.0), step_down(2.5, 4.0, 3.0), step_down(4.1, 4.0, 3.0)) == (1.0, 0.5, 0.0)
    assert step_down(1.75, 4.0, 3.0) == pytest.approx(0.5 + math.sqrt(0.125))


def test_a_perfect_flock_has_fitness_one_and_each_fault_lowers_it():
    want = Flocking(speed=4.0)
    perfect = {"phi_vel": 4.0, "phi_corr": 1.0, "phi_coll": 0.0, "phi_wall": 0.0, "phi_disc": 0.0, "phi_cluster": 10.0}
    assert vasarhelyi_fitness(**perfect, count=10, flocking=want) == pytest.approx(1.0)
    half = {"phi_vel": 3.25, "phi_corr": 0.5, "phi_cluster": 1.0}
    quarter = {"phi_coll": want.collision_tolerance, "phi_disc": 2.0}
    for fault, share in ((half, 0.5), (quarter, 0.25), ({"phi_wall": 2.0}, math.exp(-1.0)), ({"phi_corr": -0.2}, 0.0)):
        for name, value in fault.items():
            worse = vasarhelyi_fitness(**(perfect | {name: value}), count=10, flocking=want)
            assert worse == pytest.approx(share), name


@pytest.mark.parametrize("radius", [-1.0, np.nan, np.inf])
def test_a_hull_that_does_not_exist_is_refused(radius):
    with pytest.raises(BadInput, match="radius: expected 0 m or more"):
        metrics.phi_wall(np.zeros((3, 2)), radius)
    with pytest.raises(BadInput):
        metrics.phi_coll(np.zeros((3, 2, 2)), -1.0 if np.isinf(radius) else radius)
