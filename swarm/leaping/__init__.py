"""Many ticks of a crowd in one compiled call, with the very bytes of as many steps.

Where rule, body and task offer it and nobody else has a say, a tick is perceived, decided, stepped and counted by the
same kernels as in a step, one after the other, without coming back in between.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from swarm.leaping.parts import Part, Task

if TYPE_CHECKING:
    from swarm.leaping.ticking import Clocks, Log
    from swarm.recording import Recorder
    from swarm.simulation import Simulation

__all__ = ["BODIES", "RULES", "TASKS", "Leap", "can_leap", "leap", "offered", "pays"]

MOST = 300_000  # agents times ticks in one call: some tens of megabytes

# s: what it takes to compile a leap, and what a step takes by itself and for an agent; roughly, on two cores of 2025.
COMPILING, STEP, AGENT = 20.0, 4e-4, 2e-6

# What can be leapt with, by class (a class that is derived from one of these decides in its own way), and the module
# whose `offer` makes it ready for a call.
RULES = {
    "swarm.controllers.models.hadimassa.walkers.Hadimassa": "swarm.leaping.hadimassa",
    "swarm.controllers.models.crowd.time_gap.TimeGap": "swarm.leaping.time_gap",
}
BODIES = {
    "swarm.bodies.walker.body.Walkers": "swarm.leaping.walkers",
    "swarm.bodies.point.body.Points": "swarm.leaping.points",
}
TASKS = {
    "swarm.tasks.circulate.CirculateGoal": "swarm.leaping.circulate",
    "swarm.tasks.evacuate.EvacuateGoal": "swarm.leaping.evacuate",
}
LOOKS_FOR_ITSELF = {"swarm.leaping.hadimassa"}  # rules that need neither neighbours nor surfaces nor ways


class Leap(NamedTuple):
    """The parts of one call."""

    rule: Part
    body: Part
    task: Task
    sight: Part


def can_leap(sim: Simulation) -> bool:
    """Whether this simulation is such a crowd."""
    return sim.alone and offered(sim) is not None


def offered(sim: Simulation) -> Leap | None:
    """The parts for one call; None where one of them does not offer it as things stand."""
    names = [_name(sim.controller), _name(sim.body), _name(sim.goal)]
    modules = [table.get(name) for table, name in zip((RULES, BODIES, TASKS), names)]
    if None in modules:
        return None
    rule, body, task = (cast(Any, import_module(str(module))) for module in modules)
    from swarm.leaping import sight

    looks = modules[0] not in LOOKS_FOR_ITSELF or sim.body.radius > 0.0  # hulls meet by who sees whom
    eyes = sight.offer(sim, looks)
    moved = None if eyes is None else body.offer(sim)
    asked = None if moved is None else task.offer(sim, looks)
    if eyes is None or moved is None or asked is None:
        return None
    return Leap(rule.offer(sim), moved, asked, eyes)


def pays(sim: Simulation) -> bool:
    """Whether leaps save more time than they take: they are compiled already, or the run is long."""
    if not hasattr(sim.goal, "way") or sim.steps_planned * (STEP + sim.body.count * AGENT) > COMPILING:
        return True
    parts = offered(sim) if sim.alone else None
    if parts is None:
        return True  # it steps anyway
    from swarm.compiled import ready
    from swarm.leaping.ticking import log_in, tick_on

    clocks, log = _clocks(sim), log_in(sim._log.recorder.room(1))
    return ready(tick_on, 1, clocks, parts.rule.pack, parts.body.pack, parts.task.pack, parts.sight.pack, log)


def _clocks(sim: Simulation) -> Clocks:
    from swarm.leaping.ticking import Clocks

    return Clocks(sim.steps, sim.mission.swarm.command_hz, float(sim.body.speed_limit))


def leap(sim: Simulation, most: int, parts: Leap, recorder: Recorder) -> Log:
    """Make up to `most` ticks, none of which may end an episode.

    Returns:
        What they leave behind, as many ticks as were made, in the room of the recording. Body, rule and task are then
        where that many steps take them.
    """
    from swarm.leaping.ticking import Log, log_in, tick_on

    agents = sim.body.count
    count = max(1, min(most, MOST // agents))
    log = log_in(recorder.room(count))
    clocks = _clocks(sim)
    touched = tick_on(count, clocks, parts.rule.pack, parts.body.pack, parts.task.pack, parts.sight.pack, log)
    made = int(log.counts[0])
    log = Log(
        log.position[:made], log.velocity[:made], log.command[:made], log.heading[:made], log.clearance[:made],
        log.alive[:made], log.left[:made], log.counts, touched,
    )  # fmt: skip
    for part in (parts.rule, parts.task, parts.body):
        part.finish(log)
    return log


def _name(part: object) -> str:
    return f"{type(part).__module__}.{type(part).__qualname__}"
