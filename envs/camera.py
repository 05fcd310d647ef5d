"""On-board cameras as part of an observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from swarm.eyes.looking import AgentCameras, camera_settings

if TYPE_CHECKING:
    from swarm.simulation import Simulation


class CameraObservation:
    """Turns the rows of numbers that agents observe into a dictionary with what their cameras see.

    Args:
        table: `kinds`, `size`, `field_of_view`, `every` and `far`, see `swarm.eyes.looking.CameraSettings`.

    Raises:
        BadInput: One line for each fault of the table.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.settings = camera_settings(table, "MissionEnv: camera")
        self._cameras = AgentCameras(self.settings)
        self._last: dict[str, NDArray[Any]] = {}

    def space(self, rows: gymnasium.spaces.Box) -> gymnasium.spaces.Dict:
        """`state` (N, K) as before; `depth` (N, H, W) m, `rgb` (N, H, W, 3), `segmentation` (N, H, W).

        Segmentation has the index of a surface in `sim.world.surfaces`, the number of surfaces + k for agent k, and -1
        for nothing. Its bound is that of its type, since worlds made from a seed differ in how many surfaces they have.
        """
        agents = (rows.shape or (1,))[0]
        width, height = self.settings.size
        box, shape = gymnasium.spaces.Box, (agents, height, width)
        pictures: dict[str, gymnasium.Space[Any]] = {
            "depth": box(0.0, self.settings.far, shape, np.float32),
            "rgb": box(0, 255, (*shape, 3), np.uint8),
            "segmentation": box(-1, np.iinfo(np.int32).max, shape, np.int32),
        }
        return gymnasium.spaces.Dict({"state": rows, **{kind: pictures[kind] for kind in self.settings.kinds}})

    def observe(self, sim: Simulation, rows: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        """The observation now; pictures between two that are due are the last ones again."""
        if sim.steps % self.settings.every == 0:
            self._last = self._cameras.stacked(sim)
        return {"state": rows, **{kind: picture.copy() for kind, picture in self._last.items()}}

    def close(self) -> None:
        """Let go of what the cameras look at."""
        self._cameras.close()
