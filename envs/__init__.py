"""How learning sees a mission: observations, rewards and the Gymnasium environment, thin adapters of one Simulation."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {"MissionEnv": "swarm.envs.mission_env"}

__all__ = ["MissionEnv"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'swarm.envs' has no attribute {name!r}")
