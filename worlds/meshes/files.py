"""Where mesh files may lie."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from swarm.errors import BadInput
from swarm.worlds.meshes.kinds import SUFFIXES

MESHES = Path(__file__).parents[1] / "library" / "meshes"


def find_mesh(name: str, folder: Path) -> Path:
    """The file that a world file means.

    Args:
        name: Path relative to the folder, which it must not leave; or the bare name of a mesh of the library.
        folder: Where the world file lies.

    Raises:
        BadInput: "file: ...", one line.
    """
    shown = " ".join(name.split())
    parts = set(PurePosixPath(name).parts) | set(PureWindowsPath(name).parts)
    outside = f"file: expected a path inside the folder of the file that names it, got {shown}"
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor or ".." in parts:
        raise BadInput(outside)
    if Path(name).suffix.lower().lstrip(".") not in SUFFIXES:
        if name and (folder / name).is_dir():
            raise BadInput(f"file: expected a mesh, got a directory: {shown}")
        raise BadInput(f"file: expected a name that ends in .{', .'.join(SUFFIXES)}, got {shown or 'nothing'}")
    path = folder / name
    try:
        if not path.exists() and path.name == name and (MESHES / name).exists():
            return MESHES / name
        directory, file, inside = path.is_dir(), path.is_file(), path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, with a character that no name has, or a link to itself
        raise BadInput(f"file: no such file: {shown[:80]}") from None
    if directory:
        raise BadInput(f"file: expected a mesh, got a directory: {path}")
    if not file:
        raise BadInput(f"file: no such file: {path}")
    if not inside:  # through a link
        raise BadInput(outside)
    return path
