"""NetLogo's leaders and predators."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.models.netlogo.boids import NetLogoBoids
from swarm.controllers.models.netlogo.hunter import NetLogoHunter
from swarm.controllers.models.netlogo.leader import NetLogoLeader
from swarm.errors import BadInput


def test_a_leader_turns_to_its_target_by_its_cap_and_goes_one_point_two(turtles):
    view = turtles.view([[0, 0]], turtles.pointing([0]))
    command = NetLogoLeader(target=(10.0, 0.0), max_target_turn=5.0)(view)
    assert turtles.heading_of(command) == pytest.approx([5.0])
    assert np.linalg.norm(command) == pytest.approx(1.2)


def test_the_target_is_sought_the_short_way_round_the_torus(turtles):
    view = turtles.view([[14, 0]], turtles.pointing([0]))
    assert turtles.heading_of(NetLogoLeader(target=(-14.0, 0.0))(view)) == pytest.approx([5.0])


def test_without_a_target_of_its_own_the_task_s_is_taken_and_else_a_course(turtles):
    model = NetLogoLeader(course=270.0)
    for target, heading in (([9.0, 0.0], 5.0), (None, 355.0)):
        assert turtles.heading_of(model(turtles.view([[0, 0]], turtles.pointing([0]), target=target)))[
            0
        ] == pytest.approx(heading)


def test_a_leader_without_a_target_is_a_faster_boid(turtles):
    rng = np.random.default_rng(0)
    view = turtles.view(rng.uniform(-5, 5, (10, 2)), turtles.pointing(rng.uniform(0, 360, 10)))
    assert NetLogoLeader()(view) == pytest.approx(1.2 * NetLogoBoids()(view))


def test_a_target_of_another_dimension_is_refused_in_a_line(make_briefing):
    with pytest.raises(BadInput, match=r"controller\.params\.target: expected 2 numbers, got 3"):
        NetLogoLeader(target=(0.0, 0.0, 1.0)).reset(make_briefing([[0.0, 0.0]]))


@pytest.mark.parametrize(("variant", "speed"), [("literal", 0.8), ("repaired", 1.6)])
def test_a_hunter_faces_the_nearest_and_only_the_repaired_one_overtakes_a_boid_in_flight(variant, speed, turtles):
    view = turtles.view([[0, 0]], turtles.pointing([180]), prey=[[0.0, 8.0], [-16.0, 0.0], [0.0, -3.0]])
    command = NetLogoHunter(variant=variant)(view)
    assert command[0] == pytest.approx([0.0, -speed])
    fleeing = NetLogoBoids(variant=variant)
    assert (speed > fleeing.speed + fleeing.escape_step) == (variant == "repaired")
    assert (speed > fleeing.speed) == (variant == "repaired")
    assert np.linalg.norm(NetLogoHunter(variant=variant, speed=1.0)(view)) == pytest.approx(1.0)


def test_without_prey_a_hunter_stays_where_it_is(turtles):
    for chase in ("nearest", "isolated"):
        assert not NetLogoHunter(chase=chase)(turtles.view([[0, 0]], turtles.pointing([0]))).any()


def test_the_isolated_one_is_whose_nearest_fellow_is_furthest_also_round_the_torus(turtles):
    # 1 apart at the near side; (-16, 0) and (16, 0) are 1 apart round the edge; (0, 10) has nobody within 9.
    prey = [[1.0, 0.0], [2.0, 0.0], [-16.0, 0.0], [16.0, 0.0], [0.0, 10.0]]
    command = NetLogoHunter(chase="isolated")(turtles.view([[0, 0]], turtles.pointing([0]), prey=prey))
    assert command[0] == pytest.approx([0.0, 1.6])


def test_a_diving_hunter_climbs_over_its_prey_then_falls_on_it_and_climbs_again(turtles):
    world = turtles.world(3, half=60.0)
    model = NetLogoHunter(chase="diving", dive_height=15.0, dive_speed=2.5)
    place, prey, heights, speeds = np.array([[20.0, 0.0, 0.0]]), [[0.0, 0.0, 0.0]], [], []
    for _ in range(60):
        command = model(turtles.view(place, [[1.0, 0, 0]], world=world, prey=prey))
        place = place + command
        heights.append(place[0, 2])
        speeds.append(float(np.linalg.norm(command)))
    dives = np.isclose(speeds, 2.5)
    top = int(np.argmax(dives))
    bottom = top + int(np.argmin(dives[top:]))
    assert np.allclose(np.array(speeds)[~dives], 1.6)
    assert heights[top - 1] >= 0.8 * 15.0
    assert heights[bottom - 1] <= 0.0  # it has been through the prey's place
    assert max(heights[bottom:]) >= 0.8 * 15.0


def test_diving_in_a_flat_world_is_refused_in_a_line(make_briefing):
    with pytest.raises(BadInput, match=r'controller\.params\.chase: "diving" needs a world of three dimensions'):
        NetLogoHunter(chase="diving").reset(make_briefing([[0.0, 0.0]]))
