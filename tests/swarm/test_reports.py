"""JUnit and Markdown reports: valid, escaped, complete, and never too large for a job page."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from swarm.batch import Outcome
from swarm.criteria import Criterion
from swarm.reports import junit, summary
from swarm.result import Result
from swarm.verdicts import SeedsVerdict, Verdict, wilson

SCHEMA = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))
NASTY = "a<b>&\"'|\x00\x1b[31m]]>\ufffe\\"


def outcome(seed: int, name: str = "mission", error: str | None = None, why: str = "") -> Outcome:
    missed = Verdict(
        Criterion("min_clearance", "at_least", 0.1), 0.05, "m", False, 3.25, (2,), ("trunk 7",), why
    )  # fmt: skip
    warned = Verdict(Criterion("speed", "at_least", 9.0, over="steps", optional=True), 1.5, "m/s", False, 1.0)
    met = Verdict(Criterion("success", "equals", True), True, "bool", True)
    metrics = {"speed": 1.5, "min_separation": float("inf"), "success": True, "time_to_target": None}
    result = Result(
        name, seed, "boids", "drone", "bullet", False, (missed, warned, met), metrics, 12.5, 600, "ab" * 32, {}
    )  # fmt: skip
    if error is not None:
        return Outcome(name, seed, None, error, 3)
    return Outcome(name, seed, result, None, 1)


def over_seeds() -> dict[str, tuple[SeedsVerdict, ...]]:
    share = SeedsVerdict(
        Criterion("success", "at_least", 0.95, over="seeds"), 0.5, "1", False, 2, wilson(1, 2), (1,)
    )  # fmt: skip
    return {"mission": (share,)}


def test_junit_has_a_case_a_criterion_and_metrics_as_properties() -> None:
    text = junit([outcome(0), outcome(1, error="the process of this run was killed by SIGKILL")], over_seeds())
    SCHEMA.validate(text)
    root = ElementTree.fromstring(text)
    assert [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in root] == [
        ("mission.seed-0", "3", "1", "0"), ("mission.seed-1", "1", "0", "1"), ("mission.over-seeds", "1", "1", "0"),
    ]  # fmt: skip
    assert {p.get("name"): p.get("value") for p in root[0].iter("property")}["speed"] == "1.5"
    (failure,) = root[0].iter("failure")
    assert failure.get("message") == (
        "min_clearance: acceptable >= 0.1 m, measured 0.05 m, at t = 3.25 s, agent 2, near trunk 7"
    )
    assert "warning: speed (every step)" in str(root[0].findtext("system-out"))
    (share,) = root[2].iter("failure")
    assert "measured 0.5 over 2 runs (95 %: 0.09 to 0.91), not in seeds 1" in str(share.get("message"))


@pytest.mark.parametrize("error", [None, NASTY])
def test_whatever_a_name_or_message_holds_the_report_is_valid(error: str | None) -> None:
    text = junit([outcome(0, name=NASTY, error=error, why=NASTY)])
    SCHEMA.validate(text)
    root = ElementTree.fromstring(text)
    found = root[0].find("testcase/error" if error else "testcase/failure")
    assert found is not None
    assert "a<b>&\"'|" in str(found.get("message"))


def test_summary_has_a_table_and_a_failure_section() -> None:
    text = summary([outcome(0, why=NASTY), outcome(1, error="boom")], over_seeds())
    assert "| mission | 0 | **failed** | 1 of 3 | 12.50 s |" in text
    assert "| mission | 1 | error |" in text
    failures = text.split("### Failures")[1]
    assert "seed 0: min_clearance: acceptable &gt;= 0.1 m" in failures or "seed 0: min_clearance" in failures
    assert "<b>" not in text
    assert "### Warnings" in text


def test_summary_of_a_hundred_thousand_failures_stays_below_one_megabyte() -> None:
    runs = [outcome(seed, why="x" * 200) for seed in range(100_000)]
    text = summary(runs)
    assert len(text.encode()) < 1_000_000
    assert "98000 more runs" in text
    assert "99500 more" in text
