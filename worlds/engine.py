"""PyBullet, loaded without the build time it prints: standard error belongs to what a user must know."""

from __future__ import annotations

import os
import sys

if "pybullet" not in sys.modules:
    # The line is printed in C, so it is the file descriptor that has to look away.
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        import pybullet
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
else:
    import pybullet

__all__ = ["pybullet"]
