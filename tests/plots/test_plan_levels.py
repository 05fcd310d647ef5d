"""Plans are cut where one flies: a wall with a gate at the height of its opening."""

from __future__ import annotations

from swarm.plots.plan import _level
from swarm.plots.sections import section
from swarm.worlds import load_world


def test_a_wall_is_cut_open_at_its_gate():
    world = load_world("gate-wall", seed=2)
    for wall, gate in zip(world.obstacles, world.gates, strict=True):
        level = _level(wall, world, 1.5)
        assert level == gate.center[2]
        assert len(section(wall, level).rings) == 2  # the wall to the left of the opening and to the right


def test_what_no_gate_is_in_is_cut_at_the_common_height():
    world = load_world("yard", seed=0)
    assert {_level(obstacle, world, 1.5) for obstacle in world.obstacles} == {1.5}
