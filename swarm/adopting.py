"""A run goes on with a mission in which something is other than before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from swarm.changes import give_params
from swarm.crew import begin
from swarm.mission import Mission
from swarm.state import copied, resized

if TYPE_CHECKING:
    from swarm.simulation import Simulation


def adopt(sim: Simulation, mission: Mission) -> None:
    """Go on with another mission, in which only what `Simulation.change` allows is other."""
    before, sim.mission = sim.mission, mission
    if mission.controller is not before.controller:
        give_params(sim.controller, mission)
    if mission.swarm.speed_limit != before.swarm.speed_limit:
        _limit(sim, mission)
    if mission.task != before.task or mission.swarm.count != before.swarm.count:
        cast(Any, sim.goal).change(mission.task, mission.swarm.count, sim._state)
        agents = sim.body.count
        if mission.swarm.count > agents:
            _make_room(sim, mission.swarm.count)
        sim._move_on()
        if sim.body.count > agents:
            _introduce(sim)
    sim._perceive()


def take_back(sim: Simulation, mission: Mission) -> None:
    """Controller, body and crew are as the mission wants them again, whatever was changed in the run before."""
    if mission.controller is not sim.mission.controller:
        give_params(sim.controller, mission)
    if mission.swarm.speed_limit != sim.mission.swarm.speed_limit:
        _limit(sim, mission)
    if sim.body.count != mission.swarm.total:
        sim.body.resize(mission.swarm.total)
        sim._crew.resize(mission.swarm.total)
    sim.mission = mission


def _make_room(sim: Simulation, count: int) -> None:
    """For more agents, who are not alive until the task puts them somewhere."""
    sim._crew.resize(count)
    sim._state = sim.body.resize(count)
    sim.state = copied(sim._state)
    sim._detector.resize(count)
    sim.command = resized(sim.command, count)


def _introduce(sim: Simulation) -> None:
    """Tell recording, controller and filter of those who have joined."""
    state = sim._state
    sim._log.resize(state)
    sim.briefing = briefing = replace(
        sim.briefing, count=len(state.position), position=state.position.copy(), role=sim._crew.role.copy()
    )
    sim._crew.tell(briefing)
    begin(sim._filter, briefing, f"{sim.mission.file}: safety: reset(briefing) of the filter")


def _limit(sim: Simulation, mission: Mission) -> None:
    sim.body.limit(mission.swarm.speed_limit)
    sim._senses = replace(sim._senses, speed_limit=sim.body.speed_limit)
