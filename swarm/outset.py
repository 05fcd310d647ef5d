"""What everybody is told when a run begins: perception, controllers and the scoreboard."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.briefing import Briefing
from swarm.crew import Crew
from swarm.metrics.setting import Setting
from swarm.mission import Mission
from swarm.state import PREDATOR, Floats
from swarm.tasks import Goal
from swarm.view import Senses

if TYPE_CHECKING:
    from swarm.worlds.world import World


def first_senses(mission: Mission, world: World, body: Any, dt: float) -> Senses:
    """What views are made with, before the task has said where to go."""
    perception = mission.swarm.perception
    return Senses(
        world=world, dt=dt, radius=body.radius, speed_limit=body.speed_limit,
        acceleration_limit=body.acceleration_limit, reach=perception.range,
        field_of_view=np.radians(perception.field_of_view), box=world.space.period, target=None, path=None, way=None,
        nearest=perception.nearest,
    )  # fmt: skip


def first_briefing(
    mission: Mission, senses: Senses, body: Any, goal: Goal, position: Floats, rng: np.random.Generator
) -> Briefing:
    """What controllers are told of all agents, who are at `position` (N, D) m."""
    world = senses.world
    return Briefing(
        world=world, count=len(position), dim=world.dim, dt=senses.dt, radius=body.radius,
        speed_limit=body.speed_limit, acceleration_limit=body.acceleration_limit, reaction_time=body.reaction_time,
        target=copy(goal.target), path=copy(goal.path), path_speed=copy(goal.path_speed),
        formation=mission.formation_slots(world.dim), position=position.copy(), rng=rng,
        gates=getattr(goal, "gates", ()),
    )  # fmt: skip


def setting_of(mission: Mission, world: World, dt: float, radius: float, crew: Crew) -> Setting:
    """What the scoreboard must know of this run."""
    return Setting(
        count=len(crew.role), dim=world.dim, dt=dt, radius=radius,
        near_miss_radius=mission.measure.near_miss or 3.0 * radius, interaction_range=mission.interaction_range,
        formation=mission.formation_slots(world.dim), measure_from=mission.measure.from_, box=world.space.period,
        reference=world.wind_direction if world.wind else 0.0,
        member=crew.role != PREDATOR if len(crew.predators) else None, predators=len(crew.predators),
    )  # fmt: skip
