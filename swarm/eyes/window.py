"""Bullet's window: the same stage as in films, on the screen, beside the flight and not in it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from swarm.errors import BadInput
from swarm.eyes.scenery import TALL, lifted
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.simulation import Simulation

WIDTH, HEIGHT = 1280, 720
PER_SECOND = 30.0  # pictures
SETTLING = 1.5  # s in which the camera makes up for two thirds of how far it is behind
PATIENCE = 60.0  # s that a window may take to open
_TRY = "from swarm.worlds.engine import pybullet\nprint('opened', pybullet.connect(pybullet.GUI) >= 0, flush=True)"


@cache
def check_display(where: str = "--gui") -> None:
    """Refuse where no window can be opened.

    Where there is no display, or one without OpenGL, PyBullet ends the whole process; so another one tries first.

    Raises:
        BadInput: One line saying why.
    """
    if sys.platform.startswith("linux"):
        display = os.environ.get("DISPLAY", "")
        if not display:
            raise BadInput(f"{where}: there is no display to open a window on ($DISPLAY is not set)")
        try:
            found = subprocess.run(
                [sys.executable, "-c", _TRY], capture_output=True, text=True, timeout=PATIENCE, check=False,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BadInput(f"{where}: no window opened on display {display} within {PATIENCE:g} s") from None
        if "opened True" not in found.stdout:
            silent = "cannot connect" in found.stdout + found.stderr
            reason = "nothing answers there" if silent else "it has no OpenGL for Bullet"
            raise BadInput(f"{where}: no window can be opened on display {display}: {reason}")


class Window:
    """A window on a simulation.

    Args:
        sim: What is flown.

    Raises:
        BadInput: There is no display.
    """

    def __init__(self, sim: Simulation) -> None:
        check_display()
        from swarm.worlds.engine import pybullet

        self._bullet = pybullet
        with _silent():
            self._open(sim)
        self._next = self._rested = -np.inf
        self._time = 0.0
        self._middle: Floats | None = None
        self._course = 0.0
        self._distance = 3.0
        self.show(sim)

    def _open(self, sim: Simulation) -> None:
        from swarm.eyes.props import Cast, Marks
        from swarm.eyes.stage import Stage

        pybullet = self._bullet
        self._client: int = pybullet.connect(pybullet.GUI, options=f"--width={WIDTH} --height={HEIGHT}")
        if self._client < 0:
            raise BadInput("--gui: a window of Bullet is open already")
        options = {"physicsClientId": self._client}
        for feature in (pybullet.COV_ENABLE_GUI, pybullet.COV_ENABLE_SHADOWS, pybullet.COV_ENABLE_RENDERING):
            pybullet.configureDebugVisualizer(feature, 0, **options)
        world, count = sim.world, len(sim.state.position)
        target = getattr(sim.goal, "target", None)
        radius = getattr(sim.mission.task, "radius", 0.5)
        size = 2.0 if count > 1 else 1.5  # specks else
        self._stage = Stage(
            world, Cast(count, size * sim.body.radius, sim.choice.body == "drone"),
            marks=Marks(target, float(radius) if isinstance(radius, (int, float)) else 0.5), client=self._client,
        )  # fmt: skip
        pybullet.configureDebugVisualizer(pybullet.COV_ENABLE_RENDERING, 1, **options)

    def show(self, sim: Simulation) -> bool:
        """Show where everybody is now; False once the window was closed."""
        bullet, state = self._bullet, sim.state
        if not bullet.isConnected(self._client):
            return False
        began = perf_counter()
        if state.time < self._next or began < self._rested:
            return True
        self._stage.show(state.time, state.position, state.velocity, state.attitude, state.alive)
        self._follow(sim)
        self._next = state.time + 1.0 / PER_SECOND
        now = perf_counter()
        self._rested = now + (now - began)  # a slow display takes half of the time at most
        return True

    def _follow(self, sim: Simulation) -> None:
        state = sim.state
        who = state.alive if state.alive.any() else np.ones_like(state.alive)
        middle = lifted(state.position[who].mean(axis=0), 0.5 * TALL)
        velocity = state.velocity[who].mean(axis=0)
        spread = float(np.linalg.norm(state.position[who] - state.position[who].mean(axis=0), axis=1).max())
        distance = 1.3 + 1.2 * min(spread, 40.0)
        ahead = velocity[:2] if np.hypot(*velocity[:2]) > 0.2 else None
        first = self._middle is None
        share = 1.0 if first else 1.0 - np.exp(-(state.time - self._time) / SETTLING)
        if first and ahead is None:
            target = getattr(sim.goal, "target", None)
            ahead = np.array([1.0, 0.0]) if target is None else np.asarray(target)[:2] - middle[:2]
        if ahead is not None:
            turn = np.arctan2(ahead[1], ahead[0]) - self._course
            self._course += share * float(np.arctan2(np.sin(turn), np.cos(turn)))
        quick = min(1.0, 3.0 * share)
        self._middle = middle if self._middle is None else self._middle + quick * (middle - self._middle)
        self._distance += share * (distance - self._distance)
        self._time = state.time
        self._bullet.resetDebugVisualizerCamera(
            self._distance, float(np.degrees(self._course)) - 90.0, -24.0, self._middle.tolist(),
            physicsClientId=self._client,
        )  # fmt: skip

    def close(self) -> None:
        """Close the window; a second call does nothing."""
        with _silent():
            self._stage.close()


@contextmanager
def _silent() -> Iterator[None]:
    """What Bullet prints about its window, in C, goes nowhere: standard output is for the report."""
    if sys.stdout is not None:
        sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # closed: nothing can be printed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
