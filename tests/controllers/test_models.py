"""Published models: their formulas on cases by hand, and what they must keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.models.couzin import Couzin
from swarm.controllers.models.cucker_smale import CuckerSmale
from swarm.controllers.models.headings import deviate, unit
from swarm.controllers.models.olfati_saber import OlfatiSaber, bump, sigma_norm
from swarm.controllers.models.vicsek import Vicsek, any_side
from swarm.errors import BadInput

DT = 1 / 48  # s, of the views made here
# Without noise, and at a speed within the limit of the views.
MODELS = {
    "vicsek": lambda: Vicsek(noise=0.0, radius=2.0, speed=1.0),
    "couzin": lambda: Couzin(noise=0.0),
    "cucker-smale": CuckerSmale,
    "olfati-saber": lambda: OlfatiSaber(distance=1.5),
}
numbers = st.floats(-3, 3, allow_subnormal=False)
swarms = st.tuples(arrays(float, (5, 3), elements=numbers), arrays(float, (5, 3), elements=numbers))


def turned(vectors, angle):
    c, s = np.cos(angle), np.sin(angle)
    return vectors @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def plain(position, velocity):
    """Whether nobody is at rest, at another's place, or where two parts cancel by accident."""
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)[np.triu_indices(len(position), 1)]
    return apart.min() > 0.05 and np.linalg.norm(velocity, axis=1).min() > 0.05


def random_swarm(seed, dim=3):
    rng = np.random.default_rng(seed)
    return rng.uniform(-3, 3, (8, dim)), rng.uniform(-1, 1, (8, dim))


def twice(model, view):
    """The commands of two calls at one view: what Vicsek works out in the first is asked for in the second."""
    model(view)
    return model(view)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(10))
