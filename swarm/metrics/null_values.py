"""What a swarm without any order scores: random headings, uniform scatter.

Each function takes the number of agents, the dimension and the box lengths in m (None: unknown) and gives the expected
value for large N, or None where it depends on a box that is not known.
"""

from __future__ import annotations

import math

import numpy as np

Box = tuple[float, ...] | None


def order(count: int, dim: int, box: Box = None) -> float | None:
    """Length of the mean of N random unit vectors: √(π/4N) in 2D, √(8/3πN) in 3D (Rayleigh and Maxwell means)."""
    if count < 1:
        return None
    return math.sqrt(math.pi / 4 / count) if dim == 2 else math.sqrt(8 / (3 * math.pi * count))


def milling(count: int, dim: int, box: Box = None) -> float | None:
    """Mean of N random r̂ × v̂: half-normal 1/√(πN) in 2D; Maxwell with variance 2/9N an axis, 4/3 /√(πN), in 3D."""
    if count < 1:
        return None
    return (1.0 if dim == 2 else 4.0 / 3.0) / math.sqrt(math.pi * count)


def zero(count: int, dim: int, box: Box = None) -> float | None:
    """Nothing on average."""
    return 0.0


def nearest_neighbour(count: int, dim: int, box: Box = None) -> float | None:
    """Mean distance to the nearest of a scatter: 1/(2√ρ) in 2D, Γ(4/3) (3/4πρ)^⅓ in 3D (Clark and Evans 1954)."""
    if box is None or count < 2:
        return None
    density = count / math.prod(box)
    if dim == 2:
        return 0.5 / math.sqrt(density)
    return math.gamma(4 / 3) * math.pow(3 / (4 * math.pi * density), 1 / 3)


def compactness(count: int, dim: int, box: Box = None) -> float | None:
    """Mean distance of a uniform scatter to the middle of its box."""
    return None if box is None else _moments(box)[0]


def compactness_sd(count: int, dim: int, box: Box = None) -> float | None:
    """Standard deviation of the distance of a uniform scatter to the middle of its box."""
    return None if box is None else _moments(box)[1]


def _moments(box: tuple[float, ...]) -> tuple[float, float]:
    # One octant by Gauss-Legendre: smooth but for the corner at the origin, where the weight is small.
    nodes, weights = np.polynomial.legendre.leggauss(24)
    axes = [(length / 4 * (nodes + 1), weights / 2) for length in box]
    square = sum(np.square(part) for part in np.meshgrid(*(a for a, _ in axes), indexing="ij"))
    weight = np.ones(1)
    for _, w in axes:
        weight = np.multiply.outer(weight, w)
    mean = float((np.sqrt(square) * weight[0]).sum())
    second = float((square * weight[0]).sum())
    return mean, math.sqrt(max(second - mean * mean, 0.0))
