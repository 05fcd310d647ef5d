"""What can go wrong, by who can mend it: the person who wrote the input, or the simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swarm.result import Result


class SwarmError(Exception):
    """Base of every error this package raises on purpose."""

    exit_code = 3


class BadInput(SwarmError, ValueError):
    """One or more faults in what was given; the command line prints each on its own line and exits with 2.

    Args:
        faults: One line each: where (file, key path), what was expected, what was found.
    """

    exit_code = 2

    def __init__(self, *faults: str) -> None:
        self.faults: tuple[str, ...] = faults
        super().__init__(*faults)

    def __str__(self) -> str:
        return "\n".join(self.faults)


class SimulationError(SwarmError, RuntimeError):
    """The simulation cannot go on: a controller returned nonsense, or the physics engine failed (exit code 3).

    Attributes:
        partial: The result of the run as far as it got, recording included; None where nothing was flown.
    """

    partial: Result | None = None
