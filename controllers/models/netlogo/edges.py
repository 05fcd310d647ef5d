"""Keeping off the edges: face the middle, axis by axis."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats


def avoid_edges(direction: Floats, position: Floats, bounds: Floats, margin: float, both: bool) -> Floats:
    """Directions of those near an edge, straight to the middle of that axis: `facexy 0 ycor`.

    Args:
        direction: (A, D) unit.
        position: (A, D) m.
        bounds: (2, D) m.
        margin: m from the edge, inclusive; no more than a quarter of the way across counts.
        both: Whether in a corner both axes count alike. As the text says, the later one has the last word.

    Returns:
        (A, D) unit.
    """
    low, high = bounds
    reach = np.minimum(margin, (high - low) / 4.0)
    inward = np.where(position <= low + reach, 1.0, 0.0) - np.where(position >= high - reach, 1.0, 0.0)
    if not both:
        for axis in range(inward.shape[1] - 1):
            inward[:, axis] *= ~inward[:, axis + 1 :].any(axis=1)
    length = np.sqrt((inward * inward).sum(axis=1))[:, None]
    return np.where(length > 0.0, inward / np.maximum(length, 1.0), direction)
