"""Pixels to an MP4 or GIF file, whole or not at all, without a system ffmpeg."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.output import whole_file
from swarm.state import Floats

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]  # (height, width, 3 or 4)
ENDINGS = (".mp4", ".gif")


class Format(NamedTuple):
    """Size and pace of one kind of file."""

    width: int  # pixels
    height: int
    dpi: float  # pixels an inch: what counts is how large text is
    fps: int  # frames a second
    longest: float  # s; a longer flight is played faster


def moments(time: Floats, kind: Format, pace: float = 1.0) -> Floats:
    """(F,) s, the flight time that each frame shows; evenly spaced, the first and the last sample included.

    Args:
        time: (T,) s.
        kind: Of the file.
        pace: Simulated seconds shown in a second; more where the film would be longer than `kind.longest`.
    """
    span = float(time[-1] - time[0])
    pace = max(pace, span / kind.longest)
    count = max(1, round(span / pace * kind.fps))
    return np.linspace(float(time[0]), float(time[-1]), count + 1)


def write_frames(path: Path, pictures: Iterator[Pixels], kind: Format, swatches: Sequence[str], what: str) -> None:
    """Write pictures as a film.

    Args:
        path: Ends in .mp4 or .gif.
        pictures: (height, width, 3 or 4) each; the same bytes always make the same GIF.
        kind: Their size and pace.
        swatches: Colours that a GIF must hold beside those of the first picture.
        what: The option that named the file, for messages.

    Raises:
        BadInput: The file cannot be written, or there is no ffmpeg for this machine.
    """
    if path.suffix.lower() == ".mp4":
        _write_mp4(path, pictures, kind, what)
    else:
        _write_gif(path, pictures, kind, swatches)


def _write_mp4(path: Path, pictures: Iterator[Pixels], kind: Format, what: str) -> None:
    import imageio_ffmpeg

    first = next(pictures)
    pixels = "rgba" if first.shape[2] == 4 else "rgb24"
    with tempfile.TemporaryDirectory(prefix="swarm-video-") as folder:
        encoded = Path(folder) / "video.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(encoded), (kind.width, kind.height), pix_fmt_in=pixels, fps=kind.fps, codec="libx264",
            macro_block_size=2, ffmpeg_log_level="error",
            output_params=["-crf", "20", "-preset", "veryfast", "-movflags", "+faststart", "-fflags", "+bitexact"],
        )  # fmt: skip
        try:
            writer.send(None)
            writer.send(np.ascontiguousarray(first))
            for picture in pictures:
                writer.send(np.ascontiguousarray(picture))
        except (RuntimeError, OSError) as error:
            raise BadInput(f"{what}: {path}: no MP4 can be written here ({error}); a .gif needs no ffmpeg") from None
        finally:
            writer.close()
        with whole_file(path) as file:
            file.write(encoded.read_bytes())


def _write_gif(path: Path, pictures: Iterator[Pixels], kind: Format, swatches: Sequence[str]) -> None:
    """One palette for all frames, so that what stands still costs nothing."""
    from PIL import Image

    def plain(picture: Pixels) -> Image.Image:
        return Image.fromarray(np.ascontiguousarray(picture[..., :3]), "RGB")

    first = plain(next(pictures))
    palette = _with_swatches(first, swatches).quantize(colors=200, dither=Image.Dither.NONE)
    still = first.quantize(palette=palette, dither=Image.Dither.NONE)
    moving = (plain(picture).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    with whole_file(path) as file:
        still.save(
            file, format="GIF", save_all=True, append_images=moving, duration=1000 // kind.fps, loop=0, optimize=False
        )


def _with_swatches(picture: Image.Image, colors: Sequence[str]) -> Image.Image:
    """The first frame above all colours that later ones may need, strong to faint."""
    from PIL import Image, ImageColor

    strong = np.array([ImageColor.getrgb(color) for color in colors]) / 255.0
    faint = np.linspace(1.0, 0.1, 8)[:, None, None]
    swatches = np.rint(255 * (faint * strong + (1.0 - faint))).astype(np.uint8)
    across = -(-picture.width // swatches.shape[1])
    band = np.repeat(np.repeat(swatches, 20, axis=0), across, axis=1)[:, : picture.width]
    return Image.fromarray(np.concatenate([np.asarray(picture), band]), "RGB")
