"""The numbers beside moving pictures, of a recording or of a flight that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.metrics import METRICS
from swarm.plots.episodes import episode_length
from swarm.plots.flown import Flown
from swarm.state import PREDATOR, Bools, Ints, State

if TYPE_CHECKING:
    from swarm.worlds.world import World

TOLD = 3.0  # s for which it is said what happened to the task
FEW = (("min_separation", "separation"), ("min_clearance", "clearance"), ("formation_error", "formation error"))


class Number(NamedTuple):
    """A quantity at an instant."""

    word: str
    text: str  # its value
    unit: str = ""


def recorded_numbers(flight: Flown, sample: int) -> list[Number]:
    """What is said of one sample of a recording."""
    chosen = CROWD if flight.crowd else FEW
    found = []
    for name, word in chosen:
        series = flight.result.series.get(name)
        if series is not None and np.isfinite(series[sample]):
            found.append(_number(name, word, float(series[sample])))
    caught = captures(flight.trajectory.alive[sample], flight.trajectory.role)
    if caught is not None:
        found.append(Number("captures", str(caught)))
    if flight.task.leaves:
        found.append(Number(flight.task.leaves, str(int((flight.left & ~flight.trajectory.alive[sample]).sum()))))
    if flight.mission.task.kind == "circulate" and not flight.task.leaves:
        found += _arrivals(flight, sample)
    return found


def _arrivals(flight: Flown, sample: int) -> list[Number]:
    """Arrivals up to a sample, and the mean of the episodes that are over by then, of those who go round and round."""
    found = [Number("arrived", str(int(flight.arrived[sample])))] if flight.on_plan else []
    over = int((flight.time[sample] + 1e-9) // episode_length(flight))
    counted = flight.result.arrivals[:over]
    mean = f"{np.mean(counted):.1f}" if counted else "-"
    return [*found, Number("throughput", mean)] if flight.result.arrivals else found


def happened(flight: Flown, sample: int) -> list[str]:
    """What happened just before a sample, and how many are left."""
    told = [event.text for event in flight.events if 0.0 <= flight.time[sample] - event.time < TOLD]
    preyed = (flight.trajectory.role == PREDATOR).any()
    if flight.count > 1 and (flight.lost >= 0).any() and not preyed:
        told.append(f"{int(flight.trajectory.alive[sample].sum())} of {flight.count} alive")
    return told


def present_numbers(state: State, world: World, reach: float) -> list[Number]:
    """What is said of a state: order, compactness and groups of the living flock, and captures.

    Args:
        state: Where everybody is.
        world: Where.
        reach: m, how far two agents of a group are apart at most.
    """
    from swarm.metrics.extent import compactness
    from swarm.metrics.graph import groups
    from swarm.metrics.heading import order

    flock = state.alive & (state.role != PREDATOR)
    position, box = state.position[flock], world.space.period
    values = {
        "order": order(state.velocity[flock]), "compactness": compactness(position, box=box),
        "groups": groups(position, reach, box=box),
    }  # fmt: skip
    found = [_number(name, word, float(values[name])) for name, word in CROWD]
    caught = captures(state.alive, state.role)
    return found if caught is None else [*found, Number("captures", str(caught))]


CROWD = (("order", "order"), ("compactness", "compactness"), ("groups", "groups"))


def _number(name: str, word: str, value: float) -> Number:
    unit = METRICS[name].unit
    return Number(word, f"{value:.0f}" if unit == "count" else f"{value:.2f}", "" if unit in ("1", "count") else unit)


def captures(alive: Bools, role: Ints) -> int | None:
    """How many of the flock are gone; None where nobody hunts it."""
    if not (role == PREDATOR).any():
        return None
    return int((~alive[role != PREDATOR]).sum())
