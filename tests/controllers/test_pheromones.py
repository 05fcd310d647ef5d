"""Scents keep their total while they spread, fade by the exponential, stop at walls; trails make ants faster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.controllers.pheromones.ants import EXIT, HOME, Ants
from swarm.controllers.pheromones.field import Field
from swarm.controllers.pheromones.walls import turned_from_walls
from swarm.errors import BadInput
from swarm.worlds import build_world

WALL = {"kind": "box", "center": [5.0, 4.0], "size": [0.1, 8.0]}  # thinner than a cell; a gap from y = 8 to 10


def room(*obstacles, boundary="walls", size=10.0, zones=()):
    return build_world(
        {
            "dim": 2, "bounds": [[0.0, 0.0], [size, size]], "boundary": boundary, "obstacles": list(obstacles),
            "zones": list(zones),
        },
        "w.toml",
    )  # fmt: skip


@given(seed=st.integers(0, 999), diffusion=st.floats(0.0, 5.0), dt=st.floats(0.01, 2.0), torus=st.booleans())
def test_spreading_keeps_the_total_and_never_takes_more_than_there_is(seed, diffusion, dt, torus):
    field = Field(room(WALL, boundary="torus" if torus else "walls"), 0.7)
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 10, (20, 2))
    field.deposit(0, points, rng.uniform(0, 3, 20))
    total, most = field.amount.sum(), field.amount.max()
    for _ in range(5):
        field.step(dt, diffusion, 0.0)
        assert field.amount.sum() == pytest.approx(total, rel=1e-12)
        assert field.amount.min() >= -1e-12
        assert field.amount.max() <= most * (1 + 1e-12)


@given(rate=st.floats(0.0, 3.0), dt=st.floats(0.001, 10.0))
def test_evaporation_is_exponential_whatever_the_step(rate, dt):
    field = Field(room(), 1.0, kinds=2)
    field.amount[:] = np.arange(200.0).reshape(2, 10, 10)
    field.step(dt, 0.0, rate)
    field.step(dt, 0.0, rate)
    assert field.amount == pytest.approx(np.exp(-2 * rate * dt) * np.arange(200.0).reshape(2, 10, 10), abs=1e-12)


def test_a_drop_spreads_alike_to_all_sides_and_by_its_variance():
    field = Field(room(size=21.0), 1.0)
    field.deposit(0, np.array([[10.5, 10.5]]), np.array([1.0]))
    for _ in range(10):
        field.step(0.5, 0.3, 0.0)
    drop = field.amount[0]
    assert drop == pytest.approx(drop.T, abs=1e-15)
    assert drop == pytest.approx(drop[::-1], abs=1e-15)
    assert drop == pytest.approx(drop[:, ::-1], abs=1e-15)
    offset = np.arange(21) - 10.0
    assert (drop.sum(axis=0) * offset**2).sum() == pytest.approx(2 * 0.3 * 5.0, rel=1e-6)  # 2 D t along each axis


def test_nothing_spreads_through_a_wall_however_thin():
    field = Field(room({**WALL, "center": [5.0, 5.0], "size": [0.1, 10.0]}), 0.5)
    field.deposit(0, np.array([[4.8, 5.0]]), np.array([1.0]))
    for _ in range(50):
        field.step(1.0, 0.5, 0.0)
    assert field.amount[0, :, 10:].sum() == 0.0
    assert field.amount.sum() == pytest.approx(1.0)


def test_scent_goes_round_a_wall_through_the_gap():
    field = Field(room(WALL), 0.5)
    field.deposit(0, np.array([[4.8, 1.0]]), np.array([1.0]))
    for _ in range(400):
        field.step(1.0, 0.5, 0.0)
    beyond = field.at(0, np.array([[5.3, 9.0], [5.3, 1.0]]))
    assert beyond[0] > beyond[1] > 0.0  # first at the gap


def test_a_torus_has_no_rim():
    field = Field(room(boundary="torus"), 1.0)
    field.deposit(0, np.array([[0.5, 0.5], [10.5, -9.5]]), np.array([0.5, 0.5]))  # one place
    field.step(1.0, 0.1, 0.0)
    around = field.at(0, np.array([[9.5, 0.5], [1.5, 0.5], [0.5, 9.5], [0.5, 1.5]]))
    assert around == pytest.approx([0.1] * 4)


def test_what_is_laid_in_walls_or_outside_is_lost_and_nothing_is_smelled_there():
    field = Field(room({**WALL, "size": [2.0, 8.0]}), 0.5)
    field.deposit(0, np.array([[5.0, 2.0], [-1.0, 2.0], [3.0, 11.0], [2.0, 2.0]]), np.ones(4))
    assert field.amount.sum() == 1.0
    assert field.at(0, np.array([[5.0, 2.0], [-1.0, 2.0], [2.0, 2.0]])).tolist() == [0.0, 0.0, 1.0]


def test_kinds_keep_apart():
    field = Field(room(), 1.0, kinds=2)
    field.deposit(np.array([0, 1, 1]), np.full((3, 2), 5.0), np.array([1.0, 2.0, 4.0]))
    assert field.at(np.array([0, 1]), np.full((2, 2), 5.0)).tolist() == [1.0, 6.0]


def test_diffusion_that_would_take_for_ever_is_refused_with_the_most_there_may_be():
    """A thousand parts of a step, each of a fifth: 1,000 x 0.2 x (1 m)^2 / 0.5 s."""
    field = Field(room(), 1.0)
    for much in (401.0, 1e12, 1e308):
        with pytest.raises(BadInput, match=r"expected at most 400 m\^2/s for cells of 1 m and steps of 0.5 s"):
            field.step(0.5, much, 0.0)
    field.deposit(0, np.array([[5.0, 5.0]]), np.ones(1))
    field.step(0.5, 400.0, 0.0)
    assert field.amount.sum() == pytest.approx(1.0)
    assert field.amount.min() > 0.0


def test_ants_whose_scent_spreads_too_far_are_refused_before_the_run():
    mission = swarm.load_mission("maze-pheromones").changed({"controller.params.diffusion": 1e6})
    with pytest.raises(BadInput, match="diffusion: expected at most"):
        swarm.Simulation(mission)


def test_a_field_is_of_bearable_size():
    with pytest.raises(BadInput, match=r"cell: 0\.001 m makes 100,000,000 cells"):
        Field(room(), 0.001)


@pytest.mark.parametrize(
    ("heading", "normals", "after"),
    [
        ([0.6, 0.8], [[-1.0, 0.0]], [0.0, 1.0]),  # along the wall
        ([1.0, 0.0], [[-1.0, 0.0]], [0.0, 1.0]),  # straight at it: to the left
        ([-0.6, 0.8], [[-1.0, 0.0]], [-0.6, 0.8]),  # away from it
        ([0.8, 0.6], [[-1.0, 0.0], [0.0, -1.0]], [-(0.5**0.5), -(0.5**0.5)]),  # out of a corner
    ],
)
def test_headings_turn_along_walls_and_out_of_corners(heading, normals, after):
    headings = np.array([heading])
    count = len(normals)
    turned_from_walls(headings, np.array([0, count]), np.full(count, 0.1), np.array(normals), 0.3, np.ones(1))
    assert headings[0] == pytest.approx(after, abs=0.15)
    assert np.linalg.norm(headings) == pytest.approx(1.0)
    assert (headings @ np.array(normals).T >= -1e-9).all()


ZONES = (
    {"kind": "area", "name": "exit", "center": [9.0, 5.0], "size": [1.0, 1.0]},
    {"kind": "area", "name": "nest", "center": [1.0, 5.0], "size": [1.0, 1.0]},
)


def ants_at(position, make_briefing, **params):
    ants = Ants(exit="exit", nest="nest", noise=0.0, **params)
    ants.reset(make_briefing(position, world=room(zones=ZONES)))
    return ants


def test_an_ant_turns_to_the_stronger_scent_by_its_share(make_view, make_briefing):
    ants = ants_at([[5.0, 5.0]], make_briefing, deposit=0.0, follow=6.0, threshold=0.5, feeler=0.8, cell=0.5)
    colony = ants._run[0]
    colony.heading[:] = [1.0, 0.0]
    reach = 0.8 * 0.5**0.5
    ants.field.deposit(EXIT, np.array([[5 + reach, 5 + reach], [5 + reach, 5 - reach]]), np.array([1.5, 0.5]))
    command = ants(make_view([[5.0, 5.0]], world=room(zones=ZONES), dt=0.1))
    angle = 6.0 * (1.5 - 0.5) / (1.5 + 0.5 + 0.5) * 0.1
    assert command[0] == pytest.approx([np.cos(angle), np.sin(angle)])


def test_ants_lay_the_scent_of_where_they_come_from_weaker_with_time(make_view, make_briefing):
    ants = ants_at([[3.0, 5.0], [6.0, 5.0]], make_briefing, deposit=2.0, fading=10.0, evaporation=0.0, diffusion=0.0)
    ants._run[0].back[:] = [0, 1]
    ants._run[0].since[:] = [0.0, 5.0]
    ants(make_view([[3.0, 5.0], [6.0, 5.0]], world=room(zones=ZONES), dt=0.1))
    assert ants.field.amount.sum(axis=(1, 2))[[HOME, EXIT]] == pytest.approx([0.2, 0.2 * np.exp(-0.5)])
    assert ants.field.at(EXIT, np.array([6.0, 5.0])) == pytest.approx(0.2 * np.exp(-0.5))


def test_ants_turn_round_at_the_exit_and_at_the_nest(make_view, make_briefing):
    place = [[9.0, 5.4], [1.0, 5.4], [5.0, 5.0]]
    ants = ants_at(place, make_briefing, deposit=0.0, sight=0.0)
    colony = ants._run[0]
    colony.back[:], colony.heading[:] = [0, 1, 1], [1.0, 0.0]
    command = ants(make_view(place, world=room(zones=ZONES), dt=0.1))
    assert colony.back.tolist() == [1, 0, 1]
    assert command == pytest.approx(np.array([[-1.0, 0], [-1.0, 0], [1.0, 0]]))


def test_the_exit_is_seen_from_near_but_not_through_walls(make_view, make_briefing):
    world = room({"kind": "box", "center": [8.2, 5.0], "size": [0.1, 4.0]}, zones=ZONES)
    place = [[7.8, 5.0], [9.0, 3.8]]
    ants = Ants(exit="exit", nest="nest", noise=0.0, deposit=0.0, sight=1.5)
    ants.reset(make_briefing(place, world=world))
    ants._run[0].heading[:] = [-1.0, 0.0]
    command = ants(make_view(place, world=world, dt=0.1))
    assert command == pytest.approx(np.array([[-1.0, 0], [0, 1.0]]))


def test_in_three_dimensions_ants_fly_at_the_height_of_their_start(make_view, make_briefing):
    post = {"kind": "box", "center": [5.0, 5.0, 3.0], "size": [2.0, 2.0, 2.0]}  # from 2 to 4 m
    world = build_world({"bounds": [[0.0, 0.0, 0.0], [10.0, 10.0, 5.0]], "obstacles": [post]}, "w.toml")
    assert Field(world, 0.5, height=1.0).free.all()
    assert not Field(world, 0.5, height=3.0).free.all()
    ants = Ants(noise=0.0, speed=0.8)
    ants.reset(make_briefing([[2.0, 2.0, 1.0], [8.0, 8.0, 2.0]], world=world))
    command = ants(make_view([[2.0, 2.0, 1.0], [8.0, 8.0, 1.7]], world=world, dt=0.1))
    assert command[:, 2] == pytest.approx([0.5, -0.2])
    assert np.linalg.norm(command[:, :2], axis=1) == pytest.approx([0.8, 0.8])


def test_what_the_ants_need_is_named(make_briefing):
    with pytest.raises(BadInput, match="zone: the world test has no zones"):
        Ants(exit="exit").reset(make_briefing([[1.0, 1.0]]))
    with pytest.raises(BadInput, match="not told of the run"):
        Ants()(None)


def flown(seed, **params):
    """Result and recording of ants in the maze; they go to and fro until the time is up."""
    changes = {f"controller.params.{key}": value for key, value in params.items()}
    mission = swarm.load_mission("maze-pheromones", {"task.ends": False, **changes})
    result = swarm.run(mission, seed=seed)
    world = mission.build_world(seed)
    entered = {}
    for name in ("short way", "long way", "exit"):
        inside = world.zone(name).contains(result.trajectory.position)
        later = len(inside) // 2
        entered[name] = int((inside[1:] & ~inside[:-1])[later:].sum())
    return result, entered


@pytest.mark.slow
def test_trails_bring_everybody_out_sooner_and_by_the_shorter_way():
    exits, shares = {0.0: [], 1.0: []}, {0.0: [], 1.0: []}
    for deposit in exits:
        for seed in range(3):
            result, entered = flown(seed, deposit=deposit)
            exits[deposit].append(result.metrics["exit_time"])
            shares[deposit].append(entered["short way"] / (entered["short way"] + entered["long way"]))
    assert np.mean(exits[1.0]) < 0.6 * np.mean(exits[0.0])
    assert 0.35 < np.mean(shares[0.0]) < 0.65  # by chance as often the one as the other
    assert np.mean(shares[1.0]) > 0.7


def test_the_mission_names_its_exit_time():
    result = swarm.run(swarm.load_mission("maze-pheromones", {"duration": 20.0}), seed=0)
    assert not result.passed
    assert result.metrics["exit_time"] is None  # 23 m at 1 m/s: nobody can be there yet
