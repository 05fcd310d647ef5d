"""What is done to every picture of a film: a sky, a little haze, and the time in a corner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.eyes.picture import Picture

LOW_SKY, HIGH_SKY = np.array([238.0, 243.0, 246.0]), np.array([176.0, 204.0, 226.0])
HAZE = 0.45  # share of the sky's colour in what is as far away as the world is long


def under_the_sky(picture: Picture, lens: Lens, scene: Footage) -> NDArray[np.uint8]:
    """The picture with a sky where there is nothing, and a little of it over what is far away."""
    height, width = picture.depth.shape
    right, up = lens.slopes(width, height)
    side, top, ahead = lens.axes
    rise = ahead[2] + right[None, :] * side[2] + up[:, None] * top[2]
    share = np.clip(1.4 * rise / np.sqrt(1.0 + right[None, :] ** 2 + up[:, None] ** 2), 0.0, 1.0).astype(np.float32)
    sky = (LOW_SKY + share[..., None] * (HIGH_SKY - LOW_SKY)).astype(np.float32)
    size = float(np.linalg.norm(scene.world.bounds[1] - scene.world.bounds[0]))
    behind = 0.0 if lens.near < 1.0 else lens.near  # a camera far outside has clear air before it
    haze = (HAZE * np.clip((picture.depth - 5.0 * behind) / size, 0.0, 1.0)).astype(np.float32)
    haze[picture.depth >= np.float32(lens.far)] = 1.0
    found = picture.rgb + haze[..., None] * (sky - picture.rgb)
    return np.asarray(np.rint(found).astype(np.uint8))


def labelled(picture: NDArray[np.uint8], scene: Footage, frame: int, label: str) -> NDArray[np.uint8]:
    """The picture with the time and a label in its corner."""
    from PIL import Image, ImageDraw

    page = Image.fromarray(picture, "RGB")
    draw = ImageDraw.Draw(page, "RGBA")
    alive = int(scene.alive[frame].sum())
    text = f"t = {scene.time[frame]:5.1f} s   {label}"
    if alive < scene.count:
        text += f"   {alive} of {scene.count} alive"
    letters = _letters(max(10, picture.shape[0] // 27))
    left, top, right, bottom = draw.textbbox((8, 5), text, font=letters)
    draw.rectangle((left - 5, top - 3, right + 5, bottom + 3), fill=(255, 255, 255, 170))
    draw.text((8, 5), text, font=letters, fill=(34, 48, 60, 255))
    return np.asarray(page)


def _letters(size: int) -> Any:
    """The same on every machine: matplotlib brings them along."""
    import matplotlib
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), size)
