"""Weighted sum and prioritised allocation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers import Prioritised, WeightedSum
from swarm.controllers.combiners.turn_caps import TurnCaps
from swarm.errors import BadInput, SimulationError


def constant(*velocity):
    return lambda view: np.tile(np.array(velocity, dtype=float), (len(view.position), 1))


def test_weighted_sum_adds_contributions_by_weight(make_view):
    combined = WeightedSum([constant(1, 0), constant(0, 1)], weights=[0.5, 2.0])
    assert combined(make_view([[0, 0]]))[0] == pytest.approx([0.5, 2.0])


def test_weighted_sum_keeps_the_speed_limit(make_view):
    assert WeightedSum([constant(30, 40)])(make_view([[0, 0]]))[0] == pytest.approx([1.8, 2.4])


def test_weighted_sum_wants_a_weight_for_each_rule():
    with pytest.raises(BadInput, match=r"weights: expected one for each of the 2 rules, got 1"):
        WeightedSum([constant(1, 0), constant(0, 1)], weights=[1.0])


def test_rules_can_be_named_in_tables(make_view):
    combined = WeightedSum([{"use": "separation", "radius": 2.0, "speed": 1.0}])
    assert combined(make_view([[0, 0], [1, 0]]))[1] == pytest.approx([0.5, 0])


def test_a_misnamed_rule_is_reported_with_the_nearest_name():
    with pytest.raises(BadInput, match=r'rules\[0\].use: .*did you mean "separation"'):
        Prioritised([{"use": "seperation"}])


def test_the_first_rule_is_served_whole_and_the_last_gets_the_rest(make_view):
    combined = Prioritised([constant(1, 0), constant(0, 5), constant(7, 7)], budget=3.0)
    assert combined(make_view([[0, 0]]))[0] == pytest.approx([1.0, 2.0])


def test_what_fits_the_budget_is_the_plain_sum(make_view):
    combined = Prioritised([constant(1, 0), constant(0, 0), constant(0, -1)], budget=3.0)
    assert combined(make_view([[0, 0]]))[0] == pytest.approx([1.0, -1.0])


@given(asked=arrays(float, (3, 3), elements=st.floats(-9, 9)), budget=st.floats(0.1, 20))
def test_the_budget_is_never_exceeded(asked, budget, make_view):
    total = Prioritised([constant(*a) for a in asked], budget=budget)(make_view([[0, 0, 0]]))
    assert np.linalg.norm(total) <= budget * (1 + 1e-9)


def capped(rules):
    return TurnCaps([{"use": rules[0], "max_turn": 5.0}])


def narrow(view):
    return np.zeros(view.position.shape[1])


def endless(view):
    return np.full(view.position.shape, np.inf)


def words(view):
    return [["left", "right"]] * len(view.position)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (narrow, r"rule narrow: expected numbers of shape .* \(2, 2\) in m/s, got float64 of shape \(2,\)"),
        (endless, r"rule endless: agent 0: expected finite numbers, got \[inf, inf\]"),
        (words, r"rule words: expected numbers of shape"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "combine", [WeightedSum, Prioritised, lambda rules: TurnCaps([{"use": rules[0], "max_turn": 5.0}])]
)
def test_a_rule_that_gives_no_velocities_is_named(make_view, combine, rule, said):
    with pytest.raises(SimulationError, match=said):
        combine([rule])(make_view([[0, 0], [1, 0]]))


@pytest.mark.parametrize("weight", [np.nan, np.inf])
def test_a_weight_that_is_no_number_is_refused(weight):
    with pytest.raises(BadInput, match="weights: expected finite numbers"):
        WeightedSum([constant(1, 0)], weights=[weight])
