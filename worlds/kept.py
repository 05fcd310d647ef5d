"""What was worked out for a world, kept as long as the world is."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from swarm.worlds.world import World

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """The last few results of something that takes long and depends on a world and a key.

    Args:
        most: Results kept for one world; the oldest goes first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: weakref.WeakKeyDictionary[World, dict[Hashable, Value]] = weakref.WeakKeyDictionary()

    def get(self, world: World, key: Hashable, make: Callable[[], Value]) -> Value:
        """What was made for the key before, else what is made now."""
        known = self._known.setdefault(world, {})
        if key not in known:
            made = make()
            while len(known) >= self._most:
                del known[next(iter(known))]
            known[key] = made
        return known[key]
