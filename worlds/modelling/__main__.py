"""Writes the library's meshes anew: `python -m swarm.worlds.modelling [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from swarm.worlds.meshes.files import MESHES
from swarm.worlds.modelling.catalogue import FORMS
from swarm.worlds.modelling.files import encoded


def main(folder: Path) -> None:
    """Write every mesh of the library into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in FORMS.items():
        content = encoded(form := make(), Path(name).suffix[1:])
        (folder / name).write_bytes(content)
        print(f"{folder / name}: {len(form.faces)} faces, {len(content)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MESHES)
