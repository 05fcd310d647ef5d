"""Watching a flight in a window, at the speed of the clock: Bullet's for drones, matplotlib's for points."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from swarm.simulation import Simulation


class Window(Protocol):
    """What shows a simulation."""

    def show(self, sim: Simulation) -> bool:
        """Show where everybody is now; False once the window was closed."""

    def close(self) -> None:
        """Close it."""


def check_window(body: str) -> None:
    """Refuse where no window can be opened for a body.

    Raises:
        BadInput: One line saying why.
    """
    if body in ("point", "walker"):
        from swarm.plots.screen import check_screen

        check_screen()
    else:
        from swarm.eyes.window import check_display

        check_display()


@contextmanager
def watching(sim: Simulation) -> Iterator[Callable[[Simulation], None]]:
    """A window on a simulation, as a function to call after every step; it waits until the step is due.

    Points with two command steps a second and less are shown twenty steps a second, everybody else at the speed of the
    clock. Once the window is closed nothing is waited for.
    """
    window: Window
    if sim.choice.body in ("point", "walker"):
        from swarm.plots.live import LiveWindow

        live = window = LiveWindow(sim)
        pace = live.pace
    else:
        from swarm.eyes.window import Window as BulletWindow

        window, pace = BulletWindow(sim), 1.0
    began = time.perf_counter()

    def watch(sim: Simulation) -> None:
        if window.show(sim):
            time.sleep(max(0.0, began + sim.state.time / pace - time.perf_counter()))

    try:
        yield watch
    finally:
        window.close()
