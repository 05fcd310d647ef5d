"""What a camera gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOTHING = -1  # segmentation of a pixel in which nothing is seen


class Picture(NamedTuple):
    """One picture of H x W pixels; row 0 is the top, column 0 the left."""

    rgb: NDArray[np.uint8]  # (H, W, 3)
    depth: NDArray[np.float32]  # (H, W) m along the optical axis, the lens's far where nothing is nearer
    segmentation: NDArray[np.int32]  # (H, W) index in world.surfaces; len(world.surfaces) + agent; -1 for nothing
