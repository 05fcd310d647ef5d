"""Boids of a Python tutorial: its program step by step, its flaws in numbers, and what the repaired ones keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import swarm
from swarm.controllers.models.python_boids import Obstacle, PythonBoids, PythonBoidsPredator
from swarm.errors import BadInput

FRAME = 0.05  # s
WINDOW = (800.0, 600.0)  # m
places = arrays(float, (6, 2), elements=st.floats(250, 350), unique=True)
speeds = arrays(float, (6, 2), elements=st.floats(-3, 3))


def frame_of(look, position, velocity, **kinds):
    """A view whose velocities are given a frame."""
    return look(
        position, np.array(velocity, float) / FRAME, **{"side": WINDOW, "boundary": "torus", "dt": FRAME} | kinds
    )


def flown(look, model, position, velocity, **kinds):
    """Velocities a frame after one step."""
    return model(frame_of(look, position, velocity, **kinds)) * FRAME


def by_the_text(position, velocity, size=WINDOW):
    """`Boids.update` of the text, one frame."""

    def near(i, distance):
        return np.linalg.norm(position - position[i], axis=1) < distance

    total = np.zeros_like(position)
    for i, place in enumerate(position):
        close = position[near(i, 25)]
        if len(close) > 1:
            diff = place - close
            total[i] += 1.5 * np.sum(diff / (np.linalg.norm(diff, axis=1)[:, None] + 1e-6), axis=0)
        total[i] += velocity[near(i, 50)].mean(axis=0) - velocity[i]
        total[i] += position[near(i, 50)].mean(axis=0) - place
    velocity = velocity + total
    fast = np.linalg.norm(velocity, axis=1) > 5
    velocity[fast] *= 5 / np.linalg.norm(velocity[fast], axis=1)[:, None]
    position = position + velocity
    for k in range(2):
        x = position[:, k]
        position[:, k] = np.where(x < 0, size[k], np.where(x > size[k], 0, x))
    return position, velocity


def test_literal_flies_the_text_s_program():
    mission = swarm.load_mission("python-boids").changed({"controller.params.variant": "literal"})
    with swarm.Simulation(mission, 0) as sim:
        position = sim.state.position.copy()
        velocity = None
        for _ in range(30):
            sim.step()
            if velocity is None:
                rng = np.random.default_rng(0).spawn(3)[1]
                velocity = (rng.random((50, 2)) - 0.5) * 5
            position, velocity = by_the_text(position, velocity)
            off = sim.state.position - position
            off -= WINDOW * np.rint(off / np.array(WINDOW))
            assert np.abs(off).max() < 0.02  # commands pass as float32, and the edge is a hundredth of a metre away


def test_literal_counts_itself_so_that_two_go_half_the_way_to_each_other(look):
    position, velocity = [[300.0, 300.0], [304.0, 300.0]], [[0.0, 1.0], [0.0, 3.0]]
    model = PythonBoids(variant="literal", separation_weight=0.0, cohesion_weight=0.0)
    assert flown(look, model, position, velocity)[0] == pytest.approx([0.0, 2.0])  # the mean of 1 and 3
    model = PythonBoids(variant="literal", separation_weight=0.0, alignment_weight=0.0)
    assert flown(look, model, position, velocity)[0] == pytest.approx([2.0, 1.0])  # half of the 4 m between them
    repaired = PythonBoids(separation_weight=0.0, cohesion_weight=0.0, max_force=10.0)
    assert flown(look, repaired, position, velocity)[0] == pytest.approx(
        [0.0, 5.0]
    )  # the other's direction, at top speed


@pytest.mark.parametrize(("variant", "seen"), [("literal", False), ("repaired", True)])
def test_neighbours_across_the_edge_are_seen_by_the_repaired_only(variant, seen, look):
    position, still = [[1.0, 300.0], [799.0, 300.0]], [[0.0, 1.0], [0.0, 1.0]]
    model = PythonBoids(variant=variant, alignment_weight=0.0, cohesion_weight=0.0)
    assert (flown(look, model, position, still)[0, 0] > 0.05) == seen


def test_literal_puts_who_leaves_on_the_other_edge_whatever_is_left_of_the_step(look):
    model = PythonBoids(variant="literal")
    view = frame_of(look, [[2.0, 300.0]], [[-4.0, 0.0]])
    place = view.space.wrap(view.position + FRAME * model(view))
    assert place[0] == pytest.approx([800.0, 300.0], abs=2e-3)
    repaired = view.space.wrap(view.position + FRAME * PythonBoids()(view))
    assert repaired[0] == pytest.approx([798.0, 300.0])


def test_literal_keeps_its_velocity_over_the_edge(look):
    model = PythonBoids(variant="literal")
    model(frame_of(look, [[2.0, 300.0]], [[-4.0, 0.0]]))
    assert flown(look, model, [[799.999, 300.0]], [[-2.001, 0.0]])[0] == pytest.approx([-4.0, 0.0])


def test_cohesion_of_the_literal_outdoes_the_top_speed_eightfold(look):
    """40 m apart, each is drawn by 20 a frame: it turns to the other at once. The repaired one turns by 0.1."""
    position, velocity = [[300.0, 300.0], [340.0, 300.0]], [[0.0, 5.0], [0.0, 5.0]]
    after = flown(look, PythonBoids(variant="literal"), position, velocity)[0]
    assert after == pytest.approx(5 * np.array([20.0, 5.0]) / np.hypot(20, 5))
    change = flown(look, PythonBoids(), position, velocity)[0] - [0.0, 5.0]
    assert np.linalg.norm(change) == pytest.approx(0.1, rel=0.01)


def test_the_literal_never_calls_obstacle_and_predator(look):
    position, velocity = [[300.0, 300.0]], [[1.0, 0.0]]
    known = {"obstacle": Obstacle((310.0, 300.0), 50.0)}
    other = {"predators": [[290.0, 300.0]]}
    literal = flown(look, PythonBoids(variant="literal", **known), position, velocity, **other)
    assert literal[0] == pytest.approx([1.0, 0.0])


def test_an_obstacle_pushes_a_tenth_of_the_depth_and_a_predator_half_of_what_is_missing_to_a_hundred(look):
    position = [[300.0, 300.0]]
    pushed = PythonBoids(obstacle=Obstacle((310.0, 300.0), 50.0))
    assert flown(look, pushed, position, [[0.0, 1.0]])[0] == pytest.approx([-0.1 * (50 - 10), 1.0])
    panicked = PythonBoids(panic_gain=0.05)
    assert flown(look, panicked, position, [[0.0, 1.0]], predators=[[360.0, 300.0]])[0] == pytest.approx(
        [-0.05 * (100 - 60), 1.0]
    )
    calm = flown(look, PythonBoids(), position, [[0.0, 1.0]], predators=[[401.0, 300.0]])
    assert calm[0] == pytest.approx([0.0, 1.0])


def test_a_predator_across_the_edge_is_fled_across_the_edge(look):
    after = flown(look, PythonBoids(), [[10.0, 300.0]], [[0.0, 1.0]], predators=[[790.0, 300.0]])
    assert after[0, 0] > 4.0


def test_an_obstacle_of_the_world_pushes_as_a_circle_of_the_range_does(look):
    sphere = [{"kind": "sphere", "center": [400.0, 300.0], "radius": 60.0}]
    after = flown(look, PythonBoids(), [[320.0, 300.0]], [[0.0, 1.0]], obstacles=sphere)
    assert after[0] == pytest.approx([-0.1 * (50 - 20), 1.0])


def test_an_obstacle_of_another_dimension_is_refused(look, brief):
    with pytest.raises(BadInput, match=r"obstacle\.center: expected 2 numbers, got 3"):
        PythonBoids(obstacle=Obstacle((0.0, 0.0, 0.0), 1.0)).reset(brief(frame_of(look, [[1.0, 1.0]], [[0.0, 0.0]])))


@pytest.mark.parametrize("theirs", [[1.0, 0.0], [1.0, 1e-12]])
def test_boids_that_fly_exactly_alike_align_as_those_that_nearly_do(theirs, look):
    """Steering to the mean at 5 a frame: 0.1 more along it, though the mean is one's own velocity."""
    model = PythonBoids(separation_weight=0.0, cohesion_weight=0.0)
    after = flown(look, model, [[300.0, 300.0], [340.0, 300.0]], [[1.0, 0.0], theirs])
    assert after[0] == pytest.approx([1.1, 0.0])
    assert flown(look, model, [[300.0, 300.0]], [[1.0, 0.0]])[0] == pytest.approx([1.0, 0.0])