def test_turning_the_swarm_turns_the_commands(name, seed, make_view):
    position, velocity = random_swarm(seed)
    straight = twice(MODELS[name](), make_view(position, velocity, reach=50))
    other = twice(MODELS[name](), make_view(turned(position, 1.1), turned(velocity, 1.1), reach=50))
    assert other == pytest.approx(turned(straight, 1.1), abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
@given(swarm=swarms, order=st.permutations(range(5)))
def test_the_order_of_agents_does_not_matter(name, swarm, order, make_view):
    position, velocity = swarm
    if not plain(position, velocity):
        return
    one = twice(MODELS[name](), make_view(position, velocity, reach=50))
    other = twice(MODELS[name](), make_view(position[order], velocity[order], reach=50))
    assert other == pytest.approx(one[list(order)], abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_run_gives_the_same_commands_after_another_run(name, make_view, make_briefing):
    position, velocity = random_swarm(0)
    model, view, seen = type(MODELS[name]())(), make_view(position, 0 * velocity), []
    for _ in range(2):
        model.reset(make_briefing(position))
        seen.append([model(view), model(view)])
    assert np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_those_at_one_place_and_at_rest_get_finite_commands(name, dim, make_view, make_briefing):
    model, places = type(MODELS[name]())(), np.zeros((4, dim))
    model.reset(make_briefing(places))
    for _ in range(3):
        assert np.isfinite(model(make_view(places))).all()


def test_vicsek_flies_the_old_direction_first_and_then_the_mean_with_itself(make_view):
    model = Vicsek(noise=0.0, radius=1.0, speed=1.0)
    view = make_view([[0.0, 0.0], [0.9, 0.0], [0.0, 1.1]], [[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
    assert model(view) == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]))
    half = np.sqrt(0.5)
    assert model(view) == pytest.approx(np.array([[half, half], [half, half], [-1.0, 0.0]]))


def test_vicsek_noise_turns_by_up_to_half_its_width_to_either_side(make_view, make_briefing):
    places = np.arange(400)[:, None] * [10.0, 0.0]
    model = Vicsek(noise=1.0, radius=1.0, speed=1.0)
    model.reset(make_briefing(places))
    command = twice(model, make_view(places, np.tile([1.0, 0.0], (400, 1)), reach=1.0))
    angle = np.arctan2(command[:, 1], command[:, 0])
    assert 0.48 < angle.max() <= 0.5 + 1e-12
    assert -0.5 - 1e-12 <= angle.min() < -0.48
    assert angle.std() == pytest.approx(1 / np.sqrt(12), abs=0.03)


def test_opposite_directions_cancel_and_vicsek_s_agents_fly_on(make_view):
    velocity = [[1.0, 0.0], [-1.0, 0.0]]
    command = twice(Vicsek(noise=0.0, speed=1.0), make_view([[0.0, 0.0], [0.5, 0.0]], velocity))
    assert command == pytest.approx(np.array(velocity))


def couzin_wish(make_view, others, theirs, **params):
    """Direction of an agent at the origin flying along +x that can turn at once."""
    model = Couzin(noise=0.0, turn_rate=360.0 / DT, **params)
    return model(make_view([[0.0, 0.0], *others], [[1.0, 0.0], *theirs], reach=50))[0] / 3.0


def test_couzin_s_repulsion_comes_before_everything(make_view):
    assert couzin_wish(make_view, [[0.0, 0.5], [3.0, 0.0]], [[1, 0], [1, 0]]) == pytest.approx([0.0, -1.0])


def test_couzin_s_outer_zones_add_directions(make_view):
    orient, attract = [2.0, 0.0], [0.0, 10.0]
    assert couzin_wish(make_view, [orient], [[0, -1]]) == pytest.approx([0.0, -1.0])
    assert couzin_wish(make_view, [attract], [[1, 0]]) == pytest.approx([0.0, 1.0])
    half = np.sqrt(0.5)
    assert couzin_wish(make_view, [orient, attract], [[-1, 0], [1, 0]]) == pytest.approx([-half, half])


def test_nobody_is_seen_in_the_blind_cone_except_within_repulsion(make_view):
    assert couzin_wish(make_view, [[-10.0, 1.0]], [[0, 1]]) == pytest.approx([1.0, 0.0])
    assert couzin_wish(make_view, [[-10.0, 1.0]], [[0, 1]], field_of_view=360.0)[0] < 0.0
    assert couzin_wish(make_view, [[-0.3, -0.4]], [[0, 1]]) == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("dim", [2, 3])
def test_couzin_s_agents_turn_no_faster_than_their_rate(dim, make_view):
    ahead = np.eye(2, dim)[0]
    for behind in (-10.0 * ahead, np.array([-10.0, 3.0, 1.0])[:dim]):
        model = Couzin(noise=0.0, turn_rate=40.0, field_of_view=360.0)
        command = model(make_view([0 * ahead, behind], [ahead, ahead], reach=50))[0]
        assert np.degrees(np.arccos(command @ ahead / 3.0)) == pytest.approx(40.0 * DT)
        assert np.linalg.norm(command) == pytest.approx(3.0)


def test_cucker_smale_is_its_formula_for_two(make_view):
    velocity = np.array([[1.0, 0.0], [0.0, 1.0]])
    command = CuckerSmale(strength=2.0, beta=0.5)(make_view([[0.0, 0.0], [3.0, 0.0]], velocity))
    change = DT * 2.0 / 2 / np.sqrt(10.0) * (velocity[::-1] - velocity)
    assert command == pytest.approx(velocity + change, abs=1e-15)


def test_cucker_smale_keeps_the_mean_velocity(make_view):
    position, velocity = random_swarm(3)
    command = CuckerSmale(beta=0.4)(make_view(position, velocity, reach=50))
    assert command.mean(axis=0) == pytest.approx(velocity.mean(axis=0), abs=1e-15)


def test_the_dead_do_not_count_in_the_flock_s_number(make_view):
    velocity, alive = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [True, True, False]
    three = CuckerSmale()(make_view([[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]], velocity, alive=alive))
    two = CuckerSmale()(make_view([[0.0, 0.0], [3.0, 0.0]], velocity[:2]))
    assert np.array_equal(three[:2], two)


def test_sigma_norm_and_bump_are_the_paper_s():
    assert sigma_norm(7.0, 0.1) == pytest.approx((np.sqrt(5.9) - 1) / 0.1)
    assert sigma_norm(0.0, 0.1) == 0.0
    assert bump(np.array([0.0, 0.2, 0.6, 1.0, 2.0]), 0.2) == pytest.approx(np.array([1.0, 1.0, 0.5, 0.0, 0.0]))


@pytest.mark.parametrize("epsilon", [1e-14, 1e-60, 1e-300])
def test_a_small_epsilon_is_the_limit_of_half_the_square(epsilon, make_view):
    """(√(1 + ε z²) − 1) / ε goes to z² / 2, so the lattice is that of ε = 1e-9 but for its last digits."""
    assert sigma_norm(7.0, epsilon) == pytest.approx(24.5, rel=1e-12)
    view = make_view([[0.0, 0.0], [5.0, 0.0], [0.0, 8.0]], reach=50)
    assert OlfatiSaber(epsilon=epsilon)(view) == pytest.approx(OlfatiSaber(epsilon=1e-9)(view), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("apart", "sign"), [(5.0, -1), (7.0, 0), (7.5, 1), (8.5, 0)])
def test_the_lattice_pushes_below_its_distance_pulls_above_and_ends_at_the_range(apart, sign, make_view):
    command = OlfatiSaber()(make_view([[0.0, 0.0], [apart, 0.0]], reach=50))
    assert (abs(command) > 1e-9).any() == bool(sign)
    assert np.sign(np.round(command[0, 0], 12)) == sign
    assert command[0] == pytest.approx(-command[1])


def test_the_goal_pulls_by_at_most_its_gain_and_its_velocity_is_taken_up(make_view):
    far = OlfatiSaber(c1_goal=0.5)(make_view([[0.0, 0.0]], target=[40.0, 0.0]))
    assert far[0] == pytest.approx([DT * 0.5 * 40 / np.sqrt(1601), 0.0])
    there = OlfatiSaber(goal=(0.0, 0.0), goal_velocity=(1.0, 0.0))(make_view([[0.0, 0.0]]))
    assert there[0] == pytest.approx([DT * 2.0, 0.0])


def test_a_goal_of_another_dimension_is_refused_in_a_line(make_briefing):
    with pytest.raises(BadInput, match=r"controller\.params\.goal: expected 2 numbers, got 3"):
        OlfatiSaber(goal=(0.0, 0.0, 1.0)).reset(make_briefing([[0.0, 0.0]]))


def test_an_obstacle_pushes_away_and_slows_the_approach(make_view, make_world):
    world = make_world(2, [{"kind": "sphere", "center": [2.0, 0.0], "radius": 1.0}])
    model = OlfatiSaber()
    resting = model(make_view([[0.0, 0.0]], world=world))[0]
    coming = model(make_view([[0.0, 0.0]], [[1.0, 0.0]], world=world))[0] - [1.0, 0.0]
    assert resting[0] < 0.0
    assert coming[0] < resting[0]
    assert abs(resting[1]) < 1e-12


@given(seed=st.integers(0, 1000), angle=st.floats(0.0, 3.1))
def test_a_deviation_is_of_the_angle_drawn(seed, angle):
    rng = np.random.default_rng(seed)
    direction = unit(rng.standard_normal((3, 3)), np.eye(3))
    off = deviate(direction, any_side(direction, rng), np.full(3, angle))
    assert (off * direction).sum(axis=1) == pytest.approx(np.full(3, np.cos(angle)), abs=1e-9)
