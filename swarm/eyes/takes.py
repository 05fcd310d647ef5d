"""The pictures of a film, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from swarm.eyes.cameras import Camera
from swarm.eyes.finish import under_the_sky
from swarm.eyes.footage import Footage
from swarm.eyes.picture import NOTHING, Picture
from swarm.eyes.props import Cast, Marks
from swarm.eyes.stage import Stage
from swarm.eyes.trails import Trails
from swarm.mission import Mission
from swarm.plots.encode import Format

FINE = 2  # a camera that stands still has time to draw pixels in quarters


def shoot(scene: Footage, camera: Camera, mission: Mission, kind: Format) -> Iterator[NDArray[np.uint8]]:
    """(height, width, 3) pictures, one a frame."""
    cast = Cast(scene.count, scene.radius * magnified(scene, camera), scene.attitude is not None)
    radius = getattr(mission.task, "radius", 0.5)
    marks = Marks(scene.target, float(radius) if isinstance(radius, (int, float)) else 0.5)
    taken = _still if camera.still else _moving
    return taken(scene, camera, cast, marks, (kind.width, kind.height))


def magnified(scene: Footage, camera: Camera) -> float:
    """How much larger than they are agents are drawn so as to be seen, though never into each other."""
    pixels = []  # a metre
    for frame in np.linspace(0, len(scene.time) - 1, 9).astype(int).tolist():
        lens = camera.lens(frame)
        away = float((scene.position[frame].mean(axis=0) - lens.eye) @ lens.axes[2])
        pixels.append(320.0 / np.tan(np.radians(lens.field_of_view) / 2.0) / max(away, 0.1))
    wanted = camera.agent_pixels / (2.0 * scene.radius * float(np.median(pixels)))
    spacing = np.inf
    if scene.count > 1:
        some = scene.position[0, : min(scene.count, 300)]
        apart = np.linalg.norm(some[:, None] - some, axis=2) + np.diag(np.full(len(some), np.inf))
        spacing = float(np.median(apart.min(axis=1)))
    return float(np.clip(min(wanted, 0.5 * spacing / (2.0 * scene.radius)), 1.0, camera.magnify))


def _moving(
    scene: Footage, camera: Camera, cast: Cast, marks: Marks, size: tuple[int, int]
) -> Iterator[NDArray[np.uint8]]:
    stage = Stage(scene.world, cast, marks=marks)
    try:
        for frame in range(len(scene.time)):
            _show(stage, scene, frame)
            stage.hide(camera.hidden(frame))
            lens = camera.lens(frame)
            yield under_the_sky(stage.picture(lens, *size), lens, scene)
    finally:
        stage.close()


def _still(
    scene: Footage, camera: Camera, cast: Cast, marks: Marks, size: tuple[int, int]
) -> Iterator[NDArray[np.uint8]]:
    """What does not move is drawn once, and what moves put before or behind it."""
    lens, (width, height) = camera.lens(0), (FINE * size[0], FINE * size[1])
    stage = Stage(scene.world, cast, marks=marks, moving=False)
    behind = stage.picture(lens, width, height)
    stage.close()
    canvas = under_the_sky(behind, lens, scene)
    coarse = _coarser(canvas)
    trails = Trails(scene, lens, behind.depth[::FINE, ::FINE])
    stage = Stage(scene.world, cast, marks=marks, still=False)
    try:
        for frame in range(len(scene.time)):
            _show(stage, scene, frame)
            with_trails = trails.draw(coarse, frame)
            picture = with_trails.copy()
            before = stage.picture(lens, width, height)
            rows, columns = _seen(before)
            rgb, depth = before.rgb[rows, columns], before.depth[rows, columns]
            nearer = (before.segmentation[rows, columns] != NOTHING) & (depth < behind.depth[rows, columns])
            # What moves covers some of the fine pixels in each coarse one; the others keep the trails.
            small = (_coarse(rows), _coarse(columns))
            under = np.repeat(np.repeat(with_trails[small], FINE, axis=0), FINE, axis=1)
            under = np.where(
                under == np.repeat(np.repeat(coarse[small], FINE, axis=0), FINE, axis=1), canvas[rows, columns], under
            )
            picture[small] = _coarser(np.where(nearer[..., None], rgb, under))
            yield picture
    finally:
        stage.close()


def _show(stage: Stage, scene: Footage, frame: int) -> None:
    attitude = None if scene.attitude is None else scene.attitude[frame]
    stage.show(float(scene.time[frame]), scene.position[frame], scene.velocity[frame], attitude, scene.alive[frame])


def _seen(picture: Picture) -> tuple[slice, slice]:
    """The smallest block of whole coarse pixels in which anything is seen."""
    seen = picture.depth < picture.depth.max() if picture.depth.size else np.zeros((0, 0), bool)
    block = []
    for axis in (1, 0):
        where = np.flatnonzero(seen.any(axis=axis))
        first, last = (int(where[0]), int(where[-1])) if len(where) else (0, -1)
        block.append(slice(first // FINE * FINE, (last // FINE + 1) * FINE))
    return block[0], block[1]


def _coarse(part: slice) -> slice:
    return slice(part.start // FINE, part.stop // FINE)


def _coarser(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = picture.shape[0] // FINE, picture.shape[1] // FINE
    blocks = picture.reshape(height, FINE, width, FINE, 3).astype(np.uint16).sum(axis=(1, 3))
    return np.asarray((blocks + FINE * FINE // 2) // (FINE * FINE), np.uint8)
