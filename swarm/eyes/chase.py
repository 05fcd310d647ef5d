"""The camera that follows a swarm: behind and above it, never in a wall, and as little in the way as can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.state import Bools, Floats, Ints

SIDES = np.radians(np.arange(-72.0, 73.0, 8.0))  # tried, away from straight behind
HEIGHTS = np.radians([24.0, 14.0, 4.0, 38.0])  # elevations tried; the first is liked best
BETWEEN = 0.1  # s between two choices of where to be
KEEP = 0.45  # m from every surface
CLOSE = 0.35  # m; nearer agents are left out of the picture
TRIED = 3  # agents, at most
FINE = 0.02  # share of the flight in which the camera may be very near to the agent without another one being tried
TIGHT = 0.03  # m that a line of sight keeps, less than any hull
AHEAD = 0.2  # share of its distance that the camera looks ahead of the middle
FIELD_OF_VIEW = 68.0  # degrees


class Chase:
    """Looks at the middle of the living, from where nothing is between it and an agent near the middle.

    That agent's way is free, so the camera's never leads through a wall.

    The place is chosen over the whole flight at once: ten times a second there are many directions to be in,
    a short free distance and a large turn cost, and the cheapest way through all of them is found by dynamic
    programming (Viterbi 1967). The way is smoothed, and the camera pulled in to where it is free.
    """

    still = False
    agent_pixels = 28.0
    magnify = 3.0

    def __init__(self, footage: Footage, far: float) -> None:
        self._footage, self._far = footage, far
        time = footage.time
        span = float(time[-1] - time[0])
        self._rate = (len(time) - 1) / span if span > 0.0 else 1.0  # frames a second
        self._middle, self._course, spread = self._swarm()
        self._wanted = 1.7 + 1.45 * spread  # m, (F,)
        least, best = np.inf, (footage.position[:, 0], self._middle, self._wanted)
        for agent in self._candidates():
            self._anchor = smooth(footage.position[:, agent], 0.1 * self._rate)
            side, height = self._choose()
            away = directions(self._course + np.pi + side, height)
            distance = self._pulled_in(away)
            near = float((distance < 0.4 * self._wanted).mean())
            if near < least:
                least, best = near, (self._anchor, away, distance)
            if near < FINE:
                break
        self._anchor, self._away, self._distance = best

    @property
    def distance(self) -> Floats:
        """(F,) m from the agent that it hangs on."""
        return self._distance

    def lens(self, frame: int) -> Lens:
        """The lens at one frame."""
        middle, back = self._middle[frame], self._distance[frame]
        eye = self._anchor[frame] + back * self._away[frame]
        course = self._course[frame]
        ahead = AHEAD * back * np.array([np.cos(course), np.sin(course), 0.0])
        return Lens.at(eye, middle + ahead, FIELD_OF_VIEW, 0.05, self._far)

    def hidden(self, frame: int) -> Sequence[int]:
        """Those that would fill the picture."""
        away = np.linalg.norm(self._footage.position[frame] - self.lens(frame).eye, axis=1)
        return [int(agent) for agent in np.flatnonzero(away < CLOSE)]

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

    def _candidates(self) -> list[int]:
        """The agents to hang on: those that live longest, the nearest to the middle first."""
        footage = self._footage
        living = footage.alive.sum(axis=0)
        away = np.linalg.norm(footage.position - self._middle[:, None], axis=2).mean(axis=0)
        return [int(agent) for agent in np.lexsort((away, -living)) if living[agent] == living.max()][:TRIED]

    def _choose(self) -> tuple[Floats, Floats]:
        """(F,) rad each, smoothed: how far from straight behind, and how high."""
        frames = np.unique(np.append(np.arange(0, len(self._course), max(1, round(BETWEEN * self._rate))),
                                     len(self._course) - 1))  # fmt: skip
        side, height = (grid.ravel() for grid in np.meshgrid(SIDES, HEIGHTS, indexing="ij"))
        away = directions(self._course[frames, None] + np.pi + side, np.broadcast_to(height, (len(frames), len(side))))
        free = self._free(frames, away) / self._wanted[frames, None]
        cost = BETWEEN * (8.0 * (1.0 - free) ** 2 + 0.4 * side**2 + 0.5 * np.abs(height - HEIGHTS[0]))
        turn = 0.15 / BETWEEN * ((side[:, None] - side) ** 2 + (height[:, None] - height) ** 2)
        best = cheapest(cost, turn)
        every = np.arange(len(self._course))
        chosen = [np.interp(every, frames, angle[best]) for angle in (side, height)]
        return smooth(chosen[0], 0.15 * self._rate), smooth(chosen[1], 0.15 * self._rate)

    def _pulled_in(self, away: Floats) -> Floats:
        """(F,) m, smooth and nowhere longer than what is free."""
        free = self._free(np.arange(len(away)), away[:, None])[:, 0]
        reach = max(1, round(0.35 * self._rate))
        padded = np.pad(free, reach, mode="edge")
        lowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
        # A mean over a window of the minima over that window exceeds none of the values that went into it.
        return smooth(lowest, reach / 3.0)

    def _free(self, frames: Ints, away: Floats) -> Floats:
        """(K, C) m that a camera can be away along directions (K, C, 3) at some frames, by sphere tracing.

        Nothing is in between, and there is room for it at the end.
        """
        wanted = np.repeat(self._wanted[frames][:, None], away.shape[1], axis=1)
        gone = np.full(away.shape[:2], TIGHT)
        best = np.full(away.shape[:2], TIGHT)
        going = np.ones(away.shape[:2], bool)
        for _ in range(80):
            room = self._room(frames, away, gone)
            # Very near to the agent there is less room than a camera likes.
            best = np.where(going & (room >= np.minimum(KEEP, 0.06 + 0.28 * gone)), gone, best)
            going = going & (room > TIGHT) & (gone < wanted)
            if not going.any():
                break
            # Short steps where it is tight, so that places with room are found; else no farther than is free.
            gone = np.where(going, np.minimum(gone + np.clip(room - TIGHT, 0.02, 1e3), wanted), gone)
        return best

    def _room(self, frames: Ints, away: Floats, gone: Floats) -> Floats:
        """(K, C) m from there to the nearest surface."""
        footage = self._footage
        world = footage.world
        points = (self._anchor[frames][:, None] + gone[..., None] * away)[..., : world.dim]
        if world.moving:
            moments = footage.time[frames].tolist()
            return np.stack([world.at(time).clearance(row)[0] for time, row in zip(moments, points)])
        return world.clearance(points)[0]


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


def cheapest(cost: Floats, change: Floats) -> Ints:
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
