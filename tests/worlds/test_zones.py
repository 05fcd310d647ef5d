"""Gates and areas: what a file says of them, and who went through."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import World, Zone, build_world

ROOM = {"bounds": [[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]]}
GATE = {"kind": "gate", "order": 1, "center": [1.0, 0.0, 2.0], "size": [2.0, 1.0]}


def world_of(*zones, **keys):
    """A room with these zones."""
    return build_world({**ROOM, "zones": list(zones), **keys}, "w.toml", 0)


def faults(*zones, **keys):
    """What is wrong with these zones."""
    with pytest.raises(BadInput) as caught:
        world_of(*zones, **keys)
    return list(caught.value.faults)


def test_a_file_names_gates_and_areas():
    second = {"kind": "gate", "order": 2, "center": [3.0, 1.0, 2.0], "radius": 0.6, "yaw": 90.0, "name": "ring"}
    area = {"kind": "area", "center": [4.0, 0.0, 1.0], "size": [1.0, 2.0, 2.0], "name": "home"}
    world = world_of(GATE, area, second)
    assert world.zones == (
        Zone("gate", "gate 1", (1.0, 0.0, 2.0), (2.0, 1.0), order=1),
        Zone("area", "home", (4.0, 0.0, 1.0), (1.0, 2.0, 2.0)),
        Zone("gate", "ring", (3.0, 1.0, 2.0), radius=0.6, yaw=math.pi / 2.0, order=2),
    )
    assert [gate.name for gate in world.gates] == ["gate 1", "ring"]
    assert world.zone("home") is world.zones[1]
    np.testing.assert_allclose(world.zone("ring").normal, [0.0, 1.0, 0.0], atol=1e-15)


def test_an_unknown_zone_is_refused_with_the_nearest_name():
    with pytest.raises(
        BadInput, match=r'zone: expected gate 1, got "gate 2" \(did you mean "gate 1"\?\) in the world w'
    ):
        world_of(GATE).zone("gate 2")
    with pytest.raises(BadInput, match=r'zone: the world w has no zones, got "home"'):
        world_of().zone("home")


def test_zones_are_kept_by_the_walled_world():
    gate = {**GATE, "center": [1.0, 0.0], "size": [2.0]}
    torus = {"dim": 2, "bounds": [[-5.0, -5.0], [5.0, 5.0]], "boundary": "torus", "zones": [gate]}
    assert build_world(torus, "w.toml", 0).walled().gates[0].size == (2.0,)


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        (3, "zones[0]: expected a table, got 3"),
        ({}, "zones[0].kind: missing; allowed: gate, area"),
        ({**GATE, "kind": "gaet"}, 'zones[0].kind: expected gate, area, got "gaet" (did you mean "gate"?)'),
        ({**GATE, "order": 0}, "zones[0].order: expected a whole number >= 1, got 0"),
        (
            {**GATE, "order": 2},
            "zones[0].order: expected 1, got 2: gates stand in the file in the order in which they are crossed",
        ),
        ({**GATE, "center": [1.0, 0.0]}, "zones[0].center: expected 3 numbers, got [1.0, 0.0]"),
        ({**GATE, "size": [2.0]}, "zones[0].size: expected 2 numbers, got [2.0]"),
        ({**GATE, "size": [2.0, -1.0]}, "zones[0].size: expected a number > 0"),
        ({**GATE, "radius": 1.0}, "zones[0].size: expected either size or radius, got both"),
        ({**GATE, "size": []}, "zones[0].size: expected either size or radius, got neither"),
        ({**GATE, "yaw": math.inf}, "zones[0].yaw: expected a finite number, got inf"),
        ({**GATE, "widht": 1.0}, "zones[0].widht: unknown key"),
        ({**GATE, "center": [6.0, 0.0, 2.0]}, "zones[0].center: expected it in the bounds"),
        ({"kind": "area", "center": [0.0, 0.0, 1.0]}, "zones[0].size: missing"),
        ({"kind": "area", "center": [0, 0, 1], "size": [1, 1, 1], "order": 1}, "zones[0].order: unknown key"),
        ({"kind": "area", "center": [0, 0, 9], "size": [1, 1, 1]}, "zones[0].center: expected it in the bounds"),
    ],
)
def test_a_faulty_zone_is_told_in_a_line(zone, said):
    (told,) = faults(zone)
    assert told.startswith(f"w.toml: {said}")


def test_gates_out_of_order_and_names_used_twice_are_told():
    swapped = [{**GATE, "order": 2}, {**GATE, "order": 1, "center": [2.0, 0.0, 2.0]}]
    assert [fault.split(":")[1] for fault in faults(*swapped)] == [" zones[0].order", " zones[1].order"]
    twins = [{**GATE, "name": "door"}, {**GATE, "order": 2, "name": "door"}]
    assert faults(*twins) == ['w.toml: zones[1].name: expected a name of its own, got "door" once more']


def test_a_gate_behind_which_stands_a_wall_is_refused():
    wall = {"kind": "box", "name": "wall", "center": [1.0, 0.0, 2.5], "size": [0.3, 4.0, 5.0]}
    (told,) = faults(GATE, obstacles=[wall])
    assert told == (
        "w.toml: zones[0].center: expected a gate's opening in the open, got [1.0, 0.0, 2.0], which is inside wall"
    )


def test_a_plane_has_gates_of_a_width():
    plane = {"dim": 2, "bounds": [[0.0, 0.0], [9.0, 9.0]]}
    gate = {"kind": "gate", "order": 1, "center": [4.0, 4.0], "size": [2.0], "yaw": 90.0}
    door = build_world({**plane, "zones": [gate]}, "w.toml", 0).gates[0]
    before = np.array([[3.5, 3.0], [2.5, 3.0], [4.5, 5.0]])
    after = np.array([[3.5, 5.0], [2.5, 5.0], [4.5, 3.0]])
    np.testing.assert_array_equal(door.crossed(before, after), [True, False, False])


def test_the_opening_is_crossed_where_the_segment_meets_its_plane():
    gate = Zone("gate", "gate", (1.0, 0.0, 2.0), (2.0, 1.0), order=1)
    ends = [
        ([0.0, 0.0, 2.0], [2.0, 0.0, 2.0], True),  # through the middle
        ([2.0, 0.0, 2.0], [0.0, 0.0, 2.0], False),  # backwards
        ([0.0, 0.0, 2.0], [0.9, 0.0, 2.0], False),  # stops before it
        ([0.9, 0.0, 2.0], [1.0, 0.0, 2.0], True),  # onto the plane, and that was it:
        ([1.0, 0.0, 2.0], [1.1, 0.0, 2.0], False),
        ([0.0, 0.99, 2.0], [2.0, 0.99, 2.0], True),  # beside the post
        ([0.0, 1.01, 2.0], [2.0, 1.01, 2.0], False),
        ([0.0, 0.0, 2.49], [2.0, 0.0, 2.49], True),  # under the lintel
        ([0.0, 0.0, 2.51], [2.0, 0.0, 2.51], False),
        ([0.0, 3.0, 2.0], [2.0, -3.0, 2.0], True),  # steeply, both ends far aside
        ([0.0, 0.0, 2.0], [4.0, 8.0, 2.0], False),  # has left the opening's side where it meets the plane
        ([1.0, 0.0, 2.0], [1.0, 0.5, 2.0], False),  # within the plane
        ([0.5, 0.0, 2.0], [0.5, 0.0, 2.0], False),  # at rest
    ]
    before, after = np.array([e[0] for e in ends]), np.array([e[1] for e in ends])
    np.testing.assert_array_equal(gate.crossed(before, after), [e[2] for e in ends])


@settings(max_examples=60)
@given(st.floats(-7.0, 7.0), st.integers(0, 2**32), st.booleans())
def test_turning_gate_and_segments_together_changes_nothing(turn, seed, round_one):
    rng = np.random.default_rng(seed)
    shape = {"radius": 0.8} if round_one else {"size": (2.0, 1.2)}
    before, after = rng.uniform(-1.5, 0.5, (40, 3)), rng.uniform(-0.5, 1.5, (40, 3))
    rotation = np.array(
        [[math.cos(turn), -math.sin(turn), 0.0], [math.sin(turn), math.cos(turn), 0.0], [0.0, 0.0, 1.0]]
    )
    straight = Zone("gate", "g", (0.0, 0.0, 0.0), yaw=0.0, **shape)
    turned = Zone("gate", "g", (3.0, -2.0, 1.0), yaw=turn, **shape)
    moved = [points @ rotation.T + np.array(turned.center) for points in (before, after)]
    share = before[:, 0] / (before[:, 0] - after[:, 0])
    meet = before + share[:, None] * (after - before)
    aside, up = np.abs(meet[:, 1]), np.abs(meet[:, 2])
    edge = np.hypot(aside, up) - 0.8 if round_one else np.maximum(aside - 1.0, up - 0.6)
    through = (before[:, 0] < 0.0) & (after[:, 0] >= 0.0)
    clearly = np.abs(edge) > 1e-9
    for crossed in (straight.crossed(before, after), turned.crossed(*moved)):
        np.testing.assert_array_equal(crossed[clearly], (through & (edge < 0.0))[clearly])


def test_an_area_contains_its_faces():
    area = Zone("area", "home", (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    points = np.array([[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [[2.1, 1.0, 1.0], [0.0, 0.0, -0.1]]])
    np.testing.assert_array_equal(area.contains(points), [[True, True], [False, False]])


def test_a_world_without_zones_has_no_gates():
    assert World("w", np.array([[0.0, 0.0], [1.0, 1.0]]), "walls", False).gates == ()
