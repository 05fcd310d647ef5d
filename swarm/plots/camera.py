"""A perspective picture without a 3D engine: faces are projected, shaded and painted from far to near."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes

from swarm.plots.marks import add_polygons
from swarm.state import Floats


@dataclass(frozen=True, eq=False)
class Camera:
    """Looks at a box of the world from a side and from above, so that it fills the page."""

    eye: Floats  # (3,) m
    axes: Floats  # (3, 3) rows: right, up, towards what is looked at
    zoom: float  # pixels for each unit of slope
    shift: Floats  # (2,) pixels

    @classmethod
    def around(cls, box: Floats, azimuth: float, elevation: float, page: Floats) -> Camera:
        """Aim at a box.

        Args:
            box: (2, 3) m.
            azimuth: rad, direction in which the camera looks; pi/2 is along +y.
            elevation: rad, how far down it looks.
            page: (2, 2) pixels, lower left and upper right corner of what the box may fill.
        """
        ahead = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), -np.sin(elevation)])
        right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
        axes = np.stack([right, np.cross(right, ahead), ahead])
        eye = box.mean(axis=0) - 1.7 * float(np.linalg.norm(box[1] - box[0])) * ahead
        corners = np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        seen = (corners - eye) @ axes.T
        slope = seen[:, :2] / seen[:, 2:]
        low, high = slope.min(axis=0), slope.max(axis=0)
        zoom = float(((page[1] - page[0]) / (high - low)).min())
        return cls(eye, axes, zoom, page.mean(axis=0) - zoom * (low + high) / 2)

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """(..., 3) m to (..., 2) pixels, x to the right and y up, and (...,) m of depth."""
        seen = (points - self.eye) @ self.axes.T
        depth = np.maximum(seen[..., 2], 1e-3)
        return self.zoom * seen[..., :2] / depth[..., None] + self.shift, depth

    def pixels(self, place: Floats) -> Floats:
        """Pixels for each metre at places (..., 3), (...,)."""
        return np.asarray(self.zoom / self.project(place)[1])


@dataclass(eq=False)
class Canvas:
    """Collects polygons and paints the far ones first."""

    camera: Camera
    _shapes: list[Floats] = field(default_factory=list)
    _depths: list[Floats] = field(default_factory=list)
    _colors: list[Floats] = field(default_factory=list)

    def faces(self, corners: Floats, colors: Floats, lift: float = 0.0) -> None:
        """Add polygons.

        Args:
            corners: (F, K, 3) m.
            colors: (F, 4) or (4,).
            lift: m nearer to the eye than they are, for what lies on a face.
        """
        flat, depth = self.camera.project(corners)
        self._add(flat, depth.mean(axis=1) - lift, colors)

    def lines(self, ends: Floats, colors: Floats, width: float, lift: float = 0.0) -> None:
        """Add straight lines.

        Args:
            ends: (L, 2, 3) m; those with a value that is not finite are left out.
            colors: (L, 4) or (4,).
            width: m.
            lift: m nearer to the eye than they are.
        """
        good = np.isfinite(ends).all(axis=(1, 2))
        colors = np.broadcast_to(colors, (len(ends), 4))[good]
        flat, depth = self.camera.project(ends[good])
        along = flat[:, 1] - flat[:, 0]
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        half = 0.5 * width * self.camera.zoom / depth
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)[:, None] * half[..., None]
        # A little longer than they are, so that the pieces of a bent line overlap.
        flat = flat + np.stack([-along, along], axis=1) * 0.35 * half[..., None]
        quads = np.stack([flat[:, 0] + across[:, 0], flat[:, 1] + across[:, 1], flat[:, 1] - across[:, 1],
                          flat[:, 0] - across[:, 0]], axis=1)  # fmt: skip
        self._add(quads, depth.mean(axis=1) - lift, colors)

    def _add(self, flat: Floats, depth: Floats, colors: Floats) -> None:
        self._shapes.append(flat)
        self._depths.append(depth)
        self._colors.append(np.broadcast_to(colors, (len(flat), 4)))

    def paint(self, axes: Axes, zorder: float) -> None:
        """Put everything added so far on the page and begin anew."""
        if sum(map(len, self._shapes)):
            # All get as many corners as the largest by repeating their last: an array is drawn far faster than a list.
            most = max(shape.shape[1] for shape in self._shapes)
            shapes = np.concatenate(
                [np.pad(shape, ((0, 0), (0, most - shape.shape[1]), (0, 0)), mode="edge") for shape in self._shapes]
            )
            order = np.argsort(-np.concatenate(self._depths), kind="stable")
            colors = np.concatenate(self._colors)[order]
            # Edges in the colour of the face close the hair lines between neighbours; translucent ones would show.
            edges = np.where(colors[:, 3:] < 1.0, 0.0, colors)
            add_polygons(axes, shapes[order], zorder, facecolors=colors, edgecolors=edges, linewidths=0.4)
        self._shapes, self._depths, self._colors = [], [], []
