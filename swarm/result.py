"""What a run came to."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from swarm.recording import Trajectory
from swarm.stuck import Stuck
from swarm.verdicts import Verdict


@dataclass(eq=False)
class Result:
    """The verdict of one mission with one seed."""

    mission: str
    seed: int
    controller: str
    body: str
    engine: str | None
    passed: bool
    criteria: tuple[Verdict, ...] = field(repr=False)
    metrics: dict[str, Any] = field(repr=False)
    simulated_s: float
    steps: int
    trajectory_sha256: str
    versions: dict[str, str] = field(repr=False)
    trajectory: Trajectory | None = field(default=None, repr=False)
    series: dict[str, Any] = field(default_factory=dict, repr=False)
    contacts: tuple[Any, ...] = field(default=(), repr=False)
    arrivals: tuple[int, ...] = ()  # at the goal in each whole episode, where the task counts in episodes
    stuck: tuple[Stuck, ...] = ()  # who was stuck at the end of the run
    scale: float = 1.0  # m flown for a metre of the mission, where drones fly one that was made for points

    def table(self) -> dict[str, Any]:
        """The content of result.json: plain numbers, null where a value does not exist."""
        return {
            "mission": self.mission,
            "seed": self.seed,
            "controller": self.controller,
            "body": self.body,
            "engine": self.engine,
            "passed": self.passed,
            "criteria": [verdict.table() for verdict in self.criteria],
            "metrics": {name: plain(value) for name, value in self.metrics.items()},
            "simulated_s": self.simulated_s,
            "steps": self.steps,
            "trajectory_sha256": self.trajectory_sha256,
            "versions": self.versions,
            "arrivals": list(self.arrivals),
            "stuck": [agent.table() for agent in self.stuck],
            "scale": self.scale,
        }


def plain(value: Any) -> Any:
    """A value as JSON can hold it: infinities and NaN become null."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    number = float(value)
    return number if math.isfinite(number) else None


def to_json(content: Any) -> str:
    """JSON text, readable, with a newline at the end."""
    return json.dumps(content, indent=2, allow_nan=False) + "\n"
