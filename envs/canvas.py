"""The swarm from above as a picture, drawn without a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from swarm.simulation import Simulation


class Canvas:
    """Keeps the drawn world between frames and redraws only what moves."""

    def __init__(self) -> None:
        self._world: Any = None  # what stands still in it
        self._page: Any = None
        self._empty: Any = None  # pixels of the page before anything that moves is drawn
        self._artists: dict[str, Any] = {}
        self._traffic: Any = None

    def _prepare(self, sim: Simulation) -> None:
        from swarm.plots import style
        from swarm.plots.movers import Traffic, draw_ways
        from swarm.plots.world import draw_world

        low, high = sim.world.bounds[:, :2]
        wide = min(max(float((high[0] - low[0]) / (high[1] - low[1])), 0.5), 3.0)
        with style.styled():
            page = style.figure(3.2 * wide + 0.8, 4.0, 100.0)
            axes = page.add_axes((0.5 / (3.2 * wide + 0.8), 0.1, 3.2 * wide / (3.2 * wide + 0.8), 0.8))
            axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
            cut = float(sim.state.position[:, 2].mean()) if sim.world.dim == 3 else None
            draw_world(axes, sim.world.still, "top", cut=cut)
            if sim.world.moving:
                draw_ways(axes, sim.world, "top")
            look: dict[str, Any] = {"animated": True, "linestyle": "none"}
            (living,) = axes.plot([], [], "o", ms=5, color=style.CROWD, zorder=5, **look)
            (lost,) = axes.plot([], [], "X", ms=7, color=style.FAULT, markeredgecolor="white", zorder=5, **look)
            (target,) = axes.plot([], [], "*", ms=12, color=style.GOAL, zorder=4, **look)
            title = page.text(0.5, 0.99, "", ha="center", va="top", fontsize=11, animated=True)
            self._traffic = Traffic(axes, sim.world, "top")
            canvas: Any = page.canvas  # Agg; its stubs lack the types of what follows
            canvas.draw()
        self._world, self._page, self._empty = sim.world.still, page, canvas.copy_from_bbox(page.bbox)
        self._artists = {"target": target, "living": living, "lost": lost, "title": title}

    def draw(self, sim: Simulation) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 picture of the simulation as it stands."""
        if self._world is not sim.world.still:
            self._prepare(sim)
        position, alive = sim.state.position, sim.state.alive
        self._artists["living"].set_data(position[alive, 0], position[alive, 1])
        self._artists["lost"].set_data(position[~alive, 0], position[~alive, 1])
        wanted = np.empty((0, 2)) if sim.goal.target is None else np.asarray(sim.goal.target)[None, :2]
        self._artists["target"].set_data(*wanted.T)
        self._artists["title"].set_text(f"{sim.mission.name}   t = {sim.state.time:.2f} s")
        self._page.canvas.restore_region(self._empty)
        self._traffic.draw(sim.state.time)
        for artist in self._artists.values():
            self._page.draw_artist(artist)
        picture: NDArray[np.uint8] = np.asarray(self._page.canvas.buffer_rgba())[..., :3].copy()
        return picture
