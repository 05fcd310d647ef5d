"""Time of the neighbour rules for a thousand to a million agents, against C, a loop in NumPy, Mesa, and themselves.

The load is a plane torus with 25 neighbours each, places at random in memory; a step sorts the agents into cells and
works out separation, alignment and cohesion for all. Those compared take turns within one run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from swarm.benchmarks import Row, c_flocking
from swarm.controllers.rules.flocking import flock_sorted
from swarm.examples.write_a_rule_for_many import flee_and_follow
from swarm.neighbours import Cells, within
from swarm.neighbours.chunks import cores
from swarm.state import Floats

REACH, RADIUS, NEIGHBOURS = 3.0, 1.0, 25
WEIGHTS = (1.0, RADIUS, 1.0, REACH, 0.5, REACH, 1.0)
SIZES = (1000, 10_000, 100_000, 1_000_000)
MANY = 20  # steps in a turn where one takes a fraction of a millisecond and its rival's tens of them


@dataclass
class Flock:
    """Agents spread evenly over a torus, their workspace and one step of their rules."""

    agents: int
    dim: int = 2
    threads: int = field(default_factory=cores)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(0)
        ball = np.pi * REACH**2 if self.dim == 2 else 4 / 3 * np.pi * REACH**3
        self.side = float((self.agents * ball / NEIGHBOURS) ** (1 / self.dim))
        self.position = rng.uniform(0.0, self.side, (self.agents, self.dim))
        self.velocity = rng.normal(size=(self.agents, self.dim))
        self.alive, self.world = np.ones(self.agents, bool), np.zeros(self.agents, np.int64)
        self.box, self.cells = np.full(self.dim, self.side), Cells(self.threads)
        self.asked = np.zeros_like(self.position)

    def sort(self) -> None:
        """Sort by cell."""
        self.cells.sort(self.position, self.velocity, self.alive, self.world, self.box, REACH)

    def step(self) -> None:
        """Sort and ask the three rules."""
        self.sort()
        flock_sorted(self.cells, REACH, 2 * np.pi, *WEIGHTS, self.asked)

    def move(self) -> None:
        """A step and a tenth of a second of flight at unit speed."""
        self.step()
        self.velocity += 0.1 * self.asked
        self.velocity /= np.sqrt(np.einsum("ij,ij->i", self.velocity, self.velocity))[:, None]
        self.position += 0.1 * self.velocity
        self.position -= self.side * np.floor(self.position / self.side)

    def candidates(self) -> int:
        """Pairs whose distance a step works out: agents of a cell with all in it and around it."""
        self.sort()
        held = np.diff(self.cells.start).reshape(self.cells.grid.shape).astype(np.int64)
        around = held
        for axis in range(3 - self.dim, 3):
            around = around + np.roll(around, 1, axis) + np.roll(around, -1, axis)
        return int((held * around).sum())

    def list_and_ask(self) -> None:
        """A step with lists of neighbours and a rule in NumPy."""
        self.sort()
        flee_and_follow(within(self.cells, lend=True), self.velocity)


def in_turns(works: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Seconds of each work in each round, after one that does not count."""
    times: list[list[float]] = [[] for _ in works]
    for round_ in range(rounds + 1):
        for work, measured in zip(works, times):
            start = time.perf_counter()
            work()
            if round_:
                measured.append(time.perf_counter() - start)
    return times


def repeat(work: Callable[[], object], times: int) -> None:
    """Do it that often."""
    for _ in range(times):
        work()


def ratio(slow: list[float], fast: list[float]) -> float:
    """Median over the rounds of one over the other."""
    return statistics.median(a / b for a, b in zip(slow, fast))


def one_by_one(position: Floats, velocity: Floats, side: float) -> Floats:
    """The same three rules in NumPy, agent by agent."""
    asked = np.zeros_like(position)
    for i in range(len(position)):
        step = position - position[i]
        step -= side * np.rint(step / side)
        distance = np.sqrt((step * step).sum(axis=1))
        seen = distance <= REACH
        seen[i] = False
        if seen.any():
            near, apart = step[seen], distance[seen][:, None]
            asked[i] = -(np.maximum(1.0 - apart / RADIUS, 0.0) * near / apart).sum(axis=0)
            centre = 0.5 * near.mean(axis=0)
            asked[i] += velocity[seen].mean(axis=0) - velocity[i]
            asked[i] += centre * min(1.0, 1.0 / max(float(np.linalg.norm(centre)), 1e-9))
    return asked


