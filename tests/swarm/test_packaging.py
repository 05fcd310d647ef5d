"""What is in the tree is in the wheel."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = {"swarm": "swarm", "worlds": "swarm.worlds", "controllers": "swarm.controllers", "envs": "swarm.envs"}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib")
def test_every_package_and_data_file_of_the_tree_is_listed() -> None:
    import tomllib

    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    found = {"swarm.benchmarks"}
    for folder, package in PARTS.items():
        for path in (ROOT / folder).rglob("*.py"):
            found.add(".".join([package, *path.parent.relative_to(ROOT / folder).parts]))
    assert set(setup["packages"]) == found
    folders = {package: folder for folder, package in PARTS.items()} | {"swarm.starter": "swarm/starter"}
    folders = {package: folder for folder, package in PARTS.items()} | {"swarm.starter": "swarm/starter"}
    data = {
        path
        for package, patterns in setup["package-data"].items()
        for pattern in patterns
        for path in (ROOT / folders[package]).glob(pattern)
    }
    files = {
        path
        for folder in PARTS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".py" and path.parent.name != "__pycache__"
    }
    assert files == data


def test_versions_agree() -> None:
    import swarm

    line = next(line for line in (ROOT / "pyproject.toml").read_text().splitlines() if line.startswith("version"))
    assert f'"{swarm.__version__}"' in line
