"""What the package holds by name, as tables for `swarm list`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import takewhile

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


def _comment(text: str) -> str:
    """What the comment at the head of a file says."""
    return " ".join(line.lstrip("# ") for line in takewhile(lambda line: line.startswith("#"), text.splitlines()))


def _meshes() -> Catalogue:
    from swarm.worlds.meshes.files import MESHES
    from swarm.worlds.meshes.load import load_mesh

    rows = []
    for name in names("meshes"):
        mesh = load_mesh(MESHES / name)
        low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
        reach = ", ".join(f"{axis} {a:.2f} to {b:.2f}" for axis, a, b in zip("xyz", low, high))
        rows.append((name, reach, str(len(mesh.faces)), "yes" if mesh.closed else "no"))
    return Catalogue(("file", "extent in its own axes, m", "faces", "watertight"), tuple(rows))


def names(kind: str) -> tuple[str, ...]:
    """The names of one kind, without looking into what they stand for."""
    if kind == "meshes":
        from swarm.worlds.meshes.files import MESHES

        return tuple(sorted(path.name for path in MESHES.iterdir()))
    return tuple(row[0] for row in catalogue(kind).rows)


def catalogue(kind: str) -> Catalogue:
    """The named things of one kind: missions, worlds, meshes, controllers, rules, metrics or bodies."""
    if kind == "missions":
        rows = []
        for name, path in library().items():
            table = read_toml(path)
            swarm, task = table["swarm"], table.get("task", {"kind": "flock"})
            others = [f"{role.get('count', 1)} {role['role']}" for role in swarm.get("roles", ())]
            who = " + ".join([f"{swarm['count']} {swarm.get('body', 'drone')}s", *others])
            rows.append((name, who, table["controller"]["use"],
                         task["kind"], str(table["world"].get("use", "inline"))))  # fmt: skip
        return Catalogue(("name", "swarm", "controller", "task", "world"), tuple(rows))
    if kind == "worlds":
        from swarm.worlds.file import LIBRARY, world_names

        described = ((name, _comment((LIBRARY / f"{name}.toml").read_text())) for name in world_names())
        return Catalogue(("name", "what it is"), tuple(described))
    if kind == "meshes":
        return _meshes()
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
