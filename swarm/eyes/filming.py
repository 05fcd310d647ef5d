"""A recorded flight as seen by a camera, as MP4 or GIF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.eyes.cameras import Camera, make_camera
from swarm.eyes.footage import Footage, footage
from swarm.eyes.lens import Lens
from swarm.eyes.picture import NOTHING, Picture
from swarm.eyes.scenery import TALL, lifted
from swarm.eyes.stage import Cast, Marks, Stage
from swarm.eyes.trails import Trails
from swarm.mission import Mission
from swarm.plots.encode import ENDINGS, Format, moments, write_frames
from swarm.recording import Trajectory
from swarm.result import Result

FORMATS = {".mp4": Format(640, 360, 100.0, 20, 300.0), ".gif": Format(480, 270, 100.0, 10, 60.0)}
FINE = 2  # a camera that stands still has time to draw pixels in quarters
LOW_SKY, HIGH_SKY = np.array([238.0, 243.0, 246.0]), np.array([176.0, 204.0, 226.0])
HAZE = 0.45  # share of the sky's colour in what is as far away as the world is long


def film(
    flown: Result | Trajectory, mission: Mission, path: Path, view: str | Lens = "chase", seed: int | None = None
) -> None:
    """Film a recorded flight.

    Args:
        flown: A result with its recording, or a recording.
        mission: What was flown.
        path: Ends in .mp4 (640 x 360, 20 frames a second) or .gif (480 x 270, 10 frames a second).
        view: chase, top, fixed, onboard, onboard:K for agent K, or the lens of a camera that stands still.
        seed: Of the run, where only the recording is given; None takes the mission's.

    Raises:
        BadInput: Another ending, no such view or agent, no recording, or the file cannot be written.

    Example:
        >>> result = swarm.run("five-drone-formation", seed=0)
        >>> swarm.eyes.film(result, swarm.load_mission("five-drone-formation"), Path("flight.mp4"))
    """
    path = Path(path)
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise BadInput(f"--camera: expected a file ending in {' or '.join(ENDINGS)}, got {path}")
    from swarm.plots import style

    scene = scene_of(flown, mission, kind, seed)
    camera = make_camera(view, scene, kind.height / kind.width)
    label = f"{mission.name}   {view}" if isinstance(view, str) else mission.name
    pictures = (
        labelled(picture, scene, frame, label) for frame, picture in enumerate(shoot(scene, camera, mission, kind))
    )
    write_frames(path, pictures, kind, [*style.AGENTS, style.FAULT, style.GOAL, style.INK, "#B0CCE2"], "--camera")


def scene_of(flown: Result | Trajectory, mission: Mission, kind: Format, seed: int | None = None) -> Footage:
    """What happens in each frame of a film of this kind."""
    recording = flown.trajectory if isinstance(flown, Result) else flown
    if recording is None:
        raise BadInput("film: the result holds no recording")
    body = flown.body if isinstance(flown, Result) else mission.body.body
    number = flown.seed if isinstance(flown, Result) else mission.seed if seed is None else seed
    world = mission.build_world(number, body)
    target = getattr(mission.task, "target", None)
    place = None if target is None or len(target) != world.dim else lifted(target, 0.5 * TALL)
    return footage(world, hull_radius(mission), recording, moments(recording.time, kind), place, body == "drone")


def hull_radius(mission: Mission) -> float:
    """m, of the mission's agents."""
    from swarm.bodies.drone.models import CF2X, MODELS

    return MODELS.get(mission.body.model or "", CF2X).airframe.hull_radius


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


def under_the_sky(picture: Picture, lens: Lens, scene: Footage) -> NDArray[np.uint8]:
    """The picture with a sky where there is nothing, and a little of it over what is far away."""
    height, width = picture.depth.shape
    right, up = lens.slopes(width, height)
    side, top, ahead = lens.axes
    rise = ahead[2] + right[None, :] * side[2] + up[:, None] * top[2]
    share = np.clip(1.4 * rise / np.sqrt(1.0 + right[None, :] ** 2 + up[:, None] ** 2), 0.0, 1.0).astype(np.float32)
    sky = (LOW_SKY + share[..., None] * (HIGH_SKY - LOW_SKY)).astype(np.float32)
    size = float(np.linalg.norm(scene.world.bounds[1] - scene.world.bounds[0]))
    behind = 0.0 if lens.near < 1.0 else lens.near  # a camera far outside has clear air before it
    haze = (HAZE * np.clip((picture.depth - 5.0 * behind) / size, 0.0, 1.0)).astype(np.float32)
    haze[picture.depth >= np.float32(lens.far)] = 1.0
    found = picture.rgb + haze[..., None] * (sky - picture.rgb)
    return np.asarray(np.rint(found).astype(np.uint8))


def labelled(picture: NDArray[np.uint8], scene: Footage, frame: int, label: str) -> NDArray[np.uint8]:
    """The picture with the time and a label in its corner."""
    from PIL import Image, ImageDraw

    page = Image.fromarray(picture, "RGB")
    draw = ImageDraw.Draw(page, "RGBA")
    alive = int(scene.alive[frame].sum())
    text = f"t = {scene.time[frame]:5.1f} s   {label}"
    if alive < scene.count:
        text += f"   {alive} of {scene.count} alive"
    letters = _letters(max(10, picture.shape[0] // 27))
    left, top, right, bottom = draw.textbbox((8, 5), text, font=letters)
    draw.rectangle((left - 5, top - 3, right + 5, bottom + 3), fill=(255, 255, 255, 170))
    draw.text((8, 5), text, font=letters, fill=(34, 48, 60, 255))
    return np.asarray(page)


def _letters(size: int) -> Any:
    """The same on every machine: matplotlib brings them along."""
    import matplotlib
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), size)
