"""What can be read of a run: whether it is over, how it stands, and what has been recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from swarm.crew import Crew
from swarm.logbook import Logbook
from swarm.metrics.scoreboard import Scoreboard
from swarm.recording import Trajectory
from swarm.state import Floats
from swarm.stuck import Detector, Stuck

if TYPE_CHECKING:
    from swarm.bodies import Contact
    from swarm.tasks import Goal
    from swarm.view import View


class Readings:
    """The part of a Simulation that changes nothing."""

    goal: Goal
    body: Any
    controller: Any
    view: View
    success: bool
    terminated: bool
    truncated: bool
    time_to_target: float | None
    _crew: Crew
    _detector: Detector
    _filter: Any
    _log: Logbook
    _way: float

    @property
    def done(self) -> bool:
        """Whether the run is over."""
        return self.terminated or self.truncated

    @property
    def action_limit(self) -> float:
        """m/s that an action of norm 1 asks for."""
        return float(self.body.speed_limit)

    @property
    def alone(self) -> bool:
        """Whether the members' controller decides for everybody, and nothing looks at its commands."""
        pilots = self._crew.pilots
        return len(pilots) == 1 and pilots[0].controller is self.controller and self._filter is None

    @property
    def stuck(self) -> tuple[Stuck, ...]:
        """Who is stuck now, since when, why and where; empty where the task does not say who is on its way."""
        return self._detector.found(self.view, self._crew.flock)

    @property
    def metrics(self) -> dict[str, Any]:
        """Every metric of the run so far, by name; a metric that varies in time stands as its mean."""
        return self.scoreboard.result()

    @property
    def series(self) -> dict[str, Floats]:
        """Every metric that varies in time: name to (T,) values."""
        return self.scoreboard.series

    @property
    def scoreboard(self) -> Scoreboard:
        """The scoreboard of the run so far."""
        return self._log.scoreboard(
            success=self.success,
            time_to_target=self.time_to_target,
            way=self._way,
            stuck=self._detector.count,
            **getattr(self.goal, "outcomes", dict)(),
        )

    @property
    def contacts(self) -> list[Contact]:
        """Every onset of contact so far."""
        return self._log.contacts

    @property
    def trajectory(self) -> Trajectory:
        """The recording so far."""
        return self._log.trajectory
