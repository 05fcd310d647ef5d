"""A recorded flight as seen by a camera, as MP4 or GIF."""

from __future__ import annotations

from pathlib import Path

from swarm.errors import BadInput
from swarm.eyes.cameras import make_camera
from swarm.eyes.finish import labelled
from swarm.eyes.footage import Footage, footage
from swarm.eyes.lens import Lens
from swarm.eyes.scenery import TALL, lifted
from swarm.eyes.takes import shoot
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.plots.encode import ENDINGS, Format, moments, write_frames
from swarm.recording import Trajectory
from swarm.result import Result
from swarm.transfer.mission import as_flown

FORMATS = {".mp4": Format(640, 360, 100.0, 20, 300.0), ".gif": Format(480, 270, 100.0, 10, 60.0)}


def film(
    flown: Result | Trajectory,
    mission: Mission | str | Path,
    path: Path | str,
    view: str | Lens = "chase",
    seed: int | None = None,
) -> None:
    """Film a recorded flight.

    Args:
        flown: A result with its recording, or a recording.
        mission: What was flown: a mission, a library name or a path.
        path: Ends in .mp4 (640 x 360, 20 frames a second) or .gif (480 x 270, 10 frames a second).
        view: chase, top, fixed, onboard, onboard:K for agent K, or the lens of a camera that stands still.
        seed: Of the run, where only the recording is given; None takes the mission's.

    Raises:
        BadInput: Another ending, no such view or agent, no recording, or the file cannot be written.

    Example:
        >>> result = swarm.run("five-drone-formation", seed=0)
        >>> swarm.eyes.film(result, "five-drone-formation", "flight.mp4")
    """
    path = Path(path)
    if not isinstance(mission, Mission):
        mission = load_mission(mission)
    if isinstance(flown, Result):
        mission = as_flown(mission, flown.body, flown.engine)
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
    mission = as_flown(mission, body)
    number = flown.seed if isinstance(flown, Result) else mission.seed if seed is None else seed
    world = mission.build_world(number, body)
    target = getattr(mission.task, "target", None)
    place = None if target is None or len(target) != world.dim else lifted(target, 0.5 * TALL)
    return footage(world, hull_radius(mission), recording, moments(recording.time, kind), place, body == "drone")


def hull_radius(mission: Mission) -> float:
    """m, of the mission's agents."""
    from swarm.bodies.drone.models import CF2X, MODELS

    return MODELS.get(mission.body.model or "", CF2X).airframe.hull_radius
