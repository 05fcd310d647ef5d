"""The swarm from above as a picture, drawn without a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from swarm.simulation import Simulation


class Canvas:
    """Keeps the drawn world between frames and redraws only the agents."""

    def __init__(self) -> None:
        self._world: Any = None
        self._figure: Any = None
        self._artists: dict[str, Any] = {}

    def _prepare(self, sim: Simulation) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        from swarm.plots.world import draw_world

        size = sim.world.bounds[1] - sim.world.bounds[0]
        wide = min(max(float(size[0] / size[1]), 0.5), 3.0)
        figure = Figure(figsize=(3.2 * wide + 0.8, 4.0), dpi=100, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        draw_world(axes, sim.world, "top")
        (living,) = axes.plot([], [], "o", ms=5, color="#0072b2", zorder=5)
        (lost,) = axes.plot([], [], "x", ms=6, color="#d55e00", zorder=5)
        if sim.goal.target is not None:
            axes.plot(*sim.goal.target[:2], "*", ms=12, color="#009e73", zorder=4)
        self._world, self._figure = sim.world, figure
        self._artists = {"living": living, "lost": lost, "title": axes.set_title("")}

    def draw(self, sim: Simulation) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 picture of the simulation as it stands."""
        if self._world is not sim.world:
            self._prepare(sim)
        position, alive = sim.state.position, sim.state.alive
        self._artists["living"].set_data(position[alive, 0], position[alive, 1])
        self._artists["lost"].set_data(position[~alive, 0], position[~alive, 1])
        self._artists["title"].set_text(f"{sim.mission.name}   t = {sim.state.time:.2f} s")
        self._figure.canvas.draw()
        picture: NDArray[np.uint8] = np.asarray(self._figure.canvas.buffer_rgba())[..., :3].copy()
        return picture
