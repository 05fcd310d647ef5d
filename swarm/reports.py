"""Reports for machines and job pages: JUnit XML and a Markdown summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from swarm.batch import Outcome
from swarm.criteria import Verdict
from swarm.result import plain

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _said(verdict: Verdict) -> str:
    unit = "" if verdict.unit in ("1", "count", "bool") else f" {verdict.unit}"
    return f"{verdict.criterion.name}: acceptable {verdict.criterion.acceptable()}{unit}, measured {verdict.value}"


def junit(outcomes: Sequence[Outcome]) -> str:
    """JUnit XML: a suite a run, a case a criterion, the metrics as properties.

    Args:
        outcomes: The runs.

    Returns:
        The document as text.
    """
    root = ElementTree.Element("testsuites", name="swarm")
    for outcome in outcomes:
        name = f"{outcome.mission}.seed-{outcome.seed}"
        result = outcome.result
        criteria = () if result is None else result.criteria
        suite = ElementTree.SubElement(root, "testsuite", name=name)
        if result is not None:
            properties = ElementTree.SubElement(suite, "properties")
            for metric, value in result.metrics.items():
                ElementTree.SubElement(properties, "property", name=metric, value=str(plain(value)))
        simulated = 0.0 if result is None else result.simulated_s
        failures = 0
        for verdict in criteria if outcome.error is None else ():
            case = ElementTree.SubElement(
                suite, "testcase", classname=name, name=verdict.criterion.name, time=f"{simulated:.3f}"
            )
            if not verdict.passed:
                failures += 1
                ElementTree.SubElement(case, "failure", message=_said(verdict), type="criterion")
        if outcome.error is not None:
            case = ElementTree.SubElement(suite, "testcase", classname=name, name="run", time=f"{simulated:.3f}")
            ElementTree.SubElement(case, "error", message=_FORBIDDEN.sub("?", outcome.error), type="SimulationError")
        elif not criteria:
            ElementTree.SubElement(suite, "testcase", classname=name, name="run", time=f"{simulated:.3f}")
        suite.set("tests", str(len(suite.findall("testcase"))))
        suite.set("failures", str(failures))
        suite.set("errors", "0" if outcome.error is None else "1")
        suite.set("time", f"{simulated:.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def summary(outcomes: Sequence[Outcome]) -> str:
    """A Markdown page: a row a run, then what failed and by how much."""
    lines = ["| mission | seed | verdict | criteria met | simulated |", "| --- | --- | --- | --- | --- |"]
    failures = []
    for outcome in outcomes:
        result = outcome.result
        verdict = "error" if outcome.error is not None else "passed" if outcome.exit_code == 0 else "**failed**"
        met = "" if result is None else f"{sum(v.passed for v in result.criteria)} of {len(result.criteria)}"
        simulated = "" if result is None else f"{result.simulated_s:.2f} s"
        lines.append(f"| {outcome.mission} | {outcome.seed} | {verdict} | {met} | {simulated} |")
        if outcome.error is not None:
            failures.append(f"- {outcome.mission}, seed {outcome.seed}: {outcome.error}")
        elif result is not None:
            failures += [
                f"- {outcome.mission}, seed {outcome.seed}: {_said(v)}" for v in result.criteria if not v.passed
            ]
    if failures:
        lines += ["", "### Failures", "", *failures]
    return "\n".join(lines) + "\n"
