"""Write a flight as MP4 or GIF, at the speed it was flown or step by step, without a display or a system ffmpeg."""

from __future__ import annotations

from pathlib import Path

from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.plots import style
from swarm.plots.animation import frames, width_of
from swarm.plots.encode import Format, moments, write_frames
from swarm.plots.flock import pace_of
from swarm.plots.flown import flown
from swarm.plots.pace import STEPS
from swarm.result import Result

FORMATS = {".mp4": Format(1280, 720, 100.0, 25, 300.0), ".gif": Format(800, 450, 76.0, 10, 60.0)}


def write_video(path: Path, mission: Mission, result: Result) -> None:
    """Render a run.

    Args:
        path: Ends in .mp4 (1280 x 720 at most, 25 frames a second, or 20 where each is a step) or .gif (800 x 450 at
            most, 10 frames a second). A plan that is not wide has narrower pictures.
        mission: What was flown.
        result: What came of it, recording included.

    Raises:
        BadInput: Another ending, the file cannot be written, or there is no ffmpeg for this machine.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise BadInput(f"--video: expected a file ending in .mp4 or .gif, got {path}")
    with style.styled():
        flight = flown(mission, result)
        time = flight.time
        times = pace_of(flight)
        if times > 1.0 and kind.fps > STEPS:
            kind = kind._replace(fps=round(STEPS))  # a frame a step: no step is shown longer than another
        times = max(times, float(time[-1] - time[0]) / kind.longest)
        kind = kind._replace(width=width_of(flight, (kind.width, kind.height), kind.dpi))
        pictures = frames(flight, moments(time, kind, times), (kind.width, kind.height), kind.dpi, times)
        write_frames(path, pictures, kind, [*style.AGENTS, style.FAULT, style.GOAL, style.INK], "--video")
