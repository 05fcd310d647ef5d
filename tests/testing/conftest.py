"""Small missions for the tests of this folder: two drones for a quarter of a second."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FLYERS = '''
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent


def still(view):
    return np.zeros_like(view.position)


def meet(view):
    return view.position.mean(axis=0) - view.position


def broken(view):
    return np.full_like(view.position, np.nan)


class Counted:
    """Hovers, and notes every flight."""

    def reset(self, briefing):
        with (HERE / "flights.log").open("a") as log:
            log.write(f"{briefing.position[0, 0]}\\n")

    def __call__(self, view):
        return np.zeros_like(view.position)
'''
MISSION = """
duration = 0.25
seeds = {seeds}
[world]
bounds = [[-9.0, -9.0, 0.0], [9.0, 9.0, 5.0]]
boundary = "open"
obstacles = [{{ kind = "box", name = "tower", center = [0.0, 0.6, 1.5], size = [0.2, 0.2, 3.0] }}]
[swarm]
count = 2
spawn = {{ {spawn} }}
[controller]
use = "{controller}"
[task]
kind = "{task}"
{target}
[criteria]
{criteria}
"""
APART = 'shape = "points", points = [[-0.2, 0.0, 0.0], [0.2, 0.0, 0.0]], center = [0.0, 0.0, 1.5]'
DRAWN = 'shape = "uniform", center = [-4.0, -4.0, 1.5], size = [2.0, 2.0, 1.0]'
NEAR = "target = [-4.0, -4.0, 1.5]\nradius = 0.4\nroute = false"  # met at the start, or not, as the draw has it


def _write(
    folder: Path, criteria: str = "collisions = { at_most = 0 }", name: str = "two.mission.toml", *, seeds: int = 1,
    controller: str = "flyers:still", drawn: bool = False,
) -> Path:  # fmt: skip
    """Write a mission and the controllers it can name; `drawn` makes success a matter of the seed."""
    (folder / "flyers.py").write_text(FLYERS)
    place = {"spawn": DRAWN, "task": "reach", "target": NEAR} if drawn else {"spawn": APART, "task": "flock"}
    table = {"target": "", **place}
    path = folder / name
    path.write_text(MISSION.format(seeds=seeds, controller=controller, criteria=criteria, **table))
    return path


@pytest.fixture(scope="session")
def write() -> Callable[..., Path]:
    """Writes a mission file."""
    return _write
