"""Where a film is taken from: behind the swarm, from above, from a corner, or on board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from swarm.errors import BadInput
from swarm.eyes.chase import Chase
from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.eyes.scenery import TALL, lifted
from swarm.schema import nearest
from swarm.state import Bools, Floats
from swarm.worlds.world import World

VIEWS = ("chase", "top", "fixed", "onboard")
SIDES = (52.0, -52.0, 28.0, -28.0, 78.0, -78.0)  # degrees to the left of the way in which a camera in a corner may look
MOST = 0.4  # share of a world's area beyond which a flight is shown with all of the world
HEIGHTS = (33.0, 46.0, 60.0)  # degrees that it may look down; the first is liked best


class Camera(Protocol):
    """Takes a film."""

    @property
    def still(self) -> bool:
        """Whether it stands in one place."""

    @property
    def agent_pixels(self) -> float:
        """How wide agents should be in a picture 640 wide, if that takes no more than `magnify`."""

    @property
    def magnify(self) -> float:
        """How much larger than they are agents are drawn at most."""

    def lens(self, frame: int) -> Lens:
        """The lens at one frame."""

    def hidden(self, frame: int) -> Sequence[int]:
        """Agents that it does not see."""


@dataclass(frozen=True, eq=False)
class Still:
    """A camera that stands in one place."""

    fixed: Lens
    magnify: float = 5.0
    agent_pixels = 15.0
    still = True

    def lens(self, frame: int) -> Lens:
        """Always the same."""
        return self.fixed

    def hidden(self, frame: int) -> Sequence[int]:
        """It sees everybody."""
        return ()


@dataclass(frozen=True, eq=False)
class OnBoard:
    """A camera in an agent's centre that looks where its nose points."""

    footage: Footage
    agent: int
    attitude: Floats  # (F, 4)
    agent_pixels = 0.0
    magnify = 1.0
    still = False

    def lens(self, frame: int) -> Lens:
        """Turns with the agent."""
        where = self.footage
        return Lens.on_board(where.position[frame, self.agent], self.attitude[frame], 95.0, 0.02, reach(where))

    def hidden(self, frame: int) -> Sequence[int]:
        """It does not see what carries it."""
        return (self.agent,)


def check_view(view: str, count: int | None = None, where: str = "--view") -> tuple[str, int]:
    """A view's name and its agent.

    Args:
        view: chase, top, fixed, onboard or onboard:K.
        count: Agents there are; None where that is not known.
        where: What named it, for messages.

    Raises:
        BadInput: No such view or agent.
    """
    name, colon, number = view.partition(":")
    if name not in VIEWS or (colon and name != "onboard"):
        raise BadInput(f'{where}: expected {", ".join(VIEWS)} or onboard:K, got "{view}"{nearest(name, VIEWS)}')
    if colon and not re.fullmatch(r"[0-9]{1,9}", number):
        raise BadInput(f'{where}: expected onboard:K with the number K of an agent, got "{view}"')
    agent = int(number or 0)
    if count is not None and agent >= count:
        raise BadInput(f"{where}: expected an agent from 0 to {count - 1}, got {agent}")
    return name, agent


def make_camera(view: str | Lens, footage: Footage, shape: float) -> Camera:
    """The camera for a film.

    Args:
        view: A name as `check_view` takes it, or the lens of a camera that stands still.
        footage: What is filmed.
        shape: Height over width of the pictures.

    Raises:
        BadInput: No such view or agent.
    """
    if isinstance(view, Lens):
        return Still(view, 1.0)
    name, agent = check_view(view, footage.count, "view")
    if name == "onboard":
        from swarm.eyes.figures import along

        attitude = footage.attitude
        turn = along(footage.velocity[:, agent]) if attitude is None else attitude[:, agent]
        return OnBoard(footage, agent, turn)
    if name == "chase":
        return Chase(footage, reach(footage))
    return Still(top(footage, shape) if name == "top" else corner(footage, shape))


def reach(footage: Footage) -> float:
    """m, farther than anything of the world that can be seen from in it."""
    size = float(np.linalg.norm(footage.world.bounds[1] - footage.world.bounds[0]))
    return max(1.5 * size, 50.0) if footage.world.boundary == "walls" else max(3.0 * size, 300.0)