def test_the_predator_flies_three_a_frame_to_the_nearest_and_not_past_it(look):
    hunter = PythonBoidsPredator()
    view = frame_of(look, [[300.0, 300.0]], [[0.0, 0.0]], prey=[[300.0, 400.0], [340.0, 300.0], [301.0, 300.0]],
                    prey_alive=[True, True, False])  # fmt: skip
    assert hunter(view)[0] * FRAME == pytest.approx([3.0, 0.0])
    view = frame_of(look, [[300.0, 300.0]], [[0.0, 0.0]], prey=[[301.0, 300.0]])
    assert hunter(view)[0] * FRAME == pytest.approx([1.0, 0.0])
    assert not hunter(frame_of(look, [[300.0, 300.0]], [[0.0, 0.0]])).any()


@given(position=places, velocity=speeds, angle=st.floats(0, 6.28), shift=st.floats(-100, 100))
def test_turning_and_shifting_the_repaired_turns_the_commands(position, velocity, angle, shift, look):
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)[np.triu_indices(6, 1)]
    edges = np.abs(apart[:, None] - [25.0, 50.0]).min()
    if apart.min() < 0.1 or edges < 1e-6 or np.linalg.norm(velocity, axis=1).min() < 1e-3:
        return
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    around = np.array([300.0, 300.0])
    model, kinds = PythonBoids(max_force=0.1), {"side": (1e4, 1e4), "boundary": "open"}
    straight = flown(look, model, position + 4000.0, velocity, **kinds)
    other = flown(look, model, (position - around) @ turn + 5000.0 + shift, velocity @ turn, **kinds)
    assert other == pytest.approx(straight @ turn, abs=1e-5)


