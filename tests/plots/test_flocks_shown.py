"""`swarm show` of flocks: each agent's own heading, roles, the edge of a torus, wind."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle
from numpy.testing import assert_allclose

import swarm
from swarm.cli.show import plan_of
from swarm.plots import style
from swarm.plots.overview import draw_overview
from swarm.plots.roles import COLORS
from swarm.plots.views import panels
from swarm.plots.wind import draw_wind, wind_arrow
from swarm.simulation import Simulation
from swarm.state import MEMBER, PREDATOR

HUNTER = {"role": "predator", "count": 2, "controller": {"use": "netlogo-hunter"}, "capture": {"radius": 1.0}}


def test_every_agent_is_drawn_with_its_own_heading_and_role() -> None:
    mission = swarm.load_mission("netlogo-boids").changed({"swarm.roles": [HUNTER]})
    with Simulation(mission, 0) as sim:
        plan = plan_of(sim, told=False)
        with style.styled():
            page = draw_overview(sim.world, "flock", plan)
        velocity, place = sim.state.velocity, sim.state.position
    marks = next(c for c in page.axes[0].collections if isinstance(c, PolyCollection) and len(c.get_paths()) == 52)
    tip = np.array([path.vertices[0] for path in marks.get_paths()]) - place
    moving = np.linalg.norm(velocity, axis=1) > 0
    assert moving.sum() >= 50
    ahead = velocity[moving] / np.linalg.norm(velocity[moving], axis=1, keepdims=True)
    assert_allclose(tip[moving] / np.linalg.norm(tip[moving], axis=1, keepdims=True), ahead, atol=1e-6)
    colors = marks.get_facecolors()
    assert_allclose(colors[:50], np.tile(to_rgba(COLORS[MEMBER]), (50, 1)))
    assert_allclose(colors[50:], np.tile(to_rgba(COLORS[PREDATOR]), (2, 1)))
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["member", "predator"]


def test_the_edge_of_a_torus_is_dashed_and_no_frame_covers_it() -> None:
    with Simulation(swarm.load_mission("vicsek"), 0) as sim, style.styled():
        (axes,) = draw_overview(sim.world, "vicsek", plan_of(sim, told=False)).axes
    assert not any(spine.get_visible() for spine in axes.spines.values())
    edges = [
        patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_linestyle() not in ("-", "solid")
    ]
    assert [edge.get_bbox().bounds for edge in edges] == [(0.0, 0.0, 5.0, 5.0)]


@pytest.mark.parametrize("air", [(1.0, 0.0), (-0.6, 0.8)])
def test_the_wind_s_arrow_points_where_it_blows_to(air: tuple[float, float]) -> None:
    with style.styled():
        _, (panel,) = panels(np.array([[0.0, 0.0], [10.0, 10.0]]), 0.3, (6.0, 6.0))
        arrow = wind_arrow(panel, np.array(air))
        draw_wind(panel, SimpleNamespace(wind=("any",), wind_at=lambda time: np.array(air)))  # type: ignore[arg-type]
    along = arrow[3] - 0.5 * (arrow[0] + arrow[6])
    assert_allclose(along / np.linalg.norm(along), air, atol=1e-9)
    assert "wind 1 m/s" in [text.get_text() for text in panel.axes.texts]


def test_no_wind_is_no_arrow() -> None:
    with style.styled():
        _, (panel,) = panels(np.array([[0.0, 0.0], [10.0, 10.0]]), 0.3, (6.0, 6.0))
        before = len(panel.axes.get_children())
        draw_wind(panel, swarm.load_world("open-field"))
    assert len(panel.axes.get_children()) == before
