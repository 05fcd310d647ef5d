"""The table of a comparison, for a terminal and as Markdown."""

from __future__ import annotations

from io import StringIO
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from swarm.comparison import METHOD, Comparison, Estimate, Row
from swarm.reports import shown


def headings(found: Comparison) -> tuple[str, ...]:
    """Metric, unit, the columns, and the differences to the first."""
    labels = found.labels()
    return ("metric", "unit", *labels, *(f"{label} - {labels[0]}" for label in labels[1:]))


def lines(found: Comparison) -> list[tuple[str, ...]]:
    """The cells of the table: the verdicts, how many passed, then a metric a line."""
    runs = len(found.seeds)
    passed = [f"{c.passed} of {runs}" + (f", {c.errors} errors" if c.errors else "") for c in found.columns]
    verdicts = ["passed" if c.fine else "FAILED" for c in found.columns]
    rest = [""] * (len(passed) - 1)
    top = [("verdict", "", *verdicts, *rest), ("passed", "runs", *passed, *rest)]
    return top + [_cells(row, runs) for row in found.rows]


def _cells(row: Row, runs: int) -> tuple[str, ...]:
    unit = {"bool": "share", "1": ""}.get(row.unit, row.unit)
    flag = row.unit == "bool"
    values = [said(estimate, runs, flag) for estimate in row.estimates]
    return (row.metric, unit, *values, *("" if e is None else said(e, runs, False) for e in row.differences[1:]))


def said(estimate: Estimate | None, runs: int, flag: bool) -> str:
    """An estimate in a cell: with its interval, and of how many runs where not of all."""
    if estimate is None:
        return "none"
    text = shown(estimate.mean)
    if estimate.interval is not None:
        low, high = estimate.interval
        text += f" [{low:.2f}, {high:.2f}]" if flag else f" ± {shown(high - estimate.mean)}"
    return text if estimate.runs == runs else f"{text} ({estimate.runs} of {runs})"


def title(found: Comparison) -> str:
    """What was compared, without the mission's name."""
    controllers = list(dict.fromkeys(c.controller for c in found.columns))
    bodies = list(dict.fromkeys(c.body for c in found.columns))
    first, last = found.seeds[0], found.seeds[-1]
    seeds = f"seed {first}" if first == last else f"{len(found.seeds)} seeds, {first} to {last}"
    return f"{', '.join(controllers)} on {', '.join(bodies)}, {seeds}"


def scales(found: Comparison) -> list[str]:
    """What has been divided by how much, so that columns can be compared."""
    named = zip(found.labels(), found.columns)
    return [
        f"the {label} flew at {column.scale:g} times the mission's lengths and speeds, by which these are divided"
        for label, column in named
        if column.scale != 1.0
    ]


def print_comparison(found: Comparison, file: IO[str]) -> None:
    """The table for a person at a terminal."""
    text = StringIO()  # written in one go: rich ends the process when a reader such as `head` has gone
    console = Console(file=text, highlight=False, soft_wrap=True, force_terminal=file.isatty(), width=180)
    console.print(f"[bold]{escape(found.mission)}[/bold]: {escape(title(found))}")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in headings(found):
        table.add_column(escape(heading))
    for cells in lines(found):
        table.add_row(*map(escape, cells))
    console.print(table)
    console.print("; ".join([METHOD, *scales(found)]))
    file.write(text.getvalue())
    file.flush()


def markdown(found: Comparison) -> str:
    """The table as a Markdown page."""

    def row(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    top = headings(found)
    page = [f"**{found.mission}**: {title(found)}", "", row(top), row(("---",) * len(top)), *map(row, lines(found))]
    return "\n".join([*page, "", f"{'; '.join([METHOD[0].upper() + METHOD[1:], *scales(found)])}.", ""])
