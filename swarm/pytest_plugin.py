"""pytest plugin: missions as tests.

`*.mission.toml` files are collected, one item a seed and one for the criteria over seeds; a test that asks for
`swarm_mission` gets a mission flown for it:

    >>> @pytest.mark.mission("five-drone-formation", seeds=5)
    ... def test_the_v_holds(swarm_mission):
    ...     assert swarm_mission.metrics["formation_error"] < 0.3  # m

Every pytest run loads this module, so the simulator is imported only once there is a mission to fly.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from swarm.batch import Outcome
    from swarm.mission import Mission
    from swarm.reports import OverSeeds
    from swarm.result import Result
    from swarm.verdicts import SeedsVerdict, Verdict

SEEDS = pytest.StashKey[tuple[range | None, range | None]]()  # of the command line, of the ini file
SHARED = pytest.StashKey[Path]()  # folder in which the processes of one run leave outcomes for each other
FLOWN = pytest.StashKey["Result"]()  # by the swarm_mission fixture, for the report of a test
MARK = (
    "mission(name, *, seeds=None, controller=None, body=None, engine=None, set=None, **criteria): "
    "the mission that the swarm_mission fixture flies, once a seed"
)


class MissionWarning(pytest.PytestWarning):
    """An optional criterion was missed."""


class Missed(Exception):
    """A mission failed; the message is all there is to show."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--swarm-seeds` and the ini key `swarm_seeds`."""
    group = parser.getgroup("swarm", "drone-swarm missions")
    group.addoption("--swarm-seeds", metavar="K|A:B", help="fly every mission with seeds 0 to K-1, or A to B-1")
    parser.addini("swarm_seeds", "seeds of *.mission.toml files, K or A:B, in place of their own", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and read the seeds."""
    config.addinivalue_line("markers", MARK)
    option, ini = config.getoption("--swarm-seeds"), config.getini("swarm_seeds")
    config.stash[SEEDS] = _range("--swarm-seeds", option), _range("swarm_seeds", ini)


def _range(what: str, text: str | None) -> range | None:
    if not text:
        return None
    from argparse import ArgumentTypeError

    from swarm.cli.options import seeds

    try:
        return seeds(text)
    except ArgumentTypeError as fault:
        raise pytest.UsageError(f"{what}: {fault}") from None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Name one folder to all workers of pytest-xdist."""
    if SHARED not in node.config.stash:
        node.config.stash[SHARED] = Path(tempfile.mkdtemp(prefix="swarm-pytest-"))
    node.workerinput["swarm_shared"] = str(node.config.stash[SHARED])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    if SHARED in config.stash:
        shutil.rmtree(config.stash[SHARED], ignore_errors=True)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> MissionFile | None:
    """Every `*.mission.toml` is a mission."""
    if file_path.name.endswith(".mission.toml"):
        return MissionFile.from_parent(parent, path=file_path)
    return None


class MissionFile(pytest.File):
    """One mission file, and what became of its seeds so far."""

    mission: Mission
    seeds: Sequence[int]

    def collect(self) -> Iterator[pytest.Item]:
        """One item a seed, then one for the criteria over seeds where there are any."""
        from swarm.errors import BadInput
        from swarm.testing import prepare, which_seeds

        option, ini = self.config.stash[SEEDS]
        try:
            with importable(self.path.parent, self.config):
                self.mission = prepare(self.path, None, {})
            self.seeds = option or ini or which_seeds(None, self.mission)
            _check_origin(self.mission)
        except BadInput as fault:
            raise self.CollectError(_short(fault, self.config)) from None
        self._outcomes: dict[int, Outcome] = {}
        for seed in self.seeds:
            yield SeedItem.from_parent(self, name=f"seed-{seed}", seed=seed)
        if any(criterion.over == "seeds" for criterion in self.mission.criteria):
            yield OverSeedsItem.from_parent(self, name="over-seeds")

    def outcome(self, seed: int) -> Outcome:
        """The outcome of one seed, flown unless this process or another worker of the same run has flown it."""
        from swarm.batch import Job, fly
        from swarm.output import whole_file

        if seed not in self._outcomes:
            kept = self._kept(seed)
            if kept is not None and kept.exists():
                self._outcomes[seed] = pickle.loads(kept.read_bytes())
            else:
                with importable(self.path.parent, self.config):
                    self._outcomes[seed] = fly(Job(self.mission, seed))
                if kept is not None:
                    with whole_file(kept) as file:
                        pickle.dump(self._outcomes[seed], file)
        return self._outcomes[seed]

    def _kept(self, seed: int) -> Path | None:
        """Where workers leave the outcome of a seed; None in a run of one process."""
        folder = getattr(self.config, "workerinput", {}).get("swarm_shared")
        if folder is None or not os.path.isdir(folder):
            return None
        return Path(folder) / f"{hashlib.sha256(os.fsencode(self.path)).hexdigest()}-{seed}"


class _MissionItem(pytest.Item):
    """What the items of a mission file have in common."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        assert isinstance(self.parent, MissionFile)
        self.file = self.parent
        self.add_marker("mission")

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands, and its headline."""
        return self.path, 0, f"{self.path.name} {self.name}"

    def show(
        self, results: Sequence[Result], over_seeds: OverSeeds, verdicts: Iterable[Verdict | SeedsVerdict]
    ) -> None:
        """Attach the table of criteria, which -rP prints, and warn of optional ones that were missed."""
        from swarm.reports import said
        from swarm.testing import criteria_table

        self.add_report_section("call", "criteria", criteria_table(results, over_seeds))
        for verdict in verdicts:
            if not verdict.passed:
                self.warn(MissionWarning(f"optional: {said(verdict)}"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The table of criteria or the error, without the lines of Python that raised it."""
        if isinstance(excinfo.value, (Missed, MissionWarning)):
            return _short(excinfo.value, self.config)
        return super().repr_failure(excinfo, style)


class SeedItem(_MissionItem):
    """One mission with one seed."""

    def __init__(self, *, seed: int, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.seed = seed

    def runtest(self) -> None:
        """Fly, and hold the result against the criteria of a run."""
        from swarm.result import plain
        from swarm.testing import failure

        outcome = self.file.outcome(self.seed)
        result = outcome.result
        if outcome.error is not None or result is None:
            raise Missed(outcome.error)
        self.user_properties += [(name, plain(value)) for name, value in result.metrics.items() if value is not None]
        if not result.passed:
            raise Missed(failure([result], {}))
        self.show([result], {}, result.criteria)


class OverSeedsItem(_MissionItem):
    """The criteria over seeds of one mission; seeds that were not flown yet are flown here."""

    def runtest(self) -> None:
        """Fly what is missing, and hold all results against the criteria over seeds."""
        from swarm.testing import failure
        from swarm.verdicts import judge_seeds

        mission = self.file.mission
        outcomes = [self.file.outcome(seed) for seed in self.file.seeds]
        found = judge_seeds(mission.criteria, [o.result for o in outcomes], self.file.seeds)
        results = [o.result for o in outcomes if o.result is not None]
        if any(verdict.blocks for verdict in found):
            errors = [f"seed {o.seed}: {o.error.splitlines()[0]}" for o in outcomes if o.error]
            raise Missed("\n".join([failure(results, {mission.name: found}), *errors]))
        self.show(results, {mission.name: found}, found)


@dataclass(frozen=True)
class Flight:
    """What a mark asks for, with one seed."""

    mission: Mission
    seed: int
    choices: Mapping[str, Any]  # controller, body, engine


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the mark is run once a seed."""
    test = metafunc.definition
    if "swarm_mission" not in metafunc.fixturenames:
        if any(mark.name == "mission" for mark in test.own_markers):
            raise pytest.Collector.CollectError(
                f"{test.nodeid}: marked with a mission but does not ask for it: add the argument swarm_mission"
            )
        return
    mark = test.get_closest_marker("mission")
    if mark is None:
        return
    from swarm.errors import BadInput

    try:
        with importable(test.path.parent, metafunc.config):
            flights = list(_flights(test.path.parent, metafunc.config, *mark.args, **mark.kwargs))
    except BadInput as fault:
        lines = _short(fault, metafunc.config).splitlines()
        raise pytest.Collector.CollectError("\n".join(f"{test.nodeid}: {line}" for line in lines)) from None
    except TypeError as fault:
        line = str(fault).replace("_flights()", "@pytest.mark.mission")
        raise pytest.Collector.CollectError(f"{test.nodeid}: {line}; {MARK.partition(':')[0]}") from None
    metafunc.parametrize("swarm_mission", flights, indirect=True, ids=[f"seed-{flight.seed}" for flight in flights])


def _flights(
    folder: Path,
    config: pytest.Config,
    /,
    name: Mission | str | Path,
    *,
    seeds: int | Iterable[int] | None = None,
    controller: Any = None,
    body: str | None = None,
    engine: str | None = None,
    set: Mapping[str, Any] | None = None,
    **criteria: Any,
) -> Iterator[Flight]:
    """What a mark of these arguments asks for, a seed each; a relative path starts at the folder of the test."""
    from swarm.testing import prepare, which_seeds

    if isinstance(name, (str, Path)) and (folder / name).is_file():
        name = folder / name
    mission = prepare(name, set, criteria)
    option, ini = config.stash[SEEDS]
    asked = seeds if seeds is not None else ini
    for seed in which_seeds(option if option is not None else asked, mission):
        yield Flight(mission, seed, {"controller": controller, "body": body, "engine": engine})


@pytest.fixture
def swarm_mission(request: pytest.FixtureRequest) -> Result:
    """The flown Result of the mission that `@pytest.mark.mission("name", seeds=5)` names, a test a seed."""
    flight: Flight | None = getattr(request, "param", None)
    if flight is None:
        pytest.fail('swarm_mission: name the mission with @pytest.mark.mission("name") on the test', pytrace=False)
    from swarm.errors import SwarmError
    from swarm.runner import run

    try:
        with importable(request.path.parent, request.config):
            result = run(flight.mission, flight.seed, **flight.choices)
    except SwarmError as error:
        problem = _short(error, request.config)
    else:
        request.node.stash[FLOWN] = result
        return result
    pytest.fail(problem, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the criteria of the mission that a failed test was about."""
    report = yield
    if report.failed and FLOWN in item.stash:
        from swarm.testing import criteria_table

        report.sections.append(("criteria of swarm_mission", criteria_table([item.stash[FLOWN]], {})))
    return report


@contextmanager
def importable(folder: Path, config: pytest.Config) -> Iterator[None]:
    """Let missions find controllers beside their file, where pytest was called, and at the root of the project."""
    places = dict.fromkeys(str(place) for place in (folder, config.invocation_params.dir, config.rootpath))
    added = [place for place in places if place not in sys.path]
    sys.path[:0] = added
    try:
        yield
    finally:
        for place in added:
            if place in sys.path:
                sys.path.remove(place)


def _check_origin(mission: Mission) -> None:
    """Refuse a controller that is not the one beside the mission, because another of the same name came first."""
    from swarm.errors import BadInput

    name, colon, _ = mission.controller.use.partition(":")
    beside = mission.folder.joinpath(*name.split(".")).with_suffix(".py")
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if colon and loaded is not None and beside.is_file() and not beside.samefile(loaded):
        raise BadInput(f"{mission.file}: controller.use: {beside} needs another name, {loaded} has it already")


def _short(error: BaseException, config: pytest.Config) -> str:
    """An error's lines with paths from the root of the project."""
    return str(error).replace(f"{config.rootpath}{os.sep}", "")
