"""What a scoreboard must know beside the recording."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swarm.errors import BadInput
from swarm.metrics.vasarhelyi import Flocking
from swarm.state import Bools, Floats

Reference = float | Floats | Callable[[Floats], Floats]  # one for all samples, (T,) one for each, or from their times


@dataclass(frozen=True, eq=False)
class Setting:
    """What a scoreboard must know beside the recording."""

    count: int  # N agents in the recording
    dim: int  # 2 or 3
    dt: float  # s between samples
    radius: float  # m, of the hull
    near_miss_radius: float | None = None  # m between centres; default 3 radii
    interaction_range: float = math.inf  # m between centres, up to which two agents interact
    formation: Floats | None = None  # (M, D) m slots
    measure_from: float = 0.0  # s; means are over samples at or after it
    box: Floats | None = None  # (D,) m, period of each axis of a torus, 0 where it does not wrap
    collision_radius: float | None = None  # m, of the ball safety and phi_coll keep free about an agent; default radius
    cluster_range: float | None = None  # m between centres, for the phi_*; default interaction_range
    flocking: Flocking | None = None  # wanted flight, for vasarhelyi_fitness
    reference: Reference = 0.0  # rad, direction mean_heading counts from, such as the wind's
    member: Bools | None = None  # (N,) who is measured; default all
    predators: int = 0  # P who hunt them

    def reference_at(self, time: Floats, first: int = 0) -> float | Floats:
        """rad, the reference at samples.

        Args:
            time: (T,) s.
            first: Which sample of the recording the first of them is.

        Raises:
            BadInput: There is one for each sample, and there are fewer than samples.
        """
        if callable(self.reference):
            return np.asarray(self.reference(time), np.float64)
        if np.ndim(self.reference) == 0:
            return float(self.reference)
        given = np.asarray(self.reference, np.float64)[first : first + len(time)]
        if len(given) < len(time):
            raise BadInput(f"reference: expected one for each of {first + len(time)} samples, got {first + len(given)}")
        return given

    def __post_init__(self) -> None:
        faults = [
            f"{name}: expected more than 0, got {getattr(self, name)}"
            for name in ("count", "dt")
            if not getattr(self, name) > 0
        ]
        if not self.radius >= 0:  # points have none
            faults.append(f"radius: expected 0 or more, got {self.radius}")
        if self.dim not in (2, 3):
            faults.append(f"dim: expected 2 or 3, got {self.dim}")
        for name, shape in (("box", (self.dim,)), ("member", (self.count,))):
            value = getattr(self, name)
            if value is not None and np.shape(value) != shape:
                faults.append(f"{name}: expected shape {shape}, got {np.shape(value)}")
        if self.formation is not None:
            if np.shape(self.formation)[1:] != (self.dim,):
                faults.append(f"formation: expected rows of {self.dim} numbers, got {np.shape(self.formation)}")
            elif len(self.formation) < (self.count if self.member is None else int(np.sum(self.member))):
                faults.append(f"formation: expected a slot for each of {self.count} agents, got {len(self.formation)}")
        if faults:
            raise BadInput(*faults)
