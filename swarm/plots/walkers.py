"""People on a floor plan: round and yellow with a dark edge and a short mark that tells where they head."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgba

from swarm.plots import style
from swarm.plots.marks import discs, noses, same_corners
from swarm.state import Floats

RADIUS = 0.62  # of the size of a dart
NOSE, THICK = 1.75, 0.62  # from the middle, and across, in radii


def walkers(position: Floats, ahead: Floats, size: Floats, colors: Floats, edge: float) -> tuple[Floats, Floats]:
    """Marks of A walkers, each above those before it.

    Args:
        position: (A, 2) m.
        ahead: (A, 2), where they head.
        size: (A,) m, of a dart in their place.
        colors: (A, 4).
        edge: m, width of the dark edge.

    Returns:
        (4 A, 16, 2) m, corners: of each the edges of bar and disc, then bar and disc; and (4 A, 4) colours.
    """
    radius = RADIUS * size
    dark = np.tile(to_rgba(style.INK), (len(position), 1))
    dark[:, 3] = colors[:, 3]
    parts = [
        same_corners(noses(position, ahead, NOSE * radius + edge, THICK * radius + 2.0 * edge), 16),
        discs(position, radius + edge),
        same_corners(noses(position, ahead, NOSE * radius, THICK * radius), 16),
        discs(position, radius),
    ]
    return np.stack(parts, axis=1).reshape(-1, 16, 2), np.stack([dark, dark, colors, colors], axis=1).reshape(-1, 4)
