"""Polygons filled straight into an image: thousands of small ones in a few milliseconds.

Agg takes some ten microseconds for a mark of ten pixels, most of it for what such a mark does not need.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Floats, Ints

Pixels = NDArray[np.uint8]
SUB = 4  # lines a row of pixels is looked at along; along each the coverage is exact


@kernel
def fill(image: Pixels, corners: Floats, colors: Floats, clip: Ints) -> None:
    """Paint polygons over an image, one after the other, with smooth edges.

    Args:
        image: (H, W, 4) RGBA, opaque; changed in place. Row 0 is the upper one.
        corners: (F, K, 2) pixels, across and down from the upper left corner of the image; inside is where a line
            from far away has crossed an odd number of edges. A polygon with a corner that is not finite is left out.
        colors: (F, 4) RGBA, 0 to 1.
        clip: (4,) first column, first row, last column + 1, last row + 1 that may be painted.
    """
    many = corners.shape[1]
    left, top, right, bottom = max(clip[0], 0), max(clip[1], 0), clip[2], clip[3]
    right, bottom = min(right, image.shape[1]), min(bottom, image.shape[0])
    cover = np.zeros(max(right, 1))
    cuts = np.empty(many)
    for f in range(len(corners)):
        x_low, x_high, y_low, y_high = np.inf, -np.inf, np.inf, -np.inf
        finite = True
        for k in range(many):
            x, y = corners[f, k, 0], corners[f, k, 1]
            finite = finite and np.isfinite(x) and np.isfinite(y)
            x_low, x_high = min(x_low, x), max(x_high, x)
            y_low, y_high = min(y_low, y), max(y_high, y)
        if not finite or x_high <= left or x_low >= right or y_high <= top or y_low >= bottom:
            continue
        first, last = int(max(x_low, left)), int(np.ceil(min(x_high, right)))
        for row in range(int(max(y_low, top)), int(np.ceil(min(y_high, bottom)))):
            reached, passed = last, first  # columns of this row that are touched
            for s in range(SUB):
                y = row + (s + 0.5) / SUB
                found = 0
                x1, y1 = corners[f, many - 1, 0], corners[f, many - 1, 1]
                for k in range(many):
                    x0, y0 = x1, y1
                    x1, y1 = corners[f, k, 0], corners[f, k, 1]
                    if (y0 <= y) != (y1 <= y):
                        x = x0 + (y - y0) * (x1 - x0) / (y1 - y0)
                        place = found
                        while place > 0 and cuts[place - 1] > x:
                            cuts[place] = cuts[place - 1]
                            place -= 1
                        cuts[place] = x
                        found += 1
                for pair in range(found // 2):
                    begin, end = max(cuts[2 * pair], first), min(cuts[2 * pair + 1], last)
                    if begin >= end:
                        continue
                    column = int(begin)
                    reached = min(reached, column)
                    while column < end:
                        cover[column] += (min(column + 1.0, end) - max(float(column), begin)) / SUB
                        column += 1
                    passed = max(passed, column)
            for column in range(reached, passed):
                share = colors[f, 3] * min(cover[column], 1.0)
                cover[column] = 0.0
                if share > 0.0:
                    for c in range(3):
                        old = float(image[row, column, c])
                        image[row, column, c] = int(old + share * (255.0 * colors[f, c] - old) + 0.5)
