"""swarm.testing.check: what must hold, in one line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swarm
import swarm.testing
from swarm.errors import BadInput, SimulationError

Write = Callable[..., Path]


@pytest.fixture
def mission(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two drones that hover 0.4 m apart, near a tower."""
    monkeypatch.syspath_prepend(tmp_path)
    return write(tmp_path, controller="boids")


def meet(view: Any) -> Any:
    """Fly to the middle."""
    return view.position.mean(axis=0) - view.position


def nonsense(view: Any) -> Any:
    """No command at all."""
    return np.full_like(view.position, np.nan)


def test_a_met_check_returns_the_results_with_their_recordings(mission: Path) -> None:
    results = swarm.testing.check(mission, seeds=2, min_separation={"at_least": 0.3}, collisions=0)
    assert [result.seed for result in results] == [0, 1]
    assert all(result.trajectory is not None and len(result.trajectory.time) == 13 for result in results)
    held = [verdict.criterion.title() + " " + verdict.criterion.acceptable() for verdict in results[0].criteria]
    assert held == ["collisions <= 0", "collisions 0", "min_separation >= 0.3"]


def test_a_missed_check_says_what_where_and_when(mission: Path) -> None:
    with pytest.raises(AssertionError) as caught:
        swarm.testing.check(mission, seeds=[4, 7], controller=meet, min_separation={"at_least": 0.39})
    first, *table = str(caught.value).splitlines()
    assert first.startswith("seed 4: min_separation: acceptable >= 0.39 m, measured 0.3")
    assert first.endswith("agents 0 and 1; 1 more below")
    rows = [re.split(r"\s{2,}", line) for line in table]
    assert ["min_separation", ">= 0.39 m"] in [row[:2] for row in rows if row[-1] == "FAILED 2 of 2: seeds 4, 7"]


def test_criteria_are_added_to_those_of_the_mission(mission: Path) -> None:
    own = {"criteria.min_separation": {"at_least": 0.5}}
    with pytest.raises(AssertionError, match=r"min_separation: acceptable >= 0\.5 m"):
        swarm.testing.check(mission, set=own, min_separation={"at_least": 0.3})
    listed = {"criteria.min_separation": [{"at_least": 0.1}, {"at_most": 9.0}]}
    (result,) = swarm.testing.check(mission, set=listed, min_separation=[{"at_least": 0.2}, {"at_least": 0.3}])
    assert len(result.criteria) == 5


def test_criteria_over_seeds_are_judged(mission: Path) -> None:
    bound = {"at_most": 0.001, "over": "seeds"}
    with pytest.raises(
        AssertionError, match=r"speed \(over seeds\): acceptable <= 0\.001 m/s, measured .* over 2 runs"
    ):
        swarm.testing.check(mission, seeds=2, controller=meet, speed=bound)


def test_an_optional_criterion_does_not_fail(mission: Path) -> None:
    (result,) = swarm.testing.check(mission, min_separation={"at_least": 9.0, "optional": True})
    assert not result.criteria[-1].passed


def test_seeds_default_to_those_of_the_mission(mission: Path) -> None:
    results = swarm.testing.check(mission, set={"seed": 5, "seeds": 2})
    assert [result.seed for result in results] == [5, 6]


def test_a_mission_object_is_changed_for_the_check_only(mission: Path) -> None:
    loaded = swarm.load_mission(mission)
    (result,) = swarm.testing.check(loaded, set={"duration": 0.125}, speed={"at_most": 9.0})
    assert result.simulated_s == 0.125
    assert (loaded.duration, len(loaded.criteria)) == (0.25, 1)


@pytest.mark.parametrize("seeds", [0, -1, [], [-1], True, "3", 2.0, [1.0]])
def test_seeds_that_are_none_are_refused(seeds: Any, mission: Path) -> None:
    with pytest.raises(BadInput, match="seeds: expected 1 or more, or a list of whole numbers from 0, got "):
        swarm.testing.check(mission, seeds=seeds)


def test_wrong_criteria_are_refused_with_a_suggestion(mission: Path) -> None:
    with pytest.raises(BadInput, match=r'criteria\.min_seperation: unknown metric \(did you mean "min_separation"'):
        swarm.testing.check(mission, min_seperation={"at_least": 0.3})
    with pytest.raises(BadInput, match=r"criteria\.speed: expected one bound"):
        swarm.testing.check(mission, speed="slow")


def test_a_controller_that_returns_nonsense_is_no_missed_criterion(mission: Path) -> None:
    with pytest.raises(SimulationError, match="agent 0: expected a finite command"):
        swarm.testing.check(mission, controller=nonsense)


def test_colours_that_a_job_runner_asks_for_stay_out_of_the_message(
    mission: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with pytest.raises(AssertionError) as caught:
        swarm.testing.check(mission, min_separation={"at_least": 9.0})
    assert "\x1b" not in str(caught.value)
