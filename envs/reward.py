"""The reward: one weighted sum of named, shaped terms, each in [-1, 1] a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.errors import BadInput
from swarm.schema import nearest
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.simulation import Simulation

WEIGHTS: dict[str, float] = {
    "progress": 1.0,
    "separation": 0.5,
    "clearance": 0.5,
    "formation": 0.25,
    "effort": 0.05,
    "contact": 10.0,
    "success": 10.0,
}


def shape(value: float, low: float, high: float) -> float:
    """0 at `low` and below, 1 at `high` and above, a smooth half cosine between; every term uses this one function."""
    if high <= low:
        return float(value >= high)
    part = min(max((value - low) / (high - low), 0.0), 1.0)
    return 0.5 - 0.5 * float(np.cos(np.pi * part))


@dataclass(frozen=True)
class Before:
    """What the terms compare a step with."""

    remaining: float  # m to go
    command: Floats  # (A, D) m/s


def weights(given: Mapping[str, float] | None) -> dict[str, float]:
    """The default weights with those given put in their place.

    Raises:
        BadInput: An unknown term, or a weight that is not a finite number.
    """
    chosen = dict(WEIGHTS)
    for name, weight in (given or {}).items():
        if name not in chosen:
            raise BadInput(f"reward.{name}: unknown term{nearest(name, chosen)}; allowed: {', '.join(chosen)}")
        if not np.isfinite(weight):
            raise BadInput(f"reward.{name}: expected a finite number, got {weight}")
        chosen[name] = float(weight)
    return chosen


def to_go(sim: Simulation) -> float:
    """m to the goal; a task whose agents begin anew tells what is left without the leaps back to the start."""
    goal = sim.goal
    return float(getattr(goal, "to_go", goal.remaining)(sim.view.state))


def terms(sim: Simulation, before: Before, command: Floats, formation_error: float) -> dict[str, float]:
    """The terms of one step, unweighted.

    Args:
        sim: After the step.
        before: Before it.
        command: (A, D) m/s of this step.
        formation_error: m, 0 where the mission has no formation.

    Returns:
        progress: m come closer to the goal, over what full speed would have made; separation, clearance: minus how
        far the closest pair and the closest hull are inside 6 and 3 hull radii; formation: minus the shaped error up
        to 1 m; effort: minus the mean change of command over the speed limit; contact: -1 where a contact began;
        success: 1 in the step that meets the goal of a task that ends the run.
    """
    view, radius, limit = sim.view, sim.body.radius, sim.body.speed_limit
    remaining = to_go(sim)
    moved = before.remaining - remaining if np.isfinite(remaining) and np.isfinite(before.remaining) else 0.0
    distance = view.neighbours.distance
    closest = float(distance.min()) if len(distance) else np.inf
    living = view.state.alive
    clear = float(view.clearance[living].min()) if living.any() else np.inf
    change = command - before.command
    return {
        "progress": min(max(moved / (limit * sim.dt), -1.0), 1.0),
        "separation": shape(closest, 2.0 * radius, 6.0 * radius) - 1.0,
        "clearance": shape(clear, 0.0, 3.0 * radius) - 1.0,
        "formation": -shape(formation_error, 0.0, 1.0),
        "effort": -min(float(np.sqrt((change * change).sum(axis=1)).mean()) / limit, 1.0),
        "contact": -float(min(len(sim.body.contacts), 1)),
        "success": float(sim.terminated and sim.success and sim.goal.ends_run),
    }