def peak_mb() -> float:
    """Largest resident memory of a process that steps a million agents, MB."""
    code = (
        "import resource; from swarm.benchmarks.neighbours import Flock; flock = Flock(1_000_000); flock.step();"
        "flock.step(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    # Started by a shell: the peak of a process counts that of the one it was forked from.
    words = ["/bin/sh", "-c", f"{sys.executable} -c '{code}'; exit $?"]
    return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout) / 1e3


def against_c() -> Iterator[object]:
    """Rows for one thread and all cores."""
    for agents, rounds in ((10_000, 41), (1_000_000, 5)):
        for threads in sorted({1, cores()}):
            ours = Flock(agents, threads=threads)
            theirs = c_flocking.make_step(agents, ours.side, REACH, RADIUS, threads)
            if theirs is None:
                yield "no C compiler (cc): not compared with C"
                return
            asked = np.empty_like(ours.asked)
            fast, slow = in_turns([ours.step, partial(theirs, ours.position, ours.velocity, asked)], rounds)
            if not np.allclose(ours.asked, asked, rtol=1e-9, atol=1e-9):
                raise AssertionError("C and the compiled kernel differ")
            found = ratio(slow, fast)
            yield Row(
                f"{agents:,} agents, {threads} thread(s): speed over a plain loop in C",
                f"{found:.2f} x", "0.8 x", found >= 0.8,
            )  # fmt: skip


def over_mesa(ours: Flock) -> Iterator[object]:
    """A row, or why there is none."""
    try:
        from mesa.examples import BoidFlockers
    except ImportError:
        yield 'mesa is not installed (pip install "mesa>=3"): not compared with it'
        return
    model = BoidFlockers(ours.agents, ours.side, ours.side, vision=REACH, separation=RADIUS, seed=0)
    slow, fast = in_turns([model.step, partial(repeat, ours.move, MANY)], 15)
    found = MANY * min(slow) / min(fast)
    yield Row("1,000 boids moved: speed over Mesa's BoidFlockers", f"{found:.0f} x", "300 x", found >= 300)


def measure() -> Iterator[object]:
    """A row a figure."""
    flocks = {agents: Flock(agents) for agents in SIZES}
    for agents, flock in flocks.items():
        (times,) = in_turns([flock.step], max(5, min(100, 1_000_000 // agents)))
        speed = 1e-6 * agents / min(times)
        yield Row(
            f"{agents:,} agents, 2D torus, {NEIGHBOURS} neighbours, {cores()} threads",
            f"{speed:.1f} M agent-steps/s", "8 M" if agents == 10_000 else "-", agents != 10_000 or speed >= 8,
        )  # fmt: skip
    alone = Flock(10_000, threads=1)
    (times,) = in_turns([alone.step], 60)
    yield Row(
        f"10,000 agents, 1 thread: candidate pairs, {alone.candidates() / alone.agents:.0f} an agent",
        f"{1e-6 * alone.candidates() / min(times):.0f} M pairs/s", "-", True,
    )  # fmt: skip
    # Taking turns, and as many agents in a turn, for a machine is not as fast at all times.
    many, few = in_turns([flocks[1_000_000].step, partial(repeat, flocks[10_000].step, 100)], 7)
    growth = ratio(many, few)
    yield Row("time of an agent's step, a million over 10,000", f"{growth:.2f} x", "1.5 x", growth <= 1.5)
    alone = Flock(100_000, threads=1)
    alone.step()
    same = alone.asked.tobytes() == flocks[100_000].asked.tobytes()
    yield Row("1 thread and all give the same bytes", "yes" if same else "no", "yes", same)
    del flocks[1_000_000]
    peak = peak_mb()
    yield Row("a million agents, resident", f"{peak:.0f} MB", "400 MB", peak <= 400)
    yield from against_c()
    (times,) = in_turns([Flock(1000, dim=3).step], 200)
    rate = 1 / statistics.median(times)
    yield Row("1,000 agents in 3D", f"{rate:,.0f} steps/s", "2000 steps/s", rate >= 2000)
    (times,) = in_turns([flocks[10_000].list_and_ask], 40)
    rate = 1 / statistics.median(times)
    yield Row("10,000 agents, lists and a rule in NumPy", f"{rate:.0f} steps/s", "100 steps/s", rate >= 100)
    ours = flocks[1000]
    plain = partial(one_by_one, ours.position, ours.velocity, ours.side)
    slow, fast = in_turns([plain, partial(repeat, ours.step, MANY)], 15)
    if not np.allclose(plain(), ours.asked, rtol=1e-9, atol=1e-9):
        raise AssertionError("the loop in NumPy and the compiled kernel differ")
    found = MANY * min(slow) / min(fast)
    yield Row("1,000 agents: speed over a loop in NumPy, agent by agent", f"{found:.0f} x", "300 x", found >= 300)
    yield from over_mesa(ours)
