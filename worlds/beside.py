"""Files that a world file names, which lie beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from swarm.errors import BadInput

SHOWN = 80  # letters of a name that a message shows


def find_beside(name: str, folder: Path, suffixes: Sequence[str], library: Path | None = None) -> Path:
    """The file that a world file means.

    Args:
        name: Path relative to the folder, which it must not leave; or the bare name of a file of the library.
        folder: Where the world file lies.
        suffixes: How the name may end, in lower case and without the dot.
        library: Where a file is looked for that is not in the folder.

    Raises:
        BadInput: "file: ...", one line.
    """
    shown = " ".join(name.split())[:SHOWN] or "nothing"
    windows, path = PureWindowsPath(name), folder / name
    outside = f"file: expected a path inside the folder of the file that names it, got {shown}"
    if PurePosixPath(name).is_absolute() or windows.anchor or ".." in windows.parts:  # those have / and \ as well
        raise BadInput(outside)
    if path.suffix.lower().lstrip(".") not in suffixes:
        raise BadInput(f"file: expected a name that ends in .{', .'.join(suffixes)}, got {shown}")
    try:
        if library is not None and not path.exists() and path.name == name and (library / name).exists():
            return library / name
        directory, file, inside = path.is_dir(), path.is_file(), path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, with a character that no name has, or a link to itself
        directory, file, inside = False, False, True
    if not inside:  # through a link
        raise BadInput(outside)
    if not file:
        raise BadInput(
            f"file: expected a file, got a directory: {shown}" if directory else f"file: no such file: {shown}"
        )
    return path
