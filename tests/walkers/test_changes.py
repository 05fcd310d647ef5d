"""A mission that is changed while its run goes on."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput

EPISODE = 40


def crowd(**keys):
    changed = {key.replace("__", "."): value for key, value in keys.items()}
    return swarm.load_mission("hadimassa").changed({"duration": 400.0, "task.episode": EPISODE, **changed})


def walked(mission, changes, leaping=False, controller=None, body=None):
    """A run with changes asked for at steps."""
    changes = dict(changes)
    with swarm.Simulation(mission, seed=1, controller=controller, body=body) as sim:
        while not sim.done:
            for step in [step for step in changes if step <= sim.steps]:
                sim.change(changes.pop(step))
            sim.leap() if leaping else sim.step()
        return sim.trajectory, sim.metrics, list(sim.goal.arrivals)


@pytest.mark.parametrize("leaping", [False, True])
def test_a_changed_parameter_holds_from_the_next_episode_on(leaping):
    before = walked(crowd(), {}, leaping)[0].position
    after = walked(crowd(), {EPISODE - 10: {"controller.params.turn": 5.0}}, leaping)[0].position
    assert np.array_equal(before[: EPISODE + 1], after[: EPISODE + 1])
    assert not np.array_equal(before[EPISODE + 1], after[EPISODE + 1])


def test_a_change_keeps_what_walkers_remember_and_a_reset_takes_it_back():
    mission = crowd(task__episode=200.0)
    with swarm.Simulation(mission, seed=0) as sim:
        for _ in range(200):
            sim.step()
        heading = sim.controller.minds.heading.copy()
        sim.change({"controller.params.turn": 0.0})
        sim.step()
        kept = (sim.controller.minds.heading == heading).all(axis=1)
        assert kept.sum() > 40  # but for those who turned aside
        assert sim.controller.turn == 0.0
        sim.reset(0)
        assert sim.controller.turn == 2.0


def test_a_change_in_a_task_without_episodes_holds_at_once():
    mission = swarm.load_mission("vicsek").changed({"duration": 5.0, "measure.from": 0.0})
    with swarm.Simulation(mission, seed=0) as sim:
        sim.step()
        sim.change({"controller.params.speed": 0.01})
        sim.step()
        assert np.allclose(np.hypot(*sim.command.T), 0.01)


def test_none_goes_back_to_what_the_mission_says():
    with swarm.Simulation(crowd(), seed=0) as sim:
        sim.change({"controller.params.turn": 5.0, "swarm.count": 10})
        sim.step()
        assert (sim.controller.turn, sim.state.alive.sum()) == (5.0, 10)
        sim.change(None)
        for _ in range(EPISODE):
            sim.step()
        assert (sim.controller.turn, sim.state.alive.sum()) == (2.0, 150)


@pytest.mark.parametrize("leaping", [False, True])
def test_those_who_join_begin_on_source_cells_and_the_others_go_on(leaping):
    count, more = 150, 190
    before = walked(crowd(), {}, leaping)[0]
    after = walked(crowd(), {10: {"swarm.count": more}}, leaping)[0]
    assert after.position.shape[1] == more
    there = after.alive.sum(axis=1)
    assert (there[: EPISODE + 1] == count).all()
    assert (there[EPISODE + 1 :] == more).all()
    assert not after.alive[: EPISODE + 1, count:].any()
    assert np.array_equal(before.position[: EPISODE + 1], after.position[: EPISODE + 1, :count])
    plan = swarm.load_world("hadimassa").floor_plan
    assert plan.source_cells[plan.cell_of(after.position[EPISODE, count:])].all()
    moved = np.linalg.norm(after.position[EPISODE + 1, count:] - after.position[EPISODE, count:], axis=1)
    assert moved.max() <= 0.455 + 1e-12
    assert len(np.unique(after.position[EPISODE, count:], axis=0)) > 20


@pytest.mark.parametrize("leaping", [False, True])
def test_of_a_smaller_number_the_last_are_gone_and_come_back_with_a_larger(leaping):
    changes = {0: {"swarm.count": 60}, 2 * EPISODE: {"swarm.count": 100}}
    there = walked(crowd(), changes, leaping)[0].alive
    assert there[1 : 2 * EPISODE + 1].sum(axis=1).tolist() == [60] * 2 * EPISODE
    assert there[1 : 2 * EPISODE + 1, :60].all()
    assert there[2 * EPISODE + 1 :, :100].all()
    assert not there[2 * EPISODE + 1 :, 100:].any()


def test_metrics_of_a_crowd_that_grew_are_those_of_its_recording():
    trajectory, metrics, _ = walked(crowd(), {0: {"swarm.count": 151}, EPISODE: {"swarm.count": 200}})
    with swarm.Simulation(crowd(swarm__count=200), seed=1) as sim:
        board = swarm.metrics.Scoreboard(sim._log._setting)
    board.update(
        trajectory.time, trajectory.position, trajectory.velocity, trajectory.command, trajectory.clearance,
        trajectory.alive,
    )  # fmt: skip
    scored = board.result()
    for name in ("speed", "order", "nearest_neighbour", "compactness", "min_separation"):
        assert metrics[name] == scored[name], name


def test_groups_give_way_to_a_constant_number_and_back():
    changes = {4 * EPISODE: {"task.circulation": "constant"}, 6 * EPISODE: {"task.circulation": "batch"}}
    mission = crowd(task__circulation="batch", swarm__count=40, duration=10.0 * EPISODE)
    there = walked(mission, changes)[0].alive.sum(axis=1)
    assert there[4 * EPISODE] < 40  # some have arrived and wait for the rest of their group
    assert (there[4 * EPISODE + 1 : 6 * EPISODE + 1] == 40).all()
    assert there[-1] < 40


def test_a_group_whose_last_are_sent_away_begins_anew():
    mission = crowd(task__circulation="batch", swarm__count=3, task__episode=1.0, duration=600.0)
    with swarm.Simulation(mission, seed=1) as sim:
        while sim.state.alive[0]:
            sim.step()
        gone = np.flatnonzero(~sim.state.alive)
        assert gone.tolist() == [0]
        sim.change({"swarm.count": 1})
        sim.step()
        assert sim.state.alive.tolist() in ([False] * 3, [True, False, False])
        sim.step()
        assert sim.state.alive.tolist() == [True, False, False]
        assert np.isfinite(sim.state.position).all()


def test_another_length_of_episodes_holds_from_the_next_one_on():
    mission = crowd(duration=400.0)
    whole = walked(mission, {})[2]
    assert len(whole) == 10
    changed = walked(mission, {EPISODE + 1: {"task.episode": 80.0}})[2]
    assert len(changed) == 2 + (400 - 2 * EPISODE) // 80
    assert changed[:2] == whole[:2]
    assert changed[2] == whole[2] + whole[3]


def test_longer_steps_ask_for_a_higher_speed_limit():
    with swarm.Simulation(crowd(), seed=0) as sim:
        with pytest.raises(BadInput, match=r"swarm.speed_limit: expected 0.91 m/s or more, .* got 0.455"):
            sim.change({"controller.params.mean_step_size": 0.7})
        sim.change({"controller.params.mean_step_size": 0.7, "swarm.speed_limit": 0.91})
        fastest = 0.0
        for _ in range(EPISODE):
            sim.step()
            fastest = max(fastest, np.linalg.norm(sim.command, axis=1).max())
        assert 0.8 < fastest <= 0.91
    with pytest.raises(BadInput, match=r"swarm.speed_limit: expected 0.91"):
        swarm.Simulation(crowd(controller__params__mean_step_size=0.7))


def test_those_who_join_where_points_walk_are_counted_too():
    trajectory, _, arrivals = walked(crowd(), {EPISODE: {"swarm.count": 170}}, body="point")
    assert trajectory.alive[-1].sum() == 170
    assert len(arrivals) == 10


def test_a_controller_without_resize_begins_anew_with_all():
    told = []

    class Still:
        def reset(self, briefing):
            told.append(briefing.count)

        def __call__(self, view):
            return np.zeros_like(view.position)

    walked(crowd(duration=100.0), {0: {"swarm.count": 160}}, controller=Still())
    assert told == [150, 160]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"controller.params.turns": 5.0}, "turns: unknown key"),
        ({"controller.params.turn": -1.0}, "turn: expected"),
        ({"controller.params.turn": "fast"}, "turn: expected a number"),
        ({"swarm.count": 0}, "swarm.count: expected"),
        ({"swarm.body": "point"}, "swarm.body: expected controller.params"),
        ({"world.use": "forest"}, "anything else needs a new run"),
        ({"task.circulation": "both"}, "task.circulation: expected"),
        ({"task.kind": "evacuate"}, "task"),
        (
            {"swarm.count": 20_000, "controller.params.turn": 3.0},
            "cell for each of 20,000 agents, got 1,062",
        ),
    ],
)
def test_nonsense_changes_nothing(change, said):
    with swarm.Simulation(crowd(), seed=0) as sim:
        with pytest.raises(BadInput, match=said):
            sim.change(change)
        sim.step()
        assert sim.controller.turn == 2.0
        assert sim.body.count == 150


def test_who_flies_elsewhere_says_what_cannot_change():
    with swarm.Simulation(swarm.load_mission("five-drone-open"), seed=0) as sim:
        for key, value in (("swarm.count", 6), ("task.radius", 2.0), ("swarm.speed_limit", 1.0)):
            with pytest.raises(BadInput, match=f"five-drone-open.toml: {key}"):
                sim.change({key: value})


def changed_params(mission, params, controller=None):
    """A controller's parameters while it flies on, and those of one that began with them."""
    with swarm.Simulation(mission, seed=0) as sim:
        sim.step()
        sim.change({f"controller.params.{key}": value for key, value in params.items()})
        sim.step()
        other = mission.changed({f"controller.params.{key}": value for key, value in params.items()})
        with swarm.Simulation(other, seed=0) as fresh:
            return sim.controller, fresh.controller


