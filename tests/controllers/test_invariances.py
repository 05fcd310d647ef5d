"""What every rule must keep: turns, shifts, order of agents, batches of worlds, dimensions, and no NaN ever."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers import CONTROLLERS, RULES, make_controller, make_rule
from swarm.view import View

# Rules that know nothing of the world: they turn and shift with the swarm and all that is there beside it.
FREE_RULES = (
    "separation", "alignment", "cohesion", "cruise", "seek", "flee", "arrive", "pursue", "offset_pursuit", "evade",
    "wander", "path_following", "flow_following", "leader_following", "leadership", "unaligned_avoidance", "queuing",
    "chase", "flee_predators",
)  # fmt: skip
ROLE = np.array([0, 1, 0, 1])  # members and leaders
OTHERS = np.array([[2.5, 0.5, 0.0], [-1.0, 2.0, 0.0], [-3.0, -1.0, 0.0]])  # m, predators and prey alike
PATH = np.array([[-4.0, -2.0, 0.0], [0.0, 1.0, 0.0], [5.0, 1.5, 0.0]])  # m
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


def beside(place=lambda points: points, turn=lambda vectors: vectors, dim=3):
    """Whoever and whatever is there beside the swarm, moved as a whole."""
    drift = np.array([[0.3, 0.2, 0.0], [-0.5, 0.1, 0.0], [0.0, -0.4, 0.0]])
    others = (place(OTHERS[:, :dim]), turn(drift[:, :dim]))
    return {"role": ROLE, "predators": others, "prey": others, "path": place(PATH[:, :dim])}


def distinct(position):
    """Nobody at the place of another, nor so near that rounding decides about directions."""
    everybody = np.concatenate([position, OTHERS])
    apart = np.linalg.norm(everybody[:, None] - everybody[None], axis=-1) + 9 * np.eye(len(everybody))
    return apart.min() > 1e-3


def flying(velocity):
    """Everybody has a heading in the plane; who has none takes +x, which does not turn with the swarm."""
    return np.linalg.norm(velocity[:, :2], axis=1).min() > 1e-3


def settled(rule, view):
    """Whether rounding decides nothing: a nudge changes the contribution by little."""
    views = []
    for sign in (1e-7, -1e-7):
        nudge = sign * np.sin(np.arange(view.position.size) + 1.0).reshape(view.position.shape)
        state = dataclasses.replace(view.state, position=view.position + nudge, velocity=view.velocity - nudge[::-1])
        views.append(View(view._senses, state, view._company))
    return max(np.abs(rule(nudged) - rule(view)).max() for nudged in views) < 1e-3


@pytest.mark.parametrize("name", FREE_RULES)
@given(swarm=swarms, angle=st.floats(0, 6.28))
def test_turning_the_swarm_turns_the_contribution(name, swarm, angle, make_view):
    position, velocity = swarm
    if not distinct(position) or not flying(velocity):
        return
    rule, target = rule_named(name), np.array([9.0, 1.0, 0.5])
    view = make_view(position, velocity, target=target, reach=100, **beside())
    if not settled(rule, view):
        return
    turn = partial(turned, angle=angle)
    other = make_view(turn(position), turn(velocity), target=turn(target), reach=100, **beside(turn, turn))
    # New ones each time: a rule may remember headings.
    assert rule_named(name)(other) == pytest.approx(turn(rule_named(name)(view)), abs=1e-6)


@pytest.mark.parametrize("name", FREE_RULES)
@given(swarm=swarms, shift=arrays(float, 3, elements=numbers))
def test_shifting_the_swarm_changes_nothing(name, swarm, shift, make_view):
    position, velocity = swarm
    if not distinct(position):
        return
    rule, target = rule_named(name), np.array([9.0, 1.0, 0.5])
    view = make_view(position, velocity, target=target, reach=100, **beside())
    if not settled(rule, view):
        return
    there = make_view(position + shift, velocity, target=target + shift, reach=100, **beside(lambda p: p + shift))
    assert rule_named(name)(there) == pytest.approx(rule_named(name)(view), abs=1e-6)


@pytest.mark.parametrize("name", [n for n in RULES if n != "formation_keeping"])
@given(swarm=swarms, order=st.permutations(range(4)))
def test_the_order_of_agents_does_not_matter(name, swarm, order, make_view):
    position, velocity = swarm
    if not distinct(position):
        return
    rule, order = rule_named(name), list(order)
    view = make_view(position, velocity, target=[9, 1, 0.5], **beside())
    if not settled(rule, view):
        return
    other = {**beside(), "role": ROLE[order]}
    other = rule_named(name)(make_view(position[order], velocity[order], target=[9, 1, 0.5], **other))
    assert other == pytest.approx(rule_named(name)(view)[order], abs=1e-9)


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
    both = {**beside(), "role": [*ROLE, *ROLE], "world_index": [0] * 4 + [1] * 4}
    batch = rule_named(name)(make_view(position, velocity, target=[9, 1, 0.5], **both))
    alone = [rule_named(name)(make_view(p, v, target=[9, 1, 0.5], **beside())) for p, v in (first, second)]
    assert np.array_equal(batch, np.concatenate(alone))


@pytest.mark.parametrize("name", RULES)
@given(swarm=arrays(float, (2, 4, 2), elements=numbers))
def test_two_dimensions_are_three_at_height_zero(name, swarm, make_view, make_world):
    position, velocity = swarm
    rule = rule_named(name)
    flat = make_world(2, [{"kind": "sphere", "center": [1.0, 0.0], "radius": 0.5}], half=4.0)
    tall = make_world(3, [{"kind": "cylinder", "center": [1.0, 0.0, 0.0], "radius": 0.5, "height": 50.0}], half=4.0)
    in_two = rule(make_view(position, velocity, world=flat, target=[3, 1], **beside(dim=2)))
    zero = np.zeros((4, 1))
    rule = rule_named(name)
    place, motion = np.hstack([position, zero]), np.hstack([velocity, zero])
    in_three = rule(make_view(place, motion, world=tall, target=[3, 1, 0], **beside()))
    assert in_three[:, :2] == pytest.approx(in_two, abs=1e-9)
    assert in_three[:, 2] == pytest.approx(np.zeros(4))


def degenerate(dim, make_view, make_world):
    origin = [0.0] * dim
    post = [{"kind": "sphere", "center": origin, "radius": 1.0}]
    walls = make_world(dim, post, half=3.0, boundary="walls")
    torus = make_world(dim, half=3.0, boundary="torus")
    many = ([origin] * 3, [origin] * 3)
    gone = (*many, [False] * 3)
    leaders = {"role": [1, 0, 1, 0], "path": [origin] * 3}
    return {
        "everybody at one place": make_view([origin] * 4, predators=many, prey=many, **leaders),
        "nobody of the others left": make_view([origin] * 4, predators=gone, prey=gone, target=origin, **leaders),
        "others at tiny distances": make_view(
            np.arange(4)[:, None] * np.full(dim, 1e-200),
            [[1e-200] * dim] * 4,
            world=torus,
            predators=([[1e-190] * dim], [[1e-200] * dim]),
            prey=([[1e-300] * dim] * 2, [[0.0] * dim] * 2),
            **leaders,
        ),
        "a path of one place": make_view([[1.0] * dim] * 4, path=[origin], world=torus),
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
    if name == "turn-caps":
        rules = {"rules": [{"use": rule, "max_turn": 90.0} for rule in RULES]}
    for case, view in degenerate(dim, make_view, make_world).items():
        faults = []
        controller = make_controller(name, rules, "test", faults)
        assert not faults
        controller.reset(make_briefing(view.position, target=view.target, world=view._senses.world))
        command = controller(view)
        assert command.shape == view.position.shape, case
        assert np.isfinite(command).all(), case
        assert (np.linalg.norm(command, axis=1) <= view.speed_limit * (1 + 1e-12)).all(), case
