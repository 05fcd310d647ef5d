"""Kernels of the social forces: how far everybody comes in one command period."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

NEAR = 1e-9  # m, at which two are at one place
STEEPEST = 50.0  # largest exponent, where any speed limit has long been reached


@kernel
def apart(i: int, j: int, displacement: Floats, edge: int, moved: Floats, offset: Floats) -> float:
    """Distance in m from j to i and, written into `offset` (D,), the unit vector that way; +x for the higher index."""
    square = 0.0
    for k in range(len(offset)):
        offset[k] = moved[i, k] - moved[j, k] - displacement[edge, k]
        square += offset[k] * offset[k]
    d = math.sqrt(square)
    if d < NEAR:
        offset[:] = 0.0
        offset[0] = 1.0 if i > j else -1.0
        return 0.0
    for k in range(len(offset)):
        offset[k] /= d
    return d


@kernel
def advance(velocity: Floats, moved: Floats, force: Floats, step: float, fastest: float) -> None:
    """One Euler step: velocity (A, D) m/s by force m/s², cut to the fastest, then places."""
    agents, dim = velocity.shape
    for i in range(agents):
        square = 0.0
        for k in range(dim):
            velocity[i, k] += step * force[i, k]
            square += velocity[i, k] * velocity[i, k]
        scale = 1.0 if square <= fastest * fastest else fastest / math.sqrt(square)
        for k in range(dim):
            velocity[i, k] *= scale
            moved[i, k] += step * velocity[i, k]


@kernel
def pushing(
    indptr: Ints, indices: Ints, displacement: Floats, wall_ptr: Ints, wall_distance: Floats, wall_normal: Floats,
    wanted: Floats, velocity: Floats, step: float, steps: int, relaxation: float, radius: float, strength: float,
    decay: float, stiffness: float, friction: float, fastest: float,
) -> Floats:  # fmt: skip
    """Way (A, D) m of walkers that repel, push and rub (2000); `velocity` (A, D) m/s becomes that at the end.

    Args:
        indptr, indices, displacement: The neighbour graph (swarm.neighbours.Graph).
        wall_ptr, wall_distance, wall_normal: Surfaces nearby in compressed rows, m from the centre.
        wanted: (A, D) m/s.
        step, steps: s, and how many.
        relaxation, radius: s, m.
        strength, decay, stiffness, friction: A / m in m/s², B in m, k / m in 1/s², κ / m in 1/(m s).
        fastest: m/s.
    """
    agents, dim = velocity.shape
    moved, force, n = np.zeros((agents, dim)), np.empty((agents, dim)), np.empty(dim)
    for _ in range(steps):
        for i in range(agents):
            for k in range(dim):
                force[i, k] = (wanted[i, k] - velocity[i, k]) / relaxation
            for edge in range(indptr[i], indptr[i + 1]):
                j = indices[edge]
                overlap = 2.0 * radius - apart(i, j, displacement, edge, moved, n)
                touch = max(0.0, overlap)
                push = strength * math.exp(min(overlap / decay, STEEPEST)) + stiffness * touch
                along = 0.0
                for k in range(dim):
                    along += (velocity[j, k] - velocity[i, k]) * n[k]
                for k in range(dim):
                    aside = velocity[j, k] - velocity[i, k] - along * n[k]
                    force[i, k] += push * n[k] + friction * touch * aside
            for edge in range(wall_ptr[i], wall_ptr[i + 1]):
                overlap, along = radius - wall_distance[edge], 0.0
                for k in range(dim):
                    overlap -= moved[i, k] * wall_normal[edge, k]
                    along += velocity[i, k] * wall_normal[edge, k]
                touch = max(0.0, overlap)
                push = strength * math.exp(min(overlap / decay, STEEPEST)) + stiffness * touch
                for k in range(dim):
                    normal = wall_normal[edge, k]
                    force[i, k] += push * normal - friction * touch * (velocity[i, k] - along * normal)
        advance(velocity, moved, force, step, fastest)
    return moved


@kernel
def elliptical(
    indptr: Ints, indices: Ints, displacement: Floats, wall_ptr: Ints, wall_distance: Floats, wall_normal: Floats,
    wanted: Floats, velocity: Floats, step: float, steps: int, relaxation: float, potential: float, decay: float,
    wall_potential: float, wall_decay: float, stride: float, cosine: float, behind: float, fastest: float,
) -> Floats:  # fmt: skip
    """Way (A, D) m of walkers that keep out of each other's next stride (1995); `velocity` becomes that at the end.

    Args:
        indptr, indices, displacement: The neighbour graph (swarm.neighbours.Graph).
        wall_ptr, wall_distance, wall_normal: Surfaces nearby in compressed rows, m from the centre.
        wanted, velocity: (A, D) m/s.
        step, steps, relaxation: s, how many, s.
        potential, decay, wall_potential, wall_decay: V0 m²/s², σ m, U0 m²/s², R m.
        stride: s.
        cosine, behind: Of half the field of sight, and the weight of what is out of it.
        fastest: m/s.
    """
    agents, dim = velocity.shape
    moved, force = np.zeros((agents, dim)), np.empty((agents, dim))
    n, other, push = np.empty(dim), np.empty(dim), np.empty(dim)
    for _ in range(steps):
        for i in range(agents):
            size = 0.0
            for k in range(dim):
                force[i, k] = (wanted[i, k] - velocity[i, k]) / relaxation
                size += wanted[i, k] * wanted[i, k]
            size = math.sqrt(size)
            for edge in range(indptr[i], indptr[i + 1]):
                j = indices[edge]
                d = apart(i, j, displacement, edge, moved, n)
                length, square = 0.0, 0.0
                for k in range(dim):
                    ahead = stride * velocity[j, k]
                    square += ahead * ahead
                    other[k] = d * n[k] - ahead
                    length += other[k] * other[k]
                length = math.sqrt(length)
                b = 0.5 * math.sqrt(max((d + length) ** 2 - square, 0.0))
                slope = potential / decay * math.exp(-b / decay)
                for k in range(dim):
                    if b > 1e-6 and length > NEAR:
                        push[k] = slope * (d + length) / (4.0 * b) * (n[k] + other[k] / length)
                    else:  # within the other's stride, where the ellipse is a line
                        push[k] = slope * n[k]
                seen, strength = 0.0, 0.0
                for k in range(dim):
                    seen -= wanted[i, k] * push[k]
                    strength += push[k] * push[k]
                weight = 1.0 if size == 0.0 or seen >= size * math.sqrt(strength) * cosine else behind
                for k in range(dim):
                    force[i, k] += weight * push[k]
            for edge in range(wall_ptr[i], wall_ptr[i + 1]):
                d = wall_distance[edge]
                for k in range(dim):
                    d += moved[i, k] * wall_normal[edge, k]
                slope = wall_potential / wall_decay * math.exp(min(-d / wall_decay, STEEPEST))
                for k in range(dim):
                    force[i, k] += slope * wall_normal[edge, k]
        advance(velocity, moved, force, step, fastest)
    return moved
