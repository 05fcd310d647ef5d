"""The first run ever: a second process compiles what is needed late, while this one compiles what is needed first."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def compiling_ahead() -> Iterator[None]:
    """Within this block a second process fills the cache of compiled kernels, if that is empty and a core is free."""
    from swarm.bodies.drone.flight import fly
    from swarm.compiled import on_disk
    from swarm.metrics.pair_kernel import pairs

    if (os.cpu_count() or 1) < 2 or (on_disk(fly) and on_disk(pairs)):
        yield
        return
    nowhere = subprocess.DEVNULL
    words = [sys.executable, "-m", "swarm.warm_up"]
    with subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere) as process:
        try:
            yield
        finally:
            process.terminate()


def compile_late_kernels() -> None:
    """Compile the flight of a drone and the scoreboard, by using them once."""
    import numpy as np

    from swarm.bodies.drone.bullet import DroneBullet
    from swarm.formations import slots
    from swarm.metrics.scoreboard import Scoreboard, Setting

    body = DroneBullet(count=1)
    body.reset(None, np.zeros((1, 3)), np.zeros(1))
    body.advance(np.zeros((1, 3)))
    body.close()
    shape = slots("v", 3, 1.0)
    board = Scoreboard(Setting(count=3, dim=3, dt=0.02, radius=0.06, formation=shape))
    place = np.repeat(shape[None], 2, axis=0)
    board.update(np.array([0.0, 0.02]), place, np.zeros_like(place), np.zeros_like(place), np.ones((2, 3)))


if __name__ == "__main__":
    compile_late_kernels()
