"""A world's bodies in PyBullet."""

from __future__ import annotations

import dataclasses

import numpy as np
import pybullet
import pytest
import trimesh

from swarm.worlds import Motion, Obstacle, load_world
from swarm.worlds.bullet_bodies import FACES
from swarm.worlds.realisation import neighbourhoods, realise


@pytest.fixture
def client():
    """An empty Bullet world."""
    number = pybullet.connect(pybullet.DIRECT)
    yield number
    pybullet.disconnect(number)


def bullet_distances(world, client, points):
    """(A,) m from a tiny ball to the nearest body, and the index of the surface met there."""
    realised = realise(world, client)
    speck = 1e-3
    shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=speck, physicsClientId=client)
    ball = pybullet.createMultiBody(0.1, shape, physicsClientId=client)
    distances, surfaces = [], []
    for point in points:
        pybullet.resetBasePositionAndOrientation(ball, point, [0, 0, 0, 1], physicsClientId=client)
        hits = [
            (hit[8] + speck, realised.surface(body, hit[6]))
            for body in realised.bodies
            for hit in pybullet.getClosestPoints(ball, body, 100.0, physicsClientId=client)
        ]
        distance, surface = min(hits)
        distances.append(distance)
        surfaces.append(surface)
    return np.array(distances), np.array(surfaces)


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder"])
def test_clearance_agrees_with_bullet_inside_and_outside(scene, client, kind):
    rng = np.random.default_rng(5)
    world = scene.world(*scene.scattered(kind, 40, rng), boundary="walls", floor=True)
    points = rng.uniform(scene.room[0], scene.room[1], (300, 3))
    distance, _, surface = world.nearest(points)
    found, met = bullet_distances(world, client, points)
    assert (distance < 0.0).sum() > 5
    np.testing.assert_allclose(found, distance, atol=2e-3)
    clearly = [np.diff(np.sort(world.near(p[None], 100.0).distance)[:2])[0] > 5e-3 for p in points]
    np.testing.assert_array_equal(met[clearly], surface[clearly])


def test_clearance_of_meshes_agrees_with_bullet(scene, client):
    rng = np.random.default_rng(6)
    world = scene.world(
        scene.mesh(trimesh.creation.torus(1.0, 0.3), (0.0, 0.0, 2.0), (0.5, 1.0, 2.0), name="ring"),
        scene.mesh(trimesh.creation.icosphere(3, 0.8), (3.0, 3.0, 2.0), name="ball"),
        floor=True,
    )
    points = rng.uniform(scene.room[0], scene.room[1], (300, 3))
    points[:100] = rng.uniform([-1.3, -1.3, 0.7], [1.3, 1.3, 3.3], (100, 3))
    distance, _, surface = world.nearest(points)
    found, met = bullet_distances(world, client, points)
    # Bullet's triangles have two sides: it gives the distance to the shell, inside as well.
    np.testing.assert_allclose(found, np.abs(distance), atol=1e-3)
    outside = distance > 0.0
    np.testing.assert_array_equal(met[outside], surface[outside])


def test_a_large_mesh_is_whole_in_bullet(scene, client):
    dome = trimesh.creation.icosphere(5, 2.0)
    assert len(dome.faces) > FACES  # so it takes two bodies
    world = scene.world(scene.mesh(dome, (0.0, 0.0, 2.5)))
    points = np.random.default_rng(7).uniform(scene.room[0], scene.room[1], (60, 3))
    found, _ = bullet_distances(world, client, points)
    np.testing.assert_allclose(found, np.abs(np.linalg.norm(points - [0.0, 0.0, 2.5], axis=1) - 2.0), atol=3e-3)


def test_the_bodies_of_a_large_mesh_are_each_in_one_place(scene, client):
    dome = trimesh.creation.icosphere(5, 2.0)
    dome.update_faces(np.random.default_rng(0).permutation(len(dome.faces)))
    realised = realise(scene.world(scene.mesh(dome, (1.0, 0.0, 2.5))), client)
    boxes = [np.array(pybullet.getAABB(body, physicsClientId=client)) for body in realised.bodies]
    low, high = np.min(boxes, axis=(0, 1)), np.max(boxes, axis=(0, 1))
    np.testing.assert_allclose([low, high], [[-1.0, -2.0, 0.5], [3.0, 2.0, 4.5]], atol=0.1)
    assert sum(np.prod(high - low) for low, high in boxes) < 1.3 * np.prod(high - low)


