"""The floor-field automaton: one walker a cell, drawn by the way to go and by the traces of others."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.crowd.cells import AROUND, Cells, cells_of
from swarm.controllers.models.crowd.hopping import chances, resolve, spread
from swarm.controllers.rules.directions import capped
from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.view import View

Gain = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass
class FloorField:
    """A cellular automaton as a controller: each walker is commanded to the middle of the cell that it hops to::

        p_ij = N exp(k_S S_ij) exp(k_D D_ij) (1 − n_ij) ξ_ij       over the own cell and its four neighbours

    S: minus the way to go, in cells; D: what walkers have left there, without one's own last; n: 1 where somebody else
    stands; ξ: 0 where nobody can stand. All hop at once, one hop a cell time. Of several that choose one cell one goes,
    each as likely, or with the probability `friction` none. Who goes leaves 1 in D where it was; then

        D <- (1 − decay) ((1 − diffusion) D + diffusion / 4 Σ_neighbours D)

    A cell time is the number of command periods nearest to cell / speed. Who has no way to go stays.

    Source: Burstedde, Klauck, Schadschneider, Zittartz (2001); Kirchner, Schadschneider (2002), equations 1 and 2;
    friction: Kirchner, Nishinari, Schadschneider (2003). Cells of 0.4 m; 0.3 s a hop at 1.34 m/s.

    Args:
        speed: m/s, of a walker that hops every time.
        cell: m.
        k_static, k_dynamic: k_S and k_D.
        diffusion, decay, friction: Shares.
    """

    speed: Annotated[float, Meta(gt=0)] = 1.34
    cell: Annotated[float, Meta(gt=0)] = 0.4
    k_static: Gain = 10.0
    k_dynamic: Gain = 1.0
    diffusion: Share = 0.3
    decay: Share = 0.3
    friction: Share = 0.0

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _cells: Cells | None = field(default=None, init=False, repr=False, compare=False)
    _at: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64), init=False, repr=False, compare=False)
    _from: Ints = field(default_factory=lambda: np.empty(0, np.int64), init=False, repr=False, compare=False)
    _traces: Floats = field(default_factory=lambda: np.empty((0, 0, 0)), init=False, repr=False, compare=False)
    _calls: int = field(default=0, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers; walkers find their cells when they are first seen."""
        self._rng, self._cells, self._calls = briefing.rng, None, 0

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s.

        Raises:
            BadInput: More walkers than free cells, or too many cells.
        """
        cells = self._settle(view)
        hop = max(1, round(self.cell / self.speed / view.dt))
        phase = self._calls % hop
        if phase == 0:
            self._hop(view, cells)
        self._calls += 1
        there = np.array(view.position)
        there[:, :2] = cells.center(self._at)
        command = view.space.displacement(view.position, there) / ((hop - phase) * view.dt)
        return capped(command, view.speed_limit)

    def _settle(self, view: View) -> Cells:
        """The cells of this run, everybody in one."""
        if self._cells is not None and len(self._at) == len(view.position):
            return self._cells
        height = 0.0
        if view.dim == 3:  # on the level of the swarm, off floor and ceiling
            low, high = view.bounds[:, 2]
            room = min(2.0 * view.radius, 0.5 * float(high - low))
            height = float(np.clip(view.position[:, 2].sum() / max(len(view.position), 1), low + room, high - room))
        cells = cells_of(view.senses.world.still, self.cell, view.radius, height)
        if len(view.position) and not cells.free.any():
            raise BadInput(f"floor-field: expected cells of {self.cell:g} m with room for a walker, found none")
        self._at = np.zeros((len(view.position), 2), np.int64)
        living = np.flatnonzero(view.alive)
        self._at[living] = cells.settled(view.position[living, :2], view.world_index[living])
        self._from = np.zeros(len(self._at), np.int64)
        worlds = int(view.world_index.max(initial=0)) + 1
        self._traces = np.zeros((worlds, *cells.free.shape))
        self._cells = cells
        return cells

    def _hop(self, view: View, cells: Cells) -> None:
        """Draw everybody's next cell."""
        rng = self._rng = self._rng or np.random.default_rng(0)
        agents = len(self._at)
        draws = rng.random((3, agents))
        static = self._static(view, cells)
        going = view.alive & (view.route_direction != 0.0).any(axis=1)
        own = (1.0 - self.decay) * (1.0 - self.diffusion)
        chance = chances(
            self._at, self._from, view.alive, view.world_index, static, self._traces, cells.free, cells.wraps,
            self.k_static, self.k_dynamic, own,
        )  # fmt: skip
        target = resolve(
            self._at, chance, going, view.world_index, draws[0], draws[1], draws[2], self.friction,
            self._traces, cells.wraps,
        )  # fmt: skip
        self._from = target[:, 2].copy()
        self._at = np.ascontiguousarray(target[:, :2])
        spread(self._traces, cells.free, cells.wraps, self.diffusion, self.decay)

    def _static(self, view: View, cells: Cells) -> Floats:
        """(A, 5) minus the way to go, in cells, from the own cell and its neighbours, less that from the own."""
        agents, shape = len(self._at), np.array(cells.free.shape)
        static = np.zeros((agents, len(AROUND)))
        route = None if view.senses.way is None else view.senses.way.route
        for k, step in enumerate(AROUND):
            cell = self._at + step
            cell = np.where(cells.wraps, cell % shape, cell)
            points = np.array(view.position)
            points[:, :2] = cells.center(cell)
            if route is not None:
                static[:, k] = -route.toward(points)[0]
            elif view.target is not None:
                off = view.space.displacement(points, view.target)
                static[:, k] = -np.sqrt((off * off).sum(axis=1))
        own = static[:, :1].copy()
        known = np.isfinite(own)  # where there is no way, none is shorter than another
        static -= np.where(known, own, 0.0)
        static[~(known & np.isfinite(static))] = -math.inf
        return static / self.cell
