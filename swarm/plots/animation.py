"""A recorded flight as moving pictures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from swarm.plots.bound import exit_colors
from swarm.plots.flock import mark_legend
from swarm.plots.flown import Flown
from swarm.plots.following import Window, window_on
from swarm.plots.moment import Moments
from swarm.plots.numbers import happened, recorded_numbers
from swarm.plots.paths import extent, headline
from swarm.plots.stage import Stage, fitting_width
from swarm.state import Floats

Pixels = NDArray[np.uint8]


def width_of(flight: Flown, size: tuple[int, int], dpi: float) -> int:
    """Pixels across of its pictures, at most those of `size`: a plan that is not wide leaves no half of them empty."""
    return fitting_width(_window(flight), size, dpi)


def _window(flight: Flown) -> Window:
    flown = flight.trajectory
    return window_on(flight.world, flown.position, flown.alive, extent(flight), len(flight.task.places) > 0)


def frames(flight: Flown, moments: Floats, size: tuple[int, int], dpi: float, pace: float = 1.0) -> Iterator[Pixels]:
    """The pictures of a flight at given times.

    Args:
        flight: What to show.
        moments: (F,) s; the sample at or before each is shown.
        size: Width and height, pixels.
        dpi: Pixels an inch.
        pace: Simulated seconds that are shown in a second, which is told, and by which the caught fade.

    Yields:
        (height, width, 4) RGBA; the array is only good until the next one.
    """
    flown, task = flight.trajectory, flight.task
    window = _window(flight)
    shown = Moments(flight, pace)
    marks = mark_legend(flight, touching=len(flight.result.contacts) > 0) if flight.crowd else None
    stage = Stage(
        flight.world, task, flown.role, window, size, dpi, headline(flight), flight.height, pace, exit_colors(flight),
        marks,
    )  # fmt: skip
    for moment in moments:
        sample = max(0, int(np.searchsorted(flight.time, moment + 1e-9)) - 1)
        plan = flight.world_at(sample).floor_plan
        stage.draw(shown[sample], recorded_numbers(flight, sample), happened(flight, sample), plan)
        yield np.asarray(stage.canvas.buffer_rgba())
