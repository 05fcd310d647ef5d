"""The pictures that every recorded run leaves behind."""

from __future__ import annotations

from pathlib import Path

from swarm.mission import Mission
from swarm.plots import style
from swarm.plots.flock import draw_flock
from swarm.plots.flown import flown
from swarm.plots.hero import draw_hero
from swarm.plots.paths import draw_paths
from swarm.plots.snapshots import draw_snapshots
from swarm.plots.timeline import draw_timeline
from swarm.result import Result


def write_pictures(folder: Path, mission: Mission, result: Result) -> None:
    """Write flight.png (in perspective), paths.png (from above and from the side) and timeline.png of a run.

    Of a crowd, flight.png shows the end with direction marks, and paths.png start, middle and end.

    Args:
        folder: Where to; it exists.
        mission: What was flown.
        result: What came of it, recording included.

    Raises:
        BadInput: The folder cannot be written to.
    """
    flight = flown(mission, result)
    with style.styled():
        if flight.crowd:
            style.save(draw_flock(flight), folder / "flight.png")
            style.save(draw_snapshots(flight), folder / "paths.png")
        else:
            style.save(draw_hero(flight), folder / "flight.png")
            style.save(draw_paths(flight), folder / "paths.png")
        style.save(draw_timeline(flight), folder / "timeline.png")
