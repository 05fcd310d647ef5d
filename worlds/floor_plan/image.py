"""Floor plans as PNG images: one pixel a cell, told apart by colour; the first row of pixels is the largest y."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.output import whole_file
from swarm.schema import choose, show
from swarm.worlds.floor_plan.plan import GOAL, KINDS, MOST, OBSTACLE, SOURCE, FloorPlan
from swarm.worlds.floor_plan.rows import SHOWN

COLOURS = ("#000000", "#2d8dbe", "#59b03c", "#d73229")  # by kind: NetLogo's black, sky, green and red
LEGEND = {
    **dict(zip(COLOURS, range(4))),
    "#0000ff": OBSTACLE,
    "#87ceeb": OBSTACLE,  # sky blue in CSS
    "#00ff00": SOURCE,
    "#008000": SOURCE,  # green in CSS
    "#ff0000": GOAL,
}
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_legend(legend: Mapping[str, object]) -> dict[str, int]:
    """The usual colours, and what a file adds to them or changes.

    Args:
        legend: free, obstacle, source or goal by "#rrggbb".

    Raises:
        BadInput: Another key or value.
    """
    faults: list[str] = []
    made = dict(LEGEND)
    for colour, kind in legend.items():
        if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
            faults.append(f"expected colours as #rrggbb, got {show(colour)}")
        elif choose(kind, KINDS, colour, faults):
            made[colour.lower()] = KINDS.index(str(kind))
    if faults:
        raise BadInput(*faults)
    return made


def read_image(path: Path | str, legend: Mapping[str, int] | None = None) -> NDArray[np.uint8]:
    """Cells from a PNG file.

    Args:
        path: The file; an image of more than 4,000 rows or columns is refused before it is decoded.
        legend: Kinds by "#rrggbb", exactly; the usual ones if None.

    Returns:
        (rows, columns).

    Raises:
        BadInput: It is not a whole PNG image, too large, or has a colour that is not in the legend: says where first.
    """
    from PIL import Image, UnidentifiedImageError

    path = Path(path)
    try:
        with path.open("rb") as file:
            head = file.read(26)
        if len(head) < 26 or head[:8] != SIGNATURE or head[12:16] != b"IHDR":
            raise BadInput("expected a PNG image, got something else")
        width, height = struct.unpack(">II", head[16:24])
        if not (0 < width <= MOST and 0 < height <= MOST):
            raise BadInput(f"expected an image of 1 to {MOST:,} rows and columns, got {height:,} rows of {width:,}")
        if head[24] == 16:
            raise BadInput("expected 8 bits a colour, got 16")
        with Image.open(path, formats=["PNG"]) as image:
            if image.size != (width, height):  # a second header
                raise BadInput("expected a whole PNG image, got one of two sizes")
            if getattr(image, "n_frames", 1) > 1:
                raise BadInput(f"expected one picture, got {image.n_frames} of an animation")
            pixels = np.asarray(image.convert("RGBA"))
    except (
        OSError,
        SyntaxError,
        ValueError,
        struct.error,
        UnidentifiedImageError,
        Image.DecompressionBombError,
    ) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"expected a whole PNG image, got one that cannot be read: {show(str(error))}") from None
    codes = np.ascontiguousarray(pixels).view(">u4")[..., 0]
    return _kinds(codes, LEGEND if legend is None else legend)


def _kinds(codes: NDArray[np.uint32], legend: Mapping[str, int]) -> NDArray[np.uint8]:
    """Kinds of colours red << 24 | green << 16 | blue << 8 | opacity."""
    cells = np.full(codes.shape, 255, dtype=np.uint8)
    for colour, kind in legend.items():
        cells[codes == int(colour[1:] + "ff", 16)] = kind
    odd = codes[cells == 255]
    if len(odd) == 0:
        return cells
    known = ", ".join(f"{colour} {KINDS[kind]}" for colour, kind in legend.items())
    different, first = np.unique(odd, return_index=True)
    places, order = np.flatnonzero(cells == 255), np.argsort(first)
    faults: list[str] = []
    for code, place in zip(different[order].tolist(), places[first[order]].tolist()):
        if len(faults) == SHOWN:
            faults.append(f"and {len(different) - SHOWN:,} more such colours")
            break
        row, column = divmod(place, codes.shape[1])
        seen = f"#{code >> 8:06x}" + (f", {code & 255} of 255 opaque" if code & 255 != 255 else "")
        hint = "" if faults else f'; it has {known}, and what legend = {{ "#rrggbb" = "obstacle" }} adds'
        faults.append(f"row {row + 1}, column {column + 1}: expected a colour of the legend, got {seen}{hint}")
    raise BadInput(*faults)


def write_image(plan: FloorPlan, path: Path | str) -> None:
    """Write a plan as a PNG file in the usual colours; `read_image` makes the same cells of it.

    Raises:
        BadInput: It cannot be written.
    """
    from PIL import Image

    colours = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in COLOURS], dtype=np.uint8)
    with whole_file(Path(path)) as file:
        Image.fromarray(colours[plan.cells]).save(file, format="PNG")
