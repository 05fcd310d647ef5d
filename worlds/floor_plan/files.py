"""Where the files of a floor plan may lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from swarm.errors import BadInput


def find_file(name: str, folder: Path, suffixes: Sequence[str]) -> Path:
    """The file that a world file means.

    Args:
        name: Path relative to the folder, which it must not leave.
        folder: Where the world file lies.
        suffixes: How the name may end, without the dot.

    Raises:
        BadInput: "file: ...", one line.
    """
    shown = " ".join(name.split())[:80] or "nothing"
    windows = PureWindowsPath(name)
    path = folder / name
    outside = f"file: expected a path inside the folder of the file that names it, got {shown}"
    if PurePosixPath(name).is_absolute() or windows.anchor or ".." in windows.parts:  # those have / and \ as well
        raise BadInput(outside)
    if path.suffix.lower().lstrip(".") not in suffixes:
        raise BadInput(f"file: expected a name that ends in .{' or .'.join(suffixes)}, got {shown}")
    try:
        found, inside = path.is_file(), path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, with a character that no name has, or a link to itself
        found, inside = False, True
    if not inside:  # through a link
        raise BadInput(outside)
    if not found:
        raise BadInput(f"file: no such file: {shown}")
    return path
