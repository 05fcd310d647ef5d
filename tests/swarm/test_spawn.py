"""Swarms start where the mission says, each hull free, or say why not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.errors import BadInput
from swarm.formations import SHAPES, slots
from swarm.mission import Spawn
from swarm.spawn import FREE, ROOM, place
from swarm.state import Floats
from swarm.worlds import build_world
from swarm.worlds.world import World

RADIUS = 0.06


def room(dim: int = 3, obstacles: Any = (), boundary: str = "walls", size: float = 10.0) -> World:
    return build_world(
        {
            "dim": dim,
            "bounds": [[0.0] * dim, [size] * dim],
            "boundary": boundary,
            "obstacles": [dict(o) for o in obstacles],
        },
        "test",
    )


def start(spawn: Spawn, world: World, count: int = 5, seed: int = 0, target: Any = None) -> tuple[Floats, Floats]:
    towards = None if target is None else np.array(target, dtype=float)
    return place(spawn, world, count, RADIUS, towards, np.random.default_rng(seed), "m: swarm.spawn")


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("shape", [s for s in SHAPES if s != "points"])
def test_a_shape_stands_about_its_centre_and_points_at_the_target(shape: str, dim: int) -> None:
    center = (5.0, 4.0, 3.0)[:dim]
    position, heading = start(Spawn(shape=shape, center=center, spacing=0.5), room(dim), target=(5.0, 9.0, 3.0)[:dim])  # type: ignore[arg-type]
    ahead = slots(shape, 5, 0.5, dim)
    turned = np.column_stack([-ahead[:, 1], ahead[:, 0], ahead[:, 2:]])  # a quarter to the left
    assert position == pytest.approx(center + turned)
    assert heading == pytest.approx(np.full(5, np.pi / 2))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("shape", ["v", "line", "grid"])
def test_a_shape_with_a_size_is_put_whole_somewhere_in_the_box(shape: str, dim: int) -> None:
    post = {"kind": "sphere", "center": [5.0] * dim, "radius": 1.0}
    world, size = room(dim, [post]), np.array([4.0, 6.0, 2.0])[:dim]
    spawn = Spawn(shape=shape, center=(5.0,) * dim, size=tuple(size), spacing=0.5)  # type: ignore[arg-type]
    middles = []
    for seed in range(40):
        position, _ = start(spawn, world, seed=seed)
        middles.append(position.mean(axis=0))
        assert position == pytest.approx(middles[-1] + slots(shape, 5, 0.5, dim))
        assert world.clearance(position)[0].min() > RADIUS + ROOM
    drawn = np.array(middles)
    assert (np.abs(drawn - 5.0) <= size / 2 + 1e-9).all()
    assert (np.ptp(drawn, axis=0) > 0.6 * size).all()
    assert np.array_equal(start(spawn, world, seed=3)[0], start(spawn, world, seed=3)[0])


def test_a_size_of_nothing_is_the_centre_itself() -> None:
    fixed = Spawn(shape="v", center=(5.0, 5.0, 5.0), size=(0.0, 0.0, 0.0), spacing=0.5)
    position, _ = start(fixed, room())
    assert position.mean(axis=0) == pytest.approx([5.0, 5.0, 5.0])


def test_a_box_that_sticks_out_of_the_world_is_cut_at_it() -> None:
    spawn = Spawn(shape="v", center=(0.0, 5.0, 5.0), size=(6.0, 2.0, 2.0), spacing=0.5)
    for seed in range(20):
        assert start(spawn, room(), seed=seed)[0].min() > RADIUS + ROOM


@pytest.mark.parametrize(
    ("spawn", "message"),
    [
        (Spawn(shape="v", center=(5.0, 5.0)), r"\.center: expected 3 numbers, got 2"),
        (Spawn(shape="v", size=(1.0, 1.0)), r"\.size: expected 3 numbers, got 2"),
        (Spawn(shape="v", center=(20.0, 5.0, 5.0), size=(1.0, 1.0, 1.0)), r"\.center: the box .* is outside the world"),
        (Spawn(center=(20.0, 5.0, 5.0), size=(1.0, 1.0, 1.0)), r"\.center: the box .* is outside the world"),
        (Spawn(shape="v", center=(20.0, 5.0, 5.0)), r"agent 0 at .* is outside the world"),
        (Spawn(shape="line", size=(9.0, 9.0, 9.0), spacing=5.0), r"found no place in 500 where all of the formation"),
        (Spawn(shape="line", spacing=0.1), r"agents 0 and 1 start inside each other"),
        (Spawn(center=(5.0, 5.0, 5.0), size=(0.1, 0.1, 0.1)), r"no room for 5 agents 0\.36 m apart"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(spawn: Spawn, message: str) -> None:
    with pytest.raises(BadInput, match=rf"m: swarm\.spawn.*{message}"):
        start(spawn, room())


def test_a_start_in_something_names_it() -> None:
    post = {"kind": "box", "center": [5.0, 5.0, 5.0], "size": [1.0, 1.0, 1.0], "name": "crate"}
    with pytest.raises(BadInput, match=r"agent \d at .* is inside crate") as refused:
        start(Spawn(shape="grid", center=(5.0, 5.0, 5.0), spacing=0.2), room(obstacles=[post]), count=9)
    assert len(refused.value.faults) == 6  # five agents, and how many more
    assert refused.value.faults[-1].endswith("4 more agents")


@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), dim=st.sampled_from([2, 3]))
def test_agents_drawn_one_by_one_are_free_and_apart(seed: int, count: int, dim: int) -> None:
    post = {"kind": "sphere", "center": [5.0] * dim, "radius": 2.0}
    world = WORLDS[dim] if dim in WORLDS else WORLDS.setdefault(dim, room(dim, [post]))
    position, heading = start(Spawn(), world, count, seed)
    assert heading.tolist() == [0.0] * count
    assert world.clearance(position)[0].min() > FREE * RADIUS
    apart = np.linalg.norm(position[:, None] - position, axis=-1) + 9 * np.eye(count)
    assert apart.min() >= 6 * RADIUS


WORLDS: dict[int, World] = {}


def test_points_start_where_they_are_written_about_the_centre() -> None:
    chosen = {"shape": "points", "points": [[1.0, 2.0], [3.0, -1.0], [5.0, 5.0]], "center": [1.0, 1.0]}
    mission = swarm.load_mission("vicsek", {"swarm.count": 3, "swarm.spawn": chosen, "world.boundary": "open"})
    with swarm.Simulation(mission, 0) as sim:
        assert sim.state.position.tolist() == [[2.0, 3.0], [4.0, 0.0], [6.0, 6.0]]