def test_movers_have_their_velocity_and_stand_where_the_world_has_them(scene, client):
    dome = scene.mesh(trimesh.creation.icosphere(5, 1.0), (0.0, 0.0, 2.5))
    motion = Motion((0.0, 0.0, 2.5), ((2.0, 0.0, 2.5),), 0.5)
    world = scene.world(*scene.scattered("box", 3, np.random.default_rng(0)), dataclasses.replace(dome, motion=motion))
    realised = realise(world, client)
    assert [row for _, row, _ in realised.movers] == [0, 0]  # two bodies of one mover
    for time, place, velocity in ((0.0, 0.0, 0.5), (1.0, 0.5, 0.5), (5.0, 1.5, -0.5)):
        realised.move(time)
        for body, _, _ in realised.movers:
            assert pybullet.getBasePositionAndOrientation(body, client)[0] == pytest.approx((place, 0.0, 2.5))
            assert pybullet.getBaseVelocity(body, client)[0] == pytest.approx((velocity, 0.0, 0.0))
    points = np.random.default_rng(7).uniform(scene.room[0], scene.room[1], (60, 3))
    found = bullet_distances(world.at(3.0), client, points)[0]
    np.testing.assert_allclose(np.abs(found), np.abs(world.at(3.0).clearance(points)[0]), atol=3e-3)


def test_every_trunk_of_a_forest_is_named_by_a_contact_on_it(client):
    forest = load_world("forest", seed=4)
    realised = realise(forest, client)
    homes = {surface: body for body, surfaces in realised.bodies.items() for surface in surfaces}
    assert sorted(homes) == list(range(len(forest.surfaces)))
    for index, trunk in enumerate(forest.obstacles):
        x, y, _ = trunk.center
        for side in (-1.0, 1.0):
            assert realised.surface(homes[index], (x + side * trunk.radius, y, 1.0)) == index
    assert realised.surface(999, (0.0, 0.0, 0.0)) == -1


def test_trunks_share_as_few_bodies_as_hold_sixteen_each(client):
    forest = load_world("forest", seed=0)
    realised = realise(forest, client)
    sizes = [len(surfaces) for surfaces in realised.bodies.values() if len(surfaces) > 1]
    assert sum(sizes) == len(forest.obstacles) == 48
    assert sizes == [16, 16, 16]


@pytest.mark.parametrize("count", [0, 1, 16, 17, 50, 333])
def test_neighbourhoods_hold_every_point_once(count):
    centers = np.random.default_rng(count).uniform(0.0, 9.0, (count, 3))
    groups = neighbourhoods(centers)
    assert sorted(k for group in groups for k in group) == list(range(count))
    assert all(len(group) <= 16 for group in groups)
    assert len(groups) == -(-count // 16)


def test_a_ball_comes_to_rest_on_the_floor_of_an_open_world_far_out(client):
    realise(load_world("open-field"), client)
    shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.1, physicsClientId=client)
    ball = pybullet.createMultiBody(1.0, shape, basePosition=[300.0, -200.0, 0.12], physicsClientId=client)
    pybullet.setGravity(0.0, 0.0, -9.8, physicsClientId=client)
    for _ in range(240):
        pybullet.stepSimulation(physicsClientId=client)
    position, _ = pybullet.getBasePositionAndOrientation(ball, physicsClientId=client)
    assert position[2] == pytest.approx(0.1, abs=2e-3)


def test_a_body_in_the_gap_between_two_trunks_of_one_compound_touches_nothing(scene, client):
    trunks = [Obstacle("cylinder", (x, 0.0, 2.0), f"trunk {x}", radius=0.3, height=4.0) for x in (-0.75, 0.75)]
    realise(scene.world(*trunks), client)
    shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.4, physicsClientId=client)
    ball = pybullet.createMultiBody(1.0, shape, basePosition=[0.0, 0.0, 2.0], physicsClientId=client)
    pybullet.performCollisionDetection(physicsClientId=client)
    assert not [c for c in pybullet.getContactPoints(ball, physicsClientId=client) if c[8] < 0.0]
