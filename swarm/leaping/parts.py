"""What a rule, a body, a task and perception offer for many ticks in one compiled call.

Each offers a named tuple of what it needs, a kernel for each of the verbs below whose first argument that tuple is, and
a function `offer(sim)` that makes the tuple for one call, or says that it cannot. Which kernel is meant is settled by
the class of the tuple when the call is compiled, so a loop of verbs costs what one written out would.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.extending import overload

from swarm.compiled import kernel
from swarm.state import Bools, Floats, State

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log

# Columns of what a body reports of those who begin to touch something.
AGENT, OTHER, SURFACE, SPEED, X, Y, AWAY_X, AWAY_Y, DISTANCE = range(9)
TOUCH = 9


def verb(name: str) -> Any:
    """A function of compiled code whose kernel is that of the class of its first argument."""
    kernels: dict[type, Callable[..., Any]] = {}

    def act(pack: Any, *rest: Any) -> Any:
        return kernels[type(pack)](pack, *rest)

    def chosen(pack: Any, *rest: Any) -> Any:
        found = kernels.get(getattr(pack, "instance_class", object))
        if found is None:
            return None

        def run(pack: Any, *rest: Any) -> Any:
            return found(pack, *rest)

        return run

    act.__name__ = name
    overload(act)(chosen)
    act.kernels = kernels  # type: ignore[attr-defined]
    return act


def offers(verb_: Any, pack: type, function: Callable[..., Any]) -> None:
    """From now on `function` is the kernel of a verb for a class of named tuples."""
    verb_.kernels[pack] = function


# Of a rule: (rule, body, task, seen, made, now, wanted): velocities (A, 2) m/s, written, after `made` ticks at `now` s.
decide = verb("decide")
# Of a body: (body, command) moves everybody for a tick; (body, seen) says who meets whom. Both give (K, TOUCH) rows.
walk, meet = verb("walk"), verb("meet")
# Of a body: (body, going, coming, place) takes out who is gone and puts those who are coming at their places (A, 2) m.
settle = verb("settle")
# Of a task: (task, body, made, time, place, going, coming) gives how many have arrived, and whether that may be all.
arrive = verb("arrive")
# Of a task: (task, position, now, direction) writes unit directions (A, 2) of the way to go.
point_the_way = verb("point_the_way")
# Of perception: (sight) is what is seen before a first look.
look_up = verb("look_up")
# Of perception: (sight, seen, position, alive, clearance) looks round anew, in the memory of what was seen, and writes
# m to the nearest surface where it looks for any.
see = verb("see")
# Of perception: (sight, seen, alive) is what is seen without those who are gone.
without = verb("without")


@kernel
def copy_out(source: Floats, into: Floats) -> None:
    """Copy one table (A, K) to another, number by number, which takes less time than whole arrays."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            into[i, k] = source[i, k]


@kernel
def no_touches() -> Floats:
    """Rows for nobody."""
    return np.empty((0, TOUCH))


@dataclass
class Part:
    """A part of a simulation for one call.

    Attributes:
        pack: Named tuple for compiled code, of arrays of its own or of the part itself.
        finish: Called with what the ticks have left behind, to take the part where they lead.
        state: Of a body, where everybody is then.
    """

    pack: Any
    finish: Callable[[Log], None] = field(default=lambda log: None)
    state: Callable[[Log], State] | None = None


@dataclass
class Task(Part):
    """The task of a simulation for one call.

    Attributes:
        bound: (T, A) who is on its way, from times (T,) s and who was there (T, A).
        left: (K, A) m to go, from places (K, A, 2) m.
    """

    bound: Callable[[Floats, Bools], Bools] = field(default=lambda times, alive: alive)
    left: Callable[[Floats], Floats] = field(default=lambda places: np.zeros(places.shape[:2]))
