"""The table of criteria that a person reads at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from typing import IO, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from swarm.metrics import METRICS
from swarm.reports import OverSeeds, shown, tail, unit_of
from swarm.result import Result
from swarm.verdicts import SeedsVerdict, Verdict


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict furthest on the wrong side of its bound."""

    def badness(verdict: Verdict) -> tuple[bool, float]:
        excess = float("inf") if verdict.value is None else verdict.criterion.excess(verdict.value)
        return not verdict.passed, excess

    return max(verdicts, key=badness)


def print_report(results: Sequence[Result], over_seeds: OverSeeds, file: IO[str]) -> None:
    """One table a mission: criterion, bound, measured (the worst over the seeds), verdict."""
    # Written in one go: rich ends the process when a reader such as `head` has gone, whatever the verdict.
    text = StringIO()
    console = Console(file=text, highlight=False, soft_wrap=True, force_terminal=file.isatty(), width=140)
    for name, group in groupby(results, key=lambda result: result.mission):
        runs = list(group)
        first = runs[0]
        engine = f", {first.engine} engine" if first.engine else ""
        over = f"seed {first.seed}" if len(runs) == 1 else f"{len(runs)} seeds"
        flown = ("up to " if len(runs) > 1 else "") + f"{max(r.simulated_s for r in runs):.2f} s simulated"
        console.print(
            f"[bold]{escape(name)}[/bold]: {escape(first.controller)} on {first.body}{engine}, {over}, {flown}"
        )
        found = over_seeds.get(name, ())
        if first.criteria or found:
            console.print(_table(runs, found))
        else:
            for metric in first.metrics:
                value = _measured([run.metrics.get(metric) for run in runs])
                if value:
                    console.print(f"  {metric:28} {value}{unit_of(METRICS[metric].unit)}")
        for run in runs[:20]:
            for verdict in run.criteria:
                if not verdict.passed and verdict.place():
                    console.print(
                        f"  seed {run.seed}: {escape(verdict.criterion.title())} missed{escape(tail(verdict))}"
                    )
        passed = sum(run.passed for run in runs)
        fine = passed == len(runs) and not any(v.blocks for v in found)
        line = "passed" if fine else "FAILED"
        console.print(line if len(runs) == 1 else f"{line}: {passed} of {len(runs)} runs passed")
    file.write(text.getvalue())
    file.flush()


def _measured(values: Sequence[Any]) -> str:
    """A metric of one run, or the range of several; empty where it has no value."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    if len(set(known)) == 1:
        return shown(known[0])
    if all(isinstance(value, bool) for value in known):
        return f"true in {sum(map(bool, known))} of {len(values)}"
    return f"{shown(min(known))} to {shown(max(known))}"


def _table(runs: Sequence[Result], found: Sequence[SeedsVerdict]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("criterion", "bound", "measured" if len(runs) == 1 else "worst", "verdict"):
        table.add_column(heading)
    for k in range(len(runs[0].criteria)):
        all_of = [run.criteria[k] for run in runs]
        missed = [run.seed for run, v in zip(runs, all_of) if not v.passed]
        table.add_row(*_row(worst(all_of), ""), _word(missed, len(runs), all_of[0].criterion.optional))
    for verdict in found:
        word = "[green]ok[/green]" if verdict.passed else "[red]FAILED[/red]" if verdict.blocks else "warning"
        table.add_row(*_row(verdict, tail(verdict)), word)
    return table


def _row(verdict: Verdict | SeedsVerdict, behind: str) -> tuple[str, str, str]:
    unit = unit_of(verdict.unit)
    value = shown(verdict.value) + (unit if verdict.value is not None else "")
    return escape(verdict.criterion.title()), verdict.criterion.acceptable() + unit, escape(value + behind)


def _word(missed: list[int], runs: int, optional: bool) -> str:
    if not missed:
        return "[green]ok[/green]"
    word = "[yellow]warning[/yellow]" if optional else "[red]FAILED[/red]"
    if runs == 1:
        return word
    listed = ", ".join(map(str, missed[:8])) + (", ..." if len(missed) > 8 else "")
    return f"{word} {len(missed)} of {runs}: seed{'s' if len(missed) > 1 else ''} {listed}"
