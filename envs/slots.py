"""Where each agent's slot is in the formation's best fit to the swarm."""

from __future__ import annotations

import numpy as np

from swarm.metrics.formation import assigned_slots
from swarm.state import Bools, Floats


def slot_offsets(position: Floats, slots: Floats, alive: Bools, period: Floats) -> tuple[Floats, float]:
    """Offset of every agent to its slot, and the formation error.

    Args:
        position: (A, D) m.
        slots: (A, D) m, centroid at the origin.
        alive: (A,); the lost get zero.
        period: (D,) m, of each axis, 0 where it does not wrap.

    Returns:
        (A, D) m, and the root mean square of the living agents' offsets in m (see `swarm.metrics.formation_error`).
    """
    offset = np.zeros_like(position)
    living = np.flatnonzero(alive)
    if len(living) == 0:
        return offset, 0.0
    chosen = slots[assigned_slots(position, slots, alive, period)[living]]
    first = position[living[0]]
    step = position[living] - first
    wrap = np.where(period > 0, period, np.inf)
    step -= np.where(period > 0, period, 0.0) * np.rint(step / wrap)
    place, shape = step - step.mean(axis=0), chosen - chosen.mean(axis=0)
    # The best yaw for a known assignment turns sum p conj(s), places and slots as complex numbers, onto the real axis.
    level = (place[:, 0] + 1j * place[:, 1]) @ (shape[:, 0] - 1j * shape[:, 1])
    turn = level / abs(level) if abs(level) > 1e-12 else 1.0
    turned = shape.copy()
    rotated = turn * (shape[:, 0] + 1j * shape[:, 1])
    turned[:, 0], turned[:, 1] = rotated.real, rotated.imag
    offset[living] = turned - place
    return offset, float(np.sqrt((offset[living] ** 2).sum(axis=1).mean()))
