"""`swarm show`: what a mission or a world holds, in words and as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.cli.options import add_set, seed, settings

if TYPE_CHECKING:
    from swarm.plots.overview import Plan
    from swarm.simulation import Simulation
    from swarm.state import Floats


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
    from swarm.cli.describe import world_lines
    from swarm.cli.describe_mission import mission_lines
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
                world, plan = sim.world, plan_of(sim, told=options.seed is not None)
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


def plan_of(sim: Simulation, told: bool) -> Plan:
    """Start, formation and way of a simulation that has not moved yet.

    Args:
        sim: The simulation.
        told: Whether a hidden target is given away.
    """
    import numpy as np

    from swarm.plots.overview import Plan
    from swarm.plots.sketch import sketch
    from swarm.tasks.way import margins

    position, goal, task = sim.state.position, sim.goal, sim.mission.task
    x, y, z, w = sim.state.attitude[0]
    heading = float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    middle = position.mean(axis=0)
    hidden = getattr(goal, "hidden", None)
    route = margin = None
    if goal.way is not None and goal.way.route is not None:
        route, margin = goal.way.route.path(middle), goal.way.route.margin
        if hidden is None and goal.path is not None:  # from place to place, each around what is in between
            legs, tried = [route], margins(sim.body.radius, getattr(task, "margin", None))
            for place in goal.path[1:]:
                start = legs[-1][-1]
                way = sim.world.widest_route(place, start[None], tried)
                margin = min(margin, way.margin)
                legs.append(way.path(start)[1:])
            route = np.concatenate(legs)
        elif goal.path is not None:  # what is seen on a sweep is on it
            route = np.concatenate([route, goal.path[1:]])
    made = sketch(task, sim.world, hidden if told else None, route)
    slots = sim.mission.formation_slots(sim.world.dim)
    return Plan(position, heading, slots, made, route, margin, _directions(sim), sim.state.role)


def _directions(sim: Simulation) -> Floats:
    """(N, D) unit, where each agent moves, or looks while it is at rest."""
    import numpy as np

    x, y, z, w = sim.state.attitude.T
    ahead = np.stack([1 - 2 * (y * y + z * z), 2 * (w * z + x * y), 2 * (x * z - w * y)], axis=1)[:, : sim.world.dim]
    speed = np.linalg.norm(sim.state.velocity, axis=1, keepdims=True)
    return np.where(speed > 0.0, sim.state.velocity / np.where(speed > 0.0, speed, 1.0), ahead)
