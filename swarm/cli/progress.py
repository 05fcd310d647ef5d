"""How far long work has come: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swarm.batch import Outcome


@contextmanager
def progress(total: int, quiet: bool) -> Iterator[Callable[[Outcome], None]]:
    """Yields a function to call with every outcome."""
    if quiet or total == 1:
        yield lambda outcome: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task("flying", total=total)

            def step(outcome: Outcome) -> None:
                bar.update(task, advance=1, description=f"{outcome.mission} seed {outcome.seed}", refresh=True)

            bar.refresh()
            yield step
    else:

        def line(outcome: Outcome) -> None:
            word = {0: "passed", 1: "FAILED"}.get(outcome.exit_code, "ERROR")
            print(f"{outcome.mission} seed {outcome.seed}: {word}", file=sys.stderr, flush=True)

        yield line
