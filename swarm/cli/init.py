"""`swarm init`: a first mission, a controller to edit, and jobs that fly it at every push."""

from __future__ import annotations

import argparse
import shlex
from importlib import resources
from pathlib import Path
from typing import Any

# What is written, and the file in swarm/starter it is written from.
FILES = {
    "my.mission.toml": "my.mission.toml",
    "my_controller.py": "my_controller.py",
    ".github/workflows/missions.yml": "github.yml",
    ".gitlab-ci.yml": "gitlab.yml",
}


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "init", help="write a first mission, a controller to edit, and jobs that fly it",
        description="Write a first mission, a controller to edit, and a GitHub and a GitLab job that fly it at every "
        "push. Nothing is written when one of the files exists.",
        epilog="example: swarm init my-swarm",
    )  # fmt: skip
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="default: this one")
    return parser


def call(options: argparse.Namespace) -> int:
    """Write all files or none, and say what to do next."""
    from swarm.errors import BadInput

    folder: Path = options.folder
    paths = [folder / name for name in FILES]
    taken = [path for path in paths if path.exists() or path.is_symlink()]
    if taken:
        raise BadInput(*(f"{path}: exists already, nothing was written" for path in taken))
    _write(folder)
    for path in paths:
        print(f"wrote {path}")
    project = next((place for place in folder.resolve().parents if (place / ".git").exists()), None)
    if project is not None and not (folder / ".git").exists():
        print(f"GitHub and GitLab look for their jobs in {project}: move .github and .gitlab-ci.yml there")
    there = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    print(f"next: {there}swarm run my.mission.toml")
    return 0


def _write(folder: Path) -> None:
    """Write every file; what was made is taken away again when one cannot be written."""
    from swarm.errors import BadInput
    from swarm.output import write_text

    made: list[Path] = []
    try:
        for name, source in FILES.items():
            path = folder / name
            for parent in reversed(path.parents):
                if not parent.exists():
                    parent.mkdir()
                    made.append(parent)
            write_text(path, resources.files("swarm.starter").joinpath(source).read_text(encoding="utf-8"))
            made.append(path)
    except (OSError, BadInput) as fault:
        for path in reversed(made):
            path.rmdir() if path.is_dir() else path.unlink()
        line = str(fault) if isinstance(fault, BadInput) else f"{fault.filename}: {fault.strerror}"
        raise BadInput(f"{line}; nothing was written") from None
