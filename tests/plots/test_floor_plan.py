"""A floor plan in a picture: its colours, and that light is near."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb

from swarm.plots import style
from swarm.plots.floor_plan import cell_colours
from swarm.plots.overview import draw_overview
from swarm.worlds import build_world, load_world
from swarm.worlds.floor_plan import FREE, OBSTACLE, SOURCE


def test_cells_have_the_colours_of_the_source_and_free_ones_are_the_lighter_the_nearer() -> None:
    plan = load_world("hadimassa").floor_plan
    assert plan is not None
    colours = cell_colours(plan)
    assert (colours[plan.cells == SOURCE] == to_rgb("#59b03c")).all()  # NetLogo's green, red and sky
    assert (colours[plan.goal_cells] == to_rgb("#d73229")).all()
    assert (colours[plan.cells == OBSTACLE] == to_rgb("#2d8dbe")).all()
    free = plan.cells == FREE
    order = np.argsort(plan.distance[free], kind="stable")
    grey = colours[free][order]
    assert (np.diff(grey[:, 0]) <= 1e-12).all()
    assert (grey == grey[:, :1]).all()
    assert grey[0, 0] > 0.6
    assert grey[-1, 0] < 0.15


def test_what_has_no_way_is_black_and_in_the_legend() -> None:
    world = build_world({"floor_plan": {"rows": ["S.G#.", "...##"]}}, "w.toml")
    assert world.floor_plan is not None
    assert (cell_colours(world.floor_plan)[0, 4] == 0.0).all()
    with style.styled():
        page = draw_overview(world, "w")
    (legend,) = page.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert words == [
        "source", "goal, bright where one has arrived", "obstacle", "free, lighter is nearer to the goal: 1 to 3 m",
        "no way to the goal",
    ]  # fmt: skip


def test_blocks_are_drawn_as_cells_and_a_trolley_as_what_moves() -> None:
    trolley = {
        "kind": "box", "name": "trolley", "center": [1.0, 0.0], "size": [1.0, 1.0],
        "motion": {"path": [[4.0, 0.0]], "speed": 0.1},
    }  # fmt: skip
    world = build_world({"floor_plan": {"rows": ["S.#..G", "......"]}, "obstacles": [trolley]}, "w.toml")
    with style.styled():
        page = draw_overview(world, "w")
    words = [text.get_text() for text in page.axes[0].texts]
    assert "trolley" in words
    assert "from above" not in words  # it would be in the way of the legend, and goes without saying
    assert "block 0" not in words
    assert "moves" in [text.get_text() for text in page.legends[0].get_texts()]
    assert page.axes[0].get_xlim()[0] > -1.0
