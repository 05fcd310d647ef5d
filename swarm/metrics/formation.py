"""How well the swarm holds its formation, wherever the formation is and whichever way it points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.metrics import fit_kernel as column
from swarm.metrics.frames import Value, frames, living, period, unpack
from swarm.metrics.measure import measure_motion
from swarm.state import Bools, Floats, Ints


def formation_error(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Root mean square distance to the slots after the best rigid fit, without scaling or mirroring:

        min over yaw R, shift t and assignment π of √((1/N) Σ ‖p_i − (R s_π(i) + t)‖²)

    Exact over yaw, shift and assignment together while as many agents live as there are slots, for any N. When some are lost
    the living fit the best of all subsets of slots: exact for up to 6 slots, by alternating assignment and fit from 12 yaws
    above that.

    Args:
        position: (N, D) or (T, N, D) m.
        formation: (M, D) m slots, M >= number of living agents.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap.

    Returns:
        m; 0 for nobody. For scale: five in single file at 1 m score 0.67 against a V at 1 m.
    """
    return unpack(_fitted(position, formation, alive, box)[0][:, column.ERROR], position)


def formation_distance_error(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """How far pair distances d_ij are from those d*_ij of the slots assigned: √(2 Σ_{i<j} (d_ij − d*_ij)² / (N (N − 1))).

    Arguments as for `formation_error`, whose assignment is used. m; 0 for fewer than two agents.
    """
    return unpack(_fitted(position, formation, alive, box)[0][:, column.DISTANCE_ERROR], position)


def assigned_slots(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Ints:
    """The slot of each agent in the best fit, (N,) or (T, N); -1 for the lost. Arguments as for `formation_error`."""
    slots = _fitted(position, formation, alive, box)[1]
    return slots[0] if np.ndim(position) == 2 else slots


def _fitted(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None, box: ArrayLike | None
) -> tuple[Floats, Ints]:
    where = frames("position", position)
    _, middle = measure_motion(position, alive=alive, box=box)
    return fit_samples(
        where, middle, living(alive, where), period(box, where.shape[2]), places(formation, where.shape[2])
    )


def places(formation: ArrayLike, dim: int) -> Floats:
    """(M, 3) m slots about their centroid; a level formation has height 0."""
    slots = np.asarray(formation, np.float64)
    if slots.ndim != 2 or slots.shape[1] != dim or not np.isfinite(slots).all():
        raise BadInput(f"formation: expected rows of {dim} finite numbers, got an array of shape {slots.shape}")
    place = np.zeros((len(slots), 3))
    place[:, :dim] = slots - slots.mean(axis=0) if len(slots) else slots
    return place


def fit_samples(position: Floats, middle: Floats, alive: Bools, box: Floats, place: Floats) -> tuple[Floats, Ints]:
    """Errors (T, 2) and slots (T, N); `middle` (T, D) m is near the centroid, `place` (M, 3) from `places`."""
    count = alive.sum(axis=1)
    if count.max(initial=0) > len(place):
        raise BadInput(f"formation: expected at least {count.max()} slots, one for each living agent, got {len(place)}")
    table, slots = column.fit(position, middle, alive, box, place)
    short = (count > 0) & (count < len(place))
    if short.any():
        from swarm.metrics.partial_fit_kernel import partial_fit

        table[short], slots[short] = partial_fit(
            np.ascontiguousarray(position[short]), np.ascontiguousarray(middle[short]), alive[short], box, place
        )
    return table, slots
