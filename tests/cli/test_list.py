"""`swarm list` shows every registry."""

from __future__ import annotations

import pytest

from swarm import controllers
from swarm.bodies import BODIES
from swarm.cli.listing import KINDS
from swarm.cli.main import main
from swarm.library import library
from swarm.metrics import METRICS
from swarm.worlds import world_names
from swarm.worlds.meshes.files import MESHES

EXPECTED = {
    "missions": list(library()), "worlds": world_names(), "controllers": list(controllers.CONTROLLERS),
    "rules": list(controllers.RULES), "metrics": list(METRICS), "bodies": list(BODIES),
    "meshes": [path.name for path in MESHES.iterdir()],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_registered_name_is_listed(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", kind]) == 0
    first_words = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].strip()]
    assert set(EXPECTED[kind]) <= set(first_words)


def test_without_a_kind_all_names_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for names in EXPECTED.values() for name in names)


def test_no_command_and_an_unknown_one_are_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2


@pytest.mark.parametrize("command", ["run", "list", "show", "check", "bench"])
def test_help_of_each_command_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "-h"])
    assert caught.value.code == 0
    assert "example: swarm " in capsys.readouterr().out


def test_a_mistake_of_ours_is_exit_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("swarm.catalogue.catalogue", lambda kind: 1 / 0)
    assert main(["list", "worlds"]) == 3
    assert "ZeroDivisionError" in capsys.readouterr().err
