"""Wind: the same everywhere, steady or in gusts, as a formula of time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta

from swarm.schema import build
from swarm.state import Floats

ROUNDING = 1e-9  # of a gust's length, by which a time may fall short of its beginning


@dataclass(frozen=True)
class Gusts:
    """How a wind changes from time to time."""

    every: float  # s
    turn: float = math.pi  # rad, most that a gust's direction is off the wind's; pi: any direction
    speed: float = 0.0  # m/s, most that a gust's speed is off the wind's


@dataclass(frozen=True)
class Wind:
    """Air that moves as one.

    With gusts the air moves for the first `every` seconds as the wind says, then as each gust k = 1, 2, ... does for as
    long: its direction is drawn from the wind's give or take `turn`, its speed from the wind's give or take its own,
    and never below 0. Gust k depends on the seed and on k alone, so any time can be asked for first.
    """

    direction: float  # rad from +x towards +y
    speed: float  # m/s
    climb: float = 0.0  # rad upwards, three dimensions
    gusts: Gusts | None = None
    seed: tuple[int, ...] = (0,)  # of the gusts: the run's, and which wind it is

    def at(self, time: float) -> tuple[float, float, float]:
        """Velocity of the air in m/s, world frame; before 0 as at 0."""
        number = 0 if self.gusts is None else max(math.floor(time / self.gusts.every + ROUNDING), 0)
        return _blowing(self, number)

    def scaled(self, factor: float) -> Wind:
        """The same wind, its speeds times a factor."""
        gusts = None if self.gusts is None else replace(self.gusts, speed=factor * self.gusts.speed)
        return replace(self, speed=factor * self.speed, gusts=gusts)


@lru_cache(maxsize=256)
def _blowing(wind: Wind, number: int) -> tuple[float, float, float]:
    direction, speed, gusts = wind.direction, wind.speed, wind.gusts
    if gusts is not None and number > 0:
        turn, more = np.random.default_rng([*wind.seed, number]).uniform(-1.0, 1.0, 2).tolist()
        direction, speed = direction + turn * gusts.turn, max(speed + more * gusts.speed, 0.0)
    level = speed * math.cos(wind.climb)
    return level * math.cos(direction), level * math.sin(direction), speed * math.sin(wind.climb)


def blowing(winds: Sequence[Wind], time: float, dim: int) -> Floats:
    """(dim,) m/s, the sum of all winds at a time in s."""
    total = np.zeros(dim)
    for wind in winds:
        total += wind.at(time)[:dim]
    return total


@dataclass(frozen=True)
class GustKeys:
    """Key `gusts` of a wind."""

    every: Annotated[float, Meta(ge=0.001, le=1e6)]  # s
    turn: Annotated[float, Meta(ge=0, le=180)] | Literal["any"] = "any"  # degrees
    speed: Annotated[float, Meta(ge=0, le=100)] = 0.0  # m/s
    seed: Annotated[int, Meta(ge=0)] | None = None  # default: the run's


@dataclass(frozen=True)
class WindKeys:
    """Keys of an entry of [[wind]]."""

    direction: Annotated[float, Meta(ge=-360, le=360)]  # degrees from +x towards +y, where the air goes
    speed: Annotated[float, Meta(ge=0, le=100)]  # m/s
    climb: Annotated[float, Meta(ge=-90, le=90)] = 0.0  # degrees upwards
    gusts: GustKeys | None = None  # steady if absent


def read_winds(entries: object, where: str, dim: int, seed: int, faults: list[str]) -> tuple[Wind, ...]:
    """Read [[wind]].

    Args:
        entries: What the file holds.
        where: Prefix of every message.
        dim: Of the world.
        seed: Of the run; makes the gusts unless they have a seed of their own.
        faults: Gets one line for each fault.
    """
    winds: list[Wind] = []
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        faults.append(f"{where}: expected a list of tables")
        return ()
    for index, entry in enumerate(entries):
        keys = build(WindKeys, entry, f"{where}[{index}]", faults)
        if keys is None:
            continue
        if dim == 2 and keys.climb != 0.0:
            faults.append(f"{where}[{index}].climb: expected 0 in a world of two dimensions, got {keys.climb:g}")
            continue
        gusts, drawn = None, seed
        if keys.gusts is not None:
            turn = math.pi if keys.gusts.turn == "any" else math.radians(keys.gusts.turn)
            gusts = Gusts(keys.gusts.every, turn, keys.gusts.speed)
            drawn = seed if keys.gusts.seed is None else keys.gusts.seed
        winds.append(Wind(math.radians(keys.direction), keys.speed, math.radians(keys.climb), gusts, (drawn, index)))
    return tuple(winds)


def drawn_by_the_run(table: Mapping[str, Any]) -> bool:
    """Whether a world table has gusts that the run's seed makes."""
    entries = table.get("wind", ())
    if not isinstance(entries, (list, tuple)):
        return False
    gusts = [entry["gusts"] for entry in entries if isinstance(entry, Mapping) and "gusts" in entry]
    return any(isinstance(each, Mapping) and "seed" not in each for each in gusts)
