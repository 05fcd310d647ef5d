"""Floor plans as rows of text: `#` obstacle, `S` source, `G` goal, `.` free; the first row is the largest y."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.output import whole_file
from swarm.schema import show
from swarm.worlds.floor_plan.plan import MOST, FloorPlan

LETTERS = ".#SG"  # by kind: FREE, OBSTACLE, SOURCE, GOAL
SHOWN = 5  # faults of one kind that are told one by one
LARGEST = 4 * MOST * (MOST + 2)  # bytes of a text file: no letter takes more than four


def read_rows(rows: Sequence[str] | str) -> NDArray[np.uint8]:
    """Cells from text.

    Args:
        rows: Lines of equal length, or one text of them; blank lines before the first and after the last and spaces
            around a line do not count.

    Returns:
        (rows, columns).

    Raises:
        BadInput: Nothing, rows of different lengths, other characters, too many; says the row and column, from 1.
    """
    lines = [line.strip() for line in (rows.splitlines() if isinstance(rows, str) else rows)]
    before = 0
    if isinstance(rows, str):
        while lines and not lines[-1]:
            lines.pop()
        while before < len(lines) and not lines[before]:
            before += 1
    lines = lines[before:]
    if not lines or not lines[0]:
        raise BadInput("expected rows of #, S, G and ., got nothing")
    width = len(lines[0])
    if len(lines) > MOST or width > MOST:
        raise BadInput(f"expected at most {MOST:,} rows and columns, got {len(lines):,} rows of {width:,}")
    faults = [
        f"row {number}: expected {width} cells as in the first row, got {len(line)}"
        for number, line in enumerate(lines, start=before + 1)
        if len(line) != width
    ]
    for number, line in enumerate(lines, start=before + 1):
        odd = line.strip(LETTERS) and next((k for k, letter in enumerate(line) if letter not in LETTERS), None)
        if isinstance(odd, int):
            faults.append(f"row {number}, column {odd + 1}: expected #, S, G or ., got {show(line[odd])}")
    if faults:
        raise BadInput(*few(faults))
    codes = np.array(["".join(lines)]).view(np.uint32).reshape(len(lines), width)
    kinds = np.zeros(128, dtype=np.uint8)
    kinds[[ord(letter) for letter in LETTERS]] = range(len(LETTERS))
    return np.asarray(kinds[codes])


def few(faults: list[str]) -> list[str]:
    """The first faults, and how many more there are."""
    return faults if len(faults) <= SHOWN else [*faults[:SHOWN], f"and {len(faults) - SHOWN:,} more such faults"]


def rows_of(plan: FloorPlan) -> list[str]:
    """The rows of a plan, from the largest y down; `read_rows` makes the same cells of them."""
    letters = np.array(list(LETTERS))[plan.cells]
    return ["".join(row) for row in letters]


def write_rows(plan: FloorPlan, path: Path | str) -> None:
    """Write a plan as a text file, one row a line.

    Raises:
        BadInput: It cannot be written.
    """
    with whole_file(Path(path)) as file:
        file.write(("\n".join(rows_of(plan)) + "\n").encode())


def read_text(path: Path) -> str:
    """What is in a text file that is not too large.

    Raises:
        BadInput: It is larger than any plan, cannot be read, or is not text.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadInput(f"expected at most {LARGEST:,} bytes, got {size:,}")
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = content[: error.start].count(b"\n")
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise BadInput(f"row {row + 1}, column {column}: expected text, got a byte that is not UTF-8") from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}") from None
