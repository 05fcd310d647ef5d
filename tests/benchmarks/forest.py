"""Five drones through a hundred forests: both models, in formation and as plain boids, and how fast they can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np

from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.runner import run
from swarm.state import Floats

MODELS = ("cf2x", "cf2x_L250")
CONTROLLERS = ("formation", "boids")
TRUNKS = (4.0, 24.0)  # m, the trees stand between these x
LARGEST_RADIUS = 0.35  # m, of a trunk


@dataclass(frozen=True)
class Flight:
    """What one run is judged by."""

    seed: int
    success: bool
    contacts: int
    separation: float  # m, least
    clearance: float  # m, least
    open_error: float  # m, worst instant of formation error up to 1 s before the trunks and from 1 s after them
    trunk_error: float  # m, worst instant among the trunks
    recovery: float  # s after the last drone has left the trunks until the error stays below 0.25 m
    inside: bool  # within the walls, above the floor and below the trunks' tops throughout

    def held(self) -> bool:
        """Whether it meets everything asked of a flight in formation."""
        return (
            self.safe()
            and self.separation >= 0.30
            and self.clearance >= 0.10
            and self.open_error <= 0.10
            and self.trunk_error <= 0.35
            and self.recovery <= 1.0
        )

    def safe(self) -> bool:
        """Whether it arrived with nothing touched and nobody out of bounds."""
        return self.success and self.contacts == 0 and self.inside


def mission(model: str, controller: str, cruise: float = 1.5) -> Mission:
    """The library mission with another model, controller and cruise speed in m/s."""
    return load_mission(
        "five-drone-formation",
        {"swarm.model": model, "controller": {"use": controller, "params": {"cruise": cruise}}, "criteria": {}},
    )


def phases(x: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Samples in the open before the trunks, and samples after the last drone has left them.

    Args:
        x: (T, N) m.
    """
    before = np.logical_and.accumulate(x.max(axis=1) < TRUNKS[0] - LARGEST_RADIUS)
    after = np.logical_and.accumulate((x.min(axis=1) > TRUNKS[1] + LARGEST_RADIUS)[::-1])[::-1]
    return before, after


def fly(chosen: Mission, seed: int) -> Flight:
    """One run, judged."""
    result = run(chosen, seed)
    trajectory = result.trajectory
    assert trajectory is not None
    error, position, time = result.series["formation_error"], trajectory.position, trajectory.time
    before, after = phases(position[:, :, 0])
    recovery = 0.0 if after.any() else np.inf
    late = np.zeros_like(after)
    if after.any():
        left = time[after][0]
        wide = after & (error >= 0.25)
        recovery = float(time[wide][-1] - left + 1 / chosen.swarm.command_hz) if wide.any() else 0.0
        late = after & (time >= left + 1.0)
    # The swarm begins to make room before it reaches the first trunk, as it closes up behind the last.
    entered = time[~before][0] if not before.all() else time[-1]
    open_, among = (before & (time <= entered - 1.0)) | late, ~before & ~after
    radius = 0.06
    across, height = np.abs(position[..., 1]), position[..., 2]
    inside = ((across < 6.0 - radius) & (height > 0.0) & (height < 4.0)).all()
    metrics = result.metrics
    return Flight(
        seed, bool(metrics["success"]), int(metrics["collisions"] + metrics["obstacle_collisions"]),
        float(metrics["min_separation"]), float(metrics["min_clearance"]), float(error[open_].max(initial=0.0)),
        float(error[among].max(initial=0.0)), recovery, bool(inside),
    )  # fmt: skip


def fly_all(chosen: Mission, seeds: Sequence[int], jobs: int = 1) -> list[Flight]:
    """All seeds, over several processes."""
    if jobs == 1:
        return [fly(chosen, seed) for seed in seeds]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return list(pool.map(partial(fly, chosen), seeds))


def fastest(model: str, controller: str, jobs: int = 1, seeds: int = 20, step: float = 0.25) -> float:
    """Largest cruise speed in m/s, in steps, at which every seed passes: `held` in formation, `safe` as boids."""
    speed = 0.0
    while speed + step <= 3.0:
        trial = max(speed + step, 1.5)  # slower ones do not arrive in time
        flights = fly_all(mission(model, controller, trial), range(seeds), jobs)
        if not all(f.held() if controller == "formation" else f.safe() for f in flights):
            break
        speed = trial
    return speed


def table(seeds: int = 100, jobs: int = 2) -> Iterator[str]:
    """The rows of the README's table, in Markdown."""
    yield (
        "| model | controller | success | contacts | separation | clearance | error in the open | among trunks "
        "| back < 0.25 m | fastest cruise, 20 seeds |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for model in MODELS:
        for controller in CONTROLLERS:
            flights = fly_all(mission(model, controller), range(seeds), jobs)
            errors = (
                f"{max(f.open_error for f in flights):.2f} m | {max(f.trunk_error for f in flights):.2f} m "
                f"| {max(f.recovery for f in flights):.2f} s"
            )
            yield (
                f"| {model} | {controller} | {sum(f.success for f in flights)} of {seeds} "
                f"| {sum(f.contacts for f in flights)} | {min(f.separation for f in flights):.2f} m "
                f"| {min(f.clearance for f in flights):.2f} m | {errors if controller == 'formation' else '- | - | -'} "
                f"| {fastest(model, controller, jobs):.2f} m/s |"
            )