@pytest.mark.parametrize(
    ("name", "params", "made"),
    [
        ("counter-flow", {"speed": 0.5}, lambda rule: rule.speed),  # a frozen one
        ("five-drone-boids", {"cruise": 0.4}, lambda rule: rule._cruise.speed),
        ("netlogo-wind", {"wind_strength": 3.0}, lambda rule: rule._wind.strength),
        ("olfati-saber", {"a": 2.0, "b": 6.0}, lambda rule: rule._shape.tolist()),
    ],
)  # fmt: skip
def test_whatever_a_controller_has_made_of_its_parameters_changes_with_them(name, params, made):
    mission = swarm.load_mission(name)
    flying, fresh = changed_params(mission, params)
    assert made(flying) == made(fresh)


def test_rules_of_a_combiner_remember_what_they_did_when_another_parameter_changes():
    rules = [{"use": "wander", "speed": 0.5}, {"use": "cohesion"}]
    mission = swarm.load_mission("five-drone-open").changed(
        {"controller": {"use": "weighted_sum", "params": {"rules": rules}}, "task": {"kind": "flock"}, "criteria": {}}
    )
    with swarm.Simulation(mission, seed=0) as sim:
        for _ in range(5):
            sim.step()
        heading = sim.controller.rules[0]._memory["heading"].copy()
        sim.change({"controller.params.rules": [{"use": "wander", "speed": 0.1}, {"use": "cohesion"}]})
        sim._begin_episode()
        assert sim.controller.rules[0].speed == 0.1
        assert np.array_equal(sim.controller.rules[0]._memory["heading"], heading)
        sim.reset(0)
        assert sim.controller.rules[0].speed == 0.5


def test_a_reset_after_a_crowd_grew_and_shrank_again_is_the_first_run():
    mission = crowd(swarm__count=20, task__episode=5.0, duration=30.0)
    first = walked(mission, {})[0].position
    with swarm.Simulation(mission, seed=1) as sim:
        for change in ({"swarm.count": 60}, None):
            sim.change(change)
            for _ in range(6):
                sim.step()
        assert sim.body.count == 60  # who is gone stays in the arrays
        sim.reset(1)
        assert sim.body.count == 20
        while not sim.done:
            sim.step()
        assert np.array_equal(sim.trajectory.position, first)


def test_who_walks_in_a_flat_world_alone_says_what_to_do():
    with pytest.raises(
        BadInput, match=r"a walker moves in 2 dimensions, the world has 3; swarm.body .* can be drone or point"
    ):
        swarm.Simulation(swarm.load_mission("couzin"), body="walker")
