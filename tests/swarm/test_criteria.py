"""A criterion is a bound on a metric."""

from __future__ import annotations

import pytest

from swarm.criteria import Criterion, judge, read_criteria


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


def test_verdict_carries_unit_and_value() -> None:
    (verdict,) = judge((Criterion("min_separation", "at_least", 0.3),), {"min_separation": 0.25})
    assert (verdict.unit, verdict.value, verdict.passed) == ("m", 0.25, False)


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
    ],
)
def test_faults_are_one_line_each(table: dict[str, object], said: str) -> None:
    faults: list[str] = []
    read_criteria(table, "m.toml: criteria", faults)
    assert len(faults) == 1
    assert said in faults[0]
    assert faults[0].startswith("m.toml: criteria.")
