"""The surfaces of obstacles as small faces with normals, for a perspective picture."""

from __future__ import annotations

import numpy as np

from swarm.plots.silhouettes import place
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle

SIDES = 16  # of a round obstacle
FLAT_HEIGHT = 0.6  # m, how high the obstacles of a world of two dimensions are drawn
MESH_FACES = 30_000  # beyond which a mesh is drawn coarser
MESH_CELLS = 64


def faces(obstacle: Obstacle, tile: float) -> tuple[Floats, Floats]:
    """Faces of an obstacle, cut into tiles so that they can be sorted by depth.

    Args:
        obstacle: Any kind; a flat one is given a height.
        tile: m, about the largest edge of a tile.

    Returns:
        (F, 4, 3) m corners, world frame, and (F, 3) outward unit normals.
    """
    if obstacle.kind == "mesh":
        return _mesh(obstacle, tile)
    if obstacle.kind == "sphere" and len(obstacle.center) == 3:
        corners, normals = _sphere(obstacle.radius)
    elif obstacle.kind == "box":
        size = np.array([*obstacle.size, FLAT_HEIGHT][:3])
        corners, normals = _box(size, tile)
    else:
        height = obstacle.height if len(obstacle.center) == 3 else FLAT_HEIGHT
        corners, normals = _cylinder(obstacle.radius, height, tile)
    middle = place(obstacle)
    if len(obstacle.center) == 2:
        middle[2] = FLAT_HEIGHT / 2
    turn = obstacle.rotation.T
    return corners @ turn + middle, normals @ turn


def solid(points: Floats) -> Floats:
    """(..., D) m in three dimensions; a flat world lies at z = 0 and its agents half way up its obstacles."""
    if points.shape[-1] == 3:
        return np.array(points)
    return np.concatenate([points, np.full((*points.shape[:-1], 1), FLAT_HEIGHT / 2)], axis=-1)


def _patch(origin: Floats, first: Floats, second: Floats, tile: float) -> Floats:
    """(F, 4, 3), the parallelogram origin + [0, 1] first + [0, 1] second in tiles."""
    m, n = (max(1, int(np.ceil(np.linalg.norm(edge) / tile))) for edge in (first, second))
    i, j = (grid.ravel()[:, None] for grid in np.meshgrid(np.arange(m), np.arange(n), indexing="ij"))
    steps = ((0, 0), (1, 0), (1, 1), (0, 1))
    return np.stack([origin + (i + a) / m * first + (j + b) / n * second for a, b in steps], axis=1)


def _box(size: Floats, tile: float) -> tuple[Floats, Floats]:
    corners, normals = [], []
    for axis in range(3):
        first, second = np.diag(size)[[(axis + 1) % 3, (axis + 2) % 3]]
        for sign in (-1.0, 1.0):
            normal = sign * np.eye(3)[axis]
            part = _patch(normal * size / 2 - (first + second) / 2, first, second, tile)
            corners.append(part)
            normals.append(np.broadcast_to(normal, (len(part), 3)))
    return np.concatenate(corners), np.concatenate(normals)


def _cylinder(radius: float, height: float, tile: float) -> tuple[Floats, Floats]:
    angle = 2 * np.pi * np.arange(SIDES + 1) / SIDES
    ring = radius * np.stack([np.cos(angle), np.sin(angle), np.zeros(SIDES + 1)], axis=1)
    levels = np.linspace(-height / 2, height / 2, 1 + max(1, int(np.ceil(height / max(tile, height / 8)))))
    rise = np.array([0.0, 0.0, 1.0])
    grid = ring + levels[:, None, None] * rise  # (levels, SIDES + 1, 3)
    wall = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2)
    middle = angle[:-1] + np.pi / SIDES
    outward = np.column_stack([np.cos(middle), np.sin(middle), 0.0 * middle])
    corners, normals = [wall.reshape(-1, 4, 3)], [np.tile(outward, (len(levels) - 1, 1))]
    for end, sign in ((grid[0], -1.0), (grid[-1], 1.0)):
        hub = np.broadcast_to(sign * height / 2 * rise, (SIDES, 3))
        corners.append(np.stack([hub, end[:-1], end[1:], end[1:]], axis=1))
        normals.append(np.broadcast_to(sign * rise, (SIDES, 3)))
    return np.concatenate(corners), np.concatenate(normals)


def _sphere(radius: float) -> tuple[Floats, Floats]:
    turn, rise = np.linspace(0, 2 * np.pi, 25), np.linspace(-np.pi / 2, np.pi / 2, 13)
    grid = np.stack(
        [np.cos(rise)[:, None] * np.cos(turn), np.cos(rise)[:, None] * np.sin(turn), np.sin(rise)[:, None] + 0 * turn],
        axis=-1,
    )
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2).reshape(-1, 4, 3)
    normals = quads.mean(axis=1)
    return radius * quads, normals / np.linalg.norm(normals, axis=1, keepdims=True)


def _mesh(obstacle: Obstacle, tile: float) -> tuple[Floats, Floats]:
    assert obstacle.mesh is not None
    corners = obstacle.vertices()[obstacle.mesh.faces]
    if len(corners) > MESH_FACES:
        corners = _coarser(corners)
    corners = _smaller(corners, tile)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return corners[:, [0, 1, 2, 2]], normals


def _smaller(corners: Floats, tile: float) -> Floats:
    """Triangles (F, 3, 3) with their longest edges halved until all are about as short as a tile, or there are many."""
    done = []
    for _ in range(24):
        edges = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        longest = edges.argmax(axis=1)
        long = edges.max(axis=1) > 1.5 * tile
        done.append(corners[~long])
        if not long.any() or sum(map(len, done)) + 2 * long.sum() > MESH_FACES:
            done.append(corners[long])
            break
        rows = np.arange(int(long.sum()))[:, None]
        a, b, c = np.moveaxis(corners[long][rows, (longest[long][:, None] + np.arange(3)) % 3], 1, 0)
        middle = (a + b) / 2
        corners = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    return np.concatenate(done)


def _coarser(corners: Floats) -> Floats:
    """Triangles (F, 3, 3) with their corners moved to the points of a grid, those that coincide then left out."""
    low = corners.min(axis=(0, 1))
    step = float((corners.max(axis=(0, 1)) - low).max()) / MESH_CELLS
    grid = np.rint((corners - low) / step).astype(np.int64)
    keys = grid @ np.array([4 * MESH_CELLS**2, 2 * MESH_CELLS, 1])
    apart = (keys[:, 0] != keys[:, 1]) & (keys[:, 1] != keys[:, 2]) & (keys[:, 2] != keys[:, 0])
    _, first = np.unique(np.sort(keys[apart], axis=1), axis=0, return_index=True)
    return np.asarray(grid[apart][np.sort(first)] * step + low)
