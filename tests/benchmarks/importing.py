"""What `import swarm` adds to `import numpy, gymnasium`."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator

from swarm.benchmarks import Row

CODE = """
import time
import numpy, gymnasium
start = time.perf_counter()
import swarm
print(time.perf_counter() - start)
"""


def measure() -> Iterator[Row]:
    """One row: the median over fresh interpreters."""
    runs = [
        float(subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    added = statistics.median(runs)
    yield Row("import swarm, above import numpy, gymnasium", f"{added:.3f} s", "0.25 s", added <= 0.25)
