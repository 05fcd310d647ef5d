"""The scoreboard: the same results for any chunks, and results that are what the plain functions say."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm import metrics
from swarm.errors import BadInput
from swarm.formations import slots
from swarm.metrics.registry import METRICS, Metric, register
from swarm.metrics.scoreboard import Scoreboard, Setting
from swarm.metrics.vasarhelyi import Flocking, vasarhelyi_fitness

RADIUS = 0.15


def setting(run, **changes) -> Setting:
    _, count, dim = run.position.shape
    given = {
        "count": count, "dim": dim, "dt": run.dt, "radius": RADIUS, "near_miss_radius": 0.5, "interaction_range": 0.8,
        "formation": slots("v", count, 1.0, dim), "measure_from": 0.55,
    }  # fmt: skip
    return Setting(**(given | changes))


def score(run, cuts=(), **changes) -> Scoreboard:
    board = Scoreboard(setting(run, **changes))
    edges = [0, *sorted(cuts), len(run.time)]
    for k in map(slice, edges, edges[1:]):
        board.update(
            run.time[k], run.position[k], run.velocity[k], run.command[k], run.clearance[k], run.alive[k]
        )  # fmt: skip
    return board


@settings(max_examples=50)
@given(
    seed=st.integers(0, 10_000), count=st.sampled_from([1, 2, 5, 7, 70]), dim=st.sampled_from([2, 3]),
    cuts=st.sets(st.integers(1, 29)), lost=st.integers(0, 2), wraps=st.booleans(), own_clusters=st.booleans(),
)  # fmt: skip
def test_results_do_not_depend_on_the_chunks(plain, seed, count, dim, cuts, lost, wraps, own_clusters):
    run = plain.record(np.random.default_rng(seed), 30, count, dim, min(lost, count))
    changes = {"box": np.full(dim, 3.0) if wraps else None, "cluster_range": 0.5 if own_clusters else None}
    if count > 7:
        changes["formation"] = None
    whole, parts = score(run, **changes), score(run, cuts, **changes)
    assert parts.result() == whole.result()
    assert parts.series.keys() == whole.series.keys()
    for name, values in whole.series.items():
        assert (parts.series[name] == values).all(), name
    for name in ("near_misses", "collisions", "obstacle_collisions"):
        assert parts.events(name) == whole.events(name)


@pytest.fixture
def run(plain, rng):
    return plain.record(rng, 40, 6, 3, lost=1)


def test_series_are_what_the_plain_functions_give(run):
    series = score(run, {13}).series
    a, form = run.alive, slots("v", 6, 1.0)
    expected = {
        "order": metrics.order(run.velocity, a),
        "mean_heading": metrics.mean_heading(run.velocity, a),
        "milling": metrics.milling(run.position, run.velocity, a),
        "speed": metrics.speed(run.velocity, a),
        "control_effort": metrics.control_effort(run.command, run.dt, a),
        "compactness": metrics.compactness(run.position, a),
        "compactness_sd": metrics.compactness_sd(run.position, a),
        "min_separation": metrics.min_separation(run.position, a),
        "nearest_neighbour": metrics.nearest_neighbour(run.position, a),
        "min_clearance": metrics.min_clearance(run.clearance, a),
        "groups": metrics.groups(run.position, 0.8, a),
        "union": metrics.union(run.position, 0.8, a),
        "connectivity": metrics.connectivity(run.position, 0.8, a),
        "safety": metrics.safety(run.position, RADIUS, a),
        "formation_error": metrics.formation_error(run.position, form, a),
        "formation_distance_error": metrics.formation_distance_error(run.position, form, a),
        "phi_vel": metrics.phi_vel(run.velocity, a),
        "phi_corr": metrics.phi_corr(run.position, run.velocity, 0.8, a),
        "phi_coll": metrics.phi_coll(run.position, RADIUS, a),
        "phi_wall": metrics.phi_wall(run.clearance, RADIUS, a),
        "phi_disc": metrics.phi_disc(run.position, 0.8, a),
        "phi_cluster": metrics.phi_cluster(run.position, 0.8, a),
    }
    assert series.keys() == expected.keys()
    for name, values in expected.items():
        assert series[name] == pytest.approx(values), name


def test_every_registered_series_is_kept(run):
    kept = {m.name for m in METRICS.values() if m.kind in ("series", "extreme")}
    assert kept - {"hunger"} == score(run).series.keys()  # where nobody hunts
    assert score(run).result().keys() == METRICS.keys()


def test_means_begin_at_measure_from_and_extremes_and_counts_cover_the_run(run):
    result = score(run).result()
    later = run.time >= 0.55
    assert result["order"] == pytest.approx(metrics.order(run.velocity, run.alive)[later].mean())
    assert result["min_separation"] == metrics.min_separation(run.position, run.alive).min()
    assert result["min_clearance"] == metrics.min_clearance(run.clearance, run.alive).min()
    assert result["near_misses"] == metrics.near_misses(run.position, RADIUS, 0.5, run.alive).sum()
    assert result["collisions"] == metrics.collisions(run.position, RADIUS, run.alive).sum()
    assert result["obstacle_collisions"] == metrics.obstacle_collisions(run.clearance, run.alive).sum()
    assert result["path_length"] == pytest.approx(metrics.path_length(run.position, run.alive))


def test_a_sample_at_measure_from_counts_in_spite_of_rounding(run):
    # 0.1 * 3 is above 0.3 by rounding; the wanted start is met all the same.
    board = score(run, measure_from=3 * 0.1)
    assert board.result()["speed"] == pytest.approx(metrics.speed(run.velocity, run.alive)[3:].mean())


def test_control_effort_is_a_mean_over_steps(plain, rng):
    run = plain.record(rng, 20, 3, 2)
    expected = np.linalg.norm(np.diff(run.command, axis=0), axis=2).mean() / run.dt
    assert score(run, measure_from=0.0).result()["control_effort"] == pytest.approx(expected)


def test_mean_heading_averages_as_an_angle():
    time = np.arange(2) * 0.1
    angle = np.array([3.0, -3.0])
    velocity = np.stack([np.cos(angle), np.sin(angle)], axis=1)[:, None]
    board = Scoreboard(Setting(count=1, dim=2, dt=0.1, radius=0.1))
    board.update(time, np.zeros((2, 1, 2)), velocity)
    assert abs(board.result()["mean_heading"]) == pytest.approx(math.pi)


def test_where_names_the_time_and_agents_of_the_worst(run):
    board = score(run, {7, 8})
    apart = metrics.min_separation(run.position, run.alive)
    worst = board.where("min_separation")
    t = int(apart.argmin())
    a, b = worst.agents
    assert (worst.time, worst.value) == (run.time[t], apart[t])
    assert np.linalg.norm(run.position[t, a] - run.position[t, b]) == pytest.approx(apart[t])
    low = np.where(run.alive, run.clearance, np.inf)
    t, agent = np.unravel_index(low.argmin(), low.shape)
    worst = board.where("min_clearance")
    assert (worst.time, worst.agents, worst.value) == (run.time[t], (agent,), low[t, agent])
    error = board.series["formation_error"]
    assert board.where("formation_error").value == error[run.time >= 0.55].max()
    first = board.where("near_misses")
    assert first == board.events("near_misses")[0]
    a, b = first.agents
    t = int(np.flatnonzero(run.time == first.time)[0])
    assert np.linalg.norm(run.position[t, a] - run.position[t, b]) == pytest.approx(first.value)


def test_a_window_restricts_every_kind(run):
    board = score(run)
    inside = (run.time >= 1.0 - 1e-9) & (run.time <= 2.0 + 1e-9)
    assert board.value("order", 1.0, 2.0) == pytest.approx(metrics.order(run.velocity, run.alive)[inside].mean())
    assert board.value("min_separation", 1.0, 2.0) == metrics.min_separation(run.position, run.alive)[inside].min()
    assert board.value("near_misses", 1.0, 2.0) == sum(1.0 <= e.time <= 2.0 + 1e-9 for e in board.events("near_misses"))
    assert board.value("order", 100.0) is None


def test_contacts_of_the_engine_replace_overlaps(run):
    board = score(run)
    contact = {"time": 0.25, "agent": 4, "other": 2, "surface": -1, "speed": 0.7}
    wall = {"time": 0.5, "agent": 1, "other": -1, "surface": 3, "speed": 0.2}
    board.outcome(contacts=[SimpleNamespace(**contact), SimpleNamespace(**wall)])
    board.outcome(contacts=[SimpleNamespace(**contact), SimpleNamespace(**wall)])
    result = board.result()
    assert (result["collisions"], result["obstacle_collisions"]) == (1, 1)
    assert board.where("collisions").agents == (2, 4)
    assert (board.where("obstacle_collisions").surface, board.where("obstacle_collisions").agents) == (3, (1,))
    board.outcome(contacts=[])
    assert (board.result()["collisions"], board.result()["obstacle_collisions"]) == (0, 0)


def test_contacts_can_be_told_one_by_one(run):
    board = score(run)
    board.contact(0.3, 5, surface=2)
    board.contact(0.4, 5, surface=2)
    assert (board.result()["collisions"], board.result()["obstacle_collisions"]) == (0, 2)


def test_the_task_says_how_it_ended(run):
    board = score(run)
    assert board.result()["success"] is None
    board.outcome(success=True, time_to_target=2.0, way=3.0)
    result = board.result()
    flown = metrics.path_length(run.position[:21], run.alive[:21])
    assert (result["success"], result["time_to_target"]) == (True, 2.0)
    assert result["path_efficiency"] == pytest.approx(3.0 / flown)
    assert result["spl"] == pytest.approx(3.0 / max(3.0, flown))
    board.outcome(success=False, time_to_target=None, way=3.0)
    result = board.result()
    assert (result["success"], result["time_to_target"], result["path_efficiency"]) == (False, None, None)
    assert result["spl"] == 0.0


def test_fitness_is_formed_from_the_time_means(run):
    want = Flocking(speed=2.0)
    result = score(run, flocking=want).result()
    phi = {name: result[name] for name in METRICS if name.startswith("phi_")}
    assert result["vasarhelyi_fitness"] == pytest.approx(vasarhelyi_fitness(**phi, count=6, flocking=want))
    assert score(run).result()["vasarhelyi_fitness"] is None


def test_the_lost_and_those_who_are_no_members_leave_the_scores(run):
    member = np.array([True, True, True, True, False, True])
    alive = run.alive & member
    board = score(run, member=member)
    assert board.result()["order"] == pytest.approx(metrics.order(run.velocity, alive)[run.time >= 0.55].mean())
    assert all(4 not in event.agents for name in ("collisions", "near_misses") for event in board.events(name))
    assert board.series["formation_error"] == pytest.approx(
        metrics.formation_error(run.position, slots("v", 6, 1.0), alive)
    )


def test_samples_without_anybody_leave_the_means(plain, rng):
    run = plain.record(rng, 20, 4, 2)
    run.alive[10:] = False
    board = score(run, measure_from=0.0)
    assert board.result()["speed"] == pytest.approx(metrics.speed(run.velocity)[:10].mean())
    assert board.result()["path_length"] == pytest.approx(metrics.path_length(run.position[:10]))


def test_nothing_measured_is_none_and_never_nan():
    board = Scoreboard(Setting(count=1, dim=3, dt=0.1, radius=0.1))
    empty = board.result()
    assert empty["order"] is None
    assert empty["collisions"] == 0
    assert board.series["order"].shape == (0,)
    board.update(np.zeros(1), np.zeros((1, 1, 3)), np.zeros((1, 1, 3)))
    result = board.result()
    assert (result["min_separation"], result["nearest_neighbour"], result["min_clearance"]) == (None, None, None)
    assert (result["mean_heading"], result["control_effort"], result["formation_error"]) == (None, None, None)
    assert (result["order"], result["groups"], result["connectivity"]) == (0.0, 1.0, 1.0)
    assert not any(isinstance(value, float) and math.isnan(value) for value in result.values())


def test_latest_is_the_last_sample(run):
    board = score(run)
    assert board.latest["order"] == board.series["order"][-1]


def swing(position, interaction_range, alive):
    """Largest height difference of the living."""
    return np.array([np.ptp(p[a, 1]) for p, a in zip(position, alive)]) * interaction_range


def test_a_registered_series_of_ones_own_is_kept(run):
    register(Metric("swing", "m", "low", "series", __name__, "max - min"))
    try:
        board = score(run, {5})
        assert board.series["swing"] == pytest.approx(swing(run.position, 0.8, run.alive))
        assert board.result()["swing"] == pytest.approx(board.series["swing"][run.time >= 0.55].mean())
    finally:
        del METRICS["swing"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": np.zeros((4, 2, 3))}, "position: expected shape"),
        ({"velocity": np.full((4, 3, 3), np.nan)}, "velocity: expected finite numbers, got .* at sample 0, agent 0"),
        ({"clearance": np.full((4, 3), np.nan)}, "clearance: expected numbers"),
    ],
)
def test_recordings_that_cannot_be_are_refused(changes, message):
    good = {"time": np.arange(4.0), "position": np.zeros((4, 3, 3)), "velocity": np.zeros((4, 3, 3))}
    with pytest.raises(BadInput, match=message):
        Scoreboard(Setting(count=3, dim=3, dt=0.1, radius=0.1)).update(**(good | changes))


def test_settings_that_cannot_be_are_refused_with_a_line_each():
    with pytest.raises(BadInput) as caught:
        Setting(count=0, dim=4, dt=0.1, radius=-1.0, formation=np.zeros((2, 2)))
    assert len(caught.value.faults) == 4
