"""Where bodies that take room begin: places on the source cells that are free of others."""

from __future__ import annotations

import math

import numpy as np

from swarm.chance import whole
from swarm.state import Bools, Floats, Ints
from swarm.tasks.arriving import SOURCE
from swarm.worlds.floor_plan.plan import FloorPlan

GAP = 2.0  # hull diameters between hulls
SPARE = 2.0  # places for one agent


class Room:
    """Places on the source cells of a plan, as many as agents need or as keep a gap.

    Every source cell is divided into squares of one size, with a place in the middle of each.

    Args:
        plan: In its own units.
        agents: How many there are.
        radius: m of the plan, of a hull.
        gap: Hull diameters between hulls.
    """

    def __init__(self, plan: FloorPlan, agents: int, radius: float, gap: float = GAP) -> None:
        self.apart = 2.0 * (1.0 + gap) * radius  # m between centres
        rows, columns = np.nonzero(plan.source_cells)
        wanted, most = math.ceil(math.sqrt(SPARE * agents / len(rows))), math.floor(plan.cell / self.apart + 1e-9)
        parts = max(1, min(wanted, most))
        off = plan.cell * ((np.arange(parts) + 0.5) / parts - 0.5)
        within = np.stack(np.meshgrid(off, off, indexing="ij"), axis=-1).reshape(-1, 2)
        self.places: Floats = (plan.center_of(rows, columns)[:, None] + within).reshape(-1, 2)

    def free(self, standing: Floats) -> Bools:
        """(P,) which places have nobody of those at (K, 2) m within the distance that centres keep."""
        away = self.places[:, None] - standing
        return np.asarray(((away * away).sum(axis=-1) >= self.apart**2).all(axis=1))

    def share_out(self, agents: Ints, standing: Floats, seed: int, tick: int) -> tuple[Ints, Floats]:
        """Who gets a place now, and which: by their numbers in turn, the first free one from a random one on.

        Args:
            agents: (K,) who waits for one.
            standing: (A, 2) m, where others are.
            seed, tick: Of what is left to chance.

        Returns:
            (L,) agents and (L, 2) m, their places.
        """
        free, served, places = self.free(standing), [], []
        for agent in agents.tolist():
            if not free.any():
                break
            left = np.flatnonzero(free)
            first = whole(seed, tick, agent, SOURCE, len(self.places))
            place = self.places[left[np.searchsorted(left, first) % len(left)]]
            served.append(agent)
            places.append(place)
            free &= self.free(place[None])
        return np.array(served, np.int64), np.array(places).reshape(-1, 2)
