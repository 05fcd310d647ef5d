"""What must be true of a floor plan, alone and with obstacles on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.state import Bools
from swarm.worlds.floor_plan.plan import GOAL, FloorPlan
from swarm.worlds.floor_plan.traffic import Traffic, built
from swarm.worlds.obstacles import Obstacle

MOST_BLOCKS = 100_000  # boxes of a world; more would take many seconds to lay out


def judge(plan: FloorPlan, faults: list[str]) -> bool:
    """Whether there is a goal, and one can come to it: from a source, or without sources from any other cell.

    Args:
        plan: What to look at; its `place` is named in messages.
        faults: Gets what is wrong.
    """
    if not plan.goal_cells.any():
        faults.append(f"{plan.place}: expected at least one goal cell, got none")
        return False
    if len(plan.blocks) > MOST_BLOCKS:
        faults.append(
            f"{plan.place}: expected obstacles of at most {MOST_BLOCKS:,} rectangles of cells, got {len(plan.blocks):,}"
        )
        return False
    sources = plan.source_cells.any()
    starts = plan.source_cells if sources else plan.walkable & (plan.cells != GOAL)
    if starts.any() and not (starts & ~plan.unreachable).any():
        kind = "source" if sources else "free"
        faults.append(
            f"{plan.place}: {_first(starts)}: expected a way to the goal from a {kind} cell, got none: walled off"
        )
        return False
    return True


def furnished(
    plan: FloorPlan, obstacles: Sequence[Obstacle], faults: list[str], notices: list[str]
) -> tuple[FloorPlan, list[Obstacle]]:
    """A plan with what stands and moves on it.

    Args:
        plan: As it was read.
        obstacles: Those of the world beside it. Cells that one that stands still covers a part of become obstacles.
        faults, notices: Get what is wrong, and what a user should know.

    Returns:
        The plan at time 0, and all obstacles of the world: the boxes that the cells make up, then the others.
    """
    ground = built(plan, [obstacle for obstacle in obstacles if obstacle.motion is None])
    if ground is not plan:
        judge(ground, faults)
    count = int(ground.unreachable.sum())
    if count:
        cells = "walkable cell has" if count == 1 else "walkable cells have"
        notices.append(
            f"{ground.place}: {count:,} {cells} no way to the goal, the first at {_first(ground.unreachable)}"
        )
    movers = [obstacle for obstacle in obstacles if obstacle.motion is not None]
    return Traffic(ground, movers).at(0.0) if movers else ground, [*ground.obstacles(), *obstacles]


def _first(cells: Bools) -> str:
    row, column = np.unravel_index(int(cells.argmax()), cells.shape)
    return f"row {row + 1}, column {column + 1}"
