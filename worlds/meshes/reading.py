"""The bare triangles in a mesh file."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.meshes.kinds import announced, check_count, looks_right

_SILENT = logging.NullHandler()  # one and the same, so that it is added once
LARGEST = 1_000_000_000  # bytes of a file
HEAD = 65_536  # bytes at a file's beginning that tell what it is


def read_triangles(path: Path) -> tuple[Floats, Ints]:
    """All triangles of a file, those of a scene where its nodes put them; units and axes stay as they are in it.

    Nothing but the file itself and what lies in its folder is read, and no material or picture.

    Args:
        path: A file with one of the SUFFIXES.

    Returns:
        Corners (V, 3) and faces (F, 3).

    Raises:
        BadInput: "file: ...", one line.
    """
    suffix = path.suffix.lower().lstrip(".")
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise BadInput(f"file: cannot be read: {path}: {error.strerror}") from None
    if size == 0:
        raise BadInput(f"file: expected a mesh, got an empty file: {path}")
    if size > LARGEST:
        raise BadInput(f"file: expected at most {LARGEST:,} bytes, got {size:,}: {path}")
    if not looks_right(suffix, head, size):
        raise BadInput(f"file: expected what its name says, {suffix.upper()}, got something else: {path}")
    try:
        check_count(announced(suffix, path, head), path)

        import trimesh  # imported here because it is slow to import and most worlds have no mesh

        logging.getLogger("trimesh").addHandler(_SILENT)  # or it prints what is raised anyway
        with _opened(path, suffix, head) as file:
            scene = trimesh.load_scene(
                file, file_type=suffix, resolver=_Beside(path.parent), process=False, skip_materials=True
            )
        return _flatten(scene, path)
    except BadInput:
        raise
    except Exception as error:  # each of trimesh's readers fails in its own way on a broken file
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise BadInput(f"file: cannot be read as a mesh: {path}: {said}") from None


def _opened(path: Path, suffix: str, head: bytes) -> BinaryIO:
    """The file to read from; text of an older encoding, such as a material's name in Latin-1, as UTF-8."""
    if suffix == "obj" or (suffix == "stl" and b"facet" in head.lower()):
        content = path.read_bytes()
        try:
            content.decode()
        except UnicodeDecodeError:
            content = content.decode("latin-1").encode()
        return io.BytesIO(content)
    return path.open("rb")


class _Beside(Mapping[str, bytes]):
    """The files of one folder by name, for what a mesh file refers to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getitem__(self, name: str) -> bytes:
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder.resolve()) or not path.is_file():
            raise BadInput(f"file: it refers to {' '.join(name.split())[:80]}, which is not in its folder")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"file: it refers to a file of more than {LARGEST:,} bytes: {path}")
        return path.read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _flatten(scene: Any, path: Path) -> tuple[Floats, Ints]:
    graph, geometry = scene.graph, scene.geometry
    nodes = [graph[name] for name in graph.nodes_geometry]
    nodes = [(matrix, geometry[name]) for matrix, name in nodes if hasattr(geometry.get(name), "faces")]
    check_count(sum(len(part.faces) for _, part in nodes), path)  # one part may stand in many places
    corners, faces, first = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for matrix, part in nodes:
        place = np.asarray(matrix, dtype=np.float64)
        vertices = np.asarray(part.vertices, dtype=np.float64).reshape(-1, 3)
        triangles = np.asarray(part.faces, dtype=np.int64).reshape(-1, 3)
        if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(vertices)):
            raise BadInput(f"file: a face has a corner that does not exist: {path}")
        if not np.array_equal(place, np.eye(4)):
            vertices = vertices @ place[:3, :3].T + place[:3, 3]
            if np.linalg.det(place[:3, :3]) < 0.0:  # mirrored, so its faces are wound the other way
                triangles = triangles[:, ::-1]
        corners.append(vertices)
        faces.append(triangles + first)
        first += len(vertices)
    return np.concatenate(corners), np.concatenate(faces)
