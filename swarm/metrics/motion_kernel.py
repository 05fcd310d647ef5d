"""Everything that takes one pass over the agents: headings, speeds, spread about the centroid, clearance, path flown.

One compiled pass over a chunk of the recording fills a table with a row a sample and the columns named here. What must be
known of the sample before the chunk travels in `carry`, so any chunking of a recording gives the same bytes.
"""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel

LIVING, ORDER, HEADING_X, HEADING_Y, MILLING, SPEED, COMPACTNESS, COMPACTNESS_SD = range(8)
EFFORT, FLOWN, CLEARANCE, OUTSIDE, TOUCHES = range(8, 13)
COLUMNS = 13
STANDSTILL = 1e-9  # m/s, below which an agent has no heading


@kernel
def motion(position, velocity, command, clearance, alive, box, radius, dt, carry):  # type: ignore[no-untyped-def]
    """Measure a chunk.

    Args:
        position, velocity, command: (T, N, D) m, m/s, m/s.
        clearance: (T, N) m, hull to the nearest surface; inf where there is none.
        alive: (T, N) bool.
        box: (D,) m, period of each axis, 0 where it does not wrap.
        radius: m, of the hull.
        dt: s between samples.
        carry: (N + 1, 2 D + 3) of the sample before: position, command, path flown, touching, living; its last row
            starts with 1 where there is such a sample. Overwritten with the last sample's.

    Returns:
        table (T, COLUMNS), centroid (T, D), agent of the lowest clearance (T,) or -1, onsets of overlap (T, N).
    """
    samples, agents, dim = position.shape
    table = np.zeros((samples, COLUMNS))
    centroid = np.zeros((samples, dim))
    lowest = np.full(samples, -1)
    onset = np.zeros((samples, agents), np.bool_)
    distance = np.empty(agents)
    away = np.zeros(3)
    flown, touching, lived = 2 * dim, 2 * dim + 1, 2 * dim + 2
    for t in range(samples):
        living = 0
        for i in range(agents):
            living += alive[t, i]
        row = table[t]
        row[LIVING] = living
        row[CLEARANCE] = np.inf
        share = 1.0 / max(living, 1)
        for k in range(dim):
            centre, sine, cosine = 0.0, 0.0, 0.0
            if box[k] > 0.0:
                turn = 2.0 * np.pi / box[k]
                for i in range(agents):
                    if alive[t, i]:
                        sine += np.sin(turn * position[t, i, k])
                        cosine += np.cos(turn * position[t, i, k])
                centre = np.arctan2(sine, cosine) / turn
            else:
                for i in range(agents):
                    if alive[t, i]:
                        centre += position[t, i, k]
                centre *= share
            centroid[t, k] = centre
        started = carry[agents, 0] > 0.0
        heading_x, heading_y, heading_z = 0.0, 0.0, 0.0
        spin_x, spin_y, spin_z = 0.0, 0.0, 0.0
        speeds, spread, effort, path, outside, out = 0.0, 0.0, 0.0, 0.0, 0.0, 0
        for i in range(agents):
            if not alive[t, i]:
                carry[i, lived] = 0.0
                continue
            x, y, z = velocity[t, i, 0], velocity[t, i, 1], 0.0
            if dim == 3:
                z = velocity[t, i, 2]
            speed = np.sqrt(x * x + y * y + z * z)
            speeds += speed
            towards = 1.0 / speed if speed > STANDSTILL else 0.0
            x, y, z = x * towards, y * towards, z * towards
            heading_x += x
            heading_y += y
            heading_z += z
            square, moved, changed = 0.0, 0.0, 0.0
            for k in range(dim):
                offset = position[t, i, k] - centroid[t, k]
                step = position[t, i, k] - carry[i, k]
                if box[k] > 0.0:
                    offset -= box[k] * np.floor(offset / box[k] + 0.5)
                    step -= box[k] * np.floor(step / box[k] + 0.5)
                away[k] = offset
                square += offset * offset
                moved += step * step
                changed += (command[t, i, k] - carry[i, dim + k]) ** 2
                carry[i, k] = position[t, i, k]
                carry[i, dim + k] = command[t, i, k]
            distance[i] = np.sqrt(square)
            spread += distance[i]
            if square > 0.0:
                outwards = 1.0 / distance[i]
                spin_x += (away[1] * z - away[2] * y) * outwards
                spin_y += (away[2] * x - away[0] * z) * outwards
                spin_z += (away[0] * y - away[1] * x) * outwards
            if started and carry[i, lived] > 0.0:
                carry[i, flown] += np.sqrt(moved)
                effort += np.sqrt(changed)
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
        row[ORDER] = np.sqrt(heading_x**2 + heading_y**2 + heading_z**2) * share
        row[HEADING_X] = heading_x * share
        row[HEADING_Y] = heading_y * share
        row[MILLING] = np.sqrt(spin_x**2 + spin_y**2 + spin_z**2) * share
        row[SPEED] = speeds * share
        mean = spread * share
        row[COMPACTNESS] = mean
        variance = 0.0
        for i in range(agents):
            if alive[t, i]:
                variance += (distance[i] - mean) ** 2
        row[COMPACTNESS_SD] = np.sqrt(variance * share)
        row[EFFORT] = effort * share / dt
        row[FLOWN] = path * share
        row[OUTSIDE] = outside / max(out, 1)
    return table, centroid, lowest, onset
