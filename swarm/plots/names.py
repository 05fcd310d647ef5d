"""Names of obstacles, where they stand out and do not cover each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from swarm.plots import style
from swarm.plots.marks import scale_of
from swarm.plots.silhouettes import extent
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World

ALIKE = 3  # obstacles that differ in their number only, up to which each is named
MOST = 24  # names in all
SIZE = 6.5  # points
MARK = 0.3  # inches, about, of a gate's arrow, over which no name is written
_LETTER = np.array([0.6, 1.25]) * SIZE / 72.0  # inches, about


def write_names(axes: Axes, world: World, pair: tuple[int, int], always: bool = False) -> None:
    """Write the names of obstacles at their middles.

    Args:
        axes: Their limits are set.
        world: What is drawn.
        pair: The world axes of the picture.
        always: Whether all names are wanted; else those of which there are many alike, of what fills most of the
            world, and those that would cover another are left out.
    """
    scale = scale_of(axes)
    reach = 0.5 * MARK / scale
    gates = [np.asarray(gate.center)[list(pair)] for gate in world.gates]
    taken: list[Floats] = [np.stack([middle - reach, middle + reach]) for middle in gates]
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    for obstacle in world.obstacles if always else standing_out(world):
        middle = place_of(obstacle, pair)
        half = 0.5 * _LETTER * (len(obstacle.name), 1) / scale
        box = np.stack([middle - half, middle + half])
        covered = any((box[0] < other[1]).all() and (other[0] < box[1]).all() for other in taken)
        if not always and (covered or (middle < low).any() or (middle > high).any()):
            continue
        taken.append(box)
        axes.text(
            middle[0], middle[1], obstacle.name, fontsize=SIZE, ha="center", va="center", zorder=1.95, clip_on=True,
            path_effects=style.halo(1.8),
        )  # fmt: skip


def place_of(obstacle: Obstacle, pair: tuple[int, int]) -> Floats:
    """(2,) m, a place on an obstacle near its middle."""
    middle: Floats = extent(obstacle)[:, pair].mean(axis=0)
    if obstacle.kind != "mesh":
        return middle
    assert obstacle.mesh is not None
    some = obstacle.mesh.faces[:: 1 + len(obstacle.mesh.faces) // 5_000]
    shape = obstacle.vertices()[:, pair][some]
    a, b, c = (shape[:, k] - middle for k in range(3))
    turns = np.stack([p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))])
    if (turns >= 0.0).all(axis=0).any() or (turns <= 0.0).all(axis=0).any():
        return middle
    middles = shape.mean(axis=1)
    return np.asarray(middles[np.hypot(*(middles - middle).T).argmin()])


def standing_out(world: World) -> Iterator[Obstacle]:
    """Obstacles worth a name: few alike, and not as large as the world."""
    stems = Counter(stem(obstacle.name) for obstacle in world.obstacles)
    size = world.bounds[1] - world.bounds[0]
    chosen = [obstacle for obstacle in world.obstacles if stems[stem(obstacle.name)] <= ALIKE]
    if len(chosen) > MOST:
        return
    for obstacle in chosen:
        low, high = extent(obstacle)
        if not ((high - low)[:2] > 0.6 * size[:2]).all():
            yield obstacle


def stem(name: str) -> str:
    """A name without the number at its end."""
    return re.sub(r"[\s_-]*\d+$", "", name)
