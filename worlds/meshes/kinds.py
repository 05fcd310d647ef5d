"""Kinds of mesh files: what each begins with, and how many faces it announces before it is read."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

from swarm.errors import BadInput

SUFFIXES = ("obj", "stl", "ply", "glb", "gltf", "dae")
MOST_FACES = 2_000_000  # 0.5 GB with their tree


def check_count(faces: int, path: Path) -> None:
    """Refuse more faces than there is room for."""
    if faces > MOST_FACES:
        raise BadInput(f"file: expected at most {MOST_FACES:,} faces, got {faces:,}: {path}")


def looks_right(suffix: str, head: bytes, size: int) -> bool:
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


def announced(suffix: str, path: Path, head: bytes) -> int:
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
