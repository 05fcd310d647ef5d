"""The one way to compile a kernel, so that caching and floating-point rules are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile `function` with numba on first call and keep the machine code on disk.

    No fastmath and no parallel reductions: the same input gives the same bytes on one machine. Division by zero follows
    IEEE rules instead of raising, so a kernel guards its own denominators.
    """
    compiled: Function = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled
