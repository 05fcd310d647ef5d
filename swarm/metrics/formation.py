"""How well the swarm holds its formation, wherever the formation is and whichever way it points."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.metrics import fit_kernel
from swarm.metrics.fit_kernel import YAWS
from swarm.metrics.frames import Value, frames, living, period, shortest, unpack
from swarm.metrics.motion_kernel import centroids
from swarm.state import Bools, Floats, Ints

ERROR, DISTANCE_ERROR = range(2)
ALL_SUBSETS = 64  # subsets of slots up to which, with agents lost, every one is tried
STARTS = 12  # yaws to alternate assignment and fit from where there are more
MOST_TURNS = 50  # of assignment and fit from one yaw; a few are needed


def formation_error(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Root mean square distance to the slots after the best rigid fit, without scaling or mirroring:

        min over yaw R, shift t and assignment π of √((1/N) Σ ‖p_i − (R s_π(i) + t)‖²)

    Exact over yaw, shift and assignment together while as many agents live as there are slots, for any N. When some are
    lost the living fit the best of all subsets of slots: exact where these are at most 64, as with up to 7 slots or one
    lost of up to 64; else assignment and fit are alternated from 12 yaws, which may end a little above the least.

    Args:
        position: (N, D) or (T, N, D) m.
        formation: (M, D) m slots, M >= number of living agents.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap.

    Returns:
        m; 0 for nobody. For scale: five in single file at 1 m score 0.67 against a V at 1 m.
    """
    return unpack(_fitted(position, formation, alive, box)[0][:, ERROR], position)


