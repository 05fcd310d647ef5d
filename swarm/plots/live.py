"""A live window on a flight of points: the same page as in films, beside the flight and not in it."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.plots import style
from swarm.plots.following import live_window
from swarm.plots.moment import CROWD_TRAIL, Watched
from swarm.plots.numbers import Number, present_numbers
from swarm.plots.pace import pace
from swarm.plots.screen import open_window
from swarm.plots.sketch import sketch
from swarm.plots.stage import Stage
from swarm.state import MEMBER

if TYPE_CHECKING:
    from swarm.simulation import Simulation

SIZE = (1280, 720)  # pixels
DPI = 100.0
PER_SECOND = 30.0  # pictures


class LiveWindow:
    """A window on a simulation.

    Args:
        sim: What is flown.

    Attributes:
        pace: Simulated seconds shown in a second.

    Raises:
        BadInput: There is no display, or no toolkit for windows.
    """

    def __init__(self, sim: Simulation) -> None:
        self.pace = pace(sim.dt)
        state, world = sim.state, sim.world
        task = sketch(sim.mission.task, world)
        self._leaves = task.leaves
        places = task.places.reshape(-1, world.dim)
        window = live_window(world, state.position, places if len(places) else None)
        cut = None if world.dim == 2 else round(float(np.median(state.position[:, 2])), 1)
        members = int((state.role == MEMBER).sum())
        title = f"{sim.mission.name}, seed {sim.seed}: {members} × {sim.choice.body}, {sim.controller_name}"
        with style.styled():
            self._stage = Stage(world, task, state.role, window, SIZE, DPI, title, cut, self.pace)
            self._stage.keep_shape()
            self._manager = open_window(self._stage.page, title)
        self._open = True
        canvas: Any = self._stage.canvas
        canvas.mpl_connect("close_event", self._closed)
        canvas.mpl_connect("resize_event", lambda _: self._stage.forget())
        self._out = task.out if task.leaves else None
        self._watch(sim)
        self._reach = sim.mission.interaction_range
        self._next = self._rested = -np.inf
        self.show(sim)

    def _watch(self, sim: Simulation) -> None:
        """Follow those who are there now."""
        kept = round(CROWD_TRAIL * min(PER_SECOND, self.pace / sim.dt))
        self._count = len(sim.state.position)
        self._watched = Watched(sim.world, self._count, kept, self._out)

    def _closed(self, _: object) -> None:
        self._open = False

    def show(self, sim: Simulation) -> bool:
        """Show where everybody is now; False once the window was closed."""
        if not self._open:
            return False
        began = perf_counter()
        state = sim.state
        if state.time < self._next or began < self._rested:
            return True
        canvas: Any = self._stage.canvas
        if len(state.position) != self._count:  # others have joined
            self._watch(sim)
            self._stage.cast(state.role)
        with style.styled():
            numbers = present_numbers(state, sim.world, self._reach)
            moment = self._watched.add(state)
            if self._leaves:
                numbers.append(Number(self._leaves, str(len(moment.left))))
            self._stage.draw(moment, numbers, plan=sim.world.floor_plan)
        canvas.blit(self._stage.page.bbox)
        canvas.flush_events()
        self._next = state.time + 0.999 * self.pace / PER_SECOND
        now = perf_counter()
        self._rested = now + 0.25 * (now - began)  # a slow display leaves some of the time to the flight
        return self._open

    def close(self) -> None:
        """Close the window; a second call does nothing."""
        if self._open:
            self._open = False
            self._manager.destroy()
