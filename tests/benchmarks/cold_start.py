"""The main job from a shell: with nothing compiled yet, and again."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from swarm.benchmarks import Row


def measure() -> Iterator[Row]:
    """A row cold and a row warm."""
    command = [sys.executable, "-m", "swarm", "run", "five-drone-formation", "--quiet"]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        times = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run(command, env=environment, check=True)
            times.append(time.perf_counter() - start)
    yield Row("swarm run five-drone-formation, cold cache", f"{times[0]:.1f} s", "15 s", times[0] <= 15)
    warm = min(times[1:])
    yield Row("swarm run five-drone-formation, warm", f"{warm:.1f} s", "3 s", warm <= 3)
