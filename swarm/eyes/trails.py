"""Where agents have been, drawn behind them in films of cameras that stand still."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.plots import style

LASTING = 4.0  # s
PIECES = 4_000  # of all trails together
STRONGEST = 200  # of 255


class Trails:
    """The ways of all agents as a lens sees them.

    Args:
        scene: What is filmed.
        lens: Of the camera that stands still.
        depth: (H, W) m of what does not move, which hides the trails behind it; H x W is the size of the pictures.
    """

    def __init__(self, scene: Footage, lens: Lens, depth: NDArray[np.float32]) -> None:
        height, width = depth.shape
        self._flat, away = lens.project(scene.position, width, height)
        inside = (away > lens.near) & (self._flat >= 0.0).all(axis=-1) & (self._flat < [width, height]).all(axis=-1)
        column, row = np.where(inside[..., None], self._flat, 0.0).astype(int).transpose(2, 0, 1)
        self._seen = inside & (away < depth[row, column] + 0.1)
        if scene.world.boundary == "torus":
            step = np.linalg.norm(np.diff(self._flat, axis=0), axis=-1)
            self._seen[1:] &= step < 0.25 * width
        span = float(scene.time[-1] - scene.time[0])
        rate = (len(scene.time) - 1) / span if span > 0.0 else 1.0
        self._pieces = max(1, min(round(LASTING * rate), PIECES // scene.count))
        self._alive = scene.alive
        self._colors = [style.agent_color(agent, scene.count) for agent in range(scene.count)]

    def draw(self, picture: NDArray[np.uint8], frame: int) -> NDArray[np.uint8]:
        """A picture with the trails until a frame, fainter the older they are."""
        from PIL import Image, ImageColor, ImageDraw

        page = Image.fromarray(picture, "RGB")
        draw = ImageDraw.Draw(page, "RGBA")
        first = max(0, frame - self._pieces)
        for agent, name in enumerate(self._colors):
            color = ImageColor.getrgb(name)[:3]
            points = [tuple(point) for point in self._flat[first : frame + 1, agent].tolist()]
            seen = self._seen[first : frame + 1, agent] & self._alive[first : frame + 1, agent]
            for k in np.flatnonzero(seen[1:] & seen[:-1]).tolist():
                strength = STRONGEST * (self._pieces - (frame - first) + k + 1) // (self._pieces + 1)
                draw.line([points[k], points[k + 1]], fill=(*color, strength), width=1)
        return np.asarray(page)
