"""What each agent observes: one documented row of numbers in [-1, 1]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.view import View

NEIGHBOURS = 4  # nearest agents described
SURFACES = 4  # nearest obstacle surfaces described


@dataclass(frozen=True)
class Layout:
    """Columns of an observation row of K numbers; D is the world's dimension.

    In order, each clipped to [-1, 1]:

    | columns | what | scale |
    | --- | --- | --- |
    | D | own velocity | speed limit |
    | D | unit direction in which the way to the target begins | 1 |
    | 1 | length of that way w as w / (w + 10 m) | - |
    | D | straight offset to the target | 10 m |
    | 3 | body's up axis in the world frame (0, 0, 1 when level) | 1 |
    | D | offset to the own slot of the formation's best fit, zero without a formation | perception range |
    | 4 x (2 D + 1) | nearest neighbours: offset, relative velocity, 1 when there is one | range, twice the limit |
    | 4 x (D + 2) | nearest surfaces: outward normal, hull distance, 1 when there is one | perception range |

    A lost agent observes zeros.
    """

    dim: int

    @property
    def width(self) -> int:
        """K, numbers in a row."""
        dim = self.dim
        return 4 * dim + 4 + NEIGHBOURS * (2 * dim + 1) + SURFACES * (dim + 2)

    @property
    def columns(self) -> dict[str, slice]:
        """Columns by name."""
        dim, found, start = self.dim, {}, 0
        for name, size in (
            ("velocity", dim), ("route_direction", dim), ("route_distance", 1), ("target_offset", dim), ("up", 3),
            ("slot_offset", dim), ("neighbours", NEIGHBOURS * (2 * dim + 1)), ("surfaces", SURFACES * (dim + 2)),
        ):  # fmt: skip
            found[name] = slice(start, start + size)
            start += size
        return found


@kernel
def _fill(
    out: NDArray[np.float32],
    motion: Floats,
    way: Floats,
    length: Floats,
    up: Floats,
    alive: Bools,
    indptr: Ints,
    indices: Ints,
    displacement: Floats,
    distance: Floats,
    near_indptr: Ints,
    near_distance: Floats,
    near_normal: Floats,
    scales: Floats,
) -> None:
    agents, dim = motion.shape[1], motion.shape[2]
    speed_limit, reach = scales[0], scales[1]
    for i in range(agents):
        for k in range(out.shape[1]):
            out[i, k] = np.float32(0.0)
        if not alive[i]:
            continue
        for k in range(dim):
            out[i, k] = motion[0, i, k] / speed_limit
            out[i, dim + k] = way[0, i, k]
            out[i, 2 * dim + 1 + k] = way[1, i, k] / 10.0
            out[i, 3 * dim + 4 + k] = way[2, i, k] / reach
        out[i, 2 * dim] = length[i] / (length[i] + 10.0)
        for k in range(3):
            out[i, 3 * dim + 1 + k] = up[i, k]
        column = 4 * dim + 4
        last = -1.0
        last_index = -1
        for _ in range(NEIGHBOURS):  # the nearest not yet taken; equal distances go by index
            best = -1
            for e in range(indptr[i], indptr[i + 1]):
                later = distance[e] > last or (distance[e] == last and indices[e] > last_index)
                if later and (best < 0 or distance[e] < distance[best]):
                    best = e
            if best >= 0:
                last, last_index = distance[best], indices[best]
                for k in range(dim):
                    out[i, column + k] = displacement[best, k] / reach
                    relative = motion[0, indices[best], k] - motion[0, i, k]
                    out[i, column + dim + k] = relative / (2.0 * speed_limit)
                out[i, column + 2 * dim] = np.float32(1.0)
            else:
                break
            column += 2 * dim + 1
        column = 4 * dim + 4 + NEIGHBOURS * (2 * dim + 1)
        last = -1e300
        last_index = -1
        for _ in range(SURFACES):
            best = -1
            for e in range(near_indptr[i], near_indptr[i + 1]):
                later = near_distance[e] > last or (near_distance[e] == last and e > last_index)
                if later and (best < 0 or near_distance[e] < near_distance[best]):
                    best = e
            if best >= 0:
                last, last_index = near_distance[best], best
                for k in range(dim):
                    out[i, column + k] = near_normal[best, k]
                out[i, column + dim] = near_distance[best] / reach
                out[i, column + dim + 1] = np.float32(1.0)
            else:
                break
            column += dim + 2
        for k in range(out.shape[1]):
            out[i, k] = min(max(out[i, k], np.float32(-1.0)), np.float32(1.0))


def observe(view: View, slot_offset: NDArray[np.float64], reach: float) -> NDArray[np.float32]:
    """Observation rows of all agents.

    Args:
        view: What they perceive.
        slot_offset: (A, D) m, offset to each agent's slot.
        reach: m, perception range, the scale of offsets.

    Returns:
        (A, K) float32 in [-1, 1]; columns as in `Layout`.
    """
    agents, dim = view.position.shape
    out = np.empty((agents, Layout(dim).width), np.float32)
    x, y, z, w = view.state.attitude.T
    up = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    offset = np.zeros((agents, dim))
    if view.target is not None:
        offset = view.space.displacement(view.position, view.target)
    way = np.stack([view.route_direction, offset, slot_offset])
    graph, near = view.neighbours, view.near
    _fill(
        out, np.ascontiguousarray(view.velocity)[None], way, view.route_distance, up, view.alive, graph.indptr,
        graph.indices, graph.displacement, graph.distance, near.indptr, near.distance, near.normal,
        np.array([view.speed_limit, reach]),
    )  # fmt: skip
    return out
