"""Drone-swarm simulation: one set of rules, three bodies, one scoreboard."""

from __future__ import annotations

import importlib
import os
import typing

# In a checkout the parts worlds, controllers and envs stand beside this folder; in an installed package they are inside it.
if not os.path.isdir(os.path.join(os.path.dirname(__file__), "envs")):
    __path__.append(os.path.dirname(os.path.dirname(__file__)))

__version__ = "0.1.0"
