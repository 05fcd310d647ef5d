"""The one way to compile a kernel, so that caching and floating-point rules are the same everywhere."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache

import swarm

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile `function` with numba on first call and keep the machine code on disk.

    No fastmath and no parallel reductions: the same input gives the same bytes on one machine. Division by zero follows
    IEEE rules instead of raising, so a kernel guards its own denominators.

    Machine code is valid only while the source of every kernel is what it was: code of one kernel is built into those
    that call it, from other files too, while numba by itself looks at the file of the caller alone.
    """
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    if not os.environ.get("NUMBA_DISABLE_JIT", "0").strip("0"):
        with suppress(RuntimeError):  # no folder for the cache can be written: every process compiles for itself
            compiled._cache = _Stamped(compiled.py_func)
    made: Function = compiled
    return made


def on_disk(function: Any) -> bool:
    """Whether machine code of a kernel has been kept."""
    cache_file = getattr(getattr(function, "_cache", None), "_cache_file", None)
    return cache_file is None or os.path.exists(cache_file._index_path)  # without a cache there is nothing to fill


def ready(function: Any, *given: Any) -> bool:
    """Whether there is machine code of a kernel for such arguments, in this process or on disk."""
    if not hasattr(function, "overloads"):  # nothing is compiled at all
        return True
    kinds = tuple(function.typeof_pyval(one) for one in given)
    if kinds in function.overloads:
        return True
    kept: Any = function._cache
    return type(kept) is _Stamped and kept.holds(kinds, function.targetctx.codegen())


class _Stamped(FunctionCache):
    """A cache on disk that all kernels' sources are a part of the key of, for one process at a time to read or write.

    By itself numba writes the index first and then the machine code that it names: in between, another process would
    take what an earlier version of the source has left under that name, or put its own there.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        initialise: Any = super().__init__
        initialise(function)
        self._cache_file._source_stamp = sources()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Machine code of a signature, or None."""
        load: Any = super().load_overload
        with _alone(self.cache_path):
            return load(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code of a signature."""
        save: Any = super().save_overload
        with _alone(self.cache_path):
            save(sig, data)

    def holds(self, kinds: tuple[Any, ...], codegen: Any) -> bool:
        """Whether machine code for such arguments is kept."""
        index: Any = self._cache_file._load_index
        key: Any = self._index_key
        with _alone(self.cache_path):
            return key(kinds, codegen) in index()


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Within this block no other process is within one of its own for the same folder."""
    with ExitStack() as stack:
        # Without locks, or in a folder that cannot be written, all goes on as before.
        with suppress(ImportError, OSError):
            import fcntl

            os.makedirs(folder, exist_ok=True)
            file = stack.enter_context(open(os.path.join(folder, "kernels.lock"), "w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def sources() -> str:
    """Digest of every source file of this package that compiles kernels."""
    digest = hashlib.sha256()
    for root in sorted(set(swarm.__path__)):
        for folder, below, files in os.walk(root):
            below[:] = sorted(name for name in below if not name.startswith((".", "__pycache__")))
            if root != swarm.__path__[0] and folder == root:  # in a checkout: the parts that stand beside
                below[:] = [name for name in below if name in ("worlds", "controllers", "envs", "benchmarks")]
            for name in sorted(files):
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), "rb") as file:
                        content = file.read()
                    if b"@kernel" in content:
                        digest.update(name.encode() + content)
    return digest.hexdigest()
