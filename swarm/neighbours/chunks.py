"""Work shared out over threads: compiled kernels that let go of the interpreter, each on its own stretch."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

LARGE = 2000  # agents from which on handing a part of their rules to a thread saves more than it costs
SORTED_APART = 16_000  # agents from which on the same holds for sorting them


def cores() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def stretches(total: int, parts: int) -> list[tuple[int, int]]:
    """0..total cut into consecutive half-open stretches of about equal length."""
    return [(total * p // parts, total * (p + 1) // parts) for p in range(parts)]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "neighbours")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


def share(threads: int, work: Callable[[int], None], parts: int) -> None:
    """Call `work(part)` for every part; on several threads where there are several parts and threads.

    The caller works too and waits for nobody who has not begun, so busy cores cost no more than one thread would.
    """
    todo = iter(range(parts))

    def go() -> None:
        for part in todo:
            work(part)

    helpers = min(threads, parts) - 1
    begun = [_pool(threads - 1).submit(go) for _ in range(helpers)] if helpers > 0 else []
    go()
    for one in begun:
        if not one.cancel():
            one.result()
