"""Every example runs."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from swarm import examples

NAMES = [module.name for module in pkgutil.iter_modules(examples.__path__)]


@pytest.mark.parametrize("name", NAMES)
def test_example_runs_and_says_something(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(f"swarm.examples.{name}").main()
    assert capsys.readouterr().out.strip()
