"""Where mesh files may lie."""

from __future__ import annotations

from pathlib import Path

from swarm.worlds.beside import find_beside
from swarm.worlds.meshes.kinds import SUFFIXES

MESHES = Path(__file__).parents[1] / "library" / "meshes"


def find_mesh(name: str, folder: Path) -> Path:
    """The mesh file that a world file means: in its folder, or of the library; see `find_beside`."""
    return find_beside(name, folder, SUFFIXES, MESHES)
