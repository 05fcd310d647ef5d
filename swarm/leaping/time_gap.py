"""The collision-free speed model in one compiled call with its crowd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.crowd.time_gap_pairs import walk_in_pairs
from swarm.leaping.parts import Part, decide, offers, point_the_way
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.simulation import Simulation


class Gaps(NamedTuple):
    """Parameters, as of `time_gap.walk`."""

    speed: float
    time_gap: float
    length: float
    strength: float
    distance: float
    wall_strength: float
    wall_distance: float


@kernel
def _decide(rule: Gaps, body: Any, task: Any, seen: Any, made: int, now: float, wanted: Floats) -> None:
    direction, rows = np.empty_like(wanted), seen.rows
    point_the_way(task, body.position, now, direction)
    walk_in_pairs(
        rows.indptr, rows.indices, rows.away, rows.distance, seen.wall_ptr, seen.wall_distance, seen.wall_normal,
        direction, rule.speed, rule.time_gap, rule.length, rule.strength, rule.distance, rule.wall_strength,
        rule.wall_distance, wanted,
    )  # fmt: skip


offers(decide, Gaps, _decide)


def offer(sim: Simulation) -> Part | None:
    """The rule for one call."""
    rule = sim.controller
    return Part(
        Gaps(
            float(min(rule.speed, sim.view.speed_limit)), float(rule.time_gap), float(rule.length),
            float(rule.strength), float(rule.distance), float(rule.wall_strength), float(rule.wall_distance),
        )
    )  # fmt: skip
