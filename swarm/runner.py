"""Fly a whole mission and give its verdict."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from swarm.choices import Controller
from swarm.errors import SimulationError
from swarm.leaping import pays
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.result import Result
from swarm.simulation import Simulation
from swarm.verdicts import judge
from swarm.versions import versions
from swarm.watching import watching


def run(
    mission: Mission | str | Path,
    seed: int | None = None,
    *,
    controller: Controller | str | None = None,
    body: str | None = None,
    engine: str | None = None,
    gui: bool = False,
    watch: Callable[[Simulation], None] | None = None,
) -> Result:
    """Fly a mission from start to end.

    Args:
        mission: A mission, a library name or a path.
        seed: Of the run; None takes the mission's.
        controller: A callable `view -> (A, D) m/s`, a registered name or `package.module:Name`; None takes the
            mission's.
        body: Another body than the mission's.
        engine: Another engine than the mission's.
        gui: Watch in a window, at the speed of the clock, or twenty steps a second where a step is half a second and
            more; the flight is the same as without it. Closing the window changes nothing but that nobody watches.
        watch: Called after every command step.

    Returns:
        The result; on a SimulationError the exception carries the recording so far as `error.partial`.

    Raises:
        BadInput: The mission cannot be flown so.
        SimulationError: A controller returned nonsense, or the physics engine failed.

    Example:
        >>> result = swarm.run("five-drone-formation", seed=0)
        >>> result.passed, result.metrics["formation_error"]
    """
    if not isinstance(mission, Mission):
        mission = load_mission(mission)
    with ExitStack() as stack:
        sim = stack.enter_context(Simulation(mission, seed, controller=controller, body=body, engine=engine))
        show = stack.enter_context(watching(sim)) if gui else None
        try:
            leaps = show is None and watch is None and pays(sim)
            while not sim.done:
                if leaps:
                    sim.leap()
                    continue
                sim.step()
                if show is not None:
                    show(sim)
                if watch is not None:
                    watch(sim)
        except SimulationError as error:
            error.partial = verdict(sim)
            raise
        return verdict(sim)


def verdict(sim: Simulation) -> Result:
    """The result of a simulation as it stands."""
    mission, trajectory, metrics = sim.mission, sim.trajectory, sim.metrics
    criteria = judge(sim)
    return Result(
        mission=mission.name,
        seed=sim.seed,
        controller=sim.controller_name,
        body=sim.choice.body,
        engine=sim.choice.engine,
        passed=not any(v.blocks for v in criteria),
        criteria=criteria,
        metrics=metrics,
        simulated_s=float(trajectory.time[-1]),
        steps=sim.steps,
        trajectory_sha256=trajectory.sha256(),
        versions=dict(versions()),
        trajectory=trajectory,
        series=dict(sim.series),
        contacts=tuple(sim.contacts),
        arrivals=tuple(getattr(sim.goal, "arrivals", ())),
        stuck=sim.stuck,
        scale=1.0 if mission.transfer is None else mission.transfer.factor,
    )
