"""Reports for machines and job pages: JUnit XML and a Markdown summary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from xml.etree import ElementTree as Xml

from swarm.batch import Outcome
from swarm.result import plain
from swarm.verdicts import SeedsVerdict, Verdict

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_ROWS, MOST_FAILURES = 2000, 500  # a job page takes 1 MB
OverSeeds = Mapping[str, Sequence[SeedsVerdict]]  # by mission


def unit_of(unit: str) -> str:
    """The unit as it stands behind a number; counts, shares and flags have none."""
    return "" if unit in ("1", "count", "bool") else f" {unit}"


def shown(value: bool | float | None) -> str:
    """A value for a person."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def said(verdict: Verdict | SeedsVerdict) -> str:
    """Acceptable and measured, and where it was missed, on one line."""
    unit = unit_of(verdict.unit)
    value = shown(verdict.value) + (unit if verdict.value is not None else "")
    text = f"{verdict.criterion.title()}: acceptable {verdict.criterion.acceptable()}{unit}, measured {value}"
    return text + tail(verdict)


def tail(verdict: Verdict | SeedsVerdict) -> str:
    """What stands behind the measured value: the interval of a share, or time, agents and obstacles of a miss."""
    if isinstance(verdict, Verdict):
        place = verdict.place()
        return f", {place}" if place else ""
    text = f" over {verdict.runs} runs"
    if verdict.interval is not None:
        text += f" (95 %: {verdict.interval[0]:.2f} to {verdict.interval[1]:.2f})"
    if verdict.missed and not verdict.passed:
        listed = ", ".join(map(str, verdict.missed[:10])) + (", ..." if len(verdict.missed) > 10 else "")
        text += f", not in seeds {listed}"
    return text


def junit(outcomes: Sequence[Outcome], over_seeds: OverSeeds | None = None) -> str:
    """JUnit XML: a suite a run with the metrics as properties, a case a criterion; then a suite a mission over seeds.

    Args:
        outcomes: The runs.
        over_seeds: Verdicts over seeds, by mission.

    Returns:
        The document. A missed optional criterion is a passed case that says so in its output.
    """
    root = Xml.Element("testsuites")
    stamp = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    for outcome in outcomes:
        result = outcome.result
        name = f"{outcome.mission}.seed-{outcome.seed}"
        properties = {} if result is None else {key: str(plain(v)) for key, v in result.metrics.items()}
        if result is not None:
            properties |= {"trajectory_sha256": result.trajectory_sha256, "controller": result.controller}
        simulated = 0.0 if result is None else result.simulated_s
        verdicts = () if result is None or outcome.error is not None else result.criteria
        _suite(root, name, stamp, simulated, properties, verdicts, outcome.error)
    for mission, found in (over_seeds or {}).items():
        if found:
            _suite(root, f"{mission}.over-seeds", stamp, 0.0, {}, found, None)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _suite(
    root: Xml.Element,
    name: str,
    stamp: str,
    simulated: float,
    properties: Mapping[str, str],
    verdicts: Sequence[Verdict | SeedsVerdict],
    error: str | None,
) -> None:
    time = f"{simulated:.3f}"
    cases = max(len(verdicts), 1)
    suite = Xml.SubElement(
        root, "testsuite", name=_clean(name), id=str(len(root)), package="swarm", timestamp=stamp, hostname="localhost",
        tests=str(cases), failures=str(sum(v.blocks for v in verdicts)), errors=str(int(error is not None)), time=time,
    )  # fmt: skip
    listing = Xml.SubElement(suite, "properties")
    for key, value in properties.items():
        Xml.SubElement(listing, "property", name=key, value=_clean(value))
    for verdict in verdicts:
        case = Xml.SubElement(suite, "testcase", name=verdict.criterion.title(), classname=_clean(name), time=time)
        if verdict.blocks:
            failure = Xml.SubElement(case, "failure", message=_clean(said(verdict)), type="criterion")
            failure.text = _clean(said(verdict))
    if not verdicts:
        case = Xml.SubElement(suite, "testcase", name="run", classname=_clean(name), time=time)
        if error is not None:
            problem = Xml.SubElement(case, "error", message=_clean(error.splitlines()[0]), type="SimulationError")
            problem.text = _clean(error)
    warnings = [said(v) for v in verdicts if not v.passed and not v.blocks]
    Xml.SubElement(suite, "system-out").text = _clean("\n".join(f"warning: {line}" for line in warnings))
    Xml.SubElement(suite, "system-err").text = ""


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("?", text)


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def summary(outcomes: Sequence[Outcome], over_seeds: OverSeeds | None = None) -> str:
    """A Markdown page below 1 MB: a row a run, verdicts over seeds, then what failed and by how much."""
    passed = sum(o.exit_code == 0 for o in outcomes)
    lines = [f"**{passed} of {len(outcomes)} runs passed**", ""]
    lines += ["| mission | seed | verdict | criteria met | simulated |", "| --- | --- | --- | --- | --- |"]
    failures, warnings = [], []
    for outcome in outcomes:
        result = outcome.result
        verdict = "error" if outcome.error is not None else "passed" if outcome.exit_code == 0 else "**failed**"
        met = "" if result is None else f"{sum(v.passed for v in result.criteria)} of {len(result.criteria)}"
        simulated = "" if result is None else f"{result.simulated_s:.2f} s"
        lines.append(f"| {_cell(outcome.mission)} | {outcome.seed} | {verdict} | {met} | {simulated} |")
        name = f"{_cell(outcome.mission)}, seed {outcome.seed}"
        if outcome.error is not None:
            failures.append(f"- {name}: {_cell(outcome.error.splitlines()[0])[:1000]}")
        elif result is not None:
            failures += [f"- {name}: {_cell(said(v))}" for v in result.criteria if v.blocks]
            warnings += [f"- {name}: {_cell(said(v))}" for v in result.criteria if not v.passed and not v.blocks]
    if len(outcomes) > MOST_ROWS:
        lines = [*lines[: MOST_ROWS + 4], "", f"... and {len(outcomes) - MOST_ROWS} more runs"]
    for mission, found in (over_seeds or {}).items():
        failures += [f"- {_cell(mission)}: {_cell(said(v))}" for v in found if v.blocks]
        if found:
            lines += ["", f"### {_cell(mission)} over seeds", ""]
            lines += [f"- {'met' if v.passed else '**missed**'}: {_cell(said(v))}" for v in found]
    for title, found_lines in (("Failures", failures), ("Warnings", warnings)):
        if found_lines:
            more = len(found_lines) - MOST_FAILURES
            lines += ["", f"### {title}", "", *found_lines[:MOST_FAILURES]]
            lines += [f"- ... and {more} more"] if more > 0 else []
    return "\n".join(lines) + "\n"
