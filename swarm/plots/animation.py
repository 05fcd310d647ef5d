"""A recorded flight as moving pictures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from swarm.plots.flown import Flown
from swarm.plots.following import window_on
from swarm.plots.moment import Moments
from swarm.plots.numbers import happened, recorded_numbers
from swarm.plots.paths import extent, headline
from swarm.plots.stage import Stage
from swarm.state import Floats

Pixels = NDArray[np.uint8]


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
    window = window_on(flight.world, flown.position, flown.alive, extent(flight), len(task.places) > 0)
    stage = Stage(flight.world, task, flown.role, window, size, dpi, headline(flight), flight.height, pace)
    shown = Moments(flight, pace)
    for moment in moments:
        sample = max(0, int(np.searchsorted(flight.time, moment + 1e-9)) - 1)
        plan = flight.world_at(sample).floor_plan
        stage.draw(shown[sample], recorded_numbers(flight, sample), happened(flight, sample), plan)
        yield np.asarray(stage.canvas.buffer_rgba())
