"""What hides is not known before it is seen, is seen only in range with nothing in between, and hides fairly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.errors import BadInput
from swarm.tasks.search import APART, Search, seen

WALL = {"kind": "box", "center": [5.0, 2.0, 1.5], "size": [0.4, 4.0, 3.0]}  # open from y = 4 to 6
ZONES = [
    {"kind": "area", "center": [8.0, 2.0, 1.5], "size": [3.0, 3.0, 2.0], "name": "back room"},
    {"kind": "gate", "order": 1, "center": [5.0, 5.0, 1.5], "size": [1.0, 1.0], "name": "door"},
]
START = [[1.0, 1.0, 1.5], [1.0, 1.6, 1.5]]
HIDDEN = (8.0, 1.0, 1.5)


@pytest.fixture(scope="module")
def world(make_room):
    return make_room([WALL], ZONES)


@pytest.fixture(scope="module")
def begin(world, make_scene):
    return lambda seed=0, **keys: Search(**keys).begin(make_scene(world, START, seed))


def test_a_wall_hides_what_is_in_range(begin, make_state, world):
    goal = begin(target=HIDDEN, range=4.0)
    goal.update(world, make_state([[4.5, 1.0, 1.5]] * 2))  # 3.5 m away, the wall in between
    assert goal.found_at is None
    assert goal.target.tolist() != list(HIDDEN)
    goal.update(world, make_state([[5.5, 4.0, 1.5]] * 2))  # 3.91 m away in the open
    assert goal.found_at is not None
    assert goal.target.tolist() == list(HIDDEN)
    assert goal.path is None


def test_range_is_to_the_nearest_living_agent(begin, make_state, world):
    goal = begin(target=HIDDEN, range=2.0)
    just, beyond = [6.01, 1.0, 1.5], [5.99, 1.0, 1.5]
    goal.update(world, make_state([beyond, beyond]))
    assert goal.found_at is None
    goal.update(world, make_state([just, beyond], alive=[False, True]))
    assert goal.found_at is None
    goal.update(world, make_state([beyond, just], time=7.0))
    assert goal.found_at == 7.0


def test_found_is_not_met(begin, make_state, world):
    goal = begin(target=HIDDEN, radius=0.5)
    at = make_state([HIDDEN, HIDDEN])
    assert not goal.met(at)  # not looked yet
    goal.update(world, make_state([[7.0, 1.0, 1.5]] * 2))
    assert not goal.met(make_state([[7.0, 1.0, 1.5]] * 2))
    assert goal.remaining(make_state([[7.0, 1.0, 1.5]] * 2)) == pytest.approx(1.0)
    goal.update(world, at)
    assert goal.met(at)
    assert not goal.met(make_state([HIDDEN, HIDDEN], alive=[True, False]))


@given(places=st.lists(st.tuples(st.floats(0, 10), st.floats(0, 6), st.floats(0, 3)), min_size=1, max_size=6))
def test_seen_is_in_reach_and_in_sight(places, world):
    agents, wanted = np.array(places), np.array([[8.0, 1.0, 1.5], [2.0, 2.0, 1.0]])
    found = seen(world, agents, wanted, 3.0)
    for a, agent in enumerate(agents):
        for p, place in enumerate(wanted):
            expected = np.linalg.norm(agent - place) <= 3.0 and world.visible(agent[None], place[None])[0]
            assert found[a, p] == expected


def test_the_sweep_is_flown_point_by_point_and_back_again(begin, make_state, world):
    goal = begin(target=HIDDEN, range=1.0, radius=0.3)
    goal.hidden = np.array([99.0, 0.0, 0.0])  # where nobody will see it
    path, visited = goal.path, []
    for _ in range(2 * len(path)):
        visited.append(goal.target.tolist())
        goal.update(world, make_state([goal.target, goal.target]))
    assert visited[: len(path)] == path.tolist()
    assert visited[len(path) : 2 * len(path) - 1] == path[::-1].tolist()[1:]
    assert np.array_equal(goal.path, path)


def test_looking_from_one_place_for_ever_is_no_error(make_room, make_scene, make_state):
    small = make_room(bounds=((0.0, 0.0, 0.0), (2.0, 2.0, 2.0)))
    goal = Search(target=(1.5, 1.0, 1.0), range=9.0).begin(make_scene(small, [[1.0, 1.0, 1.0]]))
    assert len(goal.path) == 1
    goal.hidden = np.array([99.0, 0.0, 0.0])
    for _ in range(5):
        goal.update(small, make_state([[1.0, 1.0, 1.0]]))
    assert goal.target.tolist() == [1.0, 1.0, 1.0]


def test_drawn_targets_are_free_in_the_area_and_reachable(begin, world):
    area, drawn = world.zone("back room"), []
    for seed in range(5):
        goal = begin(seed, area="back room")
        assert area.contains(goal.hidden)
        assert world.clearance(goal.hidden[None])[0][0] >= APART
        assert world.route(np.array(START[0]), 0.06).reachable(goal.hidden[None])[0]
        assert np.array_equal(goal.hidden, begin(seed, area="back room").hidden)
        drawn.append(tuple(goal.hidden))
    assert len(set(drawn)) == 5


def test_drawn_targets_are_not_in_sight_from_the_start(begin, world):
    for seed in range(5):
        goal = begin(seed)
        assert not seen(world, np.array(START), goal.hidden[None], 4.0).any()


def test_where_all_is_in_sight_a_target_is_drawn_all_the_same(make_room, make_scene):
    small = make_room(bounds=((0.0, 0.0, 0.0), (2.0, 2.0, 2.0)))
    assert Search().begin(make_scene(small, [[1.0, 1.0, 1.0]])).hidden.shape == (3,)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"area": "back rom"}, r'task\.area: .*did you mean "back room"'),
        ({"area": "door"}, r'task\.area: expected back room, got "door"'),
        ({"target": (5.0, 1.0, 1.5)}, r"task\.target: .* is inside box"),
        ({"target": (8.0, 1.0)}, r"task\.target: expected 3 numbers, got 2"),
        ({"target": (2.0, 2.0, 1.5), "area": "back room"}, r"task\.target: .* is not in the area back room"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(begin, keys, message):
    with pytest.raises(BadInput, match=message):
        begin(**keys)


def test_a_full_area_is_refused(make_room, make_scene):
    block = {"kind": "box", "center": [8.0, 2.0, 1.5], "size": [3.2, 3.2, 2.2]}
    with pytest.raises(BadInput, match=r"task\.area: found no free place"):
        Search(area="back room").begin(make_scene(make_room([block], ZONES), START))


@pytest.mark.parametrize("keys", [{"area": "back room"}, {"target": HIDDEN}])
def test_what_is_walled_in_is_refused(keys, make_room, make_scene):
    shut = {"kind": "box", "center": [5.0, 3.0, 1.5], "size": [0.4, 6.0, 3.0]}
    with pytest.raises(BadInput, match=r"task\.(area: found no free place|target: .* is walled in)"):
        Search(**keys).begin(make_scene(make_room([shut], ZONES[:1]), START))


@pytest.mark.slow
@pytest.mark.parametrize("controller", ["formation", "boids"])
def test_drones_search_without_knowing(controller):
    fly(swarm.load_mission("five-drone-search", {"controller": {"use": controller}, "criteria": {}}), 19)


@pytest.mark.parametrize("controller", ["formation", "boids"])
def test_drones_search_two_rooms(controller):
    rooms = {"dim": 3, "bounds": [[0.0, 0.0, 0.0], [10.0, 6.0, 3.0]], "boundary": "walls", "obstacles": [WALL]}
    spawn = {"shape": "v", "spacing": 0.6, "center": [1.5, 1.5, 1.5]}
    changes = {"controller": {"use": controller}, "criteria": {}, "world": rooms, "swarm.spawn": spawn}
    fly(swarm.load_mission("five-drone-search", {**changes, "formation.spacing": 0.6}), 0)


def fly(mission, seed):
    with swarm.Simulation(mission, seed) as sim:
        hidden = sim.goal.hidden
        while not sim.done:
            found = seen(sim.world, sim.state.position, hidden[None], 4.0).any() and sim.steps > 0
            assert np.array_equal(sim.view.target, hidden) == bool(sim.goal.found_at is not None)
            assert (sim.view.path is None) == (sim.goal.found_at is not None)
            assert not found or sim.goal.found_at is not None
            sim.step()
        assert sim.success
        assert not sim.contacts
        assert sim.goal.found_at < sim.state.time
