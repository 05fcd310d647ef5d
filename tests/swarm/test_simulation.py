"""A simulation keeps to itself; worlds must fit the body, and the safety filter has the last word."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput, SimulationError


def mission(**changes: object) -> swarm.Mission:
    return swarm.load_mission("five-drone-formation", {"duration": 1.0, "criteria": {}, **changes})


def test_a_closed_simulation_neither_steps_nor_resets_nor_disturbs_a_live_one() -> None:
    wanted = swarm.run(mission(), seed=2).trajectory_sha256
    closed = swarm.Simulation(mission(), 3)
    closed.close()
    with swarm.Simulation(mission(), 2) as live:
        while not live.done:
            with pytest.raises(SimulationError, match="closed"):
                closed.step()
            live.step()
        assert live.trajectory.sha256() == wanted
    with pytest.raises(SimulationError, match="closed"):
        closed.reset()


def test_a_simulation_cannot_be_copied() -> None:
    with swarm.Simulation(mission(), 0) as sim, pytest.raises(TypeError, match="engine"):
        copy.deepcopy(sim)


def test_a_flat_world_is_refused_for_drones() -> None:
    flat = {"world": {"dim": 2, "bounds": [[0.0, 0.0], [9.0, 9.0]]}}
    with pytest.raises(BadInput, match=r"world\.dim"):
        swarm.Simulation(mission(**flat), 0)


@pytest.mark.parametrize("seed", [1.5, -1, "3"])
def test_a_seed_is_a_whole_number_from_0(seed: object) -> None:
    with pytest.raises(BadInput, match="seed"):
        swarm.run(mission(), seed=seed)  # type: ignore[arg-type]


def test_the_safety_filter_keeps_a_careless_controller_off_the_trunks() -> None:
    def straight(view):  # type: ignore[no-untyped-def]
        return 1.5 * view.route_direction

    careless = {"duration": 12.0, "task.route": False}
    bare = swarm.run(mission(**careless), seed=0, controller=straight)
    safe = swarm.run(mission(**careless, **{"safety.filter": "barrier"}), seed=0, controller=straight)
    assert bare.metrics["obstacle_collisions"] > 0
    assert safe.metrics["obstacle_collisions"] == 0
    limit = np.linalg.norm(safe.trajectory.command, axis=2).max()  # type: ignore[union-attr]
    assert limit <= 3.0 * (1 + 1e-6)


def test_a_pipe_is_no_mission(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(BadInput, match="no file"):
        swarm.load_mission(tmp_path / "pipe.toml")


def test_ctrl_c_inside_a_compiled_call_is_still_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    from swarm import batch

    def interrupted(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            raise SystemError("returned a result with an exception set") from stop

    monkeypatch.setattr(batch, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.fly(batch.Job(mission(), 0))
