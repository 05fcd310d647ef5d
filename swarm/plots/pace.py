"""How fast a flight is shown: at the speed of the clock, and quicker where a step takes half a second and more."""

from __future__ import annotations

SLOW_STEP = 0.5  # s; models whose step is that long are watched step by step, not by the clock
STEPS = 20.0  # of such a model that are shown in a second


def pace(step: float) -> float:
    """Simulated seconds that are shown in a second, of a flight with a command step of `step` s."""
    return STEPS * step if step >= SLOW_STEP else 1.0
