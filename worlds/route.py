"""stub"""

from __future__ import annotations
import numpy as np


class Route:
    def __init__(self, target):
        self.target = target

    def distance(self, points):
        return np.linalg.norm(self.target - points, axis=-1)

    def direction(self, points):
        d = self.target - points
        return d / np.maximum(np.linalg.norm(d, axis=-1, keepdims=True), 1e-9)

    def path(self, start):
        return np.array([start, self.target])


def find_route(world, target, margin):
    return Route(target)
