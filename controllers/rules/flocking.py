"""The one pass over the neighbour graph from which separation, alignment and cohesion are read."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.rules.fused_flocking import flock_cells
from swarm.controllers.rules.paired_flocking import SUMS, flock_pairs
from swarm.neighbours import ALL_PAIRS, Cells, workspace
from swarm.neighbours.chunks import LARGE, share
from swarm.state import Floats, Ints
from swarm.view import View


@kernel
def flock(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, velocity: Floats,
    separation: float, separation_radius: float,
    alignment: float, alignment_radius: float,
    cohesion: float, cohesion_radius: float, cohesion_speed: float,
) -> Floats:  # fmt: skip
    """Weighted sum of the three neighbour rules, each as its own module defines it.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        velocity: (A, D) m/s.
        separation: m/s of push from one neighbour at distance 0; 0 leaves the rule out.
        separation_radius: m.
        alignment: Share of the difference to the neighbours' mean velocity, 1; 0 leaves the rule out.
        alignment_radius: m.
        cohesion: 1/s, speed per metre to the neighbours' centre; 0 leaves the rule out.
        cohesion_radius: m.
        cohesion_speed: m/s, most that cohesion asks for.

    Returns:
        (A, D) m/s.
    """
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    mean_velocity, centre = np.empty(dim), np.empty(dim)
    for i in range(agents):
        aligned, drawn = 0, 0
        for k in range(dim):
            mean_velocity[k], centre[k] = 0.0, 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart < separation_radius and separation != 0.0:
                push = separation * (1.0 - apart / separation_radius)
                if apart > 0.0:
                    for k in range(dim):
                        total[i, k] -= push * displacement[edge, k] / apart
                else:
                    total[i, 0] += push if i > j else -push
            if apart <= alignment_radius:
                aligned += 1
                for k in range(dim):
                    mean_velocity[k] += velocity[j, k] - velocity[i, k]
            if apart <= cohesion_radius:
                drawn += 1
                for k in range(dim):
                    centre[k] += displacement[edge, k]
        if aligned > 0:
            for k in range(dim):
                total[i, k] += alignment * mean_velocity[k] / aligned
        if drawn > 0:
            length = 0.0
            for k in range(dim):
                centre[k] *= cohesion / drawn
                length += centre[k] * centre[k]
            length = math.sqrt(length)
            scale = 1.0 if length <= cohesion_speed else cohesion_speed / length
            for k in range(dim):
                total[i, k] += scale * centre[k]
    return total


def flocking(
    view: View,
    separation: float, separation_radius: float,
    alignment: float, alignment_radius: float,
    cohesion: float, cohesion_radius: float, cohesion_speed: float,
) -> Floats:  # fmt: skip
    """`flock` over what the agents perceive: from the view's lists of neighbours for few, for many without any lists.

    Returns:
        (A, D) m/s.
    """
    weights = (separation, separation_radius, alignment, alignment_radius, cohesion, cohesion_radius, cohesion_speed)
    if len(view.position) <= ALL_PAIRS:
        return flock(*view.neighbours, view.velocity, *weights)
    total = np.zeros_like(view.position)
    reach = min(
        view.reach,
        max(separation_radius * (separation > 0), alignment_radius * (alignment > 0), cohesion_radius * (cohesion > 0)),
    )
    if reach > 0.0:
        cells = workspace()
        cells.sort(view.position, view.velocity, view.alive, view.world_index, view.space.period, reach)
        flock_sorted(cells, reach, view.field_of_view, *weights, total)
    return total


def flock_sorted(
    cells: Cells, reach: float, field_of_view: float,
    separation: float, separation_radius: float,
    alignment: float, alignment_radius: float,
    cohesion: float, cohesion_radius: float, cohesion_speed: float,
    total: Floats,
) -> None:  # fmt: skip
    """`flock` for agents sorted by cell, on several threads from some thousands on; equal up to rounding.

    Args:
        cells: Sorted for `reach` or more.
        reach: m, perception range.
        field_of_view: rad, full opening angle about the heading.
        separation ... cohesion_speed: As for `flock`.
        total: (A, D) m/s, out; the rows of the dead are left alone.
    """
    grid = cells.grid
    seen_alike = field_of_view >= 2 * np.pi and not grid.tight  # j is as far and as visible from i as i from j
    one_radius = (not alignment or alignment_radius >= reach) and (not cohesion or cohesion_radius >= reach)
    if total.shape[1] == 2 and len(total) < LARGE and seen_alike and one_radius:
        flock_pairs(
            cells.start, cells.order, cells.at, cells.flying, grid.box, grid.origin, grid.per_metre, grid.shape,
            grid.inside, float(reach), float(separation), float(separation_radius), float(alignment), float(cohesion),
            float(cohesion_speed), cells.room("sums", (cells.living, SUMS)), total,
        )  # fmt: skip
        return
    parts, asked = cells.stretches(), cells.room("asked", (3, cells.living))

    def work(p: int) -> None:
        flock_cells(
            *parts[p], cells.start, cells.order, cells.at, cells.flying, grid.box, grid.origin, grid.per_metre,
            grid.shape, grid.tight, grid.inside, float(reach), 0.5 * float(field_of_view), float(separation),
            float(separation_radius), float(alignment), float(alignment_radius), float(cohesion),
            float(cohesion_radius), float(cohesion_speed), asked, total,
        )  # fmt: skip

    share(cells.threads, work, len(parts))
