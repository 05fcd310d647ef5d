"""Ground, shadows and obstacles of a perspective picture."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb, to_rgba

from swarm.plots import style
from swarm.plots.below import ground_below
from swarm.plots.camera import Canvas
from swarm.plots.silhouettes import hull
from swarm.plots.solids import faces, solid
from swarm.state import Floats
from swarm.worlds.world import World

SKY = "#F4F7FA"
TRACE = "#B4BDA3"  # what is drawn on the ground below a path
_GROUND, _SHADOW, _EDGE = "#E7EBDD", "#CED6BF", "#97A283"
_BARK = np.array(to_rgb("#A58F74"))
_MOVER = np.array(to_rgb(style.MOVER))
_LIGHT = np.array([-0.45, -0.55, 0.75]) / np.linalg.norm([-0.45, -0.55, 0.75])


def draw_ground(axes: Axes, canvas: Canvas, world: World, box: Floats) -> None:
    """Draw the ground under a box (2, 3) m with the shadows of the obstacles on it."""
    (x0, y0, z), (x1, y1, _) = box
    canvas.faces(np.array([[[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]]), np.array(to_rgba(_GROUND)))
    canvas.paint(axes, 1)
    for k, obstacle in enumerate(world.obstacles):
        corners, _ = faces(obstacle, 1e9)
        points = corners.reshape(-1, 3)
        fall = points[:, :2] - _LIGHT[:2] / _LIGHT[2] * np.maximum(points[:, 2:] - z, 0.0) * 0.6
        outline = hull(fall).clip(box[0, :2], box[1, :2])
        if len(outline) > 2:
            shape = np.column_stack([outline, np.full(len(outline), z)])
            canvas.faces(shape[None], np.array(to_rgba(_SHADOW)), lift=float(k) * 1e-6)
    canvas.paint(axes, 1.5)
    for ground in ground_below(world):
        flat = np.dstack([ground.corners, np.full(ground.corners.shape[:2], z)])
        canvas.faces(flat, np.array(to_rgba(ground.colour, 0.45)))
        canvas.paint(axes, 1.55)
    rim = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z], [x0, y0, z]])
    width = 0.07 if world.boundary == "walls" else 0.03
    canvas.lines(np.stack([rim[:-1], rim[1:]], axis=1), np.array(to_rgba(_EDGE)), width)
    canvas.paint(axes, 1.6)


def add_obstacles(canvas: Canvas, world: World, box: Floats) -> None:
    """Add the obstacles that reach into a box (2, 3) m, shaded by a light from the front left and paler far away."""
    tile = max(0.8, float(np.prod(box[1, :2] - box[0, :2]) ** 0.5) / 40)
    near, far = canvas.camera.project(np.array([[x, y, box[0, 2]] for x in box[:, 0] for y in box[:, 1]]))[1][[0, 3]]
    for obstacle in world.obstacles:
        corners, normals = faces(obstacle, tile)
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        if (high < box[0]).any() or (low > box[1]).any():
            continue
        middle = corners.mean(axis=1)
        towards = ((canvas.camera.eye - middle) * normals).sum(axis=1)
        if obstacle.mesh is None or obstacle.mesh.closed:
            shown = towards > 0
            corners, normals, middle = corners[shown], normals[shown], middle[shown]
        else:  # an open surface is seen from both sides
            normals = normals * np.where(towards > 0, 1.0, -1.0)[:, None]
        bright = 0.62 + 0.48 * np.maximum(normals @ _LIGHT, 0.0) + 0.22 * np.maximum(normals[:, 2], 0.0)
        haze = 0.35 * ((canvas.camera.project(middle)[1] - near) / max(far - near, 1e-6)).clip(0.0, 1.0)[:, None]
        paint = _BARK if obstacle.motion is None else _MOVER
        color = (bright[:, None] * paint).clip(0.0, 1.0) * (1 - haze) + haze * np.array(to_rgb(SKY))
        canvas.faces(corners, np.column_stack([color, np.ones(len(color))]))
        if obstacle.motion is not None:
            way = solid(np.array(obstacle.motion.corners()))
            canvas.lines(np.stack([way[:-1], way[1:]], axis=1), np.array(to_rgba(style.MOVER_EDGE)), 0.05, lift=0.2)
