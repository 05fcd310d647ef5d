"""The page of moving pictures: the still world is drawn once, only what moves is drawn in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from swarm.plots.agents import Agents, paint
from swarm.plots.floor_plan import plan_legend, repaint
from swarm.plots.following import Window, grid
from swarm.plots.moment import Moment
from swarm.plots.movers import Traffic, draw_ways
from swarm.plots.numbers import Number
from swarm.plots.readout import Readout
from swarm.plots.roles import role_legend
from swarm.plots.sketch import Sketch
from swarm.plots.task_marks import draw_task
from swarm.plots.views import UNDER, VIEWS, panels
from swarm.plots.wind import COLOR, draw_wind, wind_arrow, wind_now
from swarm.plots.world import draw_world
from swarm.state import Ints
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.world import World

HEAD = 0.78  # inches for title and numbers
MARGIN = 0.35  # inches
COLUMN = 2.9  # inches free beside the view from which on the numbers stand there, one under the other

LETTERS = 24  # of a line of a legend there
ASIDE = 0.2  # inches that are left beside a view on the other side

_WIND = np.array([to_rgba(COLOR)])


class Stage:
    """A page with one or two views.

    Args:
        world: Where.
        task: What for.
        role: (N,) of the agents.
        window: What is in sight.
        size: Width and height, pixels.
        dpi: Pixels an inch.
        title: One line above.
        cut: m, height at which the plan is cut; None in two dimensions.
        pace: Simulated seconds shown in a second.
        colors: (N,) of the agents, in place of those of their roles.
        marks: What a legend says about agents; None: their roles.

    Attributes:
        page: The figure; a canvas of another kind may take it over before the first frame.
    """

    def __init__(
        self, world: World, task: Sketch, role: Ints, window: Window, size: tuple[int, int], dpi: float, title: str,
        cut: float | None, pace: float = 1.0, colors: list[str] | None = None, marks: Sequence[Artist] | None = None,
    ) -> None:  # fmt: skip
        self._world, self._window, self._pace, self._colors = world, window, pace, colors
        self.page, self._views = panels(window.box, HEAD, (size[0] / dpi, size[1] / dpi), dpi)
        for panel in self._views:
            if not window.follows:  # else there is nothing but agents
                draw_world(panel.axes, world.still, panel.view, names=False, cut=cut)
            if world.moving:
                draw_ways(panel.axes, world, panel.view)
            draw_task(panel, task)
            draw_wind(panel, world, arrow=False)
            if window.follows:
                panel.axes.set(xticks=[], yticks=[])
        self._name_axes()
        if len(self._views) == 1:
            _make_room(self._views[0].axes, size[0] / dpi)
        inches = size[1] / dpi
        self.page.text(0.5, 1 - 0.1 / inches, title, ha="center", va="top", fontsize=10.5, fontweight="bold")
        place = self._views[0].axes.get_position()
        across, high = place.x0 * size[0] / dpi, (1.0 - place.y1) * inches
        self._stacked = across >= COLUMN
        self._readout = Readout(self.page, (MARGIN, high) if self._stacked else (across, 0.36), self._stacked, 11.0)
        left = MARGIN * dpi / size[0]
        self._plan = world.still.floor_plan
        on_plan = self._plan is not None
        entries: list[Any] = [*(role_legend(role, True, on_plan, task.leaves) if marks is None else marks)]
        if self._plan is not None:
            entries += plan_legend(self._plan, "")
        if entries and self._stacked:
            for entry in entries:
                entry.set_label(fill(str(entry.get_label()), LETTERS))
        elif on_plan:  # in a row there is room for a word only
            for entry in entries:
                entry.set_label(str(entry.get_label()).partition(",")[0])
        if entries:
            corner: Any = (left, place.y0) if self._stacked else (0.99, 1 - 0.05 / inches)
            columns = 1 if self._stacked else len(entries)
            loc: Any = "lower left" if self._stacked else "upper right"
            self.page.legend(
                handles=entries, loc=loc, bbox_to_anchor=corner, borderaxespad=0.0, ncols=columns,
                handletextpad=0.3, columnspacing=1.0,
            )  # fmt: skip
        self.cast(role)
        self._traffic = [Traffic(panel.axes, world, panel.view) for panel in self._views]
        self._still: Any = None

    def cast(self, role: Ints) -> None:
        """Show these agents (N,) from now on."""
        if self._colors is not None and len(self._colors) != len(role):
            self._colors = None
        self._agents = [Agents(panel, role, self._pace, self._plan is not None, self._colors) for panel in self._views]
        for agents in self._agents:
            agents.animate()

    @property
    def canvas(self) -> Any:
        """What the page is drawn on; matplotlib's stubs lack the types of what its Agg canvases can."""
        return self.page.canvas

    def keep_shape(self) -> None:
        """Keep a metre as long across as up when the page changes its size."""
        for panel in self._views:
            axes = panel.axes
            (left, right), (low, high), box = axes.get_xlim(), axes.get_ylim(), axes.bbox
            axes.set_aspect(box.height / (high - low) / (box.width / (right - left)))

    def _name_axes(self) -> None:
        """Where the window moves, a grid moves through it, and its scale is told in place of numbers."""
        if self._window.follows:
            for panel in self._views:
                step, _ = grid(*panel.axes.get_xlim())
                for name, axis in zip("xyz", range(3)):
                    if axis == VIEWS[panel.view].axes[0]:
                        panel.axes.set_xlabel(f"{name}, a line every {step:g} m")
                    elif axis == VIEWS[panel.view].axes[1]:
                        panel.axes.set_ylabel(name)

    def _show_plan(self, plan: FloorPlan | None) -> None:
        """Show cells that have changed, and how far all are from the goal now."""
        if plan is None or self._plan is None or self._window.follows:
            return
        if plan is not self._plan and not np.array_equal(plan.cells, self._plan.cells):
            for panel in self._views:
                repaint(panel.axes, plan)
            self.forget()
        self._plan = plan

    def forget(self) -> None:
        """Draw the still picture anew with the next frame, as after a change of size."""
        self._still = None

    def draw(
        self, moment: Moment, numbers: Sequence[Number], said: Sequence[str] = (), plan: FloorPlan | None = None
    ) -> None:
        """Draw one frame; `plan` is the floor plan as it is now, None as the world has it at that time."""
        self._show_plan(self._world.at(moment.time).floor_plan if plan is None else plan)
        room = self._window.room
        if self._window.see(moment.position[moment.alive & np.isfinite(moment.position).all(axis=1)]):
            for panel in self._views:
                across, up = VIEWS[panel.view].axes
                panel.axes.set_xlim(*self._window.box[:, across])
                panel.axes.set_ylim(*self._window.box[:, up])
            if self._window.room != room:
                self._name_axes()
                self.forget()
        pace = [Number("shown", f"×{self._pace:.3g}")] if abs(self._pace - 1.0) > 0.005 else []
        air = wind_now(self._world, moment.time)
        wind = [] if air is None else [Number("wind", f"{np.linalg.norm(air):.2f}", "m/s")]
        if self._readout.tell([Number("time", f"{moment.time:.2f}", "s"), *pace, *numbers, *wind], said):
            self.forget()
        canvas = self.canvas
        if self._still is None:
            canvas.draw()
            self._still = canvas.copy_from_bbox(self.page.bbox)
        canvas.restore_region(self._still)
        image = np.asarray(canvas.buffer_rgba())
        for panel, others, agents in zip(self._views, self._traffic, self._agents):
            others.draw(moment.time)
            if self._window.follows:
                agents.draw_grid(image)
            agents.draw(moment, image)
            if air is not None:
                paint(image, panel, wind_arrow(panel, air)[None], _WIND)
        self._readout.draw()


def _make_room(axes: Axes, width: float) -> None:
    """Move the only view of a page of a width in inches to the right, where that makes room for numbers beside it."""
    place = axes.get_position()
    right = 1.0 - ASIDE / width
    if place.x0 * width < COLUMN <= (right - place.width) * width:
        axes.set_position((right - place.width, place.y0, place.width, place.height))


def fitting_width(window: Window, size: tuple[int, int], dpi: float) -> int:
    """Pixels across, at most those of `size`, of a page with a column for numbers and one view as high as it may be.

    Args:
        window: What is in sight.
        size: Width and height, pixels.
        dpi: Pixels an inch.
    """
    span = window.box[1] - window.box[0]
    if len(span) != 2:
        return size[0]
    high = size[1] / dpi - HEAD - UNDER
    return min(size[0], 2 * round((COLUMN + high * span[0] / span[1] + ASIDE) * dpi / 2.0 + 1))  # even: films must be
