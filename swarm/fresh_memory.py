"""Memory for what is written once, from front to back, over a whole run."""

from __future__ import annotations

import math
import mmap
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LARGE = 1 << 22  # bytes from which numpy asks for huge pages


def fresh(shape: tuple[int, ...], kind: DTypeLike = np.float64, small: bool = True) -> NDArray[Any]:
    """An array of zeros that takes no memory before it is written to, in small pages or as numpy likes.

    A huge page is cleared as a whole at the first write to it: two megabytes pass through the cache and drive out what
    the step after needs, long before they are used. A small one is cleared just before it is filled. Where a step needs
    little memory, fewer and huge ones take less time.
    """
    kind = np.dtype(kind)
    size = math.prod(shape) * kind.itemsize
    if size < LARGE or not small:
        return np.zeros(shape, kind)
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    memory = mmap.mmap(-1, size, **private)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # a kernel without huge pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, kind).reshape(shape)
