"""Ctrl-C during a batch: runs that are done count, whatever their turn."""

from __future__ import annotations

from argparse import Namespace

import swarm
from swarm.batch import Job, Outcome
from swarm.cli import run
from swarm.pool import Interrupted


def test_a_later_seed_that_is_done_is_kept_when_the_first_is_still_flying(monkeypatch):
    mission = swarm.load_mission("five-drone-open")
    jobs = [Job(mission, seed) for seed in range(3)]
    done = Outcome(mission.name, 2, None)

    def interrupted(*_):
        raise Interrupted([done])
        yield

    monkeypatch.setattr("swarm.batch.fly_all", interrupted)
    outcomes, cut_short = run._fly(jobs, {}, Namespace(jobs=2, timeout=None, quiet=True))
    assert cut_short
    assert outcomes == [done]
