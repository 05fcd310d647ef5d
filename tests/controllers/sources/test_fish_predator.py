"""Fish and their predator: zones of fear, the text's flaws in numbers, and captures."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.controllers.models.fish import FishPrey, FishSchool, FishShark
from swarm.controllers.models.fish.accumulated import Memory

FISH, SHARK = [2.5, 2.5, 2.5], [1.9, 2.5, 2.5]


def literal_prey(direction):
    """Literal fish with these directions."""
    prey = FishPrey(variant="literal")
    prey._memory = Memory.begin(np.array(direction, float), 1.0)
    return prey


def test_out_of_sight_fish_swim_as_a_school(look):
    rng = np.random.default_rng(0)
    place, velocity = rng.uniform(0, 2, (8, 3)), rng.uniform(-1, 1, (8, 3))
    far = {"predators": [[8.0, 8.0, 8.0]], "hunting": [[1.0, 0.0, 0.0]]}
    school = FishSchool(repulsion_radius=0.01)
    assert np.array_equal(FishPrey()(look(place, velocity, **far)), school(look(place, velocity)))


def test_in_danger_fish_flee_at_full_speed_away_and_against_its_heading(look):
    prey = FishPrey()
    swimming_past = look([FISH], [[0.1, 0.0, 0.0]], predators=[SHARK], hunting=[[0.0, 1.0, 0.0]])
    assert prey(swimming_past)[0] == pytest.approx(0.1 * np.array([1.0, -1.0, 0.0]) / np.sqrt(2))


def test_the_fish_that_is_hunted_waits_in_the_literal_and_flees_in_the_repaired(look):
    """Away from a predator that swims straight at it, and against its heading, are opposite and cancel."""
    hunted = {"predators": [SHARK], "hunting": [[0.11, 0.0, 0.0]], "side": 5.0}
    literal = literal_prey([[0.0, 0.0, 1.0]])
    assert not literal(look([FISH], **hunted)).any()
    assert literal.undefined == 1  # 0 / 0 for the text's program as soon as the predator has gone
    assert FishPrey()(look([FISH], [[0.0, 0.0, 0.1]], **hunted))[0] == pytest.approx([0.1, 0.0, 0.0])


def test_literal_fish_in_danger_are_slower_the_nearer_the_predator_is(look):
    speeds = []
    for apart in (0.9, 0.5, 0.2):
        behind = {"predators": [[2.5 - apart, 2.5, 2.5]], "hunting": [[-0.1, 0.0, 0.0]], "side": 5.0}
        speeds.append(np.linalg.norm(literal_prey([[0.0, 0.0, 1.0]])(look([FISH], **behind))))
        assert np.linalg.norm(FishPrey()(look([FISH], [[0.0, 0.0, 0.1]], **behind))) == pytest.approx(0.1)
    assert speeds == pytest.approx([0.09, 0.05, 0.02])


def test_in_sight_fish_heed_the_predator_and_each_other_by_their_weights(look):
    """One fish 1 m ahead at the same heading; the predator 2 m aside, at rest: .25 away, .1 each of C, A and H, and .1
    times half a metre of G."""
    place, velocity = [[2.5, 2.5, 2.5], [3.5, 2.5, 2.5]], np.tile([0.1, 0.0, 0.0], (2, 1))
    command = FishPrey()(look(place, velocity, predators=[[2.5, 0.5, 2.5]], side=5.0))[0]
    wanted = np.array([0.1 + 0.1 + 0.1 * 0.5 + 0.1, 0.25, 0.0])
    assert command == pytest.approx(0.1 * wanted / np.linalg.norm(wanted))


def test_the_eaten_pull_the_centre_of_the_literal_school_away_and_leave_the_repaired_alone(look):
    """The last of three eaten is 113.5 m off, a third of which is in G; the first counts a sixth."""
    place, pulled = np.array([[2.0, 2.5, 2.5], [2.5, 2.5, 2.5], [3.0, 2.5, 2.5]]), {}
    for eaten in (0, 2):
        alive = np.arange(3) != eaten
        prey = literal_prey(np.zeros((3, 3)))
        prey(look(place, alive=alive, side=5.0))
        centre, _ = prey._memory.gather(
            np.where(alive[:, None], place, [-111.0, -11.0, -11.0]), np.zeros(3), 0.01, 5.0, itself=False
        )
        pulled[eaten] = centre[1, 0]
        living = FishPrey()(look(place[alive], np.tile([0.1, 0, 0], (2, 1)), side=5.0))
        both = FishPrey()(look(place, np.tile([0.1, 0, 0], (3, 1)), alive=alive, side=5.0))
        assert np.array_equal(both[alive], living)
    assert pulled[2] == pytest.approx((-0.5 - 113.5) / 3)
    assert pulled[0] == pytest.approx((-113.5 + 0.5) / 3)


def test_the_predator_swims_at_1_1_v_in_the_repaired_and_at_0_22_v_in_the_literal(look):
    view = look([SHARK], prey=[FISH, [4.0, 4.0, 4.0]], side=5.0)
    assert FishShark()(view)[0] == pytest.approx([0.11, 0.0, 0.0])
    assert FishShark(variant="literal")(view)[0] == pytest.approx([0.022, 0.0, 0.0])


def test_the_predator_goes_for_the_nearest_living_fish_and_not_past_it(look):
    prey = [[2.0, 2.5, 2.5], [1.9, 2.54, 2.5], [1.9, 3.5, 2.5]]
    assert FishShark()(look([SHARK], prey=prey))[0] == pytest.approx([0.0, 0.04, 0.0])
    assert FishShark()(look([SHARK], prey=prey, prey_alive=[False, False, True]))[0] == pytest.approx([0.0, 0.11, 0.0])
    assert not FishShark()(look([SHARK], prey=prey, prey_alive=[False] * 3)).any()
    assert not FishShark(variant="literal")(look([SHARK], prey=prey, prey_alive=[False] * 3)).any()


def test_the_literal_predator_never_sees_the_fish_after_the_thirtieth(look):
    away = np.tile([4.5, 4.5, 4.5], (31, 1))
    shark = FishShark(variant="literal")
    shark(look([SHARK], prey=away, side=5.0))
    away[30] = [1.9, 2.9, 2.5]
    ahead = shark(look([SHARK], prey=away, side=5.0))[0]
    assert ahead / np.linalg.norm(ahead) == pytest.approx(np.array([2.6, 2.0, 2.0]) / np.linalg.norm([2.6, 2.0, 2.0]))
    assert FishShark()(look([SHARK], prey=away, side=5.0))[0, 1] > 0.1


def test_a_flight_straight_away_opens_no_gap_for_a_predator_a_tenth_faster(look):
    """0.9 m ahead and a hundredth of a metre a tick slower: caught within 0.1 m after 80 ticks."""
    fish, shark, ticks = np.array([[0.9, 0.0, 50.0]]), np.array([[0.0, 0.0, 50.0]]), 0
    fish, shark = fish + [0.0, 50.0, 0.0], shark + [0.0, 50.0, 0.0]
    chased, hunting, prey, hunter = np.array([[0.1, 0.0, 0.0]]), np.array([[0.11, 0.0, 0.0]]), FishPrey(), FishShark()
    while np.linalg.norm(fish - shark) > 0.1 + 1e-9:
        commands = (
            prey(look(fish, chased, side=100.0, predators=shark, hunting=hunting)),
            hunter(look(shark, hunting, side=100.0, prey=fish)),
        )
        chased, hunting = commands
        fish, shark, ticks = fish + chased, shark + hunting, ticks + 1
    assert ticks == 80


@pytest.mark.slow
def test_the_repaired_predator_catches_many_times_what_the_literal_does():
    caught = {}
    for variant in ("repaired", "literal"):
        mission = swarm.load_mission("fish-predator").changed(
            {
                "controller.params.variant": variant,
                "swarm.roles.0.controller.params.variant": variant,
                "duration": 300.0,
            }
        )
        caught[variant] = swarm.run(mission, seed=0).metrics["captures"]
    assert caught["literal"] <= 2
    assert caught["repaired"] >= 8
