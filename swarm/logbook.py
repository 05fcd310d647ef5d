"""What is kept of a run: the recording, contacts, captures, and the metrics that are worked out from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.metrics.scoreboard import Event, Scoreboard, Setting
from swarm.recording import Recorder, Trajectory
from swarm.state import Floats, State

if TYPE_CHECKING:
    from swarm.bodies import Contact
    from swarm.capture import Hunt

CHUNK = 64  # command steps that are at least measured in one go: the scoreboard costs a call, not a step
PLACES = 60_000  # agents times steps up to which one goes on: enough for two threads to share


class Logbook:
    """Records every sample of a run, and measures when asked.

    Args:
        setting: What metrics must know beside the recording.
        steps: Command steps that are planned.
        hunt: Who is caught, where somebody hunts.

    Attributes:
        recorder: The recording.
        contacts: Every onset of contact so far.
        captures: Everybody caught so far, and by whom.
    """

    def __init__(self, setting: Setting, steps: int, hunt: Hunt | None) -> None:
        self.recorder = Recorder(setting.count, setting.dim, steps)
        self.contacts: list[Contact] = []
        self.captures: list[Event] = []
        self._setting, self._board = setting, Scoreboard(setting)
        self._hunt = hunt
        self._measured = 0

    def add(self, state: State, command: Floats, clearance: Floats) -> None:
        """Append one sample; the arrays are copied."""
        self.recorder.add(state, command, clearance)

    def resize(self, state: State) -> None:
        """Make room for those who have joined; up to now they are recorded as standing where they do, not alive."""
        self.recorder.resize(state)
        self._setting = replace(self._setting, count=len(state.position))
        self._board, self._measured = Scoreboard(self._setting), 0

    def scoreboard(self, **outcome: Any) -> Scoreboard:
        """The metrics of the run so far; `outcome` as for `Scoreboard.outcome`."""
        recorded, chunk = len(self.recorder), max(CHUNK, PLACES // max(self._setting.count, 1))
        while self._measured < recorded:
            new, take = self.recorder.trajectory(self._measured), slice(0, chunk)
            hunger = None
            if self._hunt is not None:
                hunger = np.array(self._hunt.history[self._measured : self._measured + chunk])
            self._board.update(
                new.time[take], new.position[take], new.velocity[take], new.command[take], new.clearance[take],
                new.alive[take], hunger,
            )  # fmt: skip
            self._measured += min(chunk, recorded - self._measured)
        self._board.outcome(contacts=self.contacts, captures=self.captures, **outcome)
        return self._board

    @property
    def trajectory(self) -> Trajectory:
        """The recording so far."""
        return self.recorder.trajectory()
