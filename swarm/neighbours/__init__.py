"""Who perceives whom: within a range or the k nearest, in a field of view, over any boundary and batch of worlds.

Few agents are compared all with all. Many are sorted into cells first (`Cells`), so that the cost grows with their
number and not with its square. Both give the same graph to the bit.
"""

from __future__ import annotations

import numpy as np

from swarm.neighbours.all_pairs import Graph, edges
from swarm.neighbours.cells import Cells, workspace
from swarm.neighbours.checks import check_number, check_swarm
from swarm.neighbours.lists import nearest_of, sort_by_density, within
from swarm.state import Bools, Floats, Ints

__all__ = ["ALL_PAIRS", "Cells", "Graph", "graph", "nearest", "nearest_of", "sort_by_density", "within", "workspace"]

ALL_PAIRS = 128  # agents up to which sorting costs more than it saves


def graph(
    position: Floats,
    velocity: Floats,
    alive: Bools,
    world_index: Ints,
    box: Floats,
    reach: float,
    field_of_view: float = 2 * np.pi,
) -> Graph:
    """Neighbours within a range and a field of view.

    Args:
        position: (A, D) m; outside a torus they stand for their image within.
        velocity: (A, D) m/s; its direction is where an agent looks.
        alive: (A,); the dead neither see nor are seen.
        world_index: (A,); only agents of one world meet.
        box: (D,) m, the period of each axis, 0 where it does not wrap.
        reach: m, perception range, inclusive. Beyond half a period each neighbour still counts once, at its nearest
            image.
        field_of_view: rad, full opening angle about the heading. One at rest sees all round.

    Returns:
        The graph; agents at one place are neighbours at distance 0.

    Raises:
        BadInput: The range is not above 0, or arrays do not belong together.
        SimulationError: A living agent's position is not finite.
    """
    check_swarm(position, velocity, alive, world_index, box, field_of_view)
    if len(position) <= ALL_PAIRS and reach > 0.0:
        few = edges(position, velocity, alive, world_index, box, float(reach), 0.5 * float(field_of_view))
        if len(few[0]):
            return Graph._make(few)
    cells = workspace()  # which finds what is wrong, if anything is
    cells.sort(position, velocity, alive, world_index, box, reach)
    return within(cells, reach, field_of_view)


def nearest(
    position: Floats,
    velocity: Floats,
    alive: Bools,
    world_index: Ints,
    box: Floats,
    number: int,
    reach: float = np.inf,
    field_of_view: float = 2 * np.pi,
) -> Graph:
    """The nearest neighbours of each, `number` of them or as many as there are (topological neighbourhood).

    Source: Ballerini et al. (2008), starlings heed their six or seven nearest whatever the distance.

    Args:
        position, velocity, alive, world_index, box: As for `graph`.
        number: How many; of several at one distance those of lower index.
        reach: m, beyond which none counts.
        field_of_view: rad, full opening angle about the heading; only those within it count.

    Returns:
        The graph, neighbours of an agent by index as ever.

    Raises:
        BadInput: The number is not 1, 2, 3 ..., the range is not above 0, or arrays do not belong together.
        SimulationError: A living agent's position is not finite.
    """
    check_swarm(position, velocity, alive, world_index, box, field_of_view)
    check_number(number)
    cells = workspace()
    sort_by_density(cells, position, velocity, alive, world_index, box, number)
    return nearest_of(cells, number, reach, field_of_view)
