"""What was measured is held against the criteria, and a miss says when, who and what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import swarm
from swarm.criteria import Criterion
from swarm.verdicts import judge_seeds, wilson


def hover(criteria: dict[str, Any], duration: float = 2.0, **changes: Any) -> Any:
    """A mission in the open field without a target."""
    return swarm.load_mission(
        "five-drone-formation",
        {
            "world": {"use": "open-field"}, "task": {"kind": "flock"}, "duration": duration, "criteria": criteria,
            **changes,
        },
    )  # fmt: skip


def speed_up(view: Any) -> np.ndarray:  # type: ignore[type-arg]
    """Wants 1 m/s along x from 1 s on."""
    command = np.zeros_like(view.position)
    command[:, 0] = 1.0 if view.time >= 1.0 else 0.0
    return command


def verdicts(criteria: dict[str, Any], controller: Any = speed_up) -> dict[str, Any]:
    result = swarm.run(hover(criteria), controller=controller)
    return {v.criterion.title(): v for v in result.criteria}


def test_stretches_and_steps_take_the_samples_they_name() -> None:
    found = verdicts(
        {
            "speed": [
                {"at_most": 0.01, "to": 1.0},
                {"at_least": 0.5, "last": 0.5},
                {"at_most": 0.01, "over": "steps"},
                {"at_most": 0.01, "over": "steps", "to": 0.9},
            ]
        }
    )
    assert found["speed (to 1 s)"].passed
    assert found["speed (last 0.5 s)"].passed
    assert found["speed (every step, to 0.9 s)"].passed
    worst = found["speed (every step)"]
    assert not worst.passed
    assert worst.value > 0.8
    assert worst.time > 1.1


def test_a_collision_names_time_agents_and_a_failed_success_says_who_was_lost() -> None:
    def ram(view: Any) -> np.ndarray:  # type: ignore[type-arg]
        command = np.zeros_like(view.position)
        command[1:3, 1] = [-3.0, 3.0]  # the two behind the tip stand abreast
        return command

    found = verdicts({"collisions": {"at_most": 0}, "success": {"equals": True}}, ram)
    hit = found["collisions"]
    assert not hit.passed
    assert hit.agents == (1, 2)
    assert 0.1 < hit.time < 1.5
    assert "agents 1 and 2" in hit.place()
    assert "lost agents 1, 2" in found["success"].why


def test_a_low_clearance_names_the_obstacle() -> None:
    def sink(view: Any) -> np.ndarray:  # type: ignore[type-arg]
        command = np.zeros_like(view.position)
        command[3, 2] = -1.0
        return command

    found = verdicts({"min_clearance": {"at_least": 1.0}, "obstacle_collisions": {"at_most": 0}}, sink)
    assert found["min_clearance"].agents == (3,)
    assert found["min_clearance"].obstacles == ("floor",)
    assert found["obstacle_collisions"].obstacles == ("floor",)
    assert found["obstacle_collisions"].agents == (3,)


def test_an_optional_miss_is_a_warning_that_passes() -> None:
    mission = hover({"speed": {"at_least": 99.0, "optional": True}})
    result = swarm.run(mission, controller=speed_up)
    assert result.passed
    assert not result.criteria[0].passed
    assert not result.criteria[0].blocks


def test_a_target_not_reached_says_how_far_it_is() -> None:
    mission = swarm.load_mission("five-drone-formation", {"duration": 1.0, "criteria": {"success": {"equals": True}}})
    (verdict,) = swarm.run(mission).criteria
    assert "m still to go" in verdict.why


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3: 81/263, 15/148, 0/20, 1/29.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_interval_reproduces_published_values(hits: int, trials: int, low: float, high: float) -> None:
    np.testing.assert_allclose(wilson(hits, trials), (low, high), atol=5e-5)


def test_over_seeds_a_flag_is_a_share_and_a_lost_run_is_a_miss() -> None:
    result = swarm.run(hover({}, 0.1), controller=speed_up)
    criteria = (
        Criterion("success", "at_least", 0.95, over="seeds"),
        Criterion("success", "at_least", 0.6, over="seeds"),
        Criterion("collisions", "at_most", 0, over="seeds"),
        Criterion("collisions", "at_most", 0),
    )
    found = judge_seeds(criteria, [result, None, result], [7, 8, 9])
    assert [v.passed for v in found] == [False, True, True]
    assert found[0].value == pytest.approx(2 / 3)
    assert found[0].missed == (8,)
    assert found[0].interval == wilson(2, 3)
