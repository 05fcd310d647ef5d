"""The missions that come with the package."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "missions"


def library() -> dict[str, Path]:
    """Name and file of every library mission, in alphabetical order."""
    return {path.name.removesuffix(".toml"): path for path in sorted(FOLDER.glob("*.toml"))}
