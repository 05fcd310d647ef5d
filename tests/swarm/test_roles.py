"""Leaders and predators: who decides for whom, who sees whom, who is caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.capture import Hunt
from swarm.errors import BadInput, SimulationError
from swarm.mission import Mission
from swarm.mission_file import mission_from_table
from swarm.others import Others, nearest
from swarm.roles import Capture, ControllerChoice, Role
from swarm.state import LEADER, MEMBER, PREDATOR, Floats
from swarm.view import View

SIDE = 20.0  # m, of the torus


def members(view: View) -> Floats:
    """East at 0.5 m/s."""
    return np.tile([0.5, 0.0], (len(view.position), 1))


def leaders(view: View) -> Floats:
    """North at 0.25 m/s."""
    return np.tile([0.0, 0.25], (len(view.position), 1))


def still(view: View) -> Floats:
    """Nobody moves."""
    return np.zeros_like(view.position)


def chase(view: View) -> Floats:
    """At 1 m/s to the nearest of the flock."""
    found = view.nearest_prey
    return found.displacement / np.maximum(found.distance, 1.0)[:, None]


def nonsense(view: View) -> Floats:
    """One row too many."""
    return np.zeros((len(view.position) + 1, 2))


HERE = f"{__name__}:"


def mission(roles: list[dict[str, Any]], use: str = "members", count: int = 4, **more: Any) -> Mission:
    """Points on a torus, one step a second."""
    table: dict[str, Any] = {
        "name": "roles", "duration": 10.0, "world": {
            "dim": 2, "bounds": [[0.0, 0.0], [SIDE, SIDE]], "boundary": "torus",
        },
        "swarm": {
            "count": count, "body": "point", "physics_hz": 1, "command_hz": 1, "speed_limit": 1.0, "roles": roles,
            **more,
        },
        "controller": {"use": HERE + use},
    }  # fmt: skip
    return mission_from_table(table, "roles.toml", Path.cwd())


def role(name: str, use: str, count: int = 1, **more: Any) -> dict[str, Any]:
    """One [[swarm.roles]]."""
    return {"role": name, "count": count, "controller": {"use": HERE + use}, **more}


def test_members_come_first_and_then_the_roles_in_order_each_told_by_its_own() -> None:
    flown = swarm.run(mission([role("predator", "still", 2), role("leader", "leaders", 3)]), 0).trajectory
    assert flown is not None
    assert flown.role.tolist() == [MEMBER] * 4 + [PREDATOR] * 2 + [LEADER] * 3
    assert flown.velocity[-1, :4] == pytest.approx(np.tile([0.5, 0.0], (4, 1)))
    assert flown.velocity[-1, 4:6] == pytest.approx(np.zeros((2, 2)))
    assert flown.velocity[-1, 6:] == pytest.approx(np.tile([0.0, 0.25], (3, 1)))


def test_each_party_sees_its_own_as_agents_and_the_other_as_others() -> None:
    with swarm.Simulation(mission([role("predator", "still", 2), role("leader", "leaders", 3)]), 0) as sim:
        sim.step()
        state, view = sim.state, sim.view
        assert view.role.tolist() == [MEMBER] * 4 + [LEADER] * 3
        flock = [0, 1, 2, 3, 6, 7, 8]
        assert view.position.tolist() == state.position[flock].tolist()
        assert view.predators.position.tolist() == state.position[4:6].tolist()
        assert len(view.prey.position) == 0
        assert view.neighbours.indices.max() < 7
        hunters = sim._views.predators
        assert hunters is not None
        assert hunters.position.tolist() == state.position[4:6].tolist()
        assert hunters.prey.position.tolist() == state.position[flock].tolist()
        assert len(hunters.predators.position) == 0


def test_metrics_and_the_goal_leave_predators_out() -> None:
    result = swarm.run(mission([role("predator", "still")]), 0)
    assert result.metrics["order"] == pytest.approx(10 / 11)  # all east, but for the start at rest
    assert result.metrics["speed"] == pytest.approx(0.5 * 10 / 11)
    assert result.metrics["captures"] == 0
    assert result.metrics["success"]


def test_a_mission_without_predators_has_no_captures_and_no_hunger() -> None:
    metrics = swarm.run(mission([]), 0).metrics
    assert metrics["captures"] is None
    assert metrics["hunger"] is None


def test_one_within_reach_is_caught_stays_where_it_is_and_feeds_the_predator() -> None:
    # The predator at x = 5 flies east at 1 m/s; prey rests at x = 8.3: after three steps they are 0.3 m apart.
    points = {"shape": "points", "points": [[8.3, 10.0], [18.3, 18.0]], "center": [13.3, 14.0]}
    hunter = role(
        "predator", "chase", spawn={"shape": "points", "points": [[0.0, 0.0]], "center": [5.0, 10.0]},
        capture={"radius": 0.5, "hunger": 10.0, "gain": 50.0, "loss": 2.0},
    )  # fmt: skip
    chosen = mission([hunter], "still", 2, spawn=points)
    result = swarm.run(chosen, 0)
    flown = result.trajectory
    assert flown is not None
    assert flown.alive[:, 0].tolist() == [True] * 3 + [False] * 8
    assert flown.position[3:, 0] == pytest.approx(np.tile([8.3, 10.0], (8, 1)))
    assert result.metrics["captures"] == 1
    # 10, 8, 6, 4 + 50, then 2 less a step.
    assert result.series["hunger"][:5].tolist() == [10.0, 8.0, 6.0, 54.0, 52.0]
    assert not result.metrics["success"]


def test_hunger_never_falls_below_nothing() -> None:
    hunter = role("predator", "still", capture={"radius": 0.001, "hunger": 3.0, "gain": 1.0, "loss": 2.0})
    assert swarm.run(mission([hunter]), 0).series["hunger"][:4].tolist() == [3.0, 1.0, 0.0, 0.0]


def test_two_predators_do_not_catch_the_same_one() -> None:
    hunters = [Role("predator", ControllerChoice("x"), 2, capture=Capture(1.0))]
    hunt = Hunt(hunters, 1.0)
    two = Others(np.zeros((2, 2)), np.zeros((2, 2)), np.ones(2, bool))
    flock = Others(np.array([[0.5, 0.0], [0.7, 0.0], [3.0, 0.0]]), np.zeros((3, 2)), np.ones(3, bool))
    assert hunt.after_move(two, flock, np.zeros(2)) == [(0, 0), (1, 1)]
    lost = two._replace(alive=np.zeros(2, bool))
    assert hunt.after_move(lost, flock, np.zeros(2)) == []


def test_the_same_members_start_and_decide_alike_with_and_without_roles() -> None:
    alone = swarm.run(mission([]), 3).trajectory
    led = swarm.run(mission([role("leader", "leaders"), role("predator", "still")]), 3).trajectory
    assert alone is not None
    assert led is not None
    assert led.position[:, :4].tolist() == alone.position.tolist()


def test_commands_for_the_members_leave_the_roles_to_their_controllers() -> None:
    chosen = mission([role("leader", "leaders")])
    with swarm.Simulation(chosen, 0) as sim:
        sim.step(np.tile([-0.5, 0.0], (4, 1)))
        assert sim.command[:4] == pytest.approx(np.tile([-0.5, 0.0], (4, 1)))
        assert sim.command[4] == pytest.approx([0.0, 0.25])
        sim.step(np.zeros((5, 2)))
        assert not sim.command.any()


def test_the_environment_is_of_the_members() -> None:
    env = gymnasium.make("swarm/Mission-v0", mission=mission([role("leader", "leaders"), role("predator", "still")]))
    observation, _ = env.reset(seed=0)
    assert observation.shape[0] == 4
    assert env.action_space.shape == (4, 2)
    env.step(np.zeros((4, 2), np.float32))
    assert env.unwrapped.sim.command[4] == pytest.approx([0.0, 0.25])  # type: ignore[attr-defined]


def test_a_role_s_controller_that_answers_nonsense_is_named() -> None:
    with swarm.Simulation(mission([role("leader", "nonsense")]), 0) as sim, pytest.raises(SimulationError) as error:
        sim.step()
    assert "step 0" in str(error.value)
    assert "nonsense: expected numbers of shape (agents, dimensions) (5, 2) in m/s, got float64 of shape (6, 2)" in str(
        error.value
    )


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"role": "boss", "controller": {"use": "boids"}}, 'roles[0].role: expected leader, predator, got "boss"'),
        ({"role": "leader"}, "roles[0].controller: missing"),
        (
            {"role": "leader", "count": 0, "controller": {"use": "boids"}},
            "roles[0].count: expected a whole number >= 1",
        ),
        ({"role": "leader", "controller": {"use": "bids"}}, "roles[0].controller.use"),
        ({"role": "leader", "controller": {"use": "boids"}, "capture": {"radius": 1.0}}, "only predators catch"),
        ({"role": "predator", "controller": {"use": "boids"}, "capture": {"radius": 0.0}}, "capture.radius"),
        ({"role": "predator", "controller": {"use": "boids"}, "catch": 1}, "unknown key"),
    ],
)
def test_a_role_that_makes_no_sense_is_refused(table: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as error:
        mission([table])
    assert said in str(error.value)


def test_set_reaches_a_role_by_its_number() -> None:
    changed = mission([role("predator", "still")]).changed({"swarm.roles.0.count": 3})
    assert changed.swarm.total == 7
    with pytest.raises(BadInput, match="expected an entry of the list, 0 to 0, got"):
        changed.changed({"swarm.roles.1.count": 3})


def test_roles_do_not_start_inside_members() -> None:
    wide = {"motion": {"radius": 0.5}, "spawn": {"center": [10.0, 10.0], "size": [6.0, 6.0]}}
    placed = swarm.run(mission([role("leader", "still", 6)], "still", 6, **wide), 0).trajectory
    assert placed is not None
    apart = np.linalg.norm(placed.position[0][:, None] - placed.position[0][None], axis=-1)
    assert apart[~np.eye(12, dtype=bool)].min() >= 1.0


places = st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=0, max_size=6)


@given(places, places, st.sampled_from([0.0, 7.0, 20.0]))
def test_the_nearest_is_the_nearest_of_all_images(own: Any, theirs: Any, side: float) -> None:
    here, there = np.array(own).reshape(-1, 2), np.array(theirs).reshape(-1, 2)
    alive = np.arange(len(there)) % 3 != 1
    found = nearest(here, Others(there, np.zeros_like(there), alive), np.array([side, side]))
    for i, point in enumerate(here):
        step = there - point
        if side > 0:
            step -= side * np.rint(step / side)
        distance = np.where(alive, np.hypot(*step.T), np.inf)
        if not alive.any():
            assert found.index[i] == -1
            assert found.distance[i] == np.inf
        else:
            assert found.distance[i] == pytest.approx(distance.min(), abs=1e-12)
            assert distance[found.index[i]] == pytest.approx(distance.min(), abs=1e-12)
            assert np.hypot(*found.displacement[i]) == pytest.approx(distance.min(), abs=1e-12)


def test_a_role_has_the_members_variant_unless_it_says_its_own() -> None:
    literal = {"controller.params.variant": "literal"}
    own = {"swarm.roles.0.controller.params.variant": "repaired"}
    for changes, speed in ((literal, 0.8), (literal | own, 1.6), ({}, 1.6)):
        chosen = swarm.load_mission("netlogo-predator", {**changes, "duration": 3.0, "criteria": {}, "measure": {}})
        flown = swarm.run(chosen, 0).trajectory
        assert flown is not None
        assert np.linalg.norm(flown.velocity[1, -1]) == pytest.approx(speed, rel=1e-6)
