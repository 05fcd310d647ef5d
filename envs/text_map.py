"""The swarm from above, in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.simulation import Simulation

WIDTH = 78  # characters; a line of a terminal


def text_map(sim: Simulation) -> str:
    """A map of about 78 columns: `#` obstacle at the swarm's height, `=` gate, digits agents, `x` lost, `T` target.

    Args:
        sim: The simulation as it stands.

    Returns:
        Lines of text, the largest y first, under a line with time and number of living agents.
    """
    low, high = sim.world.bounds[0], sim.world.bounds[1]
    size = high - low
    cell = max(float(size[0]) / WIDTH, 1e-9)
    columns = max(round(size[0] / cell), 1)
    rows = min(max(round(size[1] / (2 * cell)), 1), 40)  # a letter is twice as high as wide
    x = low[0] + (np.arange(columns) + 0.5) * size[0] / columns
    y = high[1] - (np.arange(rows) + 0.5) * size[1] / rows
    places = np.stack(np.meshgrid(x, y), axis=-1)
    position, alive = sim.state.position, sim.state.alive
    if sim.world.dim == 3:
        height = float(position[alive, 2].mean()) if alive.any() else float(position[:, 2].mean())
        places = np.concatenate([places, np.full((*places.shape[:2], 1), height)], axis=-1)
    blocked = sim.world.clearance(places)[0] <= 0
    letters = np.where(blocked, "#", ".")

    def put(point: Floats, letter: str) -> None:
        column = int((point[0] - low[0]) / size[0] * columns)
        row = int((high[1] - point[1]) / size[1] * rows)
        if 0 <= column < columns and 0 <= row < rows:
            letters[row, column] = letter

    for gate in sim.world.gates:
        half = gate.radius or gate.size[0] / 2.0
        left = np.array([-gate.normal[1], gate.normal[0]])
        for share in np.linspace(-1.0, 1.0, 2 * int(half / cell) + 1):
            put(np.asarray(gate.center)[:2] + share * half * left, "=")
    if sim.goal.target is not None:
        put(sim.goal.target, "T")
    for i in range(len(position)):
        put(position[i], str(i % 10) if alive[i] else "x")
    head = f"{sim.mission.name}  t = {sim.state.time:.2f} s  {int(alive.sum())} of {len(alive)} living"
    return "\n".join([head, *("".join(row) for row in letters)]) + "\n"