def formation_distance_error(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """How far pair distances are from those of the slots assigned: √(2 Σ_{i<j} (d_ij − d*_ij)² / (N (N − 1))).

    Arguments as for `formation_error`, whose assignment is used. m; 0 for fewer than two agents.
    """
    return unpack(_fitted(position, formation, alive, box)[0][:, DISTANCE_ERROR], position)


def assigned_slots(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Ints:
    """The slot of each agent in the best fit, (N,) or (T, N); -1 for the lost. Arguments as for `formation_error`."""
    slots = _fitted(position, formation, alive, box)[1]
    return slots[0] if np.ndim(position) == 2 else slots


def _fitted(
    position: ArrayLike, formation: ArrayLike, alive: ArrayLike | None, box: ArrayLike | None
) -> tuple[Floats, Ints]:
    where = frames("position", position)
    there, wrap = living(alive, where), period(box, where.shape[2])
    return fit_samples(where, centroids(where, there, wrap), there, wrap, places(formation, where.shape[2]))


def places(formation: ArrayLike, dim: int) -> Floats:
    """(M, 3) m slots about their centroid; a level formation has height 0."""
    slots = np.asarray(formation, np.float64)
    if slots.ndim != 2 or slots.shape[1] != dim or not np.isfinite(slots).all():
        raise BadInput(f"formation: expected rows of {dim} finite numbers, got an array of shape {slots.shape}")
    place = np.zeros((len(slots), 3))
    place[:, :dim] = slots - slots.mean(axis=0) if len(slots) else slots
    return place


def fit_samples(position: Floats, middle: Floats, alive: Bools, box: Floats, place: Floats) -> tuple[Floats, Ints]:
    """Errors (T, 2) and slots (T, N); `middle` (T, D) m is near the centroid, `place` (M, 3) from `places`."""
    samples, agents, dim = position.shape
    errors, slots = np.zeros((samples, 2)), np.full((samples, agents), -1)
    offset = np.zeros((samples, agents, 3))
    offset[..., :dim] = shortest(position - middle[:, None], box)
    count = alive.sum(axis=1)
    for left in np.unique(count).tolist():
        taken = np.flatnonzero(count == left)
        if left > len(place):
            raise BadInput(f"formation: expected at least {left} slots, one for each living agent, got {len(place)}")
        if left == 0:
            continue
        who = np.nonzero(alive[taken])[1].reshape(len(taken), left)
        here = offset[taken[:, None], who]
        here -= here.mean(axis=1, keepdims=True)
        chosen, yaw = fit_full(here, place) if left == len(place) else fit_partly(here, place)
        errors[taken] = residual(here, place, chosen, yaw)
        slots[taken[:, None], who] = chosen
    return errors, slots


def residual(here: Floats, place: Floats, chosen: Ints, yaw: Floats) -> Floats:
    """(T, 2) m: root mean square distance to the slots, and that of the pair distances."""
    wanted = place[chosen]
    wanted -= wanted.mean(axis=1, keepdims=True)
    cosine, sine = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    x, y = wanted[..., 0].copy(), wanted[..., 1].copy()
    wanted[..., 0], wanted[..., 1] = cosine * x - sine * y, sine * x + cosine * y
    missed = here - wanted
    errors = np.empty((len(here), 2))
    errors[:, ERROR] = np.sqrt(np.einsum("tik,tik->t", missed, missed) / here.shape[1])
    stretch = _apart(here) - _apart(wanted)
    pairs = max(here.shape[1] * (here.shape[1] - 1), 1)
    errors[:, DISTANCE_ERROR] = np.sqrt(np.einsum("tij,tij->t", stretch, stretch) / pairs)
    return errors


def _apart(points: Floats) -> Floats:
    step = points[:, :, None] - points[:, None]
    distance: Floats = np.sqrt(np.einsum("tijk,tijk->tij", step, step))
    return distance


def fit_full(here: Floats, place: Floats) -> tuple[Ints, Floats]:
    """Slots (T, N) and yaws (T,) of the best fit of all slots; both sides about their centroid."""
    count = len(place)
    scratch = np.empty((4, count, count)), np.empty((4, count)), np.empty((YAWS, 5)), np.empty((YAWS, 2), np.int64)
    chosen, yaw = fit_kernel.fit(here, place, *scratch)
    return chosen, yaw


def fit_partly(here: Floats, place: Floats) -> tuple[Ints, Floats]:
    """Slots (T, n) and yaws (T,) of the best fit of n agents to some of the slots."""
    samples, count = here.shape[:2]
    best, yaws = np.full(samples, np.inf), np.zeros(samples)
    slots = np.zeros((samples, count), np.int64)

    def keep(chosen: Ints, yaw: Floats) -> None:
        error = residual(here, place, chosen, yaw)[:, ERROR]
        better = error < best
        best[better], yaws[better], slots[better] = error[better], yaw[better], chosen[better]

    if math.comb(len(place), count) <= ALL_SUBSETS:
        for subset in itertools.combinations(range(len(place)), count):
            some = place[list(subset)]
            chosen, yaw = fit_full(here, some - some.mean(axis=0))
            keep(np.asarray(subset)[chosen], yaw)
    else:
        for start in range(STARTS):
            ends = [_alternated(sample, place, 2.0 * np.pi * start / STARTS) for sample in here]
            keep(np.array([chosen for chosen, _ in ends]), np.array([yaw for _, yaw in ends]))
    return slots, yaws


def _alternated(here: Floats, place: Floats, yaw: float) -> tuple[Ints, float]:
    """Alternate assignment and fit from one yaw until the assignment stays."""
    count, slots = len(here), len(place)
    row_of, column_of, work = np.empty(slots, np.int64), np.empty(count, np.int64), np.empty((4, slots))
    chosen, middle = np.full(count, -1), np.zeros(3)
    for _ in range(MOST_TURNS):
        cosine, sine = math.cos(yaw), math.sin(yaw)
        turned = (place - middle) @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        step = here[:, None] - turned
        fit_kernel.assign(np.einsum("ijk,ijk->ij", step, step), count, slots, row_of, column_of, work)
        if (column_of == chosen).all():
            break
        chosen = column_of.copy()
        middle = place[chosen].mean(axis=0)
        x, y, _ = (place[chosen] - middle).T
        yaw = math.atan2(float(x @ here[:, 1] - y @ here[:, 0]), float(x @ here[:, 0] + y @ here[:, 1]))
    return chosen, yaw
