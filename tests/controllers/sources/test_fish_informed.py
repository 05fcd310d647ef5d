"""Informed fish and their followers."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.controllers.models.fish import FishFollowers, FishInformed, FishSchool
from swarm.errors import BadInput
from swarm.state import LEADER, MEMBER

FOOD = [5.0, 5.0, 5.0]


def test_the_informed_swim_to_the_food_at_an_eighth_of_the_speed_until_they_are_there(look):
    for variant in ("repaired", "literal"):
        fish = FishInformed(variant=variant)
        command = fish(look([[9.0, 5.0, 5.0], [5.05, 5.0, 5.0]]))
        assert command[0] == pytest.approx([-0.0125, 0.0, 0.0])
        assert not command[1].any()


def test_the_informed_heed_one_too_near_in_the_repaired_and_hardly_in_the_literal(look):
    place = [[9.0, 5.0, 5.0], [9.0, 5.05, 5.0]]
    aside = {v: FishInformed(variant=v)(look(place))[0] / 0.0125 for v in ("repaired", "literal")}
    assert aside["repaired"] == pytest.approx(np.array([-1.0, -0.5, 0.0]) / np.sqrt(1.25))
    # (0 + R) / 2 = 0.025 against 4 m of food: itself comes first, and counts.
    assert aside["literal"] == pytest.approx(np.array([-4.0, -0.025, 0.0]) / np.hypot(4.0, 0.025))


def test_repulsion_of_the_literal_informed_stays(look):
    fish = FishInformed(variant="literal", food_weight=0.0)
    fish(look([[9.0, 5.0, 5.0], [9.0, 5.05, 5.0]]))
    later = fish(look([[9.0, 5.0, 5.0], [9.0, 8.0, 5.0]]))[0]
    assert later == pytest.approx([0.0, -0.0125, 0.0])


def test_followers_turn_to_the_food_within_three_metres(look):
    velocity = [[0.0, 0.1, 0.0]]
    near = FishFollowers()(look([[7.9, 5.0, 5.0]], velocity))[0]
    own = 0.1 + 0.3  # d, and H of a school of one
    assert near == pytest.approx(0.1 * np.array([-0.5, own, 0.0]) / np.hypot(0.5, own))
    far = look([[8.1, 5.0, 5.0]], velocity)
    assert np.array_equal(FishFollowers()(far), FishSchool()(far))


def test_a_tenth_of_the_way_to_the_food_is_left_in_the_literal(look):
    place, zero = look([[7.0, 5.0, 5.0]]), np.zeros((1, 3))
    fish = FishFollowers(variant="literal")
    fish._memory = FishSchool(variant="literal")._remembered(place, 0.0)
    fish._memory.direction = zero
    fish(place)
    # .1 of .5 times 2 m of d, and .3 of the same in H, of a school of one.
    assert fish._memory.direction[0] == pytest.approx([-0.1 - 0.3, 0.0, 0.0])


def test_the_direction_of_the_informed_never_changes_for_others_in_the_literal(look):
    place, role = [[3.0, 3.0, 3.0], [4.0, 3.0, 3.0]], [MEMBER, LEADER]
    fish = FishFollowers(variant="literal")
    fish(look(place, role=role))
    at_first = fish._memory.direction[1].copy()
    for _ in range(5):
        fish(look(place, role=role))
    assert np.array_equal(fish._memory.direction[1], at_first)


def test_those_informed_come_first_in_the_literal_sum(look):
    """H of a follower is (0 + d) / 1 of the leader first, then its own over 2, whatever the order of the rows."""
    place, found = np.array([[3.0, 3.0, 3.0], [4.0, 3.0, 3.0]]), []
    for rows in ([0, 1], [1, 0]):
        fish = FishFollowers(variant="literal")
        view = look(place[rows], role=np.array([MEMBER, LEADER])[rows])
        fish._remembered(view, 0.0).direction = np.eye(3)[:2][rows]
        _, heading = fish._memory.gather(view.position, view.role, 0.1, 5.0)
        found.append(heading[rows.index(0)])
    assert found[0] == pytest.approx([0.5, 0.5, 0.0])
    assert found[1] == pytest.approx(found[0])


@pytest.mark.parametrize("fish", [FishFollowers, FishInformed])
def test_food_of_too_few_dimensions_is_refused(fish, look, brief):
    with pytest.raises(BadInput, match=r"params\.food: expected 3 numbers, got 2"):
        fish(food=(5.0, 5.0)).reset(brief(look([FOOD])))


def test_ten_informed_of_thirty_bring_the_school_to_food_that_the_rest_would_pass():
    food, off = [8.0, 8.0, 8.0], {}
    mission = swarm.load_mission("fish-informed").changed(
        {"controller.params.food": food, "controller.params.food_radius": 0.0, "duration": 800.0}
    )
    for name, told in (("informed", food), ("misinformed", [2.0, 2.0, 2.0])):
        run = swarm.run(mission.changed({"swarm.roles.0.controller.params.food": told}), seed=0)
        followers = run.trajectory.position[-200:, :20].mean(axis=1)
        off[name] = np.linalg.norm(followers - food, axis=1).mean()
    assert off["informed"] < 1.5
    assert off["misinformed"] > 6.0
