"""Write a flight as MP4 or GIF, at the speed it was flown, without a display or a system ffmpeg."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.colors import to_rgba_array

from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.output import whole_file
from swarm.plots import style
from swarm.plots.animation import Pixels, frames
from swarm.plots.flown import flown
from swarm.result import Result
from swarm.state import Floats

if TYPE_CHECKING:
    from PIL import Image


class Format(NamedTuple):
    """Size and pace of one kind of file."""

    width: int  # pixels
    height: int
    dpi: float  # pixels an inch: what counts is how large text is
    fps: int  # frames a second
    longest: float  # s; a longer flight is played faster


FORMATS = {".mp4": Format(1280, 720, 100.0, 25, 300.0), ".gif": Format(800, 450, 76.0, 10, 60.0)}


def write_video(path: Path, mission: Mission, result: Result) -> None:
    """Render a run.

    Args:
        path: Ends in .mp4 (1280 x 720, 25 frames a second) or .gif (800 x 450, 10 frames a second).
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
        pictures = frames(flight, moments(flight.time, kind), (kind.width, kind.height), kind.dpi)
        if path.suffix.lower() == ".mp4":
            _write_mp4(path, pictures, kind)
        else:
            _write_gif(path, pictures, kind)


def moments(time: Floats, kind: Format) -> Floats:
    """(F,) s, the flight time that each frame shows; evenly spaced, the first and the last sample included."""
    span = float(time[-1] - time[0])
    pace = max(1.0, span / kind.longest)
    count = max(1, round(span / pace * kind.fps))
    return np.linspace(float(time[0]), float(time[-1]), count + 1)


def _write_mp4(path: Path, pictures: Iterator[Pixels], kind: Format) -> None:
    import imageio_ffmpeg

    with tempfile.TemporaryDirectory(prefix="swarm-video-") as folder:
        encoded = Path(folder) / "video.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(encoded), (kind.width, kind.height), pix_fmt_in="rgba", fps=kind.fps, codec="libx264",
            macro_block_size=2, ffmpeg_log_level="error",
            output_params=["-crf", "20", "-preset", "veryfast", "-movflags", "+faststart", "-fflags", "+bitexact"],
        )  # fmt: skip
        try:
            writer.send(None)
            for picture in pictures:
                writer.send(np.ascontiguousarray(picture))
        except (RuntimeError, OSError) as error:
            raise BadInput(f"--video: {path}: no MP4 can be written here ({error}); a .gif needs no ffmpeg") from None
        finally:
            writer.close()
        with whole_file(path) as file:
            file.write(encoded.read_bytes())


def _write_gif(path: Path, pictures: Iterator[Pixels], kind: Format) -> None:
    """One palette for all frames, so that what stands still costs nothing."""
    from PIL import Image

    def plain(picture: Pixels) -> Image.Image:
        return Image.fromarray(np.ascontiguousarray(picture[..., :3]), "RGB")

    first = plain(next(pictures))
    palette = _with_swatches(first).quantize(colors=200, dither=Image.Dither.NONE)
    still = first.quantize(palette=palette, dither=Image.Dither.NONE)
    moving = (plain(picture).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    with whole_file(path) as file:
        still.save(
            file, format="GIF", save_all=True, append_images=moving, duration=1000 // kind.fps, loop=0, optimize=False
        )


def _with_swatches(picture: Image.Image) -> Image.Image:
    """The first frame above all colours that later ones may need: agents', faults', strong to faint."""
    from PIL import Image

    colors = to_rgba_array([*style.AGENTS, style.FAULT, style.GOAL, style.INK])[:, :3]
    faint = np.linspace(1.0, 0.1, 8)[:, None, None]
    swatches = np.rint(255 * (faint * colors + (1.0 - faint))).astype(np.uint8)
    across = -(-picture.width // swatches.shape[1])
    band = np.repeat(np.repeat(swatches, 20, axis=0), across, axis=1)[:, : picture.width]
    return Image.fromarray(np.concatenate([np.asarray(picture), band]), "RGB")