@given(position=places, velocity=speeds, order=st.permutations(range(6)))
def test_the_order_of_the_repaired_does_not_matter(position, velocity, order, look):
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)[np.triu_indices(6, 1)]
    if apart.min() < 0.1 or np.linalg.norm(velocity, axis=1).min() < 1e-3:
        return
    model, order = PythonBoids(), list(order)
    one = flown(look, model, position, velocity)
    assert flown(look, model, position[order], velocity[order]) == pytest.approx(one[order], abs=1e-6)


def test_twice_the_command_rate_gives_half_the_force_a_command(look):
    position, velocity = [[300.0, 300.0], [330.0, 310.0]], [[0.0, 4.0], [1.0, 4.0]]
    whole = flown(look, PythonBoids(), position, velocity) - velocity
    half = flown(look, PythonBoids(), position, velocity, dt=FRAME / 2) - velocity
    assert half == pytest.approx(whole / 2)


@pytest.mark.science
def test_the_repaired_flock_and_the_literal_do_not():
    orders = {"repaired": [], "literal": []}
    for variant, found in orders.items():
        mission = swarm.load_mission("python-boids").changed({"controller.params.variant": variant})
        found += [swarm.run(mission, seed=seed).metrics["order"] for seed in range(10)]
    assert min(orders["repaired"]) > 0.9
    assert np.mean(orders["literal"]) < 0.2


def test_an_obstacle_on_request_empties_its_circle():
    inside = {}
    for name, params in (("with", {"center": [400, 300], "radius": 100}), ("without", None)):
        mission = swarm.load_mission("python-boids").changed({"duration": 30.0, "measure.from": 0.0})
        if params:
            mission = mission.changed({"controller.params.obstacle": params})
        place = swarm.run(mission, seed=0).trajectory.position[100:]
        inside[name] = (np.linalg.norm(place - [400, 300], axis=2) < 70).mean()
    assert inside["without"] > 0.01  # it is 3 % of the window
    assert inside["with"] < 0.2 * inside["without"]


def test_the_predator_catches_all_of_the_literal_and_nobody_who_flees():
    caught = {}
    for variant in ("literal", "repaired"):
        mission = swarm.load_mission("python-boids-predator").changed({"controller.params.variant": variant})
        caught[variant] = swarm.run(mission, seed=0).metrics["captures"]
    assert caught == {"literal": 50, "repaired": 0}
