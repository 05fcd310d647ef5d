"""Steps a second of a crowd of time-gap walkers in an open square, against JuPedSim's collision-free speed model.

Both walk to one corner from the same places with the same parameters and steps of 0.05 s, at one walker for a square
metre, and take turns within one run. JuPedSim's `iterate` moves and routes; it neither records nor measures, nor sees
who touches whom. What is compared is `sim.leap()`, which does record and see contacts; told beside it are the leap with
all metrics, and what `sim.step()` does, with metrics too. We look 1.7 m far, beyond
which nothing slows anybody (l + v0 T = 1.6 m) and a push is below 1e-4 of the wish to go.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from swarm.benchmarks import Row
from swarm.mission_file import mission_from_table
from swarm.simulation import Simulation
from swarm.state import Floats

DT, STEPS, ROUNDS = 0.05, 40, 5
FACTOR = {150: 4.0, 2000: 8.0}
SPEED, GAP, LENGTH, REACH = 1.2, 1.0, 0.4, 1.7  # m/s, s, m, m


def ours(walkers: int) -> Simulation:
    """A square of one square metre a walker, its exit in a corner."""
    side = walkers**0.5
    zone = {"kind": "area", "name": "exit", "center": [side - 0.5, side - 0.5], "size": [1.0, 1.0]}
    table = {
        "name": "square", "duration": 1000.0,
        "world": {"dim": 2, "bounds": [[0.0, 0.0], [side, side]], "boundary": "walls", "zones": [zone]},
        "swarm": {
            "count": walkers, "body": "point", "physics_hz": round(1 / DT), "command_hz": round(1 / DT),
            "speed_limit": 3.0, "motion": {"radius": LENGTH / 2}, "perception": {"range": REACH},
            "spawn": {"spacing": 0.42},
        },
        "controller": {"use": "time-gap", "params": {"speed": SPEED, "time_gap": GAP, "length": LENGTH}},
        "task": {"kind": "evacuate", "exits": ["exit"]},
    }  # fmt: skip
    return Simulation(mission_from_table(table, "square.toml"), 0)


def theirs(jupedsim: Any, position: Floats) -> Any:
    """The same in JuPedSim, from the same places."""
    side = float(len(position)) ** 0.5
    sim = jupedsim.Simulation(
        model=jupedsim.CollisionFreeSpeedModel(), geometry=[(0, 0), (side, 0), (side, side), (0, side)], dt=DT
    )
    low, high = side - 1.0, side - 0.01
    stage = sim.add_exit_stage([(low, low), (high, low), (high, high), (low, high)])
    journey = sim.add_journey(jupedsim.JourneyDescription([stage]))
    for place in position.tolist():
        sim.add_agent(
            jupedsim.CollisionFreeSpeedModelAgentParameters(
                journey_id=journey, stage_id=stage, position=tuple(place), time_gap=GAP, desired_speed=SPEED,
                radius=LENGTH / 2,
            )
        )  # fmt: skip
    return sim


def measure() -> Iterator[object]:
    """A row for 150 and one for 2,000 walkers; one line where JuPedSim is not installed."""
    try:
        import jupedsim
    except ImportError:
        yield "crowds: needs jupedsim, of the bench extra (pip install swarm[bench])"
        return
    for walkers, factor in FACTOR.items():
        sims = [ours(walkers) for _ in range(3)]
        rivals: list[Callable[[], object]] = [
            partial(theirs(jupedsim, sims[0].state.position).iterate, STEPS), partial(_leap, sims[0]),
            partial(_measured, sims[1], leaping=True), partial(_measured, sims[2], leaping=False),
        ]  # fmt: skip
        costs = [[_milliseconds(rival) for rival in rivals] for _ in range(1 + ROUNDS)][1:]  # the first one compiles
        for sim in sims:
            sim.close()
        times = [statistics.median(cost[0] / cost[k] for cost in costs) for k in range(len(rivals))]
        rates = [1e3 / statistics.median(cost[k] for cost in costs) for k in range(len(rivals))]
        yield Row(
            f"{walkers:,} time-gap walkers, against JuPedSim {jupedsim.__version__}",
            f"{times[1]:.1f} x ({rates[1]:,.0f} / {rates[0]:,.0f} a second)", f"{factor:g} x", times[1] >= factor,
        )  # fmt: skip
        for name, k in (("leaps with all metrics", 2), ("sim.step() with all metrics", 3)):
            yield f"  {name} {times[k]:.1f} x ({rates[k]:,.0f} a second)"


def _leap(sim: Simulation) -> None:
    """STEPS of them, recorded."""
    end = sim.steps + STEPS
    while sim.steps < end:
        sim.leap(end - sim.steps)


def _measured(sim: Simulation, leaping: bool) -> None:
    if leaping:
        _leap(sim)
    else:
        for _ in range(STEPS):
            sim.step()
    _ = sim.metrics  # what was put off to be measured in one go belongs to these steps


def _milliseconds(work: Callable[[], object]) -> float:
    """Time of one step."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3 / STEPS
