"""Order parameters and fitness of Vásárhelyi et al. 2018 (Science Robotics 3, eaat3536), as in its released code.

The parameters φ are measured in each sample and averaged over time; the fitness is formed from the averages. Two agents
are of one cluster up to `cluster_range` between centres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import motion_kernel, pair_kernel
from swarm.metrics.frames import Value, unpack
from swarm.metrics.measure import measure_motion, measure_pairs
from swarm.metrics.movement import speed


@dataclass(frozen=True)
class Flocking:
    """What a flock is wanted to do, and how much short of it is tolerable."""

    speed: float  # m/s, v_flock
    speed_tolerance: float = 1.5  # m/s, v_tol
    collision_tolerance: float = 3e-5  # a_tol
    wall_tolerance: float = 2.0  # m, r_tol


def braking_distance(speed: float, acceleration: float, slope: float) -> float:
    """Way to stop from `speed` m/s with acceleration at most a and speed at most p times the way left, D(v), m."""
    if speed < acceleration / slope:
        return speed / slope
    return 0.5 * (speed * speed / acceleration + acceleration / (slope * slope))


def cluster_range(
    speed: float, acceleration: float, slope: float, repulsion_range: float, friction_range: float
) -> float:
    """Range r0_rep + r0_frict + D(v_flock) up to which two agents are of one cluster, m."""
    return repulsion_range + friction_range + braking_distance(speed, acceleration, slope)


def phi_vel(velocity: ArrayLike, alive: ArrayLike | None = None) -> Value:
    """Mean speed ⟨‖v_i‖⟩, m/s; `velocity` (N, D) or (T, N, D) m/s, `alive` (N,) or (T, N)."""
    return speed(velocity, alive)


def phi_corr(
    position: ArrayLike,
    velocity: ArrayLike,
    cluster_range: float,
    alive: ArrayLike | None = None,
    box: ArrayLike | None = None,
) -> Value:
    """Mean v̂_i·v̂_j over the pairs of one cluster, -1 to 1; 0 where there is no such pair.

    Args:
        position, velocity: (N, D) or (T, N, D) m, m/s.
        cluster_range: m.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus.
    """
    table, _ = measure_pairs(position, velocity, alive, box, interaction=cluster_range)
    return unpack(table[:, pair_kernel.PHI_CORR], position)


def phi_coll(
    position: ArrayLike, collision_radius: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Share of pairs too near, 2 #{i < j: d_ij < r_coll} / (N (N − 1)), with r_coll = 2 collision_radius (m)."""
    table, _ = measure_pairs(position, alive=alive, box=box, collision=2.0 * collision_radius)
    return unpack(table[:, pair_kernel.PHI_COLL], position)


def phi_wall(clearance: ArrayLike, radius: float, alive: ArrayLike | None = None) -> Value:
    """Mean distance outside, over agents outside, m; 0 where none is.

    Args:
        clearance: (N,) or (T, N) m, of the hull to the nearest surface.
        radius: m, of the hull: an agent is outside with its centre.
        alive: (N,) or (T, N); the lost are left out.
    """
    values = measure_motion(clearance=clearance, alive=alive, radius=radius)[0][:, motion_kernel.OUTSIDE]
    return float(values[0]) if np.ndim(clearance) == 1 else values


def phi_disc(
    position: ArrayLike, cluster_range: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Number of agents without a neighbour in cluster range."""
    table, _ = measure_pairs(position, alive=alive, box=box, interaction=cluster_range)
    return unpack(table[:, pair_kernel.PHI_DISC], position)


def phi_cluster(
    position: ArrayLike, cluster_range: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Size of the smallest cluster; 0 for nobody."""
    table, _ = measure_pairs(position, alive=alive, box=box, interaction=cluster_range)
    return unpack(table[:, pair_kernel.PHI_CLUSTER], position)


def step_down(x: float, end: float, width: float) -> float:
    """S(x; x0, d): 1 below x0 − d, 0 above x0, half a cosine between."""
    if x <= end - width:
        return 1.0
    if x >= end:
        return 0.0
    return 0.5 * (1.0 + math.cos(math.pi / width * (x - end + width)))


def vasarhelyi_fitness(
    phi_vel: float,
    phi_corr: float,
    phi_coll: float,
    phi_wall: float,
    phi_disc: float,
    phi_cluster: float,
    count: int,
    flocking: Flocking,
) -> float:
    """How well a flock does all that is wanted of it, from the time averages of its order parameters:

        F = F1(φ_vel; v_flock, v_tol) · F3(φ_coll; a_tol) · F3(φ_disc; N/5) · F2(φ_wall; r_tol) · max(0, φ_corr)
            · F1(φ_cluster; N/5, N/5)

    with F1 = 1 − S(x; x0, d), F2 = exp(−φ²/σ²) and F3 = a²/(φ + a)².

    Args:
        phi_vel, phi_corr, phi_coll, phi_wall, phi_disc, phi_cluster: Time averages.
        count: N.
        flocking: v_flock, v_tol, a_tol and r_tol.

    Returns:
        0 to 1.
    """
    fifth = count / 5.0
    fast = 1.0 - step_down(phi_vel, flocking.speed, flocking.speed_tolerance)
    apart = (flocking.collision_tolerance / (phi_coll + flocking.collision_tolerance)) ** 2
    joined = (fifth / (phi_disc + fifth)) ** 2
    inside = math.exp(-((phi_wall / flocking.wall_tolerance) ** 2))
    whole = 1.0 - step_down(phi_cluster, fifth, fifth)
    return fast * apart * joined * inside * max(0.0, phi_corr) * whole
