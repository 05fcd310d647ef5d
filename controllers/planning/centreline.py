"""The smooth line that a formation's centre follows, and where the formation points on it."""

from __future__ import annotations

import math

import numpy as np

from swarm.state import Floats, Ints


def resample(points: Floats, spacing: float) -> tuple[Floats, Ints, float]:
    """A polyline at even steps.

    Args:
        points: (K, D) m.
        spacing: m, wanted between stations.

    Returns:
        (M, D) m from the first point to the last, M at least 2; (M,) the leg each station lies on; the true spacing, m.
    """
    legs = np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1))
    along = np.concatenate([[0.0], np.cumsum(legs)])
    count = max(math.ceil(along[-1] / spacing), 1) + 1
    at = np.linspace(0.0, along[-1], count)
    even = np.stack([np.interp(at, along, points[:, k]) for k in range(points.shape[1])], axis=1)
    leg = np.clip(np.searchsorted(along, at, side="right") - 1, 0, len(legs) - 1)
    return even, leg.astype(np.int64), float(along[-1]) / (count - 1)


def smooth(values: Floats, width: float, fixed_ends: bool) -> Floats:
    """Gaussian smoothing along the first axis.

    Args:
        values: (M, C).
        width: Standard deviation in stations.
        fixed_ends: True continues the values beyond the ends by point reflection, which leaves both ends in place;
            False continues them by their last value.

    Returns:
        (M, C).
    """
    half = min(math.ceil(3.0 * width), len(values) - 1)
    if half < 1:
        return np.array(values)
    weight = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    weight /= weight.sum()
    if fixed_ends:
        before, after = 2.0 * values[0] - values[half:0:-1], 2.0 * values[-1] - values[-2 : -half - 2 : -1]
    else:
        before, after = np.repeat(values[:1], half, axis=0), np.repeat(values[-1:], half, axis=0)
    padded = np.concatenate([before, values, after])
    # One product per tap in a fixed order: the same bytes whatever the number of threads.
    total = np.zeros_like(values)
    for tap in range(2 * half + 1):
        total += weight[tap] * padded[tap : tap + len(values)]
    return total


def headings(line: Floats, width: float) -> Floats:
    """Where a formation points at each station: the line's direction, turned smoothly.

    Args:
        line: (M, D) m.
        width: Standard deviation of the smoothing in stations.

    Returns:
        (M,) rad, continuous (not wrapped).
    """
    step = np.diff(line[:, :2], axis=0)
    moving = np.hypot(step[:, 0], step[:, 1]) > 1e-9
    if not moving.any():
        return np.zeros(len(line))
    angle = np.unwrap(np.arctan2(step[moving, 1], step[moving, 0]))
    place = np.flatnonzero(moving) + 0.5
    spread = np.interp(np.arange(len(line)), place, angle)
    return smooth(spread[:, None], width, fixed_ends=False)[:, 0]
