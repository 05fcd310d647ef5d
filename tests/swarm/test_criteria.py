"""A criterion is a bound on a metric."""

from __future__ import annotations

import pytest

from swarm.criteria import Criterion, read_criteria


@pytest.mark.parametrize(
    ("bound", "limit", "met", "missed"),
    [("at_most", 0.5, 0.5, 0.51), ("at_least", 0.5, 0.5, 0.49), ("equals", True, True, False), ("equals", 0, 0, 1),
     ("between", (1.0, 2.0), 2.0, 2.1)],
)  # fmt: skip
def test_bounds(bound: str, limit: float, met: float, missed: float) -> None:
    criterion = Criterion("speed", bound, limit)
    assert criterion.met(met)
    assert not criterion.met(missed)
    assert not criterion.met(None)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"formation_eror": {"at_most": 1}}, 'did you mean "formation_error"'),
        ({"order": {"at_mots": 1}}, 'did you mean "at_most"'),
        ({"order": 0.5}, "expected one bound"),
        ({"order": {}}, "expected one bound"),
        ({"order": {"at_most": 1, "at_least": 0}}, "expected one bound"),
        ({"order": {"at_most": "x"}}, "finite number"),
        ({"order": {"at_most": float("nan")}}, "finite number"),
        ({"order": {"at_most": True}}, "finite number"),
        ({"order": {"between": [2, 1]}}, "[lowest, highest]"),
        ({"success": {"at_least": 1}}, "equals = true"),
        ({"success": {"at_least": 95, "over": "seeds"}}, "share of the seeds"),
        ({"order": {"at_most": 1, "over": "seed"}}, 'did you mean "seeds"'),
        ({"success": {"equals": True, "over": "steps"}}, "no value at every step"),
        ({"order": {"at_most": 1, "from": 9.0, "to": 3.0}}, "less than the end"),
        ({"order": {"at_most": 1, "from": 30.0}}, "less than the end"),
        ({"order": {"at_most": 1, "to": 31.0}}, "within the run"),
        ({"order": {"at_most": 1, "last": 0}}, "within the run"),
        ({"order": {"at_most": 1, "last": 3.0, "to": 3.0}}, "either last or"),
        ({"order": {"at_most": 1, "optional": 1}}, "true or false"),
        ({"order": {"at_most": 10**400}}, "finite number"),
        ({"order": {"at_most": 1, "to": 3.0, "over": "seeds"}}, "without a stretch"),
        ({"time_to_target": {"at_most": 1, "from": 3.0}}, "one value a run"),
        ({"order": [{"at_most": 1}, {"at_most": "x"}]}, "order[1].at_most"),
    ],
)
def test_faults_are_one_line_each(table: dict[str, object], said: str) -> None:
    faults: list[str] = []
    read_criteria(table, "m.toml: criteria", faults, duration=30.0)
    assert len(faults) == 1
    assert said in faults[0]
    assert faults[0].startswith("m.toml: criteria.")


def test_a_metric_may_have_several_bounds_each_with_its_own_stretch() -> None:
    faults: list[str] = []
    table = {
        "order": [{"at_least": 0.5}, {"at_least": 0.9, "last": 5.0}, {"at_least": 0.1, "over": "steps", "from": 2.0}]
    }
    found = read_criteria(table, "m", faults, 30.0)
    assert faults == []
    assert [c.title() for c in found] == ["order", "order (last 5 s)", "order (every step, from 2 s)"]
