"""Obstacles from above, cut at a height: what one could fly into, what one flies over and what hangs above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Patch

from swarm.plots import style
from swarm.plots.marks import add_lines, add_rings, add_union
from swarm.plots.sections import Section, beyond, section
from swarm.plots.silhouettes import coarse, extent
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World

CUT = 1.5  # m above the ground: where a plan is cut unless a swarm flies at another height


def cut_height(world: World) -> float:
    """m, where a plan of a world is cut."""
    low, high = world.bounds[:, 2].tolist()
    return float(low + min(CUT, (high - low) / 2))


def draw_plan(axes: Axes, world: World, cut: float) -> list[Patch]:
    """Overhanging parts first, then low ones, then what is cut: nothing that one could fly into is covered."""
    lowest_first = sorted(world.obstacles, key=lambda o: float(extent(o)[1, 2]))
    tops = [float(extent(o)[1, 2]) for o in lowest_first]
    levels = [_level(o, world, cut) for o in lowest_first]
    sections = [section(o, level) for o, level in zip(lowest_first, levels)]
    high = max([*tops, cut + 1e-9])
    roofs, floors, cuts = _Looks(), _Looks(), _Looks()
    low = world.bounds[0, 2]
    for obstacle, part, top in zip(lowest_first, sections, tops):
        moves = obstacle.motion is not None
        edge = style.MOVER_EDGE if moves else style.SOLID_EDGE
        roofs.add((style.MOVER_LIGHT, style.MOVER) if moves else (style.OVERHEAD, style.HATCH), coarse(part.upper))
        fill = mix(style.SOLID_LOW, style.SOLID_HIGH, (min(top, cut) - low) / max(cut - low, 1e-9))
        floors.add((style.MOVER_LIGHT if moves else fill, edge), coarse(part.lower))
        fill = mix(style.CUT_LOW, style.CUT_HIGH, (top - cut) / (high - cut))
        cuts.add((style.MOVER if moves else fill, edge), *part.rings)
        add_lines(axes, part.lines, 1.61, colors=[edge], linewidths=1.8)
    for (face, edge), shapes in roofs:
        add_union(axes, np.concatenate(shapes), 1.3, facecolor=face, edgecolor=edge, linewidth=1.2)
        add_union(axes, np.concatenate(shapes), 1.31, facecolor=face, edgecolor=edge, linewidth=0.0, hatch="/////")
    for (face, edge), shapes in floors:
        # Strokes of all triangles, then the faces over them: what is left of the strokes is the outline.
        add_union(axes, np.concatenate(shapes), 1.4, facecolor=face, edgecolor=edge, linewidth=1.4)
        add_union(axes, np.concatenate(shapes), 1.4, facecolor=face, edgecolor="none")
    for (face, edge), shapes in cuts:
        add_rings(axes, shapes, 1.6, facecolor=face, edgecolor=edge, linewidth=0.8)
    gated = any(level != cut for level in levels)
    return _entries([s for o, s in zip(lowest_first, sections) if o.motion is None], tops, cut, gated)


def _level(obstacle: Obstacle, world: World, cut: float) -> float:
    """m, where an obstacle is cut: what a gate is in, at the height of its opening."""
    low, high = extent(obstacle)
    inside = (gate.center[2] for gate in world.gates if ((low <= gate.center) & (gate.center <= high)).all())
    return float(next(inside, cut))


def _entries(sections: Sequence[Section], tops: Sequence[float], cut: float, gated: bool) -> list[Patch]:
    look: dict[str, Any] = {"edgecolor": style.SOLID_EDGE, "linewidth": 0.7}
    entries = []
    if any(part.rings or part.lines for part in sections):
        above = [top for top in tops if top > cut]
        ends = f"up to {max(above):.3g} m" if max(above) - min(above) < 0.1 else (
            f"up to {min(above):.3g} … {max(above):.3g} m, darker is higher"
        )  # fmt: skip
        where = f"{cut:.3g} m{', around a gate at its height' if gated else ''}"
        entries.append(Patch(facecolor=style.CUT_HIGH, label=f"solid at {where} ({ends})", **look))
    if any(beyond(part.lower, part.rings) for part in sections):
        entries.append(Patch(facecolor=style.SOLID_LOW, label="lower", **look))
    if any(beyond(part.upper, part.rings) for part in sections):
        entries.append(
            Patch(facecolor=style.OVERHEAD, edgecolor=style.HATCH, linewidth=0.7, hatch="/////", label="only higher")
        )
    return entries


def mix(light: str, dark: str, share: float) -> str:
    """A colour between two: light at share 0, dark at 1."""
    a, b = np.array(to_rgb(light)), np.array(to_rgb(dark))
    return to_hex(a + min(max(share, 0.0), 1.0) * (b - a))


class _Looks:
    """Shapes that look alike, to be drawn as one."""

    def __init__(self) -> None:
        self._shapes: list[tuple[tuple[str, str], list[Floats]]] = []

    def add(self, look: tuple[str, str], *shapes: Floats) -> None:
        """Add shapes over those before; empty ones are left out."""
        if self._shapes and self._shapes[-1][0] == look:
            self._shapes[-1][1].extend(shape for shape in shapes if len(shape))
        else:
            self._shapes.append((look, [shape for shape in shapes if len(shape)]))

    def __iter__(self) -> Iterator[tuple[tuple[str, str], list[Floats]]]:
        return iter([(look, shapes) for look, shapes in self._shapes if shapes])
