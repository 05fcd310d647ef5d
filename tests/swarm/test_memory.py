"""Resets and whole missions leave nothing behind."""

from __future__ import annotations

import pytest

psutil = pytest.importorskip("psutil")


def resident_mb() -> float:
    return float(psutil.Process().memory_info().rss) / 1e6


@pytest.mark.slow
def test_a_thousand_resets_grow_less_than_5_mb_after_the_first_hundred() -> None:
    from swarm.benchmarks.memory import growth_mb

    assert growth_mb() < 5.0


@pytest.mark.slow
def test_five_hundred_missions_in_one_process_leave_memory_flat() -> None:
    import swarm

    mission = swarm.load_mission("five-drone-formation", {"duration": 0.5, "criteria": {}})
    start = 0.0
    for k in range(500):
        swarm.run(mission, seed=k // 5)
        if k == 99:
            start = resident_mb()
    assert resident_mb() - start < 5.0
