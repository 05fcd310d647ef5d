"""Machine code on disk is used again while the sources of all kernels are the same, and only then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CALLEE = """
from swarm.compiled import kernel

@kernel
def part(x):
    return x + {number}
"""
CALLER = """
import sys
import swarm
swarm.__path__.append(sys.argv[1])
from swarm import own_callee
from swarm.compiled import kernel
part = own_callee.part

@kernel
def whole(x):
    return part(x)

print(whole(1.0), sum(whole.stats.cache_hits.values()))
"""


def test_a_kernel_is_compiled_again_when_one_it_calls_from_another_file_has_changed(tmp_path: Path) -> None:
    code = tmp_path / "caller.py"
    code.write_text(CALLER)

    def run(number: float) -> str:
        (tmp_path / "own_callee.py").write_text(CALLEE.format(number=number))
        words = [sys.executable, str(code), str(tmp_path)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    assert run(1.0) == "2.0 0"
    assert run(1.0) == "2.0 1"
    assert run(5.0) == "6.0 0"
