"""The formation and boids controllers fly agents that do at once as they are told."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers import Boids, Formation
from swarm.errors import SimulationError
from swarm.formations import slots
from swarm.metrics import formation_error

POST = {"kind": "cylinder", "center": [5.0, 0.1, 2.0], "radius": 0.3, "height": 4.0}


def prompt(**params):
    """For bodies without lag nothing needs to be asked for early."""
    return Formation(anticipation=0.0, **params)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_the_formation_reaches_its_target_in_shape(count, dim, make_briefing, fly):
    shape = slots("v", count, 1.0, dim)
    path, _ = fly(prompt(), make_briefing(shape, formation=shape, target=[8.0, 2.0, 0.0][:dim]), 10.0)
    assert path[-1].mean(axis=0) == pytest.approx([8.0, 2.0, 0.0][:dim], abs=0.05)
    assert max(formation_error(path, shape)) < 0.05


def test_the_formation_passes_a_post_and_closes_ranks(make_briefing, make_world, fly):
    shape = slots("v", 5, 1.0)
    world = make_world(3, [POST], half=14.0)
    briefing = make_briefing(shape + [0, 0, 1.5], world=world, formation=shape, target=[10.0, 0, 1.5])
    path, clearance = fly(prompt(), briefing, 12.0)
    assert clearance.min() > 0.1
    assert formation_error(path[-1], shape) < 0.05


def test_without_a_target_the_formation_hovers(make_briefing, fly):
    shape = slots("v", 5, 1.0)
    path, _ = fly(prompt(), make_briefing(shape + 0.3, formation=shape), 6.0)
    assert path[-1] == pytest.approx(shape + path[0].mean(axis=0), abs=0.02)


def test_without_a_formation_the_starting_shape_is_kept(make_briefing, fly):
    start = np.array([[0.0, 0, 0], [-1, 1.5, 0], [-2, -1, 0.5]])
    path, _ = fly(prompt(), make_briefing(start, target=[9.0, 0, 0.2]), 10.0)
    moved = path[-1] - path[-1].mean(axis=0)
    turned = start - start.mean(axis=0)
    assert np.linalg.norm(moved[:, None] - moved, axis=-1) == pytest.approx(
        np.linalg.norm(turned[:, None] - turned, axis=-1), abs=0.05
    )


def test_agents_in_any_order_take_near_slots(make_briefing, fly):
    shape = slots("v", 5, 1.0)
    rng = np.random.default_rng(1)
    start = rng.permutation(shape) + rng.uniform(-0.2, 0.2, shape.shape)
    path, _ = fly(prompt(), make_briefing(start, formation=shape, target=[9.0, 0, 0.0]), 10.0)
    assert formation_error(path[-1], shape) < 0.05


def test_the_living_go_on_when_one_is_lost(make_briefing, fly):
    shape = slots("v", 5, 1.0)
    alive = np.array([True, True, False, True, True])
    path, _ = fly(prompt(), make_briefing(shape, formation=shape, target=[8.0, 0, 0.0]), 10.0, alive)
    assert np.linalg.norm(path[-1][alive].mean(axis=0) - [8.0, 0, 0]) < 0.6


def test_a_path_is_followed_with_turns(make_briefing, fly):
    shape = slots("v", 5, 1.0)
    corners = np.array([[0.0, 0, 0], [6, 0, 0], [6, 6, 0], [0, 6, 0]])
    briefing = make_briefing(shape, formation=shape, path=corners, path_speed=[1.0, 1.5, 1.0])
    path, _ = fly(prompt(), briefing, 22.0)
    centre = path.mean(axis=1)
    for corner in corners:
        assert np.linalg.norm(centre - corner, axis=1).min() < 0.8
    assert max(formation_error(path, shape)) < 0.15


def test_a_controller_that_was_not_told_of_the_run_says_so(make_view):
    with pytest.raises(SimulationError, match="not reset"):
        Formation()(make_view([[0, 0, 0]]))


@pytest.mark.parametrize("dim", [2, 3])
def test_boids_arrive_together_without_touching(dim, make_briefing, make_world, fly):
    world = make_world(dim, [POST if dim == 3 else {"kind": "sphere", "center": [5.0, 0.1], "radius": 0.3}], half=14.0)
    start = slots("v", 5, 1.0, dim) + np.array([0.0, 0.0, 1.5])[:dim]
    path, clearance = fly(Boids(), make_briefing(start, world=world, target=[10.0, 0.0, 1.5][:dim]), 15.0)
    apart = np.linalg.norm(path[:, :, None] - path[:, None], axis=-1) + 9 * np.eye(5)
    assert np.linalg.norm(path[-1].mean(axis=0) - np.array([10.0, 0.0, 1.5])[:dim]) < 1.0
    assert clearance.min() > 0.05
    assert apart.min() > 0.2


def test_boids_without_a_target_fly_on_together(make_view, make_briefing):
    start = np.array([[0.0, 0, 0], [1, 0, 0]])
    boids = Boids(separation=0.0, cohesion=0.0, altitude=0.0)
    boids.reset(make_briefing(start))
    assert boids(make_view(start, [[0.5, 0, 0], [0.5, 0, 0]])) == pytest.approx(np.array([[1.5, 0, 0], [1.5, 0, 0]]))


def test_boids_weights_scale_their_rules(make_view):
    view = make_view([[0.0, 0, 0], [0.5, 0, 0]])
    only = Boids(separation=3.0, alignment=0.0, cohesion=0.0, altitude=0.0)
    assert only.wish(view)[1] == pytest.approx([1.5, 0, 0])
