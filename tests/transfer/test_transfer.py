"""Missions made for points, flown by drones: lengths and speeds by one factor, rules unchanged, nobody hurt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swarm
from swarm.cli.main import main
from swarm.errors import BadInput
from swarm.library import FOLDER
from swarm.mission import Mission
from swarm.mission_file import mission_from_table
from swarm.simulation import Simulation
from swarm.state import Floats
from swarm.transfer.mission import as_flown
from swarm.view import View

LIBRARY = sorted(path.stem for path in FOLDER.glob("*.toml"))
MISSIONS_FOR_POINTS = [name for name in LIBRARY if swarm.load_mission(name).body.body == "point"]


class East:
    """East at the speed limit; notes what it saw."""

    def __init__(self) -> None:
        self.seen: list[View] = []
        self.told: Any = None

    def reset(self, briefing: Any) -> None:
        """Keep the briefing."""
        self.told = briefing

    def __call__(self, view: View) -> Floats:
        """(A, D) m/s."""
        self.seen.append(view)
        return np.tile([view.speed_limit, *[0.0] * (view.dim - 1)], (len(view.position), 1))


def mission(dim: int = 2, boundary: str = "torus", **changes: Any) -> Mission:
    """Six points in a square of 20 m, one step a second, at most 0.5 m/s."""
    low, high = [-10.0] * dim, [10.0] * dim
    table: dict[str, Any] = {
        "name": "abroad", "duration": 20.0, "world": {"dim": dim, "bounds": [low, high], "boundary": boundary},
        "swarm": {
            "count": 6, "body": "point", "physics_hz": 1, "command_hz": 1, "speed_limit": 0.5,
            "perception": {"range": 4.0},
            "spawn": {"shape": "line", "spacing": 1.0, "center": [0.0] * dim, "heading": 0.0},
        },
        "controller": {"use": "boids"},
        "task": {"kind": "reach", "target": [6.0] + [0.0] * (dim - 1), "radius": 1.0},
        "formation": {"shape": "line", "spacing": 1.0},
        "criteria": {"speed": {"at_most": 0.5}, "order": {"at_least": 0.9}, "min_separation": {"between": [0.5, 2.0]}},
    }  # fmt: skip
    loaded = mission_from_table(table, "abroad.toml", Path.cwd())
    return loaded.changed(changes) if changes else loaded


def test_lengths_and_speeds_grow_by_the_factor_that_makes_the_top_speed_a_drone_s_cruise() -> None:
    flown = as_flown(mission(), "drone")
    assert flown.transfer is not None
    assert flown.transfer.factor == 3.0  # 1.5 / 0.5
    limits = {criterion.name: criterion.limit for criterion in flown.criteria}
    assert limits == {"speed": 1.5, "order": 0.9, "min_separation": (1.5, 6.0)}
    assert flown.task.target == (18.0, 0.0, 1.5)  # type: ignore[attr-defined]
    assert flown.task.radius == 3.0  # type: ignore[attr-defined]
    assert flown.formation is not None
    assert flown.formation.spacing == 3.0
    assert flown.safety.filter == "barrier"
    assert flown.interaction_range == 12.0
    near = as_flown(mission(**{"swarm.perception.range": 0.5}), "drone")
    assert near.interaction_range == 1.5
    assert near.swarm.perception.range == 3.0  # to keep from what it might hit
    assert (flown.swarm.command_hz, flown.swarm.physics_hz) == (48, 240)


def test_any_other_pair_of_bodies_flies_the_mission_as_it_is() -> None:
    points, drones = mission(), swarm.load_mission("five-drone-open")
    assert as_flown(points) is points
    assert as_flown(points, "point") is points
    assert as_flown(drones, "drone") is drones
    assert as_flown(drones, "point") is drones


@pytest.mark.parametrize(("hertz", "rates"), [(1, (48, 240)), (10, (50, 250)), (20, (60, 240)), (50, (50, 250))])
def test_a_step_of_the_mission_is_a_whole_number_of_commands(hertz: int, rates: tuple[int, int]) -> None:
    flown = as_flown(mission(**{"swarm.command_hz": hertz, "swarm.physics_hz": hertz}), "drone")
    assert (flown.swarm.command_hz, flown.swarm.physics_hz) == rates


@pytest.mark.parametrize("dim", [2, 3])
def test_the_controller_sees_its_own_mission_and_is_asked_at_its_own_rate(dim: int) -> None:
    east = East()
    chosen = mission(dim, "walls")
    with Simulation(chosen, 0, controller=east, body="drone") as sim:
        for _ in range(3 * 48):
            sim.step()
        real = sim.state
    assert real.position.shape == (6, 3)
    assert east.told.dim == dim
    assert east.told.dt == 1.0
    assert east.told.target == pytest.approx([6.0] + [0.0] * (dim - 1))
    assert east.told.formation.shape == (6, dim)
    assert [round(view.time, 9) for view in east.seen] == [0.0, 1.0, 2.0]
    first, last = east.seen[0], east.seen[-1]
    native = swarm.Simulation(chosen, 0).state.position
    assert first.position == pytest.approx(native, abs=1e-6)
    assert last.speed_limit == 0.5
    assert last.reach == 4.0
    assert last.target == pytest.approx([6.0] + [0.0] * (dim - 1))
    assert last.route_direction[:, 0] == pytest.approx(np.ones(6), abs=0.5)
    # At 0.5 m/s for two seconds, less what it takes to get going.
    assert (last.position - first.position)[:, 0] == pytest.approx(np.full(6, 1.0), abs=0.25)
    assert real.velocity[:, 0] == pytest.approx(np.full(6, 1.5), abs=0.05)
    if dim == 2:
        assert real.position[:, 2] == pytest.approx(np.full(6, 1.5), abs=0.05)


def test_while_a_body_follows_the_controller_sees_the_velocity_it_asked_for() -> None:
    east = East()
    with Simulation(mission(boundary="walls"), 0, controller=east, body="drone") as sim:
        for _ in range(2 * 48):
            sim.step()
    assert east.seen[1].velocity.tolist() == [[0.5, 0.0]] * 6


def test_the_controller_sees_a_heading_along_the_way_it_flies() -> None:
    class North(East):
        """North at the speed limit."""

        def __call__(self, view: View) -> Floats:
            """(A, D) m/s."""
            super().__call__(view)
            return np.tile([0.0, view.speed_limit], (len(view.position), 1))

    north = North()
    with Simulation(mission(boundary="walls"), 0, controller=north, body="drone") as sim:
        for _ in range(2 * 48):
            sim.step()
    first, second = (2.0 * np.arctan2(v.state.attitude[:, 2], v.state.attitude[:, 3]) for v in north.seen)
    assert first == pytest.approx(np.zeros(6))
    assert second == pytest.approx(np.full(6, np.pi / 2))


def test_rules_that_know_no_walls_are_turned_back_from_them() -> None:
    class Straight:
        """Ahead at 0.5 m/s."""

        def __call__(self, view: View) -> Floats:
            """(A, D) m/s."""
            speed = np.linalg.norm(view.velocity, axis=1, keepdims=True)
            return np.where(speed > 1e-9, 0.5 * view.velocity / np.maximum(speed, 1e-9), [0.5, 0.0])

    chosen = mission(task={"kind": "flock"}, duration=60.0, criteria={})
    result = swarm.run(chosen, 0, controller=Straight(), body="drone")
    assert result.trajectory is not None
    x = result.trajectory.position[:, :, 0]
    assert x.max() < 30.0
    assert x.max() > 27.0
    assert x[-1].max() < 15.0  # on the way back
    assert result.metrics["obstacle_collisions"] == 0
    assert result.metrics["collisions"] == 0


def test_a_torus_becomes_walls_and_the_factor_is_stated() -> None:
    with Simulation(mission(), 0, body="drone") as sim:
        assert sim.world.boundary == "walls"
        assert sim.world.bounds.tolist() == [[-30.0, -30.0, 0.0], [30.0, 30.0, 3.0]]
        assert any("torus boundary becomes walls" in notice for notice in sim.world.notices)
        assert "abroad: drones fly it at 3 times its lengths and speeds, in a hall of 3 m at 1.5 m" in sim.world.notices
        assert sim.mission.build_world(0, "drone") is sim.world


def test_a_mission_that_names_no_speed_is_flown_as_large_as_it_is() -> None:
    table = dict(mission().table)
    table["swarm"] = {key: value for key, value in table["swarm"].items() if key != "speed_limit"}
    flown = as_flown(mission_from_table(table, "abroad.toml", Path.cwd()), "drone")
    assert flown.transfer is not None
    assert flown.transfer.factor == 1.0


def test_the_mission_may_say_the_factor_itself() -> None:
    flown = as_flown(mission(**{"swarm.flight_scale": 2.0}), "drone")
    assert flown.transfer is not None
    assert flown.transfer.factor == 2.0
    with pytest.raises(BadInput, match=r"swarm.flight_scale: expected at most 6, at which 0.5 m/s become the 3 m/s"):
        as_flown(mission(**{"swarm.flight_scale": 7.0}), "drone")


def test_a_run_is_the_same_twice_and_says_its_scale() -> None:
    short = mission(duration=2.0)
    one, two = (swarm.run(short, 5, body="drone") for _ in range(2))
    assert one.trajectory_sha256 == two.trajectory_sha256
    assert one.table()["scale"] == 3.0
    assert swarm.run(short, 5).scale == 1.0


def test_captures_and_roles_are_scaled_as_well() -> None:
    hunter = {"role": "predator", "controller": {"use": "boids"}, "capture": {"radius": 0.7},
              "spawn": {"center": [3.0, 3.0], "size": [1.0, 1.0]}}  # fmt: skip
    flown = as_flown(mission(**{"swarm.roles": [hunter]}), "drone")
    (role,) = flown.swarm.roles
    assert role.capture is not None
    assert role.capture.radius == pytest.approx(2.1)
    assert role.spawn is not None
    assert role.spawn.center == (9.0, 9.0, 1.5)
    assert role.spawn.size == (3.0, 3.0, 0.0)


def test_the_view_of_a_flight_is_real_and_the_environment_has_it() -> None:
    import gymnasium

    env = gymnasium.make("swarm/Mission-v0", mission=mission(), body="drone")
    env.reset(seed=0)
    sim = env.unwrapped.sim  # type: ignore[attr-defined]
    assert env.action_space.shape == (6, 3)
    assert sim.view.position.shape == (6, 3)
    env.close()


@pytest.mark.slow
def test_netlogo_boids_fly_as_fifty_drones_without_a_collision(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--set", "duration=150", "--set", "measure.from=50", "--set", "criteria={}"]
    bounds = ["--set", "criteria.collisions.at_most=0", "--set", "criteria.obstacle_collisions.at_most=0"]
    assert main(["run", "netlogo-boids", "--body", "drone", *short, *bounds]) == 0
    told = capsys.readouterr()
    assert "netlogo-boids: drones fly it at 1.5 times its lengths and speeds" in told.err
    assert "torus boundary becomes walls" in told.err


def test_compare_counts_in_the_mission_s_lengths(tmp_path: Path) -> None:
    from swarm.batch import Outcome
    from swarm.comparison import Column

    result = swarm.run(mission(duration=1.0), 0, body="drone")
    column = Column("drone", "boids", (Outcome("abroad", 0, result, None, 0),))
    assert column.scale == 3.0
    assert column.values("min_separation")[0] == pytest.approx(result.metrics["min_separation"] / 3.0)
    assert column.values("order")[0] == pytest.approx(result.metrics["order"])
    plain = Column("drone", "boids", (Outcome("abroad", 0, replace(result, scale=1.0), None, 0),))
    assert plain.values("speed")[0] == pytest.approx(result.metrics["speed"])


@pytest.mark.parametrize("name", MISSIONS_FOR_POINTS)
def test_drones_find_a_place_in_every_mission_for_points(name: str) -> None:
    for seed in (0, 1, 2):
        sim = Simulation(swarm.load_mission(name), seed=seed, body="drone")
        assert sim.state.alive.all()
        sim.close()
