"""Ways are the shortest there are: against visibility graphs that know nothing of grids."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

from swarm.worlds import Obstacle, World
from swarm.worlds.routes.search import LEAST

ROOM = np.array([[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]])


def boxes(rng, dim, count, largest):
    """Boxes along the axes, anywhere in the room."""
    low, high = ROOM[0, :dim] + 1.0, ROOM[1, :dim] - 1.0
    return [
        Obstacle("box", tuple(rng.uniform(low, high)), f"box {k}", size=tuple(rng.uniform(0.3, largest, dim)))
        for k in range(count)
    ]


def edges(obstacles, dim):
    """Lowest and highest corners, (N, D) each."""
    center, size = (np.array([getattr(o, name) for o in obstacles])[:, :dim] for name in ("center", "size"))
    return center - size / 2.0, center + size / 2.0


def shortest_in_the_plane(obstacles, points, margin):
    """Ways from the first point to all, by the visibility graph of the boxes grown by a margin, (N,) m.

    Arcs of the grown corners are polygons of eight sides a quarter, inside of the true arc by less than 0.5 % of it.
    """
    grown = [shapely.box(*low, *high).buffer(margin, quad_segs=8) for low, high in zip(*edges(obstacles, 2))]
    solid = shapely.union_all(grown).buffer(-1e-7)
    inner = shapely.box(*(ROOM[0, :2] + margin - 1e-7), *(ROOM[1, :2] - margin + 1e-7))
    corners = shapely.get_coordinates(shapely.union_all(grown))
    x, y = corners.T
    places = np.vstack((points, corners[shapely.contains_xy(inner, x, y) & ~shapely.contains_xy(solid, x, y)]))
    first, second = np.triu_indices(len(places), 1)
    shapely.prepare(solid)
    free = ~shapely.intersects(solid, shapely.linestrings(np.stack((places[first], places[second]), axis=1)))
    graph = np.zeros((len(places), len(places)))
    graph[first[free], second[free]] = np.linalg.norm(places[first[free]] - places[second[free]], axis=1)
    return dijkstra(graph, directed=False, indices=0)[: len(points)]


def shortest_in_space(obstacles, points, margin, spacing=0.2):
    """Ways from the first point to all around boxes grown by a margin on each side, (N,) m.

    A shortest way around boxes is straight from edge to edge, so a graph over the edges has it. Edges are cut into
    pieces of the spacing, so it is found longer than it is by less than spacing^2 / 8 per metre and turn: 0.5 %.
    """
    low, high = edges(obstacles, 3)
    low, high = low - margin, high + margin
    places = []
    for a, b in zip(low, high):
        for axis in range(3):
            along = np.linspace(a[axis], b[axis], max(2, int(np.ceil((b - a)[axis] / spacing)) + 1))
            for ends in itertools.product((0, 1), repeat=2):
                line = np.empty((len(along), 3))
                line[:, axis] = along
                for other, end in zip((other for other in range(3) if other != axis), ends):
                    line[:, other] = (a, b)[end][other]
                places.append(line)
    places = np.unique(np.vstack(places), axis=0)
    tiny = 1e-6
    buried = ((places[:, None] > low + tiny) & (places[:, None] < high - tiny)).all(axis=2).any(axis=1)
    inside = ((places >= ROOM[0] + margin - tiny) & (places <= ROOM[1] - margin + tiny)).all(axis=1)
    places = np.vstack((points, places[inside & ~buried]))
    graph = np.zeros((len(places), len(places)))
    for row, place in enumerate(places[:-1]):
        line = places[row + 1 :] - place
        slope = np.where(np.abs(line) < 1e-12, 1e-12, line)
        free = np.ones(len(line), dtype=bool)
        for a, b in zip(low + tiny, high - tiny):
            one, two = (a - place) / slope, (b - place) / slope
            enters, leaves = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
            free &= (enters >= leaves) | (leaves <= 0.0) | (enters >= 1.0)
        graph[row, row + 1 :][free] = np.linalg.norm(line[free], axis=1)
    return dijkstra(graph, directed=False, indices=0)[: len(points)]


SHORTEST = {2: shortest_in_the_plane, 3: shortest_in_space}


def length(corners):
    """Of a polyline, m."""
    return np.linalg.norm(np.diff(corners, axis=0), axis=1).sum()


def finely(path):
    """Places along a polyline, a centimetre or less apart, (K, D)."""
    legs = [np.linspace(a, b, 2 + int(100.0 * np.linalg.norm(b - a))) for a, b in itertools.pairwise(path)]
    return np.concatenate(legs)


def walk(route, start, step=0.03):
    """Places one comes through by following the direction, (K, D)."""
    places = [start]
    for _ in range(3000):
        distance, direction = route.toward(places[-1][None])
        if distance[0] <= step:
            return np.array([*places, route.target])
        places.append(places[-1] + step * direction[0])
    raise AssertionError(f"never arrived from {start}")


def scene(seed, dim, margin, count):
    """A world of boxes, its route to the first of some points, and the points with room around them."""
    rng = np.random.default_rng(seed)
    world = World("boxes", ROOM[:, :dim], "walls", dim == 3, tuple(boxes(rng, dim, count, 3.0 if dim == 2 else 4.0)))
    points = rng.uniform(ROOM[0, :dim] + 0.5, ROOM[1, :dim] - 0.5, (40, dim))
    points = points[world.clearance(points)[0] > margin + 0.3]
    far = np.linalg.norm(points - points[0], axis=1) > 3.0
    far[0] = True
    return world, world.route(points[0], margin), points[far]


def check_lengths(seed, dim, margin, count):
    """Compare with the graph; returns ratios to the shortest way, where there is one."""
    world, route, points = scene(seed, dim, margin, count)
    # Passages up to this much wider than the margin asks for may be closed, by the grid.
    wide = max(margin, LEAST * route.grid.cell) + np.sqrt(dim) / 2.0 * route.grid.cell
    shortest, roomy = (SHORTEST[dim](world.obstacles, points, m)[1:] for m in (margin, wide))
    found = route.distance(points)[1:]
    open_to_all = np.isfinite(roomy)
    assert route.reachable(points[1:])[open_to_all].all()
    assert not route.reachable(points[1:])[~np.isfinite(shortest)].any()
    assert (found[open_to_all] <= 1.01 * roomy[open_to_all]).all()
    # In space the reference keeps the margin around corners as if they were sharp, and so is longer there.
    assert (found[open_to_all] >= (0.99 if dim == 2 or margin == 0.0 else 0.97) * shortest[open_to_all]).all()
    for point, whole in list(zip(points[1:][open_to_all], found[open_to_all]))[:8]:
        path = route.path(point)
        np.testing.assert_array_equal(path[[0, -1]], [point, route.target])
        assert length(path) == pytest.approx(whole, rel=1e-9)
        assert world.clearance(finely(path))[0].min() > max(0.0, margin - 0.3 * route.grid.cell)
        places = walk(route, point)
        assert length(places) <= 1.02 * whole
        assert world.clearance(places[1:-1])[0].min(initial=1.0) > max(0.0, margin - 0.5 * route.grid.cell)
    return found[open_to_all] / shortest[open_to_all]


@pytest.mark.parametrize(("dim", "margin", "count"), [(2, 0.0, 9), (2, 0.25, 9), (3, 0.0, 5), (3, 0.25, 5)])
def test_ways_among_boxes_are_the_shortest_to_within_what_the_grid_resolves(dim, margin, count):
    for seed in range(4 if dim == 2 else 2):
        check_lengths(seed, dim, margin, count)


@pytest.mark.slow
@pytest.mark.parametrize(("dim", "margin", "count"), [(2, 0.0, 9), (2, 0.25, 9), (3, 0.0, 7), (3, 0.25, 7)])
def test_nearly_all_ways_among_many_worlds_of_boxes_are_within_five_percent(dim, margin, count):
    """The rest go round a passage that is wide enough by less than 1.7 cells."""
    ratios = np.concatenate([check_lengths(seed, dim, margin, count) for seed in range(100, 140 if dim == 2 else 110)])
    assert np.mean(ratios <= 1.05) > 0.95
    assert ratios.mean() < 1.02


@given(
    half=st.tuples(st.floats(0.3, 1.8), st.floats(0.3, 1.8), st.floats(0.3, 1.4)),
    near=st.floats(2.0, 4.0),
    far=st.floats(2.0, 4.0),
    margin=st.sampled_from([0.0, 0.1, 0.2, 0.4]),
)
@settings(max_examples=12, deadline=None)
def test_over_or_around_one_block_is_half_of_the_string_around_it(half, near, far, margin):
    """Start and target face the middle of two sides: a string around both and the block grown by the margin is twice
    the way, in the plane in which the block is narrower."""
    block = Obstacle("box", (0.0, 0.0, 2.5), "block", size=tuple(2.0 * h for h in half))
    world = World("block", ROOM * [1.6, 1.0, 1.0], "walls", True, (block,))
    start, target = np.array([-half[0] - near, 0.0, 2.5]), np.array([half[0] + far, 0.0, 2.5])
    beside = min(half[1], half[2])
    grown = shapely.box(-half[0], -beside, half[0], beside).buffer(margin, quad_segs=64)
    string = shapely.convex_hull(shapely.union_all([grown, shapely.MultiPoint([start[:2], target[:2]])]))
    assert world.route(target, margin).distance(start) == pytest.approx(string.length / 2.0, rel=0.05)
