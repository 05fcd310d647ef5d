"""Bodies: how a velocity command becomes motion. Engines load when one is built."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from swarm.bodies.contact import Contact
from swarm.schema import nearest

__all__ = ["BODIES", "Body", "Choice", "Contact", "choose_body", "make_body"]


@dataclass(frozen=True, slots=True)
class Body:
    """A kind of body; the first engine and the first model are the defaults."""

    home: str = ""  # "module:Class" of a body that has no engines
    engines: Mapping[str, str] = field(default_factory=dict)  # name to "module:Class"
    models: tuple[str, ...] = ()  # parameter sets
    most: int = 1_000_000  # agents
    wraps: bool = True  # whether it can live on a torus; else that becomes walls
    on_cells: bool = False  # whether it walks on a floor plan; a world without one becomes a hall
    dims: tuple[int, ...] = (2, 3)  # of the worlds it can live in
    motion: tuple[str, ...] = ()  # keys of [swarm.motion] that say how it moves


@dataclass(frozen=True, slots=True)
class Choice:
    """One body, engine and model; None where the body has no such choice."""

    body: str
    engine: str | None
    model: str | None


BODIES: Mapping[str, Body] = MappingProxyType(
    {
        "drone": Body(
            engines={"bullet": "swarm.bodies.drone.bullet:DroneBullet"},
            models=("cf2x", "cf2x_L250"),
            most=1000,
            wraps=False,
            dims=(3,),
        ),
        "point": Body(
            home="swarm.bodies.point.body:Points",
            motion=("lowest_speed", "acceleration", "turn_rate", "radius", "drift"),
        ),
        "walker": Body(
            home="swarm.bodies.walker.body:Walkers", wraps=False, on_cells=True, dims=(2,), motion=("radius",)
        ),
    }
)


def choose_body(body: str, engine: str | None, model: str | None, where: str, faults: list[str]) -> Choice | None:
    """Check the names and fill in defaults.

    Args:
        body: Name of the body.
        engine: Name of the engine; None takes the body's first.
        model: Name of the parameter set; None takes the body's first.
        where: What to put before ".body", ".engine" and ".model" in a fault.
        faults: Receives one line per unknown name.
    """
    if body not in BODIES:
        faults.append(f"{where}.body: expected one of {', '.join(BODIES)}, got {body!r}{nearest(body, BODIES)}")
        return None
    kind = BODIES[body]
    before = len(faults)
    for key, name, allowed in (("engine", engine, tuple(kind.engines)), ("model", model, kind.models)):
        if name is not None and name not in allowed:
            expected = f"one of {', '.join(allowed)}" if allowed else "none"
            faults.append(f"{where}.{key}: expected {expected} for a {body}, got {name!r}{nearest(name, allowed)}")
    if len(faults) > before:
        return None
    return Choice(body, engine or next(iter(kind.engines), None), model or next(iter(kind.models), None))


def make_body(choice: Choice, **options: Any) -> Any:
    """Build the chosen body; `options` go to it or its engine (count, physics_hz, command_hz, speed_limit)."""
    kind = BODIES[choice.body]
    module, _, name = (kind.home if choice.engine is None else kind.engines[choice.engine]).partition(":")
    engine = getattr(importlib.import_module(module), name)
    if choice.model is not None:
        options["model"] = choice.model
    return engine(**options)


def stand_in(choice: Choice) -> dict[str, float]:
    """What a point takes over from the body it stands in for: radius m, speed limit m/s, acceleration limit m/s^2.

    Rules that act on differences of velocity need a body that takes its time: without a limit on the acceleration a
    swarm told to align flips from step to step.
    """
    if choice.model is None:
        return {}
    from swarm.bodies.drone.models import MODELS

    model = MODELS[choice.model]
    return {
        "radius": model.airframe.hull_radius,
        "speed_limit": model.speed_limit,
        "acceleration_limit": model.acceleration_limit,
    }
