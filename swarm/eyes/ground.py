"""The picture that lies on the ground: tiles to see speed by, and the shadows of what stands on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from swarm.eyes.scenery import GRASS, TALL, obstacle_thing
from swarm.state import Floats
from swarm.worlds.world import World

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 2048  # pixels
AIR = (0.87, 0.91, 0.94)  # of tiles where there is no ground
FINEST = 48  # pixels a metre
SUN = np.array([-0.45, -0.55, 1.1])  # towards the light
_MOST_FACES = 60_000  # of which shadows are drawn


def tile(world: World) -> float:
    """m, edge of a tile: a round number with at most 60 along the world."""
    longest = float((world.bounds[1] - world.bounds[0])[:2].max())
    return next((size for size in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0) if longest / size <= 60), longest / 40)


def ground_picture(world: World) -> NDArray[np.uint8]:
    """(H, W, 3) picture over the bounds; row 0 lies at the highest y."""
    from PIL import ImageFilter

    low, size = world.bounds[0, :2], (world.bounds[1] - world.bounds[0])[:2]
    scale = min(LARGEST / float(size.max()), FINEST)
    width, height = (max(2, round(float(edge) * scale)) for edge in size)
    x = low[0] + (np.arange(width) + 0.5) / width * size[0]
    y = low[1] + (1.0 - (np.arange(height) + 0.5) / height) * size[1]
    edge = tile(world)
    odd = (np.floor(x / edge)[None, :] + np.floor(y / edge)[:, None]) % 2
    bright = 1.0 - 0.055 * odd
    shadow = np.asarray(_shadows(world, width, height).filter(ImageFilter.GaussianBlur(max(0.6, 0.03 * scale))))
    bright *= 1.0 - 0.30 * shadow / 255.0
    color = np.array(GRASS if world.dim == 2 or world.floor else AIR)
    return np.asarray(np.rint(255.0 * bright[..., None] * color), np.uint8)


def _shadows(world: World, width: int, height: int) -> Image.Image:
    from PIL import Image, ImageDraw

    page = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(page)
    low, size = world.bounds[0, :2], (world.bounds[1] - world.bounds[0])[:2]
    floor = float(world.bounds[0, 2]) if world.dim == 3 else 0.0
    faces = 0
    for index, obstacle in enumerate(world.obstacles):
        if obstacle.motion is not None:
            continue
        thing = obstacle_thing(obstacle, index)
        faces += len(thing.solid.faces)
        if faces > _MOST_FACES:
            break
        corners = (thing.solid.vertices + thing.center)[thing.solid.faces]
        for polygon in _fallen(corners, floor, low, size, (width, height)):
            draw.polygon([tuple(corner) for corner in polygon.tolist()], fill=255)
    return page


def _fallen(corners: Floats, floor: float, low: Floats, size: Floats, pixels: tuple[int, int]) -> Floats:
    """(F, 3, 2) pixels of the shadows of triangles (F, 3, 3) m."""
    above = np.clip(corners[..., 2:] - floor, 0.0, 6.0 * TALL)
    ground = corners[..., :2] - 0.5 * SUN[:2] / SUN[2] * above
    share = (ground - low) / size
    return np.asarray(np.stack([share[..., 0], 1.0 - share[..., 1]], axis=-1) * pixels)
