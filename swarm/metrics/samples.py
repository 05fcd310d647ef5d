"""What is kept of every sample of a recording, and which series it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from swarm.metrics import motion_kernel as motions
from swarm.metrics import pair_kernel as pairings
from swarm.metrics.formation import DISTANCE_ERROR, ERROR
from swarm.metrics.heading import direction
from swarm.state import Floats, Ints

# Where the kernels leave each series.
MOTION = {
    "order": motions.ORDER, "milling": motions.MILLING, "speed": motions.SPEED, "phi_vel": motions.SPEED,
    "compactness": motions.COMPACTNESS, "compactness_sd": motions.COMPACTNESS_SD, "control_effort": motions.EFFORT,
    "min_clearance": motions.CLEARANCE, "phi_wall": motions.OUTSIDE,
}  # fmt: skip
PAIRS = {
    "min_separation": pairings.SEPARATION, "nearest_neighbour": pairings.NEAREST, "groups": pairings.GROUPS,
    "union": pairings.UNION, "safety": pairings.SAFETY, "phi_corr": pairings.PHI_CORR, "phi_coll": pairings.PHI_COLL,
    "phi_disc": pairings.PHI_DISC, "phi_cluster": pairings.PHI_CLUSTER,
}  # fmt: skip
FIT = {"formation_error": ERROR, "formation_distance_error": DISTANCE_ERROR}
COMPUTED = {*MOTION, *PAIRS, *FIT, "mean_heading", "connectivity"}


@dataclass(frozen=True, eq=False)
class Samples:
    """T samples, measured."""

    time: Floats  # (T,) s
    motion: Floats  # (T, motion_kernel.COLUMNS)
    pairs: Floats  # (T, pair_kernel.COLUMNS)
    fit: Floats  # (T, 2), or (T, 0) without a formation
    closest: Ints  # (T, 2) pair of least separation, -1 for none
    lowest: Ints  # (T,) agent of least clearance, -1 for none
    more: dict[str, Floats]  # (T,) each, the rest by name

    def series(self, reference: float | Floats) -> dict[str, Floats]:
        """Name to (T,) values; `reference` rad, one or (T,), is where mean_heading counts from."""
        series = {name: self.motion[:, k] for name, k in MOTION.items()}
        series |= {name: self.pairs[:, k] for name, k in PAIRS.items()}
        if self.fit.shape[1]:
            series |= {name: self.fit[:, k] for name, k in FIT.items()}
        x, y = self.motion[:, motions.HEADING_X], self.motion[:, motions.HEADING_Y]
        series["mean_heading"] = direction(x, y, reference)
        return series | self.more

    def last(self) -> Samples:
        """The last sample alone."""
        arrays: dict[str, Any] = {name: getattr(self, name)[-1:] for name in _ARRAYS}
        return Samples(**arrays, more={name: values[-1:] for name, values in self.more.items()})


_ARRAYS = ("time", "motion", "pairs", "fit", "closest", "lowest")


def nothing(fit_columns: int, more: Sequence[str]) -> Samples:
    """No samples yet."""
    return Samples(
        np.empty(0), np.empty((0, motions.COLUMNS)), np.empty((0, pairings.COLUMNS)), np.empty((0, fit_columns)),
        np.empty((0, 2), np.int64), np.empty(0, np.int64), {name: np.empty(0) for name in more},
    )  # fmt: skip


def joined(parts: Sequence[Samples]) -> Samples:
    """Samples one after the other."""
    arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}
    return Samples(**arrays, more={name: np.concatenate([part.more[name] for part in parts]) for name in parts[0].more})
