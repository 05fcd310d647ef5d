"""How every picture looks: one palette, one set of sizes, the Agg renderer, and the same bytes from the same input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from swarm.output import whole_file

DPI = 110.0

# Okabe and Ito's colours (2008), which the colour-blind tell apart. Vermilion is kept for what went wrong.
AGENTS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#7A5195", "#8C6D31", "#2F4B7C")
CROWD = "#0072B2"  # where there are more agents than colours
FAULT = "#D55E00"
GOAL = "#00805C"
INK = "#22303C"
FAINT = "#8A949C"
SOLID_LOW, SOLID_HIGH = "#E4DED2", "#B5AA95"  # fill of an obstacle that ends low and of one that ends high
SOLID_EDGE = "#6B6251"
CUT_LOW, CUT_HIGH = "#B0A288", "#534A3A"  # fill of what a plan cuts, ending low and ending high
OVERHEAD, HATCH = "#F5F2EB", "#BDB29D"  # of what hangs over the plane of a plan
MOVER, MOVER_LIGHT, MOVER_EDGE = "#DFA83F", "#F4DFB4", "#9A5F00"  # of obstacles that move
WALL = "#4A5560"

_LOOK: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so a picture is the same on every machine
    "font.size": 9.0,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.linewidth": 0.8,
    "axes.titlesize": 10.0,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "legend.frameon": False,
    "legend.handlelength": 1.4,
    "grid.color": "#E3E7EA",
    "grid.linewidth": 0.7,
    "svg.hashsalt": "swarm",
}
_LEFT_ALONE = ("backend", "backend_fallback", "interactive", "toolbar", "timezone")


@contextmanager
def styled() -> Iterator[None]:
    """Draw in this style whatever the user's own matplotlib settings are; they are back afterwards."""
    look: Any = {key: value for key, value in matplotlib.rcParamsDefault.items() if key not in _LEFT_ALONE}
    look.update(_LOOK)
    with matplotlib.rc_context(look):
        yield


def figure(width: float, height: float, dpi: float = DPI) -> Figure:
    """An empty figure of width x height inches that needs no display."""
    made = Figure(figsize=(width, height), dpi=dpi, facecolor="white")
    FigureCanvasAgg(made)
    return made


def save(made: Figure, path: Path) -> None:
    """Write a figure as a whole PNG file."""
    with whole_file(path) as file:
        made.savefig(file, format="png", dpi=made.dpi, metadata={"Software": None}, pil_kwargs={"compress_level": 4})


def agent_color(agent: int, count: int) -> str:
    """The colour of one agent of a swarm: its own while there are enough, else the crowd's."""
    return AGENTS[agent] if count <= len(AGENTS) else CROWD


def halo(width: float = 3.0) -> list[Any]:
    """Path effect that keeps text legible over lines."""
    return [withStroke(linewidth=width, foreground="white")]


def tidy(axes: Axes) -> None:
    """No box around a chart, a light grid behind it."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True)
    axes.set_axisbelow(True)
