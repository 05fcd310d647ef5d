"""Titles of snapshots side by side."""

from __future__ import annotations

from itertools import pairwise

import swarm
from swarm.plots.flown import flown
from swarm.plots.snapshots import draw_snapshots


def test_titles_of_narrow_panels_do_not_run_into_each_other():
    mission = swarm.load_mission("netlogo-3d", {"duration": 20.0, "measure": {}, "criteria": {}})
    page = draw_snapshots(flown(mission, swarm.run(mission, 0)))
    page.canvas.draw()
    titles = [axes.title for axes in page.axes if "order" in axes.get_title()]
    boxes = sorted((title.get_window_extent() for title in titles), key=lambda box: box.x0)
    assert len(boxes) == 3
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    assert boxes[0].x0 >= 0.0
    assert boxes[-1].x1 <= page.bbox.x1
    assert not any(line.startswith("m,") for title in titles for line in title.get_text().splitlines())
