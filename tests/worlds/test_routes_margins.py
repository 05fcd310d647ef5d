"""What ways keep away from: margins, thin things, walls on every side."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import trimesh

from swarm.worlds import Obstacle
from tests.worlds.test_routes import PLANE, box, length, walk
from tests.worlds.test_routes_shortest import finely


def corridor(width, dim):
    """A wall across the room with a gap in its middle."""
    side = 5.0 - width / 2.0
    parts = [(0.0, sign * (width / 2.0 + side / 2.0), 2.5)[:dim] for sign in (1.0, -1.0)]
    return [box(*center, *(0.6, side, 5.0)[:dim], name=f"wall {k}") for k, center in enumerate(parts)]


@pytest.mark.parametrize("dim", [2, 3])
def test_a_passage_narrower_than_twice_the_margin_is_not_taken(scene, dim):
    detour = Obstacle("sphere", (3.0, 3.0, 2.5)[:dim], "ball", radius=0.2)  # no plan: space is searched in space
    world = scene.world(
        *corridor(1.0, dim), detour, boundary="walls", floor=dim == 3, bounds=PLANE if dim == 2 else None
    )
    start, target = np.array([-3.0, 0.4, 2.0][:dim]), np.array([3.0, -0.4, 2.0][:dim])
    for margin in (0.55, 0.51):
        assert not world.route(target, margin).reachable(start)
    widest = world.widest_route(target, start[None], (1.0, 0.51, 0.35, 0.1))
    assert widest.margin == 0.35
    assert world.clearance(finely(widest.path(start)))[0].min() > 0.35 - 0.3 * widest.grid.cell


def test_the_widest_route_is_the_narrowest_asked_for_where_none_leads_there(scene):
    world = scene.world(*corridor(0.2, 2), boundary="walls", bounds=PLANE)
    start, target = np.array([[-3.0, 0.4], [2.0, 0.0]]), np.array([3.0, -0.4])
    route = world.widest_route(target, start, (0.5, 0.3))
    assert route.margin == 0.3
    np.testing.assert_array_equal(route.reachable(start), [False, True])
    assert world.widest_route(target, start, (3.0, 0.05)).margin == 0.05  # no room for 3 m at the target


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("margin", [0.3, 0.6])
def test_from_and_to_places_in_the_margin_the_way_takes_the_shortest_way_out_of_it(scene, dim, margin):
    block = box(*(0.0, 0.0, 2.5)[:dim], *(2.0, 6.0, 2.0)[:dim])
    world = scene.world(block, boundary="walls", floor=dim == 3, bounds=PLANE if dim == 2 else None)
    start, target = np.array([-1.1, 0.2, 2.5][:dim]), np.array([1.15, -0.3, 2.5][:dim])
    route = world.route(target, margin)
    assert route.reachable(start)
    assert route.direction(start)[0] < -0.7  # away from the block
    path = route.path(start)
    clearance = world.clearance(finely(path))[0]
    assert clearance.min() > 0.09
    inside = np.flatnonzero(clearance < margin - 0.3 * route.grid.cell)
    # What is in the margin is the beginning and the end, each about as long as the margin is deep there.
    assert len(inside) < 2 * 100 * (margin + 2.0 * route.grid.cell)
    places = walk(world, route, start)
    assert np.linalg.norm(places[-1] - target) < 0.03
    assert world.clearance(places)[0].min() > 0.05


def test_a_net_with_openings_of_a_metre_is_gone_through_and_never_touched(scene):
    """Wires of 2 cm, on a grid of about 0.25 m, however they lie on it."""
    for yaw, shift in itertools.product((0.0, 0.3, 0.8), (0.0, 0.07, 0.13)):
        across = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
        up = [
            Obstacle("box", tuple((k + 0.5 + shift) * across + [shift, 0.0, 2.5]), f"wire {k}", size=(0.02, 0.02, 5.0),
                     rpy=(0.0, 0.0, yaw))
            for k in range(-8, 9)
        ]  # fmt: skip
        level = [
            Obstacle("box", (shift, 0.0, k + 0.25 + shift), f"rope {k}", size=(0.02, 16.0, 0.02), rpy=(0.0, 0.0, yaw))
            for k in range(6)
        ]
        world = scene.world(*up, *level, boundary="walls", floor=True)
        starts = np.array([[-4.0, 0.1, 2.3], [-4.0, -2.0, 4.0]])
        for margin in (0.0, 0.2, 0.3):
            route = world.route(np.array([4.0, 0.3, 2.0]), margin)
            assert route.reachable(starts).all()
            for start in starts:
                kept = max(0.0, margin - 0.5 * route.grid.cell)
                assert world.clearance(finely(route.path(start)))[0].min() > kept
                assert world.clearance(walk(world, route, start))[0].min() > kept


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_no_way_cuts_through_a_beam_of_ten_centimetres(scene, kind):
    rng = np.random.default_rng(0)
    for _ in range(15):
        beam = Obstacle(
            kind, tuple(rng.uniform([-0.2, -0.2, 2.4], [0.2, 0.2, 2.6])), "beam", size=(0.1, 0.1, 3.0), radius=0.05,
            height=3.0, rpy=tuple(rng.uniform(-np.pi, np.pi, 3)),
        )  # fmt: skip
        world = scene.world(beam, boundary="walls", floor=True)
        route = world.route(np.array([3.0, 0.05, 2.5]))
        for start in rng.uniform([-3.0, -0.3, 2.3], [-2.0, 0.3, 2.7], (6, 3)):
            path = route.path(start)
            assert world.clearance(finely(path))[0].min() > 0.0
            assert length(path) < 1.02 * np.linalg.norm(start - route.target)
            assert world.clearance(walk(world, route, start))[0].min() > 0.0


def enclosure(scene, dim, holed):
    """Something closed around the origin."""
    if dim == 2:
        return [
            box(0.0, 1.5, 3.2, 0.1),
            box(0.0, -1.5, 3.2, 0.1),
            box(1.55, 0.0, 0.1, 3.1),
            box(-1.55, 0.0, 0.1, 3.1),
        ]
    shell = trimesh.creation.icosphere(subdivisions=2, radius=1.6)
    if holed:  # one of 320 triangles is missing: not watertight, so it has no inside, and no drone fits through
        shell.update_faces(np.arange(len(shell.faces)) > 0)
        return [scene.mesh(shell, (0.0, 0.0, 2.5), closed=False)]
    thick = trimesh.util.concatenate([shell, trimesh.creation.icosphere(subdivisions=2, radius=1.5)])
    thick.faces[len(shell.faces) :] = thick.faces[len(shell.faces) :, ::-1]
    return [scene.mesh(thick, (0.0, 0.0, 2.5))]


@pytest.mark.parametrize(("dim", "holed"), [(2, False), (3, False), (3, True)])
def test_a_target_that_is_walled_in_is_reachable_from_inside_alone(scene, dim, holed):
    parts = enclosure(scene, dim, holed)
    world = scene.world(*parts, boundary="walls", floor=dim == 3, bounds=PLANE if dim == 2 else None)
    middle = np.array([0.0, 0.0, 2.5][:dim])
    points = np.random.default_rng(0).uniform(world.bounds[0], world.bounds[1], (400, dim))
    points = points[world.clearance(points)[0] > 1e-3]
    away = np.abs(points - middle).max(axis=1) if dim == 2 else np.linalg.norm(points - middle, axis=1)
    inside, outside = away < (1.35 if dim == 2 else 1.3), away > 1.65
    assert inside.any()
    for margin in (0.15, 0.3):
        for target, own, others in ((middle, inside, outside), (np.array([3.0, 3.0, 2.5][:dim]), outside, inside)):
            assert (world.clearance(target[None])[0] > margin).all()
            route = world.route(target, margin)
            assert not route.reachable(points[others]).any()
            roomy = world.clearance(points)[0] > margin + 0.3
            assert route.reachable(points[own & roomy]).all()
            distance, direction = route.toward(points)
            assert np.isfinite(distance).all()
            assert np.isfinite(direction).all()


@pytest.mark.parametrize("obstacles", [0, 1])
@pytest.mark.parametrize("boundary", ["torus", "walls", "open"])
@pytest.mark.parametrize("dim", [2, 3])
def test_places_that_are_not_finite_have_no_way(scene, dim, boundary, obstacles):
    parts = [box(*(0.0, 0.0, 2.5)[:dim], *(1.0, 1.0, 1.0)[:dim])][:obstacles]
    world = scene.world(*parts, boundary=boundary, bounds=PLANE if dim == 2 else None)
    route = world.route(np.array([2.0, 1.0, 2.0][:dim]), 0.1)
    good = np.array([-2.0, 1.0, 2.0][:dim])
    points = np.array([good] * (3 * dim + 1))
    for row, (value, axis) in enumerate(itertools.product((np.nan, np.inf, -np.inf), range(dim))):
        points[row, axis] = value
    distance, direction = route.toward(points)
    np.testing.assert_array_equal(distance[:-1], np.inf)
    np.testing.assert_array_equal(direction[:-1], 0.0)
    np.testing.assert_array_equal(route.reachable(points), [False] * (3 * dim) + [True])
    np.testing.assert_array_equal(route.path(points[0]), route.target[None])
    assert distance[-1] == route.distance(good)
