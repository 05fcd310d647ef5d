"""Everything that takes one pass over the agents: headings, speeds, spread about the centroid, clearance, path flown.

One compiled pass over a chunk of the recording fills a table with a row a sample and the columns named here. What must
be known of the sample before the chunk travels in `carry`, so any chunking of a recording gives the same bytes.
"""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints

LIVING, ORDER, HEADING_X, HEADING_Y, MILLING, SPEED, COMPACTNESS, COMPACTNESS_SD = range(8)
EFFORT, FLOWN, CLEARANCE, OUTSIDE, TOUCHES = range(8, 13)
COLUMNS = 13
STANDSTILL = 1e-9  # m/s, below which an agent has no heading


@kernel
def motion(
    position: Floats,
    velocity: Floats,
    command: Floats,
    clearance: Floats,
    alive: Bools,
    centroid: Floats,
    box: Floats,
    radius: float,
    dt: float,
    carry: Floats,
) -> tuple[Floats, Ints, Bools]:
    """Measure a chunk.

    Args:
        position, velocity, command: (T, N, D) m, m/s, m/s.
        clearance: (T, N) m, hull to the nearest surface; inf where there is none.
        alive: (T, N) bool.
        centroid: (T, D) m, of the living.
        box: (D,) m, period of each axis, 0 where it does not wrap.
        radius: m, of the hull.
        dt: s between samples.
        carry: (N + 1, 2 D + 3) of the sample before: position, command, path flown, touching, living; its last row
            starts with 1 where there is such a sample. Overwritten with the last sample's.

    Returns:
        table (T, COLUMNS), agent of the lowest clearance (T,) or -1, onsets of overlap (T, N).
    """
    samples, agents, dim = position.shape
    table = np.zeros((samples, COLUMNS))
    lowest = np.empty(samples, np.int64)
    onset = np.zeros((samples, agents), np.bool_)
    distance, vectors = np.empty(agents), np.zeros((4, 3))
    away, ahead, heading, spin = vectors[0], vectors[1], vectors[2], vectors[3]
    flown, touching, lived = 2 * dim, 2 * dim + 1, 2 * dim + 2
    for t in range(samples):
        living = 0
        for i in range(agents):
            living += alive[t, i]
        row = table[t]
        row[LIVING] = living
        row[CLEARANCE], lowest[t] = inf, -1
        share = 1.0 / living if living > 0 else 0.0
        started = carry[agents, 0] > 0.0
        speeds, spread, effort, path, outside, out = 0.0, 0.0, 0.0, 0.0, 0.0, 0
        for k in range(3):
            heading[k], spin[k] = 0.0, 0.0
        for i in range(agents):
            if not alive[t, i]:
                carry[i, lived] = 0.0
                continue
            speed, square, moved, changed = 0.0, 0.0, 0.0, 0.0
            for k in range(dim):
                offset = position[t, i, k] - centroid[t, k]
                step = position[t, i, k] - carry[i, k]
                if box[k] > 0.0:
                    offset -= box[k] * floor(offset / box[k] + 0.5)
                    step -= box[k] * floor(step / box[k] + 0.5)
                change = command[t, i, k] - carry[i, dim + k]
                away[k] = offset
                ahead[k] = velocity[t, i, k]
                speed += ahead[k] * ahead[k]
                square += offset * offset
                moved += step * step
                changed += change * change
                carry[i, k] = position[t, i, k]
                carry[i, dim + k] = command[t, i, k]
            speed, distance[i] = sqrt(speed), sqrt(square)
            speeds += speed
            spread += distance[i]
            towards = 1.0 / speed if speed > STANDSTILL else 0.0
            turning = towards / distance[i] if square > 0.0 else 0.0
            for k in range(3):
                a, b = k - 2, k - 1
                heading[k] += ahead[k] * towards
                spin[k] += (away[a] * ahead[b] - away[b] * ahead[a]) * turning
            if started and carry[i, lived] > 0.0:
                carry[i, flown] += sqrt(moved)
                effort += sqrt(changed)
            path += carry[i, flown]
            gap = clearance[t, i]
            if gap < row[CLEARANCE]:
                row[CLEARANCE] = gap
                lowest[t] = i
            if gap + radius < 0.0:
                outside -= gap + radius
                out += 1
            touch = 1.0 if gap < 0.0 else 0.0
            if touch > carry[i, touching] * carry[i, lived]:
                onset[t, i] = True
                row[TOUCHES] += 1.0
            carry[i, touching] = touch
            carry[i, lived] = 1.0
        carry[agents, 0] = 1.0
        together, turning = 0.0, 0.0
        for k in range(3):
            together += heading[k] * heading[k]
            turning += spin[k] * spin[k]
        row[ORDER] = sqrt(together) * share
        row[HEADING_X] = heading[0] * share
        row[HEADING_Y] = heading[1] * share
        row[MILLING] = sqrt(turning) * share
        row[SPEED] = speeds * share
        mean = spread * share
        row[COMPACTNESS] = mean
        variance = 0.0
        for i in range(agents):
            if alive[t, i]:
                variance += (distance[i] - mean) * (distance[i] - mean)
        row[COMPACTNESS_SD] = sqrt(variance * share)
        row[EFFORT] = effort * share / dt
        row[FLOWN] = path * share
        if out > 0:
            row[OUTSIDE] = outside / out
    return table, lowest, onset


def centroids(position: Floats, alive: Bools, box: Floats) -> Floats:
    """(T, D) m centroid of the living, the circular mean along an axis that wraps; 0 for nobody."""
    weight = alive[:, :, None] / np.maximum(alive.sum(axis=1), 1)[:, None, None]
    centre: Floats = (position * weight).sum(axis=1)
    for k in np.flatnonzero(box):
        angle = position[..., k] * (2.0 * np.pi / box[k])
        sine, cosine = ((part * weight[..., 0]).sum(axis=1) for part in (np.sin(angle), np.cos(angle)))
        centre[:, k] = np.arctan2(sine, cosine) * (box[k] / (2.0 * np.pi))
    return centre
