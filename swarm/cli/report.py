"""The table of criteria that a person reads at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import IO

from swarm.criteria import Value, Verdict
from swarm.metrics import METRICS
from swarm.result import Result


def shown(value: Value) -> str:
    """A value for a table."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def unit_of(unit: str) -> str:
    """The unit as it stands behind a number; counts and flags have none."""
    return "" if unit in ("1", "count", "bool") else f" {unit}"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict furthest on the wrong side of its bound."""

    def badness(verdict: Verdict) -> tuple[bool, float]:
        value = verdict.value
        if value is None:
            return True, float("inf")
        sign = -1.0 if verdict.criterion.bound == "at_least" else 1.0
        return not verdict.passed, sign * float(value)

    return max(verdicts, key=badness)


def print_report(results: Sequence[Result], file: IO[str]) -> None:
    """One table a mission: criterion, bound, measured (the worst over the seeds), verdict."""
    from rich.console import Console
    from rich.table import Table

    console = Console(file=file, highlight=False, width=None if file.isatty() else 110)
    for name, group in groupby(results, key=lambda result: result.mission):
        runs = list(group)
        first = runs[0]
        engine = f", {first.engine} engine" if first.engine else ""
        over = f"seed {first.seed}" if len(runs) == 1 else f"{len(runs)} seeds"
        flown = (
            f"{first.simulated_s:.2f} s simulated"
            if len(runs) == 1
            else f"up to {max(r.simulated_s for r in runs):.2f} s simulated"
        )
        console.print(f"[bold]{name}[/bold]: {first.controller} on {first.body}{engine}, {over}, {flown}")
        if first.criteria:
            table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
            for heading in ("criterion", "bound", "measured" if len(runs) == 1 else "worst", "verdict"):
                table.add_column(heading)
            for k, verdict in enumerate(first.criteria):
                all_of = [run.criteria[k] for run in runs]
                failed = [run.seed for run, v in zip(runs, all_of) if not v.passed]
                extreme = worst(all_of)
                unit = unit_of(verdict.unit)
                table.add_row(
                    verdict.criterion.name,
                    verdict.criterion.acceptable() + unit,
                    shown(extreme.value) + (unit if extreme.value is not None else ""),
                    _word(failed, len(runs)),
                )
            console.print(table)
        else:
            for metric, value in first.metrics.items():
                if value is not None:
                    console.print(f"  {metric:28} {shown(value)}{unit_of(METRICS[metric].unit)}")
        passed = sum(run.passed for run in runs)
        verdict_line = "passed" if passed == len(runs) else "FAILED"
        console.print(verdict_line if len(runs) == 1 else f"{verdict_line}: {passed} of {len(runs)} runs passed")


def _word(failed: list[int], runs: int) -> str:
    if not failed:
        return "[green]ok[/green]"
    if runs == 1:
        return "[red]FAILED[/red]"
    listed = ", ".join(map(str, failed[:8])) + (", ..." if len(failed) > 8 else "")
    return f"[red]FAILED[/red] {len(failed)} of {runs}: seed{'s' if len(failed) > 1 else ''} {listed}"
