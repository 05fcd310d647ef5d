"""What the package holds by name, as tables for `swarm list`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, fields

from swarm import controllers
from swarm.bodies import BODIES
from swarm.library import library
from swarm.metrics import METRICS
from swarm.schema import read_toml


@dataclass(frozen=True)
class Catalogue:
    """One kind of named things."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n")[0].rstrip(".:")


def _loaded(reference: str) -> object:
    module, name = reference.split(":")
    return getattr(importlib.import_module(module), name)


def _classes(registry: Mapping[str, str]) -> Catalogue:
    rows = []
    for name, reference in registry.items():
        cls = _loaded(reference)
        parameters = ", ".join(f.name for f in fields(cls) if f.init)  # type: ignore[arg-type]
        rows.append((name, _first_line(cls), parameters))
    return Catalogue(("name", "what it does", "parameters"), tuple(rows))


def catalogue(kind: str) -> Catalogue:
    """The named things of one kind: missions, worlds, controllers, rules, metrics or bodies."""
    if kind == "missions":
        rows = []
        for name, path in library().items():
            table = read_toml(path)
            swarm, task = table["swarm"], table.get("task", {"kind": "flock"})
            rows.append((name, f"{swarm['count']} {swarm.get('body', 'drone')}s", table["controller"]["use"],
                         task["kind"], str(table["world"].get("use", "inline"))))  # fmt: skip
        return Catalogue(("name", "swarm", "controller", "task", "world"), tuple(rows))
    if kind == "worlds":
        from swarm.worlds.file import LIBRARY, world_names

        rows_of_worlds = []
        for name in world_names():
            first = (LIBRARY / f"{name}.toml").read_text().split("\n", 1)[0].lstrip("# ")
            rows_of_worlds.append((name, first))
        return Catalogue(("name", "what it is"), tuple(rows_of_worlds))
    if kind == "controllers":
        return _classes(controllers.CONTROLLERS)
    if kind == "rules":
        return _classes(controllers.RULES)
    if kind == "metrics":
        return Catalogue(
            ("name", "unit", "better", "what it is"),
            tuple((m.name, m.unit, m.better, m.formula) for m in METRICS.values()),
        )
    return Catalogue(
        ("body", "engines", "models"),
        tuple((name, ", ".join(body.engines) or "-", ", ".join(body.models) or "-") for name, body in BODIES.items()),
    )
