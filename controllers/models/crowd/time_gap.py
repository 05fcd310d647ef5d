"""The collision-free speed model: one walks where others leave room, as fast as the gap ahead allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.crowd.exponential import exponential
from swarm.state import Floats, Ints
from swarm.view import View

Positive = Annotated[float, Meta(gt=0)]
Gain = Annotated[float, Meta(ge=0)]

TINY = 1e-24  # square of a direction that is none


@dataclass(frozen=True)
class TimeGap:
    """A speed from the gap ahead, a direction from the way and the others, nothing remembered::

        v_i = V(s_i) e_i,   V(s) = min(v0, max(0, (s − l) / T))

        e_i = (e0_i + Σ_j a exp((l − s_ij) / D) n_ij + Σ_w a_w exp((l / 2 − s_iw) / D_w) n_iw) / ‖ … ‖

        V |      ______ v0          s_i: the nearest j that is ahead (n_ij · e_i <= 0) and in the way
          |     /                   (no more than l to the side of the line along e_i)
          |____/__________ s
               l

    with s_ij between centres, n_ij the unit vector from j to i, s_iw from the centre to a surface and n_iw its normal.
    In continuous time nobody comes nearer than l to whom it walks towards. Who has no way to go (e0 = 0: at the goal,
    or not yet started) stands. Of two at one place the higher index counts as ahead along +x.

    Source: Tordeux, Chraibi, Seyfried, Collision-free speed model for pedestrian dynamics (2016), equations 1 to 6,
    which has l = 0.3 m, T = 1 s, v0 = 1.2 m/s, a = 5, D = 0.1 m. Surfaces as in JuPedSim's collision-free speed model
    (a_w = 5, D_w = 0.02 m). The default v0 is Weidmann's free walking speed.

    Args:
        speed: v0, m/s.
        time_gap: T, s.
        length: l, m, size of a walker.
        strength, distance: a, and D in m, of the repulsion by others.
        wall_strength, wall_distance: a_w, and D_w in m, of the repulsion by surfaces.
    """

    speed: Gain = 1.34
    time_gap: Positive = 1.0
    length: Positive = 0.3
    strength: Gain = 5.0
    distance: Positive = 0.1
    wall_strength: Gain = 5.0
    wall_distance: Positive = 0.02

    def reset(self, briefing: Briefing) -> None:
        """Nothing is remembered from one run to the next."""

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        graph, near = view.neighbours, view.near
        return walk(
            graph.indptr, graph.indices, graph.displacement, graph.distance, near.indptr, near.distance + view.radius,
            near.normal, view.route_direction, min(self.speed, view.speed_limit), self.time_gap, self.length,
            self.strength, self.distance, self.wall_strength, self.wall_distance,
        )  # fmt: skip


@kernel
def walk(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, wall_ptr: Ints, wall_distance: Floats,
    wall_normal: Floats, wanted: Floats, speed: float, time_gap: float, length: float, strength: float, decay: float,
    wall_strength: float, wall_decay: float,
) -> Floats:  # fmt: skip
    """Velocities (A, D) m/s of the collision-free speed model.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        wall_ptr, wall_distance, wall_normal: Surfaces nearby in compressed rows, m from the centre.
        wanted: (A, D) unit, e0; zero for who stands.
        speed, time_gap, length: v0 m/s, T s, l m.
        strength, decay, wall_strength, wall_decay: a, D, a_w, D_w.
    """
    agents, dim = wanted.shape
    solid = dim == 3
    velocity = np.zeros((agents, dim))
    for i in range(agents):
        # Plain numbers for the direction: it changes with every neighbour, and an array would be stored every time.
        x, y, z = wanted[i, 0], wanted[i, 1], wanted[i, 2] if solid else 0.0
        if x * x + y * y + z * z == 0.0:
            continue
        for edge in range(indptr[i], indptr[i + 1]):
            push = push_by(distance[edge], length, strength, decay)
            if distance[edge] > 0.0:
                x -= push * displacement[edge, 0]
                y -= push * displacement[edge, 1]
                if solid:
                    z -= push * displacement[edge, 2]
            else:
                x += push if i > indices[edge] else -push
        for edge in range(wall_ptr[i], wall_ptr[i + 1]):
            push = push_by_wall(wall_distance[edge], length, wall_strength, wall_decay)
            x += push * wall_normal[edge, 0]
            y += push * wall_normal[edge, 1]
            if solid:
                z += push * wall_normal[edge, 2]
        square = x * x + y * y + z * z
        if square < TINY:
            x, y, z = wanted[i, 0], wanted[i, 1], wanted[i, 2] if solid else 0.0
        else:
            square = math.sqrt(square)
            x, y, z = x / square, y / square, z / square
        gap = math.inf
        for edge in range(indptr[i], indptr[i + 1]):
            d = distance[edge]
            ahead = x * displacement[edge, 0] + y * displacement[edge, 1]
            if solid:
                ahead += z * displacement[edge, 2]
            if d == 0.0:
                ahead = x if indices[edge] > i else -x
            gap = nearer(gap, d, ahead, length)
        pace = min(speed, max(0.0, (gap - length) / time_gap))
        velocity[i, 0], velocity[i, 1] = pace * x, pace * y
        if solid:
            velocity[i, 2] = pace * z
    return velocity


@kernel
def push_by(distance: float, length: float, strength: float, decay: float) -> float:
    """a exp((l - s) / D) for a metre of displacement, of one at a distance s; for a unit where there is none."""
    push = strength * exponential(min((length - distance) / decay, 100.0))
    return push / distance if distance > 0.0 else push


@kernel
def push_by_wall(distance: float, length: float, strength: float, decay: float) -> float:
    """a_w exp((l / 2 - s) / D_w) of a surface at a distance s."""
    return strength * exponential(min((0.5 * length - distance) / decay, 100.0))


@kernel
def nearer(gap: float, distance: float, ahead: float, length: float) -> float:
    """The gap ahead, m, when there also is somebody at a distance, of which so many metres are ahead.

    One at no distance is straight ahead or straight behind.
    """
    aside = distance * distance - ahead * ahead if distance > 0.0 else 0.0
    in_way = (ahead >= 0.0) & (aside <= length * length) & (distance < gap)  # without a branch to be guessed
    return distance if in_way else gap
