"""`swarm show`: what a mission or a world holds, in words and as a picture."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.cli.options import add_set, seed, settings

if TYPE_CHECKING:
    from swarm.mission import Mission
    from swarm.plots.overview import Plan
    from swarm.simulation import Simulation
    from swarm.worlds.world import World

PLURALS = {"box": "boxes", "mesh": "meshes"}


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "show", help="describe and draw a mission or a world",
        description="Describe a mission or a world; with --out also draw it, from above and from the side.",
        epilog="example: swarm show forest --seed 3 --out forest.png",
    )  # fmt: skip
    parser.add_argument("what", metavar="MISSION|WORLD", help="library name (swarm list) or TOML file")
    parser.add_argument("--seed", type=seed, metavar="N", help="seed of the run, which also makes a generated world")
    add_set(parser)
    parser.add_argument("--out", type=Path, metavar="F.png", help="draw it to this file")
    return parser


def call(options: argparse.Namespace) -> int:
    """Print the summary, draw the picture."""
    from swarm.errors import BadInput
    from swarm.mission_file import load_mission
    from swarm.output import check_writable
    from swarm.simulation import Simulation
    from swarm.worlds import load_world

    faults: list[str] = []
    if options.out is not None:
        if options.out.suffix.lower() != ".png":
            faults.append(f"--out: expected a file ending in .png, got {options.out}")
        else:
            try:
                check_writable(options.out, "--out")
            except BadInput as fault:
                faults.extend(fault.faults)
    plan, world = None, None
    try:
        overrides = settings(options.set)
        if is_mission(options.what):
            mission = load_mission(options.what, overrides)
            with Simulation(mission, options.seed) as sim:
                world, plan = sim.world, plan_of(sim)
                title = f"{mission.name}, seed {sim.seed}"
                lines = [*mission_lines(mission, sim, plan), *world_lines(world)]
        else:
            world = load_world(options.what, options.seed, overrides)
            title = f"{world.name}, seed {options.seed or 0}"
            lines = list(world_lines(world))
    except BadInput as fault:
        faults.extend(fault.faults)
    if faults or world is None:
        raise BadInput(*faults)
    if options.out is not None:
        from swarm.plots.overview import write_overview

        write_overview(options.out, world, title, plan)
        lines.append(f"drawn to {options.out}")
    print("\n".join(lines))
    return 0


def is_mission(what: str) -> bool:
    """Whether a name or file is a mission; else it is a world.

    Raises:
        BadInput: It is neither the name of one nor a file that can be read.
    """
    from swarm.errors import BadInput
    from swarm.library import library
    from swarm.schema import nearest, read_toml
    from swarm.worlds import world_names

    missions, worlds = list(library()), world_names()
    if what in missions:
        return True
    if what in worlds:
        return False
    path = Path(what)
    if not path.exists() and path.suffix != ".toml":
        raise BadInput(
            f"{what}: no such mission, world or file{nearest(what, [*missions, *worlds])}; "
            f"missions: {', '.join(missions)}; worlds: {', '.join(worlds)}"
        )
    return bool({"world", "swarm", "controller", "task", "criteria"} & read_toml(path).keys())


def plan_of(sim: Simulation) -> Plan:
    """Start, formation and way of a simulation that has not moved yet."""
    import numpy as np

    from swarm.plots.overview import Plan

    position, goal = sim.state.position, sim.goal
    middle = position.mean(axis=0)
    ahead = None if goal.target is None else sim.world.space.displacement(middle, goal.target)
    heading = 0.0 if ahead is None else float(np.arctan2(ahead[1], ahead[0]))
    route = None if goal.route is None else goal.route.path(middle)
    return Plan(position, heading, sim.mission.formation_slots(sim.world.dim), sim.mission.task, route)


def mission_lines(mission: Mission, sim: Simulation, plan: Plan) -> Iterator[str]:
    """A mission in words."""
    import numpy as np

    from swarm.cli.report import unit_of
    from swarm.metrics import METRICS

    swarm, body = mission.swarm, mission.body
    yield f"mission {mission.name}: at most {mission.duration:g} s, seed {sim.seed}"
    made = ", ".join(part for part in (body.engine, body.model) if part)
    yield _line("swarm", f"{swarm.count} × {body.body}" + (f" ({made})" if made else "")
                + f", physics at {swarm.physics_hz} Hz, commands at {swarm.command_hz} Hz")  # fmt: skip
    spawn = swarm.spawn
    around = f"about {_point(plan.position.mean(axis=0))}"
    yield _line("start", f"{_shape(spawn.shape, spawn.spacing)}, {around}")
    if mission.formation is not None:
        yield _line("formation", _shape(mission.formation.shape, mission.formation.spacing))
    yield _line("perception", f"{swarm.perception.range:g} m" + (
        "" if swarm.perception.field_of_view == 360 else f", {swarm.perception.field_of_view:g}° wide"))  # fmt: skip
    params = ", ".join(f"{key} = {_value(value)}" for key, value in mission.controller.params.items())
    yield _line("controller", mission.controller.use + (f": {params}" if params else ""))
    words = [f"{key} {_value(value)}" for key, value in _fields(mission.task).items() if value is not None]
    yield _line("task", f"{mission.task.kind}" + (f": {', '.join(words)}" if words else ""))
    if plan.route is not None and len(plan.route) > 1:
        long = float(np.linalg.norm(np.diff(plan.route, axis=0), axis=1).sum())
        straight = float(np.linalg.norm(plan.route[-1] - plan.route[0]))
        yield _line("route", f"{long:.1f} m from the swarm's middle, {straight:.1f} m in a straight line")
    if mission.safety.filter != "none":
        yield _line("safety", mission.safety.filter)
    for k, criterion in enumerate(mission.criteria):
        unit = unit_of(METRICS[criterion.name].unit)
        yield _line("" if k else "criteria", f"{criterion.name} {criterion.acceptable()}{unit}")


def world_lines(world: World) -> Iterator[str]:
    """A world in words."""
    yield f"world {world.name}: {world.dim} dimensions"
    yield _line("bounds", ", ".join(f"{axis} {low:g} to {high:g} m" for axis, low, high in zip("xyz", *world.bounds)))
    solid = world.surfaces[len(world.obstacles) :]
    yield _line("boundary", world.boundary + (f": {', '.join(solid)}" if solid else ""))
    kinds = Counter(obstacle.kind for obstacle in world.obstacles)
    count = ", ".join(
        f"{number} {kind if number == 1 else PLURALS.get(kind, kind + 's')}" for kind, number in sorted(kinds.items())
    )
    yield _line("obstacles", count or "none")
    names = [obstacle.name for obstacle in world.obstacles]
    if names:
        yield _line("", ", ".join(names) if len(names) <= 12 else f"{names[0]}, {names[1]} ... {names[-1]}")
    yield _line("surfaces", str(len(world.surfaces)))
    for notice in world.notices:
        yield _line("notice", notice)


def _line(word: str, text: str) -> str:
    return f"  {word:<11} {text}"


def _shape(shape: str, spacing: float) -> str:
    return {"uniform": "at random", "points": "given points"}.get(shape, f"{shape}, {spacing:g} m apart")


def _fields(thing: Any) -> Mapping[str, Any]:
    from dataclasses import fields

    return {f.name: getattr(thing, f.name) for f in fields(thing)}


def _point(values: Sequence[float] | Any) -> str:
    return "(" + ", ".join(f"{round(float(value), 3) + 0.0:g}" for value in values) + ") m"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_value, value)) + ")"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