def extent(footage: Footage) -> Floats:
    """(2, 3) m, box around the flight and its target with some or all of the world about it."""
    points = footage.position.reshape(-1, 3)
    if footage.target is not None:
        points = np.concatenate([points, footage.target[None]])
    low, high = points.min(axis=0), points.max(axis=0)
    pad = 1.0 + 0.06 * float((high - low).max())
    low[:2] -= pad
    high[:2] += pad
    bounds, dim = footage.world.bounds, footage.world.dim
    if dim == 3:
        low[2] = max(bounds[0, 2], low[2] - 3.0)
    low[:2], high[:2] = np.maximum(low[:2], bounds[0, :2]), np.minimum(high[:2], bounds[1, :2])
    if np.prod(high[:2] - low[:2]) > MOST * np.prod(bounds[1, :2] - bounds[0, :2]):
        low[:2], high[:2] = bounds[0, :2], bounds[1, :2]
    return np.stack([np.minimum(low, high - 0.5), high])


def top(footage: Footage, shape: float) -> Lens:
    """Straight down on the whole flight, from so high that it hardly leans; x to the right."""
    return _around(extent(footage), np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0]), 14.0, shape)


def corner(footage: Footage, shape: float) -> Lens:
    """From behind the start, beside the way and above it, on the whole flight, from where most of it is seen."""
    way = footage.position[-1].mean(axis=0) - footage.position[0].mean(axis=0)
    if footage.target is not None:
        way = footage.target - footage.position[0].mean(axis=0)
    course = np.arctan2(way[1], way[0]) if np.hypot(way[0], way[1]) > 1.0 else 0.0
    box, up = extent(footage), np.array([0.0, 0.0, 1.0])
    some = np.linspace(0, len(footage.time) - 1, 24).astype(int)
    points = footage.position[some].mean(axis=1)
    best, most = None, -np.inf
    for height in HEIGHTS:
        for side in SIDES:
            azimuth, elevation = course + np.radians(side), np.radians(height)
            level = np.cos(elevation)
            ahead = np.array([np.cos(azimuth) * level, np.sin(azimuth) * level, -np.sin(elevation)])
            lens = _around(box, ahead, up, 40.0, shape)
            liked = float(seen(footage.world, points, lens.eye).mean()) - 0.004 * (height - HEIGHTS[0])
            if liked > most + 0.02:
                best, most = lens, liked
    assert best is not None
    return best


def seen(world: World, points: Floats, eye: Floats) -> Bools:
    """Which points (K, 3) m no obstacle hides from an eye (3,) m, by sphere tracing; walls and ceiling hide nothing."""
    way = eye - points
    length = np.linalg.norm(way, axis=1)
    gone, going, free = np.full(len(points), 0.1), np.ones(len(points), bool), np.ones(len(points), bool)
    for _ in range(200):
        here = points + (gone / length)[:, None] * way
        inside = ((here >= lifted(world.bounds[0])) & (here <= lifted(world.bounds[1], TALL))).all(axis=1)
        going = going & inside & (gone < length)
        if not going.any():
            break
        room, _, surface = world.nearest(here[:, : world.dim])
        solid = (surface >= 0) & (surface < len(world.obstacles))
        free = free & ~(going & solid & (room < 0.01))
        going = going & free
        gone = np.where(going, gone + np.where(solid, np.minimum(np.maximum(room, 0.01), 1e3), 0.25), gone)
    return free


def _around(box: Floats, ahead: Floats, up: Floats, field_of_view: float, shape: float) -> Lens:
    """The nearest lens that looks in a direction and has all corners of a box (2, 3) in its picture."""
    corners = np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    middle = box.mean(axis=0)
    axes = Lens.at(middle - ahead, middle, field_of_view, 0.1, 1.0, up).axes
    seen = (corners - middle) @ axes.T
    slope = np.tan(np.radians(field_of_view) / 2.0) * np.array([1.0, shape])
    shift = np.zeros(2)
    distance = 1.0
    for _ in range(30):  # the picture's middle moves to the middle of what is seen
        flat = seen[:, :2] - shift
        distance = float(np.max(np.abs(flat) / slope - seen[:, 2:]))
        share = flat / (seen[:, 2:] + distance)
        shift += 0.5 * (share.min(axis=0) + share.max(axis=0)) * distance
    eye = middle + shift @ axes[:2] - 1.04 * distance * ahead
    deep = float(np.ptp(seen[:, 2]))
    return Lens(eye, axes, field_of_view, max(0.05, 0.2 * distance), 3.0 * (distance + deep) + 200.0)
