"""Missions in plain tests: say in one line what must hold.

Example:
    >>> import swarm.testing
    >>> def test_nobody_comes_close():
    ...     swarm.testing.check("five-drone-formation", seeds=3, min_separation={"at_least": 0.3})  # m
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.schema import show

if TYPE_CHECKING:
    from swarm.choices import Controller
    from swarm.reports import OverSeeds
    from swarm.result import Result


def check(
    mission: Mission | str | Path,
    *,
    seeds: int | Iterable[int] | None = None,
    controller: Controller | str | None = None,
    body: str | None = None,
    engine: str | None = None,
    set: Mapping[str, Any] | None = None,
    **criteria: Any,
) -> list[Result]:
    """Fly a mission and assert that it meets its own criteria and those given here.

    Args:
        mission: A library name, a path or a mission.
        seeds: A number K for the seeds 0 to K - 1, or the seeds themselves; None takes the mission's.
        controller: A callable `view -> (A, D) m/s`, a registered name or `package.module:Name`; None takes the
            mission's.
        body: Another body than the mission's.
        engine: Another engine than the mission's.
        set: Other values for keys of the mission or its world, by dotted path, such as `{"swarm.count": 7}`.
        criteria: More criteria: metric to bound, as in the file's [criteria]; a plain value stands for `equals`.

    Returns:
        The result of each seed, recordings included.

    Raises:
        AssertionError: A criterion was missed; the message is the table of criteria over all seeds.
        BadInput: The mission cannot be flown so, one line for each fault.
        SimulationError: A controller returned nonsense, or the physics engine failed.

    Example:
        >>> check("five-drone-formation", seeds=3, min_separation={"at_least": 0.3}, collisions=0)
        >>> check("five-drone-formation", seeds=20, controller="boids", success={"at_least": 0.9, "over": "seeds"})
        >>> check("my.mission.toml", set={"controller.params.cruise": 2.0}, path_efficiency={"at_least": 0.8})
    """
    from swarm.runner import run
    from swarm.transfer.mission import as_flown
    from swarm.verdicts import judge_seeds

    __tracebackhide__ = True  # pytest shows the line of the test that called
    ready = prepare(mission, set, criteria)
    numbers = which_seeds(seeds, ready)
    results = [run(ready, seed, controller=controller, body=body, engine=engine) for seed in numbers]
    found = judge_seeds(as_flown(ready, body, engine).criteria, results, numbers)
    if not all(result.passed for result in results) or any(verdict.blocks for verdict in found):
        raise AssertionError(failure(results, {ready.name: found}))
    return results


def prepare(mission: Mission | str | Path, set: Mapping[str, Any] | None, criteria: Mapping[str, Any]) -> Mission:
    """A mission with other values at dotted key paths, and with criteria added to its own.

    Raises:
        BadInput: One line for each fault.
    """
    changed = mission.changed(set or {}) if isinstance(mission, Mission) else load_mission(mission, set)
    if not criteria:
        return changed
    table = dict(changed.table.get("criteria", {}))
    for name, bound in criteria.items():
        added = {"equals": bound} if isinstance(bound, (bool, int, float)) else bound
        table[name] = [*_listed(table[name]), *_listed(added)] if name in table else added
    return changed.changed({"criteria": table})


def _listed(bounds: Any) -> list[Any]:
    return bounds if isinstance(bounds, list) else [bounds]


def which_seeds(seeds: int | Iterable[int] | None, mission: Mission) -> Sequence[int]:
    """The seeds to fly: K for 0 to K - 1, or as listed; None for the mission's.

    Raises:
        BadInput: No seed, or one that is not a whole number from 0.
    """
    if seeds is None:
        return range(mission.seed, mission.seed + mission.seeds)
    if isinstance(seeds, Iterable) and not isinstance(seeds, (str, bytes, Mapping)):
        listed: Sequence[Any] = seeds if isinstance(seeds, range) else list(seeds)
    else:
        listed = range(seeds) if isinstance(seeds, int) and not isinstance(seeds, bool) else ()
    if not listed or not all(type(seed) is int and 0 <= seed < 2**63 for seed in listed):
        raise BadInput(f"seeds: expected 1 or more, or a list of whole numbers from 0, got {show(seeds)}")
    return listed


def failure(results: Sequence[Result], over_seeds: OverSeeds) -> str:
    """The first criterion that was missed, over seeds where there is one, then the table of criteria."""
    from swarm.reports import said

    lines = [said(verdict) for found in over_seeds.values() for verdict in found if verdict.blocks]
    if not lines:
        missed = [(run.seed, verdict) for run in results for verdict in run.criteria if verdict.blocks]
        lines = [said(v) if len(results) == 1 else f"seed {seed}: {said(v)}" for seed, v in missed]
    more = f"; {len(lines) - 1} more below" if len(lines) > 1 else ""
    return f"{lines[0]}{more}\n{criteria_table(results, over_seeds)}"


def criteria_table(results: Sequence[Result], over_seeds: OverSeeds) -> str:
    """Criterion, bound, measured and verdict of one mission, and where each was missed, as plain text."""
    from rich.text import Text

    from swarm.cli.report import print_report
    from swarm.reports import said

    if not results:  # every run ended in an error
        return "\n".join(said(verdict) for found in over_seeds.values() for verdict in found)
    page = io.StringIO()
    print_report(results, over_seeds, page)
    plain = Text.from_ansi(page.getvalue()).plain  # some job runners ask for colours everywhere
    return "\n".join(line.rstrip() for line in plain.splitlines())
