"""What agents see through cameras they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.eyes.picture import NOTHING, Picture
from swarm.schema import build

if TYPE_CHECKING:
    from swarm.eyes.stage import Stage
    from swarm.simulation import Simulation
    from swarm.worlds.world import World

KINDS = ("depth", "rgb", "segmentation")
NEAR = 0.02  # m, inside any hull
Pixels = Annotated[int, Meta(ge=2, le=4096)]


@dataclass(frozen=True)
class CameraSettings:
    """A camera in the centre of each agent, which looks along the agent's x axis; square pixels."""

    kinds: Annotated[tuple[Literal["depth", "rgb", "segmentation"], ...], Meta(min_length=1)] = ("depth",)
    size: tuple[Pixels, Pixels] = (64, 48)  # width and height, pixels
    field_of_view: Annotated[float, Meta(ge=5, le=150)] = 90.0  # degrees from the left to the right edge
    every: Annotated[int, Meta(ge=1)] = 1  # command steps from one picture to the next
    far: Annotated[float, Meta(ge=0.1, le=1000)] = 10.0  # m; what is farther is not seen

    def __post_init__(self) -> None:
        if len(set(self.kinds)) < len(self.kinds):
            raise BadInput("kinds: expected each kind once")


def camera_settings(table: object, where: str = "camera") -> CameraSettings:
    """Check a table of camera settings.

    Raises:
        BadInput: One line for each fault.
    """
    faults: list[str] = []
    settings = build(CameraSettings, table, where, faults)
    if settings is None:
        raise BadInput(*faults)
    return settings


class AgentCameras:
    """The cameras of all agents of a simulation; what they look at is built again only when the world is another.

    Args:
        settings: What they are like.
    """

    def __init__(self, settings: CameraSettings) -> None:
        self.settings = settings
        self._stage: Stage | None = None
        self._world: World | None = None

    def look(self, sim: Simulation, agent: int) -> Picture:
        """What one agent sees; an agent that is lost sees nothing: zeros."""
        return self.look_all(sim, [int(agent)])[0]

    def look_all(self, sim: Simulation, agents: Sequence[int]) -> list[Picture]:
        """What several agents see, each from its own place and none of them itself."""
        from swarm.eyes.figures import along
        from swarm.eyes.lens import Lens

        state, settings = sim.state, self.settings
        stage = self._staged(sim)
        stage.show(state.time, state.position, state.velocity, state.attitude, state.alive)
        attitude = state.attitude if stage.cast.attitude else along(state.velocity)
        seen = []
        for agent in agents:
            if not state.alive[agent]:
                seen.append(blank(settings))
                continue
            lens = Lens.on_board(stage.place(agent), attitude[agent], settings.field_of_view, NEAR, settings.far)
            with stage.without(agent):
                seen.append(stage.picture(lens, *settings.size))
        return seen

    def stacked(self, sim: Simulation) -> dict[str, NDArray[Any]]:
        """The wanted kinds of pictures of all N agents: depth (N, H, W), rgb (N, H, W, 3), segmentation (N, H, W)."""
        seen = self.look_all(sim, range(len(sim.state.position)))
        return {kind: np.stack([getattr(picture, kind) for picture in seen]) for kind in self.settings.kinds}

    def _staged(self, sim: Simulation) -> Stage:
        from swarm.eyes.props import Cast
        from swarm.eyes.stage import Stage

        world = sim.world.still
        if self._stage is None or self._world is not world:
            self.close()
            count = len(sim.state.position)
            self._stage = Stage(sim.world, Cast(count, sim.body.radius, sim.choice.body == "drone"))
            self._world = world
        return self._stage

    def close(self) -> None:
        """Let go of what was built; a second call does nothing."""
        if self._stage is not None:
            self._stage.close()
        self._stage = self._world = None


def blank(settings: CameraSettings) -> Picture:
    """All zeros."""
    width, height = settings.size
    return Picture(
        np.zeros((height, width, 3), np.uint8),
        np.zeros((height, width), np.float32),
        np.zeros((height, width), np.int32),
    )


def look(
    sim: Simulation,
    agent: int = 0,
    *,
    size: tuple[int, int] = (320, 240),
    field_of_view: float = 90.0,
    far: float = 100.0,
) -> Picture:
    """What one agent of a simulation sees now; the flight goes on as if nobody had looked.

    Args:
        sim: The simulation.
        agent: Which agent.
        size: Width and height, pixels.
        field_of_view: Degrees from the left to the right edge.
        far: m along the optical axis; what is farther is not seen.

    Returns:
        Colours, depth in m along the optical axis, and what is seen: the index of a surface in `sim.world.surfaces`,
        `len(sim.world.surfaces) + k` for agent k, -1 for nothing. All zeros for an agent that is lost.

    Raises:
        BadInput: No such agent, or settings that make no camera.

    Example:
        >>> picture = swarm.eyes.look(sim, agent=2)
        >>> nearest = picture.depth.min()
    """
    count = len(sim.state.position)
    if not isinstance(agent, (int, np.integer)) or isinstance(agent, bool) or not 0 <= agent < count:
        raise BadInput(f"agent: expected a number from 0 to {count - 1}, got {agent!r}")
    settings = camera_settings({"kinds": list(KINDS), "size": size, "field_of_view": field_of_view, "far": far}, "look")
    cameras = _CAMERAS.get(sim)
    if cameras is None:
        cameras = _CAMERAS[sim] = AgentCameras(settings)
    cameras.settings = settings
    return cameras.look(sim, agent)


_CAMERAS: WeakKeyDictionary[Simulation, AgentCameras] = WeakKeyDictionary()  # what was built for `look`, while it flies

__all__ = ["KINDS", "NOTHING", "AgentCameras", "CameraSettings", "camera_settings", "look"]
