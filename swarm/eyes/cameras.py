"""Where a film is taken from: behind the swarm, from above, from a corner, or on board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from swarm.errors import BadInput
from swarm.eyes.chase import Chase
from swarm.eyes.corners import corner, reach, top
from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.schema import nearest
from swarm.state import Floats

VIEWS = ("chase", "top", "fixed", "onboard")


class Camera(Protocol):
    """Takes a film."""

    @property
    def still(self) -> bool:
        """Whether it stands in one place."""

    @property
    def agent_pixels(self) -> float:
        """How wide agents should be in a picture 640 wide, if that takes no more than `magnify`."""

    @property
    def magnify(self) -> float:
        """How much larger than they are agents are drawn at most."""

    def lens(self, frame: int) -> Lens:
        """The lens at one frame."""

    def hidden(self, frame: int) -> Sequence[int]:
        """Agents that it does not see."""


@dataclass(frozen=True, eq=False)
class Still:
    """A camera that stands in one place."""

    fixed: Lens
    magnify: float = 5.0
    agent_pixels = 15.0
    still = True

    def lens(self, frame: int) -> Lens:
        """Always the same."""
        return self.fixed

    def hidden(self, frame: int) -> Sequence[int]:
        """It sees everybody."""
        return ()


@dataclass(frozen=True, eq=False)
class OnBoard:
    """A camera in an agent's centre that looks where its nose points."""

    footage: Footage
    agent: int
    attitude: Floats  # (F, 4)
    agent_pixels = 0.0
    magnify = 1.0
    still = False

    def lens(self, frame: int) -> Lens:
        """Turns with the agent."""
        where = self.footage
        return Lens.on_board(where.position[frame, self.agent], self.attitude[frame], 95.0, 0.02, reach(where))

    def hidden(self, frame: int) -> Sequence[int]:
        """It does not see what carries it."""
        return (self.agent,)


def check_view(view: str, count: int | None = None, where: str = "--view") -> tuple[str, int]:
    """A view's name and its agent.

    Args:
        view: chase, top, fixed, onboard or onboard:K.
        count: Agents there are; None where that is not known.
        where: What named it, for messages.

    Raises:
        BadInput: No such view or agent.
    """
    name, colon, number = str(view).partition(":")
    if name not in VIEWS or (colon and name != "onboard"):
        raise BadInput(f'{where}: expected {", ".join(VIEWS)} or onboard:K, got "{view}"{nearest(name, VIEWS)}')
    if colon and not re.fullmatch(r"[0-9]{1,9}", number):
        raise BadInput(f'{where}: expected onboard:K with the number K of an agent, got "{view}"')
    agent = int(number or 0)
    if count is not None and agent >= count:
        raise BadInput(f"{where}: expected an agent from 0 to {count - 1}, got {agent}")
    return name, agent


def make_camera(view: str | Lens, footage: Footage, shape: float) -> Camera:
    """The camera for a film.

    Args:
        view: A name as `check_view` takes it, or the lens of a camera that stands still.
        footage: What is filmed.
        shape: Height over width of the pictures.

    Raises:
        BadInput: No such view or agent.
    """
    if isinstance(view, Lens):
        return Still(view, 1.0)
    name, agent = check_view(view, footage.count, "view")
    if name == "onboard":
        from swarm.eyes.figures import along

        attitude = footage.attitude
        turn = along(footage.velocity[:, agent]) if attitude is None else attitude[:, agent]
        return OnBoard(footage, agent, turn)
    if name == "chase":
        return Chase(footage, reach(footage))
    return Still(top(footage, shape) if name == "top" else corner(footage, shape))
