"""The camera that follows a swarm: behind and above it, never in a wall, and as little in the way as can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.state import Bools, Floats

SIDES = np.radians([0.0, -22.0, 22.0, -45.0, 45.0, -75.0, 75.0])  # tried, away from straight behind
HEIGHTS = np.radians([22.0, 12.0, 36.0, 55.0])  # elevations tried; the first is liked best
BETWEEN = 0.25  # s between two choices of where to be
KEEP = 0.45  # m from every surface
NEAREST = 0.7  # m from the swarm's middle; a camera that has no room there comes no nearer
FIELD_OF_VIEW = 68.0  # degrees


class Chase:
    """Looks at the middle of the living from where the line of sight is free.

    The place is chosen over the whole flight at once: every quarter of a second there are a few directions to be in,
    a short free distance and a large turn cost, and the cheapest way through all of them is found by dynamic
    programming (Viterbi 1967). The way is smoothed, and the camera pulled in to where it is free.
    """

    still = False
    agent_pixels = 24.0
    magnify = 3.0

    def __init__(self, footage: Footage, far: float) -> None:
        self._footage, self._far = footage, far
        time = footage.time
        self._rate = (len(time) - 1) / max(float(time[-1] - time[0]), 1e-9) if len(time) > 1 else 1.0
        self._middle, self._course, spread = self._swarm()
        self._wanted = 1.7 + 1.45 * spread  # m, (F,)
        side, height = self._choose()
        self._away = directions(self._course + np.pi + side, height)
        self._distance = self._pulled_in(self._away)

    @property
    def distance(self) -> Floats:
        """(F,) m from the middle of the swarm."""
        return self._distance

    def lens(self, frame: int) -> Lens:
        """The lens at one frame."""
        middle, back = self._middle[frame], self._distance[frame]
        eye = middle + back * self._away[frame]
        return Lens.at(eye, middle, FIELD_OF_VIEW, 0.05, self._far)

    def hidden(self, frame: int) -> Sequence[int]:
        """It sees everybody."""
        return ()

    def _swarm(self) -> tuple[Floats, Floats, Floats]:
        """Smoothed middle (F, 3) m, course (F,) rad and spread (F,) m of the living."""
        footage = self._footage
        alive: Bools = footage.alive.copy()
        for frame in np.flatnonzero(~alive.any(axis=1)):  # all lost: those who were lost last
            alive[frame] = alive[frame - 1] if frame else True
        weight = alive / alive.sum(axis=1, keepdims=True)
        middle = (footage.position * weight[..., None]).sum(axis=1)
        away = np.linalg.norm(footage.position - middle[:, None], axis=2)
        spread = np.minimum(np.where(alive, away, 0.0).max(axis=1), 40.0)
        velocity = (footage.velocity * weight[..., None]).sum(axis=1)[:, :2]
        ahead = np.array([1.0, 0.0])
        if footage.target is not None:
            ahead = footage.target[:2] - middle[0, :2]
        ahead = 0.05 * ahead / max(float(np.linalg.norm(ahead)), 1e-6)
        velocity = smooth(velocity, 1.0 * self._rate) + ahead  # a swarm that stands still is seen facing its target
        course = np.unwrap(np.arctan2(velocity[:, 1], velocity[:, 0]))
        return smooth(middle, 0.25 * self._rate), smooth(course, 0.7 * self._rate), smooth(spread, 1.0 * self._rate)

    def _choose(self) -> tuple[Floats, Floats]:
        """(F,) rad each, smoothed: how far from straight behind, and how high."""
        frames = np.unique(np.append(np.arange(0, len(self._course), max(1, round(BETWEEN * self._rate))),
                                     len(self._course) - 1))  # fmt: skip
        side, height = (grid.ravel() for grid in np.meshgrid(SIDES, HEIGHTS, indexing="ij"))
        away = directions(self._course[frames, None] + np.pi + side, np.broadcast_to(height, (len(frames), len(side))))
        free = self._free(frames, away) / self._wanted[frames, None]
        cost = 4.0 * (1.0 - free) ** 2 + 0.25 * np.abs(side) + 0.5 * np.abs(height - HEIGHTS[0])
        turn = 6.0 * ((side[:, None] - side) ** 2 + (height[:, None] - height) ** 2)
        best = cheapest(cost, turn)
        every = np.arange(len(self._course))
        chosen = [np.interp(every, frames, angle[best]) for angle in (side, height)]
        return smooth(chosen[0], 0.4 * self._rate), smooth(chosen[1], 0.4 * self._rate)

    def _pulled_in(self, away: Floats) -> Floats:
        """(F,) m, smooth and nowhere longer than what is free."""
        free = self._free(np.arange(len(away)), away[:, None])[:, 0]
        reach = max(1, round(0.5 * self._rate))
        padded = np.pad(free, reach, mode="edge")
        lowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
        # A mean over a window of the minima over that window exceeds none of the values that went into it.
        return np.maximum(smooth(lowest, reach / 3.0), min(NEAREST, float(free.min()) if len(free) else NEAREST))

    def _free(self, frames: np.ndarray, away: Floats) -> Floats:
        """(K, C) m that a camera can go back along directions (K, C, 3) at some frames, by sphere tracing."""
        footage = self._footage
        world = footage.world
        wanted = np.repeat(self._wanted[frames][:, None], away.shape[1], axis=1)
        middle = self._middle[frames][:, None]
        gone = np.full(away.shape[:2], 0.05)
        open_way = np.ones(away.shape[:2], bool)
        for _ in range(60):
            room = np.full(away.shape[:2], np.inf)
            points = (middle + gone[..., None] * away)[..., : world.dim]
            if world.moving:
                for row, frame in enumerate(frames):
                    room[row] = world.at(float(footage.time[frame])).clearance(points[row])[0]
            else:
                room = world.clearance(points)[0]
            # Near the swarm itself there may be less room than a camera keeps: it starts with what there is.
            step = room - np.minimum(KEEP, 0.05 + 0.5 * gone)
            open_way = open_way & (step > 0.02) & (gone < wanted)
            if not open_way.any():
                break
            gone = np.where(open_way, np.minimum(gone + np.minimum(step, 1e3), wanted), gone)
        return np.asarray(gone)


def directions(azimuth: Floats, elevation: Floats) -> Floats:
    """(..., 3) unit vectors."""
    level = np.cos(elevation)
    return np.stack([np.cos(azimuth) * level, np.sin(azimuth) * level, np.sin(elevation)], axis=-1)


def smooth(values: Floats, deviation: float) -> Floats:
    """Gaussian mean over time, the first axis, cut off at three standard deviations (in frames)."""
    reach = round(3.0 * deviation)
    if reach < 1 or len(values) < 2:
        return values
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights /= weights.sum()
    padded = np.pad(values, [(reach, reach), *[(0, 0)] * (values.ndim - 1)], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    return np.asarray(windows @ weights)


def cheapest(cost: Floats, change: Floats) -> np.ndarray:
    """The choices (K,) that cost least: `cost` (K, C) of each, and `change` (C, C) from one to the next."""
    total, came = cost[0], []
    for here in cost[1:]:
        ways = total[:, None] + change
        came.append(ways.argmin(axis=0))
        total = ways.min(axis=0) + here
    path = [int(total.argmin())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return np.array(path[::-1])
