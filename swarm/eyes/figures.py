"""What stands for an agent: a quadrotor, or a dart where a body has no attitude."""

from __future__ import annotations

import numpy as np

from swarm.eyes.solids import Solid, box, cylinder, disc, joined
from swarm.state import Floats

FRAME, ROTOR, NOSE = 0, 1, 2  # swatches
CROWD = 40  # agents from which on they are drawn with fewer triangles


def quadrotor(radius: float, simple: bool = False) -> Solid:
    """A cross of two arms with four rotors over it and a nose to the front (+x); it fits its hull.

    Args:
        radius: m, of the hull.
        simple: Fewer triangles.
    """
    reach, rotor = 0.60 * radius, 0.40 * radius
    sides = 8 if simple else 14
    half = np.sqrt(0.5)
    turn = np.array([[half, -half, 0.0], [half, half, 0.0], [0.0, 0.0, 1.0]])
    arm = box((2.0 * reach, 0.13 * radius, 0.10 * radius))
    parts = [arm.turned(turn), arm.turned(turn.T), box((0.62 * radius, 0.34 * radius, 0.22 * radius))]
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        place = np.array([x * reach * half, y * reach * half, 0.20 * radius])
        above = disc(rotor, sides).moved(place)
        below = disc(rotor, sides).turned(np.diag([1.0, -1.0, -1.0])).moved(place - [0.0, 0.0, 1e-3])
        parts += [above.painted(ROTOR), below.painted(ROTOR)]
        if not simple:
            parts.append(cylinder(0.07 * radius, 0.22 * radius, 6).moved(place - [0.0, 0.0, 0.10 * radius]))
    nose = box((0.34 * radius, 0.26 * radius, 0.18 * radius)).moved((0.46 * radius, 0.0, 0.02 * radius))
    return joined(*parts, nose.painted(NOSE))


def dart(radius: float) -> Solid:
    """An arrowhead that points along +x."""
    tip, notch = np.array([1.3, 0.0, 0.0]), np.array([-0.5, 0.0, 0.0])
    left, right = np.array([-1.0, 0.8, 0.0]), np.array([-1.0, -0.8, 0.0])
    top, bottom = np.array([-0.4, 0.0, 0.35]), np.array([-0.4, 0.0, -0.35])
    corners = [
        (tip, left, top), (tip, top, right), (left, notch, top), (top, notch, right),
        (tip, bottom, left), (tip, right, bottom), (left, bottom, notch), (notch, bottom, right),
    ]  # fmt: skip
    vertices = radius * np.array(corners).reshape(-1, 3)
    normals = np.cross(vertices[1::3] - vertices[::3], vertices[2::3] - vertices[::3])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    faces = np.arange(len(vertices)).reshape(-1, 3)
    return Solid(vertices, np.repeat(normals, 3, axis=0), faces, np.full(len(vertices), ROTOR))


def along(velocity: Floats) -> Floats:
    """(A, 4) quaternions of level flight with the nose along velocities (A, 2 or 3)."""
    yaw = np.arctan2(velocity[:, 1], velocity[:, 0])
    attitude = np.zeros((len(velocity), 4))
    attitude[:, 2], attitude[:, 3] = np.sin(yaw / 2.0), np.cos(yaw / 2.0)
    return attitude
