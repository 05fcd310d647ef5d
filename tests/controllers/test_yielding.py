"""The frame slows down for what moves, flies by what has parked as near as planned, and looks for a way around."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.controllers.planning.plan import Plan
from swarm.controllers.planning.yielding import AHEAD, give_way

RADIUS, ROOM, ALONG = 0.06, 0.41, 1.5


def plan_of(count=1, length=12.0, speed=1.5):
    """Straight along x from the origin, slots side by side."""
    x = np.arange(0.0, length + 0.05, 0.1)
    line = np.stack([x, np.zeros_like(x), np.zeros_like(x)], axis=1)
    slots = np.stack([np.zeros(count), np.arange(count) - (count - 1) / 2, np.zeros(count)], axis=1)
    return Plan(0.1, line[:, None] + slots, np.append(np.full(len(x) - 1, speed), 0.0), line)


def mover(center, to, speed=1.0, mode="once", radius=0.5):
    motion = {"path": [to], "speed": speed, "mode": mode}
    return {"kind": "sphere", "center": center, "radius": radius, "motion": motion}


def pace(world, time=0.0, place=0.0, speed=1.5, plan=None, around=None):
    plan = plan_of() if plan is None else plan
    return give_way(world, world.still if around is None else around, time, plan, place, speed, ALONG, ROOM)


def test_what_is_far_away_is_no_reason_to_be_slow(make_world):
    world = make_world(3, [mover([3.0, 9.0, 0.0], [3.0, 8.0, 0.0])])
    assert pace(world) == 1.0


def test_the_frame_stops_before_what_stands_across_the_way(make_world):
    world = make_world(3, [mover([3.0, 0.5, 0.0], [3.0, 0.0, 0.0], speed=0.25)])
    assert pace(world, place=0.5) == 0.0
    assert pace(world, place=4.5) == 1.0  # it is behind


def test_it_waits_for_what_crosses_and_then_goes_on(make_world):
    # crosses x = 3 at t = 2; straight on at 1.5 m/s the frame is there at t = 2 as well
    world = make_world(3, [mover([3.0, 2.0, 0.0], [3.0, -6.0, 0.0])])
    place, speed, time, least, paces = 0.0, 1.5, 0.0, np.inf, []
    while place < 8.0 and time < 20.0:
        share = pace(world, time, place, speed)
        paces.append(share)
        speed = min(max(share * 1.5, speed - 2.0 * ALONG * 0.1), speed + ALONG * 0.1)
        place, time = place + speed * 0.1, time + 0.1
        least = min(least, world.at(time).clearance(np.array([[place, 0.0, 0.0]]))[0][0])
    assert place >= 8.0
    assert least >= ROOM - 0.1
    assert min(paces) < 1.0
    assert paces[-1] == 1.0


def test_every_slot_counts(make_world):
    world = make_world(3, [mover([2.0, 2.0, 0.0], [2.0, 1.9, 0.0], speed=0.01)])  # 2 m to the left of the way
    assert pace(world) == 1.0
    assert pace(world, plan=plan_of(5)) == 0.0  # a lane at y = 2


def test_what_stands_still_is_passed_as_near_as_planned(make_world):
    post = {"kind": "sphere", "center": [2.0, 0.7, 0.0], "radius": 0.5}  # 0.2 m from the lane
    far = mover([2.0, 40.0, 0.0], [2.0, 30.0, 0.0])
    assert pace(make_world(3, [post, far])) == 1.0


def test_what_has_parked_is_passed_as_near_as_was_planned_around_it(make_world):
    world = make_world(3, [mover([2.0, 3.0, 0.0], [2.0, 0.7, 0.0])]).at(9.0)  # 0.2 m from the lane
    assert pace(world, time=9.0) == 0.0
    assert pace(world, time=9.0, around=world) == 1.0


@pytest.mark.parametrize("place", [0.0, 11.99, 12.0])
@pytest.mark.parametrize("spacing", [0.1, 1e-9])
def test_ends_and_ways_of_no_length_are_no_error(place, spacing, make_world):
    world = make_world(3, [mover([3.0, 9.0, 0.0], [3.0, 8.0, 0.0])])
    long = plan_of()
    plan = Plan(spacing, long.lanes[:2], np.zeros(2), long.line[:2]) if spacing < 0.1 else long
    assert pace(world, place=min(place, plan.spacing * (len(plan.speed) - 1)), speed=0.0, plan=plan) in (0.0, 0.5, 1.0)


def test_looking_ahead_goes_on_to_where_the_frame_can_stand_from_full_speed():
    assert max(AHEAD) * 1.5 - 0.5 * 1.5**2 / ALONG > 1.5**2 / (2 * ALONG)


HALL = {"dim": 3, "bounds": [[-3.0, -5.0, 0.0], [17.0, 5.0, 3.0]], "boundary": "walls"}


def hall(obstacles, **changes):
    """Five drones are to fly 14 m along x through a hall 10 m wide."""
    return swarm.load_mission(
        "five-drone-formation",
        {
            "duration": 60.0,
            "criteria": {},
            "world": {**HALL, "obstacles": obstacles},
            "task": {"kind": "reach", "target": [14.0, 0.0, 1.5]},
            "swarm.spawn": {"shape": "v", "spacing": 0.7, "center": [0.0, 0.0, 1.5]},
            "formation": {"shape": "v", "spacing": 0.7},
            **changes,
        },
    )


def box(center, to, speed, mode, size=(0.8, 0.8, 2.4)):
    motion = {"path": [to], "speed": speed, "mode": mode}
    return {"kind": "box", "center": center, "size": list(size), "motion": motion}


@pytest.mark.parametrize(
    "obstacle",
    [
        box([6.0, -3.0, 1.5], [6.0, 3.0, 1.5], 1.0, "back-and-forth"),
        box([7.0, 3.0, 1.5], [7.0, 0.0, 1.5], 0.7, "once"),
        box([13.0, 0.3, 1.5], [3.0, 0.0, 1.5], 0.6, "back-and-forth"),
    ],
    ids=["crossing", "parking in the way", "head-on"],
)
def test_five_drones_get_by_what_moves(obstacle):
    result = swarm.run(hall([obstacle]), seed=0)
    assert result.metrics["success"]
    assert not result.contacts


def random_movers(kind, seed):
    rng = np.random.default_rng(seed)
    boxes = []
    for _ in range(1 if kind == "head-on" else int(rng.integers(1, 4))):
        x, speed = float(rng.uniform(4, 11)), float(rng.uniform(0.2, 1.0))
        size = (*rng.uniform(0.4, 1.0, 2).tolist(), 2.4)
        if kind == "crossing":
            boxes.append(box([x, -3.0, 1.5], [x + float(rng.uniform(-1, 1)), 3.0, 1.5], speed, "back-and-forth", size))
        elif kind == "parking":
            side, end = float(rng.choice([-3.0, 3.0])), float(rng.uniform(-0.5, 0.5))
            boxes.append(box([x, side, 1.5], [x, end, 1.5], speed, "once", size))
        else:
            y, z = rng.uniform(-1, 1, 2).tolist()
            boxes.append(box([13.0, y, 1.5], [3.0, z, 1.5], speed, "back-and-forth", size))
    return boxes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["crossing", "parking", "head-on"])
def test_random_movers_are_never_touched_and_nearly_always_got_by(kind):
    results = [swarm.run(hall(random_movers(kind, seed)), seed=0) for seed in range(20)]
    assert sum(len(result.contacts) for result in results) == 0
    assert sum(result.metrics["success"] for result in results) >= 19
