"""Mesh files: where they may lie, what they must look like, and the bare triangles in them."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints

MESHES = Path(__file__).parent / "library" / "meshes"
SUFFIXES = ("obj", "stl", "ply", "glb", "gltf", "dae")
MOST_FACES = 2_000_000  # 0.6 GB with their tree
LARGEST = 1_000_000_000  # bytes of a file
HEAD = 65_536  # bytes at a file's beginning that tell what it is


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
        if path.is_dir():
            raise BadInput(f"file: expected a mesh, got a directory: {path}")
        if not path.is_file():
            raise BadInput(f"file: no such file: {path}")
        if not path.resolve().is_relative_to(folder.resolve()):  # a link
            raise BadInput(outside)
    except (OSError, ValueError):  # a name too long, or with a character that no name has
        raise BadInput(f"file: no such file: {shown[:80]}") from None
    return path


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
    if not _looks_right(suffix, head, size):
        raise BadInput(f"file: expected what its name says, {suffix.upper()}, got something else: {path}")
    try:
        _check_count(_announced(suffix, path, head), path)

        import trimesh  # imported here because it is slow to import and most worlds have no mesh

        with path.open("rb") as file:
            scene = trimesh.load_scene(
                file, file_type=suffix, resolver=_Beside(path.parent), process=False, skip_materials=True
            )
        return _flatten(scene, path)
    except BadInput:
        raise
    except Exception as error:  # each of trimesh's readers fails in its own way on a broken file
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise BadInput(f"file: cannot be read as a mesh: {path}: {said}") from None


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


def _flatten(scene: object, path: Path) -> tuple[Floats, Ints]:
    graph, geometry = scene.graph, scene.geometry  # type: ignore[attr-defined]
    nodes = [graph[name] for name in graph.nodes_geometry]
    nodes = [(matrix, geometry[name]) for matrix, name in nodes if hasattr(geometry.get(name), "faces")]
    _check_count(sum(len(part.faces) for _, part in nodes), path)  # one part may stand in many places
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


def _check_count(faces: int, path: Path) -> None:
    if faces > MOST_FACES:
        raise BadInput(f"file: expected at most {MOST_FACES:,} faces, got {faces:,}: {path}")


def _looks_right(suffix: str, head: bytes, size: int) -> bool:
    """Whether the beginning of a file is that of its kind."""
    text = head.lstrip()
    if suffix == "obj":
        return b"\0" not in head
    if suffix == "stl":
        binary = len(head) >= 84 and size == 84 + 50 * struct.unpack("<I", head[80:84])[0]
        return binary or (text[:5].lower() == b"solid" and b"facet" in head.lower())
    if suffix == "ply":
        return head.startswith(b"ply")
    if suffix == "glb":
        return head.startswith(b"glTF")
    if suffix == "gltf":
        return text.startswith(b"{")
    before, root, _ = head.partition(b"<COLLADA")
    return bool(root) and b"<!DOCTYPE" not in before  # a document type may expand without end, or read other files


def _announced(suffix: str, path: Path, head: bytes) -> int:
    """How many faces a file has at least, found before it is loaded."""
    if suffix == "stl":
        size = path.stat().st_size
        count = struct.unpack("<I", head[80:84])[0] if len(head) >= 84 else 0
        return count if size == 84 + 50 * count else _occurrences(path, b"endfacet")
    if suffix == "obj":
        return _occurrences(path, b"\nf ")
    if suffix == "ply":
        found = re.search(rb"element face (\d+)", head.partition(b"end_header")[0])
        return int(found[1]) if found else 0
    if suffix == "dae":
        counts = re.findall(rb'<(?:triangles|polylist|polygons)\b[^>]*\bcount="(\d+)"', path.read_bytes())
        return sum(map(int, counts))
    if suffix == "glb":
        with path.open("rb") as file:
            length = struct.unpack("<I", file.read(20)[12:16])[0]  # of the JSON, which comes first
            content = file.read(length)
    else:
        content = path.read_bytes()
    tree = json.loads(content)
    primitives = [part for mesh in tree.get("meshes", []) for part in mesh["primitives"]]
    lists = [part.get("indices", part["attributes"].get("POSITION")) for part in primitives]
    return sum(tree["accessors"][number]["count"] // 3 for number in lists if number is not None)


def _occurrences(path: Path, word: bytes) -> int:
    count, kept = 0, b""
    with path.open("rb") as file:
        while block := file.read(1 << 24):
            block = kept + block
            count += block.count(word)
            kept = block[len(block) - len(word) + 1 :]
    return count
