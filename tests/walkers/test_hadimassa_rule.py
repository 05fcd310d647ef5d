"""Hadimassa's rule by hand: what is perceived, the step back, the turn and the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swarm.controllers.models.hadimassa import Hadimassa
from swarm.controllers.models.hadimassa.decision import side_of
from swarm.controllers.models.hadimassa.perception import in_cone, perceive, sort
from swarm.controllers.models.hadimassa.way import next_cell, ways_of
from swarm.worlds.floor_plan.places import ground_of

HALL = ("............",) * 5 + ("G..........S",) + ("............",) * 6  # goal at (0, 6)


def asked(crowd, world, position, heading=0.0, ticks=1, seed=0, **parameters):
    """The rule, what it answers at each of some ticks to walkers who stay, and how they look in the end."""
    rule = Hadimassa(**parameters)
    rule.reset(crowd.briefing(world, position, seed))
    view = crowd.view(world, position, heading)
    commands = np.array([rule(view) for _ in range(ticks)])
    return commands, np.degrees(np.arctan2(rule.minds.heading[:, 1], rule.minds.heading[:, 0]))


def offsets(crowd, world, position, heading, radius, field_of_view, edges=False):
    """What the first walker perceives, as offsets in m."""
    rule = Hadimassa(collision_radius=radius, behind=0.0)
    position = np.array(position, float)
    ground = ground_of(world.floor_plan)
    room = rule.crowd(ground, len(position))
    sort(position, np.ones(len(position), bool), ground, room)
    half = math.radians(field_of_view) / 2
    count = perceive(
        0, position, math.cos(heading), math.sin(heading), radius, math.cos(half), True, edges, ground, room
    )
    return sorted(np.round(room.seen[:count], 9).tolist())


@pytest.mark.parametrize(
    ("offset", "field_of_view", "inside"),
    [
        ((1.1, 0.0), 180, True), ((1.1000001, 0.0), 180, False), ((0.0, 1.0), 180, True), ((0.0, -1.0), 180, True),
        ((-0.001, 1.0), 180, False), ((1.0, 1.0), 90, False), ((0.7, 0.7), 90, True), ((0.7, 0.71), 90, False),
        ((-1.0, 0.0), 360, True), ((0.0, 0.0), 10, True), ((1.0, 0.0), 0, True),
    ],
)  # fmt: skip
def test_the_cone_is_within_the_radius_and_half_the_angle_to_each_side(offset, field_of_view, inside):
    assert in_cone(*offset, 1.0, 0.0, 1.1, math.cos(math.radians(field_of_view) / 2)) == inside


def test_wall_cells_are_perceived_by_their_middles_and_others_by_their_places(crowd):
    world = crowd.world(".....", "..#..", "..#..", "G...S")  # walls at (2, 1) and (2, 2)
    people = [[1.2, 1.25], [1.2, 1.75], [0.9, 1.25], [2.9, 0.2]]
    # The middle of (2, 2) is 1.097 m off, the other behind, the last too far.
    assert offsets(crowd, world, people, 0.0, 1.1, 180) == [[0.0, 0.5], [0.8, -0.25], [0.8, 0.75]]
    assert offsets(crowd, world, people, 0.0, 1.0, 180) == [[0.0, 0.5], [0.8, -0.25]]
    assert offsets(crowd, world, people, np.pi, 1.1, 180) == [[-0.3, 0.0], [0.0, 0.5]]


def test_only_repaired_walkers_see_the_edge(crowd):
    world = crowd.world("...", "G.S")
    assert offsets(crowd, world, [[2.0, 0.5]], 0.0, 1.1, 90) == []
    assert offsets(crowd, world, [[2.2, 1.0]], 0.0, 1.1, 90, edges=True) == [[0.8, 0.0]]


def test_perception_finds_what_all_pairs_find(crowd):
    world = crowd.world(*HALL)
    rng = np.random.default_rng(1)
    position = rng.uniform(-0.5, 11.5, (150, 2))
    for first in range(20):
        order = np.roll(np.arange(150), -first)
        away = position[order[1:]] - position[first]
        heading, radius, angle = rng.uniform(-3, 3), rng.uniform(0.3, 3.0), rng.uniform(20, 360)
        off = np.abs((np.arctan2(away[:, 1], away[:, 0]) - heading + np.pi) % (2 * np.pi) - np.pi)
        near = away[(np.hypot(*away.T) <= radius) & (off <= np.radians(angle) / 2)]
        assert offsets(crowd, world, position[order], heading, radius, angle) == sorted(np.round(near, 9).tolist())


@pytest.mark.parametrize("variant", ["repaired", "literal"])
def test_a_step_back_is_an_eighth_away_from_what_is_faced(crowd, variant):
    command, heading = asked(
        crowd, crowd.world(*HALL), [[5.0, 6.0], [5.6, 6.8]], [0.5, 0.9], variant=variant, step_spread=0.0
    )
    assert np.allclose(command[0, 0], -0.35 / 8 * np.array([0.6, 0.8]), atol=1e-15)
    assert heading[0] == pytest.approx(np.degrees(0.5))
    assert np.hypot(*command[0, 1]) == pytest.approx(0.35)  # it sees nobody and goes on


def test_each_thing_perceived_is_faced_as_often(crowd):
    people = [[5.0, 6.0], [6.0, 6.0], [5.0, 7.0], [5.0, 5.0]]
    command, _ = asked(crowd, crowd.world(*HALL), people, ticks=3000, variant="literal", step_spread=0.0)
    ways, counts = np.unique(np.round(command[:, 0] * 8 / 0.35), axis=0, return_counts=True)
    assert ways.tolist() == [[-1.0, 0.0], [0.0, -1.0], [0.0, 1.0]]
    assert (np.abs(counts - 1000) < 4 * math.sqrt(3000 * 2 / 9)).all()


def test_those_at_one_place_step_straight_back(crowd):
    command, _ = asked(crowd, crowd.world(*HALL), [[5.0, 6.0], [5.0, 6.0]], [0.0, np.pi / 2], step_spread=0.0)
    assert np.allclose(command[0], [[-0.35 / 8, 0.0], [0.0, -0.35 / 8]], atol=1e-15)


def test_a_repaired_walker_does_not_step_back_into_somebody(crowd):
    people = [[5.0, 6.0], [6.0, 6.0], [4.6, 6.0]]
    for variant, speed in (("literal", 0.35 / 8), ("repaired", 0.0)):
        command, _ = asked(crowd, crowd.world(*HALL), people, variant=variant, step_spread=0.0)
        assert np.hypot(*command[0, 0]) == pytest.approx(speed)


def test_who_backs_up_again_turns_just_past_what_it_faced(crowd):
    """The other is 20 degrees to its left: it turns right, to where that is 90 degrees to its left."""
    other = [5.0 + math.cos(math.radians(20)), 6.0 + math.sin(math.radians(20))]
    for ticks, expected in ((1, 0.0), (2, -70.0)):
        _, heading = asked(crowd, crowd.world(*HALL), [[5.0, 6.0], other], ticks=ticks)
        assert heading[0] == pytest.approx(expected, abs=0.01)
    _, heading = asked(crowd, crowd.world(*HALL), [[5.0, 6.0], other], ticks=9, variant="literal")
    assert heading[0] == 0.0
    command, _ = asked(crowd, crowd.world(*HALL), [[5.0, 6.0], other], ticks=3, step_spread=0.0)
    assert np.hypot(*command[2, 0]) == pytest.approx(0.35)  # just out of view: it goes on


def test_who_would_turn_to_and_fro_for_ever_keeps_to_one_side(crowd):
    """Between two at 60 degrees to either side: past the one it sees the other, 30 degrees off its way each time.

    From the seventh step back in a row on it keeps turning to one side, past both, to 150 degrees off.
    """
    people = [[5.0, 6.0]] + [[5.0 + 0.8 * math.cos(a), 6.0 + 0.8 * math.sin(a)] for a in np.radians([60.0, -60.0])]
    for stubborn, seconds in ((6.0, 9), (20.0, 23), (1e6, None)):
        command, _ = asked(crowd, crowd.world(*HALL), people, ticks=100, step_spread=0.0, stubborn=stubborn, behind=0.0)
        free = np.flatnonzero(np.hypot(*command[:, 0].T) > 0.3)
        assert free[0] <= seconds if seconds else len(free) == 0


def test_who_is_stubborn_before_it_is_out_of_patience_turns_to_the_nearer_side_first(crowd):
    other = [5.0 + math.cos(math.radians(20)), 6.0 + math.sin(math.radians(20))]
    _, heading = asked(crowd, crowd.world(*HALL), [[5.0, 6.0], other], ticks=2, stubborn=0.0)
    assert heading[0] == pytest.approx(-70.0, abs=0.01)


@pytest.mark.parametrize(("way", "side"), [((1, 1), 1), ((1, -1), -1), ((-1, 1e-9), 1), ((-1, 0), -1), ((1, 0), 0)])
def test_the_sign_of_a_turn_is_the_shorter_way_round(way, side):
    assert side_of(1.0, 0.0, *way) == side


@pytest.mark.parametrize(("heading", "turned"), [(90.0, 92.0), (-90.0, -92.0), (100.0, 102.0), (179.0, 181.0)])
def test_a_free_walker_turns_two_degrees_and_steps(crowd, heading, turned):
    """In the row of the goal, to its right: the nearest neighbour is straight to the left."""
    command, after = asked(crowd, crowd.world(*HALL), [[5.0, 6.0]], np.radians(heading), step_spread=0.0)
    assert after[0] == pytest.approx((turned + 180) % 360 - 180)
    assert np.allclose(command[0, 0], 0.35 * np.array([np.cos(np.radians(turned)), np.sin(np.radians(turned))]))


def test_a_turn_is_one_of_a_second_at_any_rate(crowd):
    world = crowd.world(*HALL)
    rule = Hadimassa()
    rule.reset(crowd.briefing(world, [[5.0, 6.0]]))
    rule(crowd.view(world, [[5.0, 6.0]], np.pi / 2, dt=0.25))
    assert np.degrees(np.arctan2(*rule.minds.heading[0, ::-1])) == pytest.approx(90.5)


def test_steps_differ_between_walkers_and_never_for_one(crowd):
    position = np.stack(np.meshgrid([1.0, 4.0, 7.0, 10.0], [1.0, 4.0, 7.0, 10.0]), -1).reshape(-1, 2)
    command, _ = asked(crowd, crowd.world(*HALL), position, np.pi / 4, ticks=5, field_of_view=0.0, variant="literal")
    steps = np.hypot(command[..., 0], command[..., 1])
    assert np.allclose(steps, steps[0])
    assert len(np.unique(np.round(steps[0], 6))) == 16
    assert (steps >= 0.7 * 0.35 - 1e-12).all()
    assert (steps <= 1.3 * 0.35 + 1e-12).all()


def cells_ahead(world, row, column, repaired):
    """(row, column) of every cell that may be chosen from a cell."""
    rows = world.floor_plan.shape[0]
    ways = ways_of(ground_of(world.floor_plan), 1.1, repaired)
    found = {next_cell(rows - 1 - row, column, ways, share) for share in np.linspace(0.0, 0.999, 40)}
    return {(rows - 1 - up, at) for up, at in found}


def test_the_nearest_of_the_eight_neighbours_is_chosen(crowd):
    world = crowd.world("....S", ".....", ".....", "G....")  # Manhattan distances from the lower left
    assert cells_ahead(world, 0, 4, True) == {(1, 3)}
    assert cells_ahead(world, 3, 3, True) == {(3, 2)}
    assert cells_ahead(world, 3, 0, True) == {(3, 1), (2, 0)}  # from the goal itself, the two beside it


def test_repaired_walkers_choose_no_way_across_a_corner(crowd):
    world = crowd.world("..S", ".#.", "G..")
    assert cells_ahead(world, 0, 1, False) == {(1, 0)}
    assert cells_ahead(world, 0, 1, True) == {(0, 0)}


@pytest.mark.parametrize("repaired", [False, True])
def test_the_choice_is_that_of_looking_at_all_neighbours(repaired, crowd):
    import swarm

    world = swarm.load_world("hadimassa")
    plan = world.floor_plan
    rng = np.random.default_rng(0)
    rows, columns = plan.shape
    for row, column in np.argwhere(plan.walkable)[rng.integers(1062, size=60)].tolist():
        away = {}
        for y in range(max(row - 1, 0), min(row + 2, rows)):
            for x in range(max(column - 1, 0), min(column + 2, columns)):
                corner = not (plan.walkable[y, column] and plan.walkable[row, x])
                if (y, x) != (row, column) and not (repaired and corner):
                    away[y, x] = plan.distance[y, x]
        nearest = {cell for cell, distance in away.items() if distance == min(away.values())}
        assert cells_ahead(world, row, column, repaired) == nearest


def test_open_cells_are_those_that_no_wall_can_be_near(crowd):
    world = crowd.world(*HALL[:5], "G....#.....S", *HALL[6:])
    ways = ways_of(ground_of(world.floor_plan), 1.1, True)
    rng = np.random.default_rng(0)
    for point in rng.uniform(-0.5, 11.5, (300, 2)):
        cell = world.floor_plan.cell_of(point)
        walls = offsets(crowd, world, [point], 0.0, 1.1, 360, edges=True)
        assert not (ways.open[cell] and walls)
    assert ways.open.sum() == 10 * 10 - 9  # two cells off the edge, and not about the wall


def test_without_a_plan_walkers_go_straight_on(make_free_view):
    rule = Hadimassa(step_spread=0.0)
    command = rule(make_free_view)
    assert np.isfinite(command).all()
    assert np.allclose(np.hypot(*command.T), 0.35)


@pytest.fixture
def make_free_view(crowd):
    from swarm.worlds import build_world

    world = build_world({"dim": 2, "bounds": [[0, 0], [9, 9]], "boundary": "walls"}, "test")
    return crowd.view(world, [[2.0, 2.0], [7.0, 7.0]])
