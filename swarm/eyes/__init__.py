"""What a flight looks like: cameras that follow it, cameras on board, and the films they make.

Everything is drawn in a PyBullet world of its own that holds only what can be seen, so that looking changes no flight.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from swarm.eyes.filming import film
    from swarm.eyes.looking import look
    from swarm.eyes.picture import Picture

_HOMES = {"Picture": "swarm.eyes.picture", "film": "swarm.eyes.filming", "look": "swarm.eyes.looking"}

__all__ = ["Picture", "film", "look"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'swarm.eyes' has no attribute {name!r}")
