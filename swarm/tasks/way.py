"""The way to a place, kept up to date while obstacles move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats
from swarm.worlds.routes.route import Route
from swarm.worlds.world import World

SPARE = (0.1, 0.0)  # m beyond the hull that a way keeps from everything solid, the first for which there is room
STALE = 0.25  # m that an obstacle may move before a look whether it is in the way
LASTS = 3.0  # s after which the way is sought anew where obstacles move
STRIDE = 0.1  # m between the places looked at


def margins(radius: float, margin: float | None) -> Sequence[float]:
    """Margins to try, from wide to narrow, m; only the one asked for where one is."""
    return [radius + spare for spare in SPARE] if margin is None else [margin]


class Way:
    """The route to one place; found when it is first asked for.

    Args:
        world: Where.
        target: (D,) m.
        start: (A, D) m, from where there should be a way.
        tried: Margins from wide to narrow, m.
    """

    def __init__(self, world: World, target: Floats, start: Floats, tried: Sequence[float]) -> None:
        self.target = target
        self._world = world
        self._start = start
        self._tried = tried
        self._sought = self._looked = world.time
        fastest = max((o.motion.speed for o in world.obstacles if o.motion is not None), default=0.0)
        self._fresh = STALE / fastest if fastest > 0.0 else np.inf  # s

    def checked(self, key: str) -> Way:
        """This way, known to exist.

        Args:
            key: Prefix of messages.

        Raises:
            BadInput: There is none.
        """
        try:
            route = self._world.widest_route(self.target, self._start, self._tried)
        except BadInput as error:
            raise BadInput(*(fault.replace("target", key, 1) for fault in error.faults)) from None
        if not route.reachable(self._start).all():
            keep = f"for who keeps {route.margin:g} m from everything solid it is walled in"
            raise BadInput(f"{key}: {self.target.tolist()} cannot be reached: {keep}")
        self.__dict__["route"] = route
        return self

    @cached_property
    def route(self) -> Route | None:
        """The way as obstacles stood when it was last sought; None where the place was inside something then."""
        try:
            return self._world.widest_route(self.target, self._start, self._tried)
        except BadInput:
            return None

    def update(self, world: World, start: Floats) -> None:
        """Forget the way when obstacles have come into it, and from time to time, because they may have left a better.

        Args:
            world: As it is now.
            start: (A, D) m, where the living are now.
        """
        if world.time - self._looked < self._fresh or len(start) == 0:
            return
        self._looked = world.time
        route = self.__dict__.get("route")  # None where nobody has asked for it since it was forgotten
        if route is None or world.time - self._sought >= LASTS or _shut(route, world, start.mean(axis=0)):
            self._world, self._start, self._sought = world, start, world.time
            self.__dict__.pop("route", None)


def _shut(route: Route, world: World, start: Floats) -> bool:
    """Whether something is in the way by now."""
    corners = route.path(start)
    legs = np.sqrt((np.diff(corners, axis=0) ** 2).sum(axis=1))
    along = np.concatenate([[0.0], np.cumsum(legs)])
    at = np.linspace(0.0, along[-1], 2 + int(along[-1] / STRIDE))
    line = np.stack([np.interp(at, along, corners[:, axis]) for axis in range(len(start))], axis=1)
    return bool((world.clearance(line)[0] < route.margin - STRIDE).any())
