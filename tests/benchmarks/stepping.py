"""Time of one `sim.step()`, rules, metrics and recording on, over the bare PyBullet floor of the same run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from swarm.benchmarks import Row
from swarm.benchmarks.bullet_floor import Floor
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.simulation import Simulation

STEPS, ROUNDS = 96, 9
TRUNKS = {"world.generator.density": 50 / 240, "criteria": {}}  # 50 trunks


def missions() -> dict[int, Mission]:
    """Five drones in formation and twenty as boids, through 50 trunks."""
    twenty = {
        "swarm.count": 20,
        "swarm.spawn.spacing": 0.5,
        "formation.spacing": 0.5,
        "controller": {"use": "boids"},
    }
    return {
        5: load_mission("five-drone-formation", TRUNKS),
        20: load_mission("five-drone-formation", {**TRUNKS, **twenty}),
    }


def ratio(mission: Mission) -> tuple[float, float, float]:
    """Median over rounds of ours over the floor, and both medians in microseconds a step; the two take turns."""
    sim = Simulation(mission, 0)
    floor = Floor(mission.swarm.count, len(sim.world.obstacles))
    for _ in range(STEPS):
        sim.step()
    ours, bare = [], []
    for _ in range(ROUNDS):
        bare.append(floor.run(STEPS) / STEPS * 1e6)
        if sim.steps + STEPS > sim.steps_planned or sim.done:
            sim.reset(0)
        start = time.perf_counter()
        for _ in range(STEPS):
            sim.step()
        _ = sim.metrics  # what was put off to be measured in one go belongs to these steps
        ours.append((time.perf_counter() - start) / STEPS * 1e6)
    sim.close()
    floor.close()
    return statistics.median(o / b for o, b in zip(ours, bare)), statistics.median(ours), statistics.median(bare)


def measure() -> Iterator[Row]:
    """A row for 5 and one for 20 drones."""
    for count, mission in missions().items():
        budget = {5: 1.8, 20: 1.6}[count]
        found, ours, bare = ratio(mission)
        yield Row(
            f"sim.step(), {count} drones, 50 trunks, over bare PyBullet calls",
            f"{found:.2f} x ({ours:.0f} us / {bare:.0f} us)", f"{budget} x", found <= budget,
        )  # fmt: skip
