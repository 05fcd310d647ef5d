"""Triangle meshes from files, as obstacles use them."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Floats
from swarm.worlds.meshes.reading import read_triangles
from swarm.worlds.meshes.repair import Mended, mend
from swarm.worlds.obstacles import Mesh

SMALLEST = 1e-6  # scale; a smaller one makes a speck of any building
FARTHEST = 1e6  # m from the origin; beyond it distances lose their last millimetre
KEPT = 200_000  # faces of meshes kept in memory when no world uses them any more

_loaded: WeakValueDictionary[tuple[object, ...], Mesh] = WeakValueDictionary()
_recent: OrderedDict[tuple[object, ...], Mesh] = OrderedDict()


def check_scale(scale: object) -> tuple[float, float, float]:
    """Factors along x, y and z.

    Args:
        scale: One positive number for all three, or three of which negative ones mirror.

    Raises:
        BadInput: "scale: ...".
    """
    values = list(scale) if isinstance(scale, (list, tuple)) else [scale]
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v]
    right = len(numbers) == len(values) in (1, 3) and all(SMALLEST <= abs(v) <= 1.0 / SMALLEST for v in numbers)
    if not right or (len(numbers) == 1 and numbers[0] < 0.0):
        raise BadInput(
            f"scale: expected a number from {SMALLEST:g} to {1.0 / SMALLEST:g}, or a list of three (negative ones "
            f"mirror), got {show(scale)}"
        )
    x, y, z = map(float, numbers * 3 if len(numbers) == 1 else numbers)
    return x, y, z


def load_mesh(path: Path, scale: float | Sequence[float] = 1.0, faces: int | None = None) -> Mesh:
    """Load a mesh: OBJ, STL, PLY, GLB, glTF or COLLADA; 2,000,000 faces at most.

    All parts of a scene are taken, where its nodes put them. Axes and units are those of the file: y stays y, and a
    file in millimetres takes a scale of 0.001. What is not convex stays so. A file that several obstacles use is loaded
    once. Two million faces take some 7 s (11 s as OBJ) and 1.3 GB until they are laid out, and 0.4 GB from then on.

    Args:
        path: The file.
        scale: Factor on its coordinates (m per file unit), or one for each axis, of which a negative one mirrors.
        faces: Simplify to at most so many.

    Returns:
        Merged vertices and the faces that have an area, each once, wound outward when the mesh is closed.

    Raises:
        BadInput: "file: ...", "scale: ..." or "faces: ...", one line.
    """
    factors = check_scale(scale)
    try:
        status = path.stat()
    except OSError:
        raise BadInput(f"file: no such file: {path}") from None
    key = (str(path.resolve()), status.st_mtime_ns, status.st_size, factors, faces)
    mesh = _loaded.get(key)
    if mesh is None:
        mesh = _load(path, np.array(factors), faces)
        _loaded[key] = mesh
    _recent[key] = mesh
    _recent.move_to_end(key)
    while sum(len(kept.faces) for kept in _recent.values()) > KEPT:
        _recent.popitem(last=False)
    return mesh


def _load(path: Path, factors: Floats, most: int | None) -> Mesh:
    vertices, faces = read_triangles(path)
    if len(faces) == 0:
        raise BadInput(f"file: expected a mesh with faces, got none: {path}")
    used = np.zeros(len(vertices), np.bool_)
    used[faces] = True
    if not np.isfinite(vertices[used]).all():
        raise BadInput(f"file: expected finite vertices, got NaN or infinity: {path}")
    vertices = np.where(used[:, None], vertices, 0.0) * factors
    farthest = float(np.abs(vertices).max())
    if farthest > FARTHEST:
        raise BadInput(f"file: expected vertices within {FARTHEST:g} m of the origin, got {farthest:g} m: {path}")
    if math.prod(factors.tolist()) < 0.0:
        faces = faces[:, ::-1]
    try:
        form = mend(vertices, faces)
    except BadInput as error:
        raise BadInput(*(f"{fault}: {path}" for fault in error.faults)) from None
    notices = [
        f"{count} {what} face{'s' * (count > 1)} removed"
        for count, what in ((form.doubles, "double"), (form.flat, "degenerate"))
        if count
    ]
    if most is not None and len(form.faces) > most:
        form = _simplified(form, most, path, notices)
    for array in (form.vertices, form.faces):
        array.setflags(write=False)
    return Mesh(str(path), form.vertices, form.faces, form.closed, tuple(notices))


def _simplified(form: Mended, most: int, path: Path, notices: list[str]) -> Mended:
    from swarm.worlds.meshes.simplify import farthest, simplify

    try:
        less = mend(*simplify(form.vertices, form.faces, most))
    except BadInput as error:
        fault = error.faults[0].replace("file: ", f"faces: nothing is left of {path} with {most}: ")
        raise BadInput(error.faults[0] if error.faults[0].startswith("faces") else fault) from None
    away = farthest(form.vertices, less)
    notices.append(
        f"simplified from {len(form.faces):,} to {len(less.faces):,} faces; "
        f"no corner of the original is more than {away:.2g} m from it"
    )
    return less
