"""Hadimassa's rule in one compiled call with its crowd: it looks about for itself, on the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from swarm.compiled import kernel
from swarm.controllers.models.hadimassa.decision import Habits, Minds
from swarm.controllers.models.hadimassa.decision import decide as decide_all
from swarm.controllers.models.hadimassa.perception import Crowd
from swarm.controllers.models.hadimassa.way import Ways
from swarm.leaping.parts import Part, decide, offers
from swarm.state import Floats
from swarm.worlds.floor_plan.places import Ground

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.simulation import Simulation


class Walkers(NamedTuple):
    """What the rule needs."""

    minds: Minds
    habits: Habits
    crowd: Crowd
    ground: Ground
    ways: Ways
    ticks: int  # before


@kernel
def _decide(rule: Walkers, body: Any, task: Any, seen: Any, made: int, now: float, wanted: Floats) -> None:
    decide_all(
        body.position, body.alive, rule.minds, rule.habits, rule.ticks + made + 1, rule.ground, rule.ways, rule.crowd,
        wanted,
    )  # fmt: skip


offers(decide, Walkers, _decide)


def offer(sim: Simulation) -> Part | None:
    """The rule for one call."""
    rule = sim.controller
    ground = rule.ground(sim.view.floor_plan)

    def finish(log: Log) -> None:
        rule.ticks += int(log.counts[0])

    return Part(
        Walkers(
            rule.remembered(sim.view), rule.habits(sim.dt), rule.crowd(ground, sim.body.count), ground,
            rule.ways(ground), rule.ticks,
        ),
        finish,
    )  # fmt: skip
