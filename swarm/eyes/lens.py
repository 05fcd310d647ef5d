"""A pinhole camera: where it stands, where it looks, how wide it sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.state import Floats

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Lens:
    """Square pixels, no distortion."""

    eye: Floats  # (3,) m
    axes: Floats  # (3, 3) unit rows: right, up, ahead
    field_of_view: float  # degrees from the left to the right edge
    near: float  # m along the optical axis; what is nearer is not seen
    far: float  # m; what is farther is not seen

    @classmethod
    def at(cls, eye: Floats, target: Floats, field_of_view: float, near: float, far: float, up: Floats = UP) -> Lens:
        """A lens in `eye` (3,) m that looks at `target` (3,) m with `up` (3,) pointing up in the picture."""
        ahead = _unit(np.asarray(target, float) - eye)
        right = np.cross(ahead, up)
        if np.linalg.norm(right) < 1e-6:  # straight up or down
            right = np.cross(ahead, [0.0, 1.0, 0.0])
        right = _unit(right)
        return cls(np.asarray(eye, float), np.stack([right, np.cross(right, ahead), ahead]), field_of_view, near, far)

    @classmethod
    def on_board(cls, position: Floats, attitude: Floats, field_of_view: float, near: float, far: float) -> Lens:
        """A lens in a body's centre (3,) m that looks along its x axis; attitude is a quaternion x, y, z, w."""
        x, y, z, w = attitude
        ahead = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
        left = np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
        return cls(
            np.asarray(position, float), np.stack([-left, np.cross(ahead, left), ahead]), field_of_view, near, far
        )

    def slopes(self, width: int, height: int) -> tuple[Floats, Floats]:
        """Right and up per unit ahead, (W,) and (H,), of the centres of the columns and rows of a picture."""
        half = np.tan(np.radians(self.field_of_view) / 2.0)
        right = (2.0 * (np.arange(width) + 0.5) / width - 1.0) * half
        up = (1.0 - 2.0 * (np.arange(height) + 0.5) / height) * half * height / width
        return right, up

    def rays(self, width: int, height: int) -> Floats:
        """(H, W, 3) directions through the centres of the pixels, world frame; 1 m long along the optical axis."""
        right, up = self.slopes(width, height)
        side, top, ahead = self.axes
        return np.asarray(ahead + right[None, :, None] * side + up[:, None, None] * top)

    def project(self, points: Floats, width: int, height: int) -> tuple[Floats, Floats]:
        """(..., 3) m to (..., 2) pixels, column and row, and (...,) m along the optical axis."""
        seen = (points - self.eye) @ self.axes.T
        scale = width / 2.0 / np.tan(np.radians(self.field_of_view) / 2.0)
        flat = scale * seen[..., :2] / np.maximum(seen[..., 2:], 1e-9) * [1.0, -1.0] + [width / 2.0, height / 2.0]
        return flat, seen[..., 2]

    def view_matrix(self) -> list[float]:
        """World to camera, 16 numbers by columns as OpenGL orders them."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes * [[1.0], [1.0], [-1.0]]
        matrix[:3, 3] = -matrix[:3, :3] @ self.eye
        return list(matrix.T.ravel().tolist())

    def projection_matrix(self, width: int, height: int) -> list[float]:
        """Camera to clip space, 16 numbers by columns."""
        slope = np.tan(np.radians(self.field_of_view) / 2.0)
        near, far = self.near, self.far
        matrix = np.zeros((4, 4))
        matrix[0, 0] = 1.0 / slope
        matrix[1, 1] = width / height / slope
        # Bullet's software renderer looks through corners of pixels; half a pixel each way makes it the centres.
        matrix[0, 2], matrix[1, 2] = 1.0 / width, 1.0 / height
        matrix[2, 2:] = -(far + near) / (far - near), -2.0 * far * near / (far - near)
        matrix[3, 2] = -1.0
        return list(matrix.T.ravel().tolist())


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))
