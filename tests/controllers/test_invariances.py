"""What every rule must keep: turns, shifts, order of agents, batches of worlds, dimensions, and no NaN ever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers import CONTROLLERS, RULES, make_controller, make_rule

NEIGHBOUR_RULES = ("separation", "alignment", "cohesion", "cruise", "seek")
FORMATION = ((0.5, 0.0), (-0.5, 0.5), (-0.5, -0.5), (-1.0, 1.0))

numbers = st.floats(-3, 3, allow_subnormal=False)
swarms = arrays(float, (2, 4, 3), elements=numbers)


def rule_named(name):
    faults = []
    rule = make_rule(name, {"slots": FORMATION} if name == "formation_keeping" else {}, "test", faults)
    assert not faults
    return rule


def turned(vectors, angle):
    c, s = np.cos(angle), np.sin(angle)
    return vectors @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def distinct(position):
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1) + 9 * np.eye(len(position))
    return apart.min() > 1e-3


@pytest.mark.parametrize("name", NEIGHBOUR_RULES)
@given(swarm=swarms, angle=st.floats(0, 6.28))
def test_turning_the_swarm_turns_the_contribution(name, swarm, angle, make_view):
    position, velocity = swarm
    if not distinct(position):
        return
    rule, target = rule_named(name), np.array([9.0, 1.0, 0.5])
    straight = rule(make_view(position, velocity, target=target, reach=100))
    other = rule(make_view(turned(position, angle), turned(velocity, angle), target=turned(target, angle), reach=100))
    assert other == pytest.approx(turned(straight, angle), abs=1e-6)


@pytest.mark.parametrize("name", NEIGHBOUR_RULES)
@given(swarm=swarms, shift=arrays(float, 3, elements=numbers))
def test_shifting_the_swarm_changes_nothing(name, swarm, shift, make_view):
    position, velocity = swarm
    if not distinct(position):
        return
    rule, target = rule_named(name), np.array([9.0, 1.0, 0.5])
    here = rule(make_view(position, velocity, target=target, reach=100))
    there = rule(make_view(position + shift, velocity, target=target + shift, reach=100))
    assert there == pytest.approx(here, abs=1e-6)


@pytest.mark.parametrize("name", [n for n in RULES if n != "formation_keeping"])
@given(swarm=swarms, order=st.permutations(range(4)))
def test_the_order_of_agents_does_not_matter(name, swarm, order, make_view):
    position, velocity = swarm
    if not distinct(position):
        return
    rule, order = rule_named(name), list(order)
    one = rule(make_view(position, velocity, target=[9, 1, 0.5]))
    other = rule(make_view(position[order], velocity[order], target=[9, 1, 0.5]))
    assert other == pytest.approx(one[order], abs=1e-9)


@given(swarm=swarms, angle=st.floats(0, 6.28))
def test_obstacle_avoidance_turns_with_the_obstacle(swarm, angle, make_view, make_world):
    position, velocity = swarm
    rule = rule_named("obstacle_avoidance")
    centre = np.array([1.0, 0.5, 0.0])
    if np.linalg.norm(position - centre, axis=1).min() < 1e-3:
        return
    spheres = [
        make_world(3, [{"kind": "sphere", "center": c.tolist(), "radius": 0.5}])
        for c in (centre, turned(centre, angle))
    ]
    straight = rule(make_view(position, velocity, world=spheres[0]))
    other = rule(make_view(turned(position, angle), turned(velocity, angle), world=spheres[1]))
    assert other == pytest.approx(turned(straight, angle), abs=1e-6)


@pytest.mark.parametrize("name", RULES)
@given(first=swarms, second=swarms)
def test_a_batch_of_worlds_is_the_worlds_one_by_one(name, first, second, make_view):
    position, velocity = np.concatenate([first, second], axis=1)
    batch = rule_named(name)(make_view(position, velocity, world_index=[0] * 4 + [1] * 4, target=[9, 1, 0.5]))
    alone = [rule_named(name)(make_view(p, v, target=[9, 1, 0.5])) for p, v in (first, second)]
    assert np.array_equal(batch, np.concatenate(alone))


@pytest.mark.parametrize("name", RULES)
@given(swarm=arrays(float, (2, 4, 2), elements=numbers))
def test_two_dimensions_are_three_at_height_zero(name, swarm, make_view, make_world):
    position, velocity = swarm
    rule = rule_named(name)
    flat = make_world(2, [{"kind": "sphere", "center": [1.0, 0.0], "radius": 0.5}], half=4.0)
    tall = make_world(3, [{"kind": "cylinder", "center": [1.0, 0.0, 0.0], "radius": 0.5, "height": 50.0}], half=4.0)
    in_two = rule(make_view(position, velocity, world=flat, target=[3, 1]))
    zero = np.zeros((4, 1))
    rule = rule_named(name)
    in_three = rule(make_view(np.hstack([position, zero]), np.hstack([velocity, zero]), world=tall, target=[3, 1, 0]))
    assert in_three[:, :2] == pytest.approx(in_two, abs=1e-9)
    assert in_three[:, 2] == pytest.approx(np.zeros(4))


def degenerate(dim, make_view, make_world):
    origin = [0.0] * dim
    post = [{"kind": "sphere", "center": origin, "radius": 1.0}]
    walls = make_world(dim, post, half=3.0, boundary="walls")
    return {
        "all at one place": make_view([origin] * 4, target=origin),
        "alone": make_view([origin]),
        "all dead": make_view([origin] * 4, alive=[False] * 4, target=origin),
        "inside an obstacle": make_view([origin] * 4, world=walls, target=origin),
        "on a corner": make_view([[3.0] * dim] * 4, [[1.0] * dim] * 4, world=walls, target=[3.0] * dim),
        "outside": make_view([[9.0] * dim] * 4, world=walls),
        "unlimited brakes": make_view([origin] * 4, world=walls, acceleration_limit=np.inf),
        "tiny distances": make_view(np.arange(4)[:, None] * np.full(dim, 1e-200), [[1e-200] * dim] * 4),
    }


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", RULES)
def test_no_rule_gives_nan(name, dim, make_view, make_world):
    for case, view in degenerate(dim, make_view, make_world).items():
        contribution = rule_named(name)(view)
        assert contribution.shape == view.position.shape, case
        assert np.isfinite(contribution).all(), case


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", CONTROLLERS)
def test_no_controller_gives_nan(name, dim, make_view, make_world, make_briefing):
    rules = {"rules": [{"use": rule} for rule in RULES]} if name in ("weighted_sum", "prioritised") else {}
    for case, view in degenerate(dim, make_view, make_world).items():
        faults = []
        controller = make_controller(name, rules, "test", faults)
        assert not faults
        controller.reset(make_briefing(view.position, target=view.target, world=view._senses.world))
        command = controller(view)
        assert command.shape == view.position.shape, case
        assert np.isfinite(command).all(), case
        assert (np.linalg.norm(command, axis=1) <= view.speed_limit * (1 + 1e-12)).all(), case
