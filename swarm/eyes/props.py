"""What stands on a stage, put there once: surfaces, marks and agents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.eyes.figures import CROWD, dart, quadrotor
from swarm.eyes.ground import ground_picture
from swarm.eyes.picture import NOTHING
from swarm.eyes.scenery import GRASS, TALL, Color, Thing, lifted, plane_things, target_solid, zone_solid
from swarm.eyes.solids import disc, sheet
from swarm.eyes.visuals import Visuals
from swarm.state import Floats
from swarm.worlds.world import World

HIDDEN = (0.0, 0.0, -1e5)  # m, where nobody looks
_WHITE: Color = (1.0, 1.0, 1.0)
_GATE: Color = (0.86, 0.62, 0.16)
_AREA: Color = (0.36, 0.56, 0.72)


@dataclass(frozen=True)
class Cast:
    """Who is to be seen."""

    count: int
    radius: float  # m, as drawn
    attitude: bool = True  # drawn with the attitude they have; else as darts along their velocity


@dataclass(frozen=True, eq=False)
class Marks:
    """What is drawn though it is not there."""

    target: Floats | None = None  # (D,) m
    radius: float = 0.5  # m, of the target
    shadows: bool = True  # a dark spot on the ground below each agent


def ground_height(world: World) -> float:
    """m, of the ground or what stands for it."""
    return float(world.bounds[0, 2]) if world.dim == 3 else 0.0


def add_planes(visuals: Visuals, world: World, painted: bool) -> None:
    """Floor, ceiling and walls; `painted` lays a picture on the ground."""
    grounded = False
    for plane, thing in plane_things(world):
        if painted and plane.name == "floor":
            _paint_ground(visuals, world, thing.label)
            grounded = True
            if world.boundary == "walls":
                continue
            thing = thing._replace(center=np.array([0.0, 0.0, -0.02]))
        visuals.add(thing)
    if painted and not grounded:  # tiles to see speed by, pale where they are no ground
        _paint_ground(visuals, world, NOTHING)


def _paint_ground(visuals: Visuals, world: World, label: int) -> None:
    low, high = world.bounds[0, :2], world.bounds[1, :2]
    flat = sheet(low, high, ground_height(world))
    share = (flat.vertices[:, :2] - low) / (high - low)
    visuals.dress(visuals.body(flat, _WHITE, np.zeros(3), label, uv=share), ground_picture(world))


def add_marks(visuals: Visuals, world: World, marks: Marks) -> None:
    """The target, and frames about gates and areas."""
    from matplotlib.colors import to_rgb

    from swarm.plots import style

    size = float(np.linalg.norm(world.bounds[1] - world.bounds[0]))
    thickness = float(np.clip(0.002 * size, 0.03, 0.12))
    if marks.target is not None:
        place = lifted(marks.target, 0.5 * TALL)
        visuals.add(Thing(target_solid(marks.radius), to_rgb(style.GOAL), NOTHING, place))
    for zone in world.zones:
        color = _GATE if zone.kind == "gate" else _AREA
        visuals.add(Thing(zone_solid(zone, thickness), color, NOTHING, lifted(zone.center, 0.5 * TALL)))


def add_agents(visuals: Visuals, world: World, cast: Cast) -> list[int]:
    """The bodies of the agents, hidden as yet; each wears its colours."""
    from matplotlib.colors import to_rgb

    from swarm.plots import style

    figure = quadrotor(cast.radius, cast.count > CROWD) if cast.attitude else dart(cast.radius)
    uv = np.column_stack([(figure.swatch + 0.5) / 4.0, np.full(len(figure.swatch), 0.5)])
    cloth: dict[str, int] = {}
    agents = []
    for agent in range(cast.count):
        body = visuals.body(figure, _WHITE, np.array(HIDDEN), len(world.surfaces) + agent, uv=uv)
        name = style.agent_color(agent, cast.count)
        if name in cloth:
            visuals.wear(body, cloth[name])
        else:
            color = np.array(to_rgb(name))
            swatches = np.array([[0.13, 0.15, 0.17], 0.12 + 0.88 * color, 0.85 * color, _WHITE])
            blocks = np.repeat(np.repeat(swatches[None], 8, axis=0), 8, axis=1)
            cloth[name] = visuals.dress(body, np.rint(255 * blocks).astype(np.uint8))
        agents.append(body)
    return agents


def add_spots(visuals: Visuals, world: World, cast: Cast) -> list[int]:
    """A dark spot for the ground below each agent, hidden as yet; in segmentation it is part of the floor."""
    red, green, blue = (0.62 * part for part in GRASS)
    floor = world.surfaces.index("floor") if "floor" in world.surfaces else NOTHING
    spot = disc(0.9 * cast.radius, 12)
    return [visuals.body(spot, (red, green, blue), np.array(HIDDEN), floor) for _ in range(cast.count)]
