"""Who is in the swarm beside its members: leaders among them, and predators after them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.spawn import Spawn, place
from swarm.state import LEADER, MEMBER, PREDATOR, Floats, Ints

if TYPE_CHECKING:
    from swarm.mission import Swarm
    from swarm.worlds.world import World

NUMBERS = {"leader": LEADER, "predator": PREDATOR}


@dataclass(frozen=True)
class ControllerChoice:
    """Who decides."""

    use: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Capture:
    """How a predator catches, and what it gets from it."""

    radius: Annotated[float, Meta(gt=0)]  # m between centres within which the nearest of the flock is caught
    hunger: Annotated[float, Meta(ge=0)] = 100.0  # at the start
    gain: float = 50.0  # of hunger, for each one caught
    loss: Annotated[float, Meta(ge=0)] = 0.1  # of hunger, 1/s; never below 0


@dataclass(frozen=True)
class Role:
    """Some agents that are told by a controller of their own."""

    role: Literal["leader", "predator"]
    controller: ControllerChoice
    count: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    spawn: Spawn | None = None  # default: as the members where those are spread at random, else all over the world
    capture: Capture | None = None  # predators only; default: they catch nobody

    def __post_init__(self) -> None:
        if self.capture is not None and self.role != "predator":
            raise BadInput(f"capture: expected none for a {self.role}; only predators catch")


def numbers(swarm: Swarm) -> Ints:
    """(N,) MEMBER, LEADER or PREDATOR of every agent: the members first, then the roles in order."""
    parts = [np.full(swarm.count, MEMBER, np.int64)]
    parts += [np.full(role.count, NUMBERS[role.role], np.int64) for role in swarm.roles]
    return np.concatenate(parts)


def params_of(role: Role, members: ControllerChoice) -> dict[str, Any]:
    """Parameters of a role's controller; the `variant` of the members' holds for it as well, unless it has its own."""
    from swarm.controllers.choice import CONTROLLERS, find

    shared = "variant"
    if shared not in members.params or shared in role.controller.params or role.controller.use not in CONTROLLERS:
        return role.controller.params
    known = {field.name for field in fields(find(CONTROLLERS[role.controller.use]))}
    return {**role.controller.params, shared: members.params[shared]} if shared in known else role.controller.params


def spawn_of(swarm: Swarm, role: Role) -> Spawn:
    """Where a role starts."""
    if role.spawn is not None:
        return role.spawn
    return swarm.spawn if swarm.spawn.shape == "uniform" else Spawn()


def place_all(
    swarm: Swarm, world: World, radius: float, target: Floats | None, rng: np.random.Generator, where: str
) -> tuple[Floats, Floats]:
    """Where everybody starts: position (N, D) m and heading (N,) rad; arguments as for `swarm.spawn.place`."""
    position, heading = place(swarm.spawn, world, swarm.count, radius, target, rng, f"{where}.spawn")
    for k, role in enumerate(swarm.roles):
        own = f"{where}.roles[{k}].spawn"
        more = place(spawn_of(swarm, role), world, role.count, radius, target, rng, own, taken=position)
        position, heading = np.concatenate([position, more[0]]), np.concatenate([heading, more[1]])
    return position, heading
