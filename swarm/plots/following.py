"""Which part of a world is in sight: all of it, or in an open one a window that the swarm pushes along."""

from __future__ import annotations

import numpy as np

from swarm.plots.views import frame
from swarm.state import Bools, Floats
from swarm.worlds.world import World

ROOMY = 2.5  # times the swarm's extent; a flight over more than that is followed
SLACK = 1.3  # of what is to be seen, when a window is made or made larger
AHEAD = 0.2  # of a window's edge that is kept free before a swarm, where there is room
MANY = 50  # agents from which on strays may leave the window
STRAYS = 0.02


class Window:
    """A box of the world that moves and grows no more than it must.

    Args:
        box: (2, D) m, to begin with.
        follows: Whether it moves at all.
    """

    def __init__(self, box: Floats, follows: bool) -> None:
        self.box = np.array(box, dtype=float)
        self.follows = follows

    @property
    def room(self) -> float:
        """m, the longest edge."""
        return round(float((self.box[1] - self.box[0]).max()), 9)

    def see(self, places: Floats) -> bool:
        """Bring places (A, D) m into sight; whether the box has changed."""
        if not self.follows or len(places) == 0:
            return False
        seen = extent_of(places)
        room = self.box[1] - self.box[0]
        margin = 0.04 * room
        need = float(((seen[1] - seen[0] + 2 * margin) / room).max())
        box = self.box
        if need > 1.0:  # larger by the same factor along each axis, so that it keeps its place on the page
            middle = 0.5 * (box[0] + box[1])
            half = 0.5 * SLACK * need * room
            box = np.stack([middle - half, middle + half])
            room = 2.0 * half
        margin = np.minimum(AHEAD * room, 0.5 * (room - (seen[1] - seen[0])))
        push = np.maximum(seen[1] + margin - box[1], 0.0) - np.maximum(box[0] - seen[0] + margin, 0.0)
        moved = box + push
        changed = bool((moved != self.box).any())
        self.box = moved
        return changed


def extent_of(places: Floats) -> Floats:
    """(2, D) m, lowest and highest corner of places (A, D), in a crowd without strays."""
    if len(places) < MANY:
        return np.stack([places.min(axis=0), places.max(axis=0)])
    return np.asarray(np.quantile(places, [STRAYS, 1.0 - STRAYS], axis=0))


def bare(world: World) -> bool:
    """Whether a world is open and holds nothing that a picture must show."""
    ground = world.floor and world.dim == 3
    return world.boundary == "open" and not (world.obstacles or world.zones or ground)


def grid(low: float, high: float) -> tuple[float, Floats]:
    """Round metres between the lines of a grid over a stretch, and where the lines are."""
    rough = (high - low) / 4.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(power * next(k for k in (1.0, 2.0, 5.0, 10.0) if k * power >= 0.7 * rough))
    return step, np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step


def start_window(places: Floats, span: Floats | None = None) -> Floats:
    """(2, D) m, a window of equal edges about a swarm (A, D) m; `span` (D,) m is how wide it will be, where known."""
    seen = extent_of(places)
    widest = float(np.max(seen[1] - seen[0] if span is None else np.maximum(span, seen[1] - seen[0])))
    half = 0.5 * SLACK * max(widest, 1.0)
    middle = seen.mean(axis=0)
    return np.stack([middle - half, middle + half])


def window_on(world: World, positions: Floats, alive: Bools, whole: Floats, target: bool) -> Window:
    """The window for a recorded flight.

    Args:
        world: Where.
        positions: (T, N, D) m.
        alive: (T, N).
        whole: (2, D) m, the part of the world in which all of it took place.
        target: Whether there is a place to fly to, which stays in sight.
    """
    some = np.unique(np.linspace(0, len(positions) - 1, 60).astype(int))
    if target or not bare(world) or not alive[some].any(axis=1).all():
        return Window(whole, False)
    spans = np.array([np.ptp(extent_of(positions[k][alive[k]]), axis=0) for k in some])
    usual = np.median(spans, axis=0)
    if float((whole[1] - whole[0]).max()) <= ROOMY * max(float(usual.max()), 1.0):
        return Window(whole, False)
    return Window(start_window(positions[0][alive[0]], usual), True)


def live_window(world: World, places: Floats, target: Floats | None) -> Window:
    """The window for a flight whose course is not known yet; places (A, D) m, target (P, D) m."""
    if bare(world) and target is None:
        return Window(start_window(places), True)
    known = places if target is None else np.concatenate([places, target])
    return Window(frame(world, known) if world.boundary != "open" or target is not None else world.bounds, False)
