"""What a result depends on besides its seed."""

from __future__ import annotations

import platform
from functools import cache
from importlib import metadata
from pathlib import Path


@cache
def versions() -> dict[str, str]:
    """Versions of what moves the numbers, and the processor."""
    found = {"python": platform.python_version()}
    for name in ("boidswarm", "numpy", "numba", "pybullet", "gymnasium", "scipy", "trimesh"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    if found["boidswarm"] == "not installed":  # a checkout that was not installed
        from swarm import __version__

        found["boidswarm"] = __version__
    found["processor"] = _processor()
    return found


def _processor() -> str:
    description = Path("/proc/cpuinfo")
    if description.exists():
        for line in description.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()} ({platform.machine()})"
    return platform.processor() or platform.machine()
