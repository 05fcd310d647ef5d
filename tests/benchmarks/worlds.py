"""Five drones through the library's worlds, in formation and as plain boids: what touched, how near, how long."""

from __future__ import annotations

from collections.abc import Iterator

from swarm.batch import Job, fly_all
from swarm.mission_file import load_mission
from swarm.result import Result

MISSIONS = ("five-drone-yard", "five-drone-gates", "five-drone-indoor", "five-drone-search")
CONTROLLERS = ("formation", "boids")


def flights(mission: str, controller: str, seeds: int, jobs: int) -> list[Result]:
    """The results of all seeds; with another controller than the mission's, at that one's own parameters."""
    chosen = load_mission(mission)
    if controller != chosen.controller.use:
        chosen = load_mission(mission, {"controller": {"use": controller}, "criteria": {}})
    outcomes = list(fly_all([Job(chosen, seed) for seed in range(seeds)], jobs))
    return [outcome.result for outcome in outcomes if outcome.result is not None]


def table(seeds: int = 20, jobs: int = 2) -> Iterator[str]:
    """The rows of the README's table, in Markdown; the worst of all seeds, and means where it says so."""
    yield (
        "| mission | controller | success | contacts | separation | clearance | formation error, mean | arrival, mean |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for mission in MISSIONS:
        for controller in CONTROLLERS:
            found = [result.metrics for result in flights(mission, controller, seeds, jobs)]
            arrived = [m["time_to_target"] for m in found if m["success"]]
            error = sum(m["formation_error"] for m in found) / len(found)
            yield (
                f"| {mission} | {controller} | {len(arrived)} of {seeds} "
                f"| {sum(m['collisions'] + m['obstacle_collisions'] for m in found)} "
                f"| {min(m['min_separation'] for m in found):.2f} m | {min(m['min_clearance'] for m in found):.2f} m "
                f"| {f'{error:.2f} m' if controller == 'formation' else '-'} "
                f"| {sum(arrived) / max(len(arrived), 1):.1f} s |"
            )
