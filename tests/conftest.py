"""Settings for all tests: the same examples every time, and no clock on them (the first one may compile)."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("swarm", deadline=None, derandomize=True)
settings.load_profile("swarm")
