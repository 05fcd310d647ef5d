"""One mission in one world, step by step: perceive, decide, filter, move, measure, record."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import is_dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.adopting import adopt, take_back
from swarm.bodies import BODIES, make_body, stand_in
from swarm.capture import Hunt
from swarm.changes import Changes, too_fast
from swarm.choices import Controller, choose, make_filter, name_of, resolve_controller, whole_seed
from swarm.command import Actions
from swarm.crew import ControllerFailed, Crew, begin
from swarm.errors import BadInput, SimulationError
from swarm.logbook import Logbook
from swarm.metrics.scoreboard import Event
from swarm.mission import Mission
from swarm.orders import as_action, as_command, when
from swarm.others import Others
from swarm.outset import first_briefing, first_senses, setting_of
from swarm.readings import Readings
from swarm.roles import place_all
from swarm.state import Floats, State, copied, part
from swarm.stuck import Detector
from swarm.tasks.scene import Scene
from swarm.tasks.starting import may_begin_on_sources
from swarm.transfer.mission import transferred

if TYPE_CHECKING:
    from swarm.worlds.world import World


class Simulation(Readings):
    """A mission being flown.

    Args:
        mission: What to fly.
        seed: Of the run; None takes the mission's.
        controller: Who decides: a callable `view -> (A, D) m/s`, a registered name or `package.module:Name`; None
            takes the mission's.
        body: Another body than the mission's.
        engine: Another engine than the mission's.

    Attributes:
        world: The world of this run.
        state: Where everybody is.
        command: (A, D) m/s, of the last command step.
        view: What the flock (members and leaders) perceives.
        done: Whether the run is over: goal met, all lost, or time up.
        success: Whether the task's goal was met with nobody lost.

    Raises:
        BadInput: The mission cannot be flown so.

    Example:
        >>> sim = Simulation(load_mission("five-drone-formation"), seed=0)
        >>> while not sim.done:
        ...     sim.step()
        >>> sim.metrics["min_clearance"]
    """

    def __init__(
        self,
        mission: Mission,
        seed: int | None = None,
        *,
        controller: Controller | str | None = None,
        body: str | None = None,
        engine: str | None = None,
    ) -> None:
        faults: list[str] = []
        self.choice = choose(mission, body, engine, faults)
        self.mission = mission = transferred(mission, self.choice)
        swarm = mission.swarm
        self.controller = resolve_controller(mission, controller, faults)
        self.controller_name = name_of(mission.controller.use if controller is None else controller)
        self._crew = Crew(mission, self.controller, self.controller_name, faults)
        if faults:
            raise BadInput(*faults)
        self.steps_planned = round(mission.duration * swarm.command_hz)
        if self.steps_planned < 1:
            raise BadInput(f"{mission.file}: duration: shorter than one command step of {1 / swarm.command_hz:g} s")
        self.dt = 1.0 / swarm.command_hz
        options: dict[str, Any] = {"speed_limit": swarm.speed_limit}
        moves = BODIES[self.choice.body].motion
        if "acceleration" in moves:  # a mission for another body is flown with that one's limits
            given = {key: value for key, value in options.items() if value is not None}
            options = {"motion": swarm.motion, **stand_in(mission.body), **given}
        elif "radius" in moves and swarm.motion is not None and swarm.motion.radius is not None:
            options["radius"] = swarm.motion.radius
        try:
            self.body = make_body(
                self.choice, count=swarm.total, physics_hz=swarm.physics_hz, command_hz=swarm.command_hz, **options
            )
        except BadInput as error:
            raise BadInput(*(f"{mission.file}: swarm.{fault}" for fault in error.faults)) from None
        own = (controller is None or controller == mission.controller.use) and is_dataclass(self.controller)
        if own:
            too_fast(self.controller, mission, self.body.speed_limit)
        self._changes = Changes(mission, own)
        self._filter = make_filter(mission.safety.filter)
        self._closed = False
        try:
            self.reset(seed)
        except BaseException:
            self.close()
            raise

    def reset(self, seed: int | None = None) -> None:
        """Begin again; `seed` None takes the mission's. Nothing of an earlier run carries over."""
        self._check_open()
        mission = self._changes.undo()
        take_back(self, mission)  # whatever has been changed in the run before
        swarm = mission.swarm
        self.seed = mission.seed if seed is None else whole_seed(seed)
        self.world: World = mission.build_world(self.seed, self.choice.body)
        dims = BODIES[self.choice.body].dims
        if self.world.dim not in dims:
            fitting = " or ".join(name for name, kind in BODIES.items() if self.world.dim in kind.dims)
            raise BadInput(
                f"{mission.file}: world.dim: a {self.choice.body} moves in {' or '.join(map(str, dims))} dimensions, "
                f"the world has {self.world.dim}; swarm.body (--body) can be {fitting}"
            )
        rngs = np.random.default_rng(self.seed).spawn(3 + len(swarm.roles))
        spawn_rng, controller_rng, task_rng = rngs[:3]
        crew = self._crew
        radius, target = self.body.radius, getattr(mission.task, "target", None)
        towards = None if target is None or len(target) != self.world.dim else np.asarray(target, float)
        spawned, crowded = "spawn" in mission.table.get("swarm", {}), None
        try:
            position, heading = place_all(swarm, self.world, radius, towards, spawn_rng, f"{mission.file}: swarm")
        except BadInput as error:
            if spawned or not may_begin_on_sources(mission.task, self.world):
                raise
            crowded = error  # unless the task has room on the sources
            position, heading = np.tile(self.world.bounds.mean(axis=0), (swarm.total, 1)), np.zeros(swarm.total)
        scene = Scene(
            self.world, position[crew.flock], radius, task_rng, f"{mission.file}: task", hasattr(self.body, "place"),
            self.dt, spawned,
        )  # fmt: skip
        self.goal = mission.task.begin(scene)
        moves = getattr(self.goal, "moves", None)
        if crowded is not None and (moves is None or len(moves.agents) < swarm.total):
            raise crowded
        if moves is not None:  # the task has places of its own to begin at
            position[crew.flock[moves.agents]], heading[crew.flock[moves.agents]] = moves.position, moves.heading
        self._hunt = Hunt([r for r in swarm.roles if r.role == "predator"], self.dt) if len(crew.predators) else None
        self._state: State = self.body.reset(self.world, position, heading, crew.role)
        self.state = copied(self._state)
        self._senses = first_senses(mission, self.world, self.body, self.dt)
        self._detector = Detector(len(crew.flock))
        self.steps = 0
        self._leaps: bool | None = None
        self._orders: tuple[Any, Any, Any] = (None, None, None)
        self._look()
        self._perceive()
        briefing = first_briefing(mission, self.view.senses, self.body, self.goal, position, controller_rng)
        self.briefing = crew.begin(briefing, [controller_rng, *rngs[3:]])
        begin(self._filter, briefing, f"{mission.file}: safety: reset(briefing) of the filter")
        setting = setting_of(mission, self.world, self.dt, radius, crew)
        self._log = Logbook(setting, self.steps_planned, self._hunt)
        self.success = False
        self.time_to_target: float | None = None
        self._way = self.goal.remaining(crew.party(self._state))
        self.command: Floats = np.zeros_like(position)
        self._log.add(self._state, self.command, self._views.everyone.clearance)
        self.terminated = self.truncated = False

    def _check_open(self) -> None:
        if self._closed:
            raise SimulationError("the simulation has been closed")

    def step(self, command: Floats | None = None) -> None:
        """One command step.

        Args:
            command: (A, D) m/s of everybody in place of the controllers', or of the members alone; None lets the
                controllers decide.

        Raises:
            SimulationError: The command is not finite or has the wrong shape; names step and agent.
        """
        self._begin_episode()
        wanted: Any = command
        if command is None or self._of_members(command):
            wanted = self._decide(command)
        self.act(self._as_action(wanted))

    def act(self, action: Actions) -> None:
        """One command step from actions in the unit ball, as the environment gives it: (A, D), or of members only."""
        self._check_open()
        self._begin_episode()
        if self._of_members(action):
            everybody = self._as_action(self._decide(np.zeros(action.shape)))
            everybody[: len(action)] = action
            action = everybody
        command = self._as_command(action)
        if self._filter is not None:
            command = self._as_command(self._as_action(self._filter(self._views.everyone, command)))
        self.command = command
        # The state that counts is kept apart from the one that is handed out: a controller may write into its view.
        self._state = self.body.advance(command)
        self.steps += 1
        if self._hunt is not None:
            self._catch(self._hunt)
        self.state = copied(self._state)
        self._look()
        self._move_on()
        self._judge()
        self._perceive()
        self._detector.look(self.view, getattr(self.goal, "bound", None))
        self._log.add(self._state, command, self._views.everyone.clearance)

    def leap(self, most: int | None = None) -> int:
        """Command steps in one compiled call where that can be done, else one step; the bytes are those of steps.

        Args:
            most: Steps, 1 or more; None for as many as there can be.

        Returns:
            How many were made: never beyond the end of an episode or of the run.
        """
        self._check_open()
        if most is not None and most < 1:
            raise BadInput(f"most: expected 1 or more steps, got {most}")
        self._begin_episode()
        if self._leaps is None:
            self._leaps = self.alone and self._parts() is not None
        left = self.steps_planned - self.steps
        most = left if most is None else min(most, left)
        rest = getattr(self.goal, "until_episode_ends", None)
        if rest is not None:
            most = min(rest - 1, most)
        parts = self._parts() if self._leaps and most >= 1 else None
        if parts is None:
            self.step()
            return 1
        from swarm.leaping import leap
        from swarm.leaping.keeping import record

        log = leap(self, most, parts, self._log.recorder)
        record(self, parts, log, self._log.recorder, self._detector)
        self.steps, self.command = self.steps + len(log.command), log.command[-1].copy()
        self._state = parts.body.state(log)
        self.state = copied(self._state)
        if self.time_to_target is None and self.goal.met(self._state):
            self.time_to_target = getattr(self.goal, "met_at", self._state.time)
        self._judge()
        self._perceive()
        return len(log.command)

    def paint(self, changes: Any) -> None:
        """Change cells of the floor plan from now on; ways to the goal follow at once, and nobody stays in a new wall.

        Args:
            changes: (K, 3) row, column and FREE, OBSTACLE, SOURCE or GOAL (see `swarm.worlds.floor_plan`).

        Raises:
            BadInput: There is no floor plan, or it has no such cell or kind, or the body cannot move to another world.
        """
        self._check_open()
        if not hasattr(self.body, "enter"):
            raise BadInput(f"{self.mission.file}: expected walkers on a plan that is painted, got a {self.choice.body}")
        self.world = self.world.painted(changes)
        self._log.recorder.paint(changes)
        self._state = self.body.enter(self.world)
        self.state = copied(self._state)
        self._senses = replace(self._senses, world=self.world)
        look = getattr(self.goal, "look", None)
        if look is not None:
            look(self.world)
        self._perceive()

    def _parts(self) -> Any:
        """What can be leapt with as things stand, or None."""
        if not hasattr(self.goal, "way"):
            return None
        from swarm.leaping import offered

        return offered(self)

    def change(self, overrides: Mapping[str, Any] | None) -> None:
        """Change the mission while the run goes on; what controllers and agents remember stays.

        It holds from the next episode on, where the task has episodes, else from the next step on; `reset` takes it
        back. Who joins because of a larger `swarm.count` begins where the task puts newcomers, and stands in the
        recording as not alive before; of a smaller one, the last are gone. A controller that keeps something for every
        agent is told of newcomers by `resize(briefing)`, or else begins anew by `reset(briefing)`.

        Args:
            overrides: Values by dotted key: parameters of the controller (`{"controller.params.turn": 5.0}`), keys of
                the task, `swarm.count`, `swarm.speed_limit`. None goes back to what the mission says.

        Raises:
            BadInput: A key cannot be changed in this run, or a value is impossible; nothing has changed.
        """
        self._check_open()
        self._changes.ask(overrides, self)

    def _begin_episode(self) -> None:
        """What has been changed holds from here on."""
        if getattr(self.goal, "until_episode_ends", 0) not in (0, getattr(self.goal, "episode_steps", 0)):
            return
        changed = self._changes.due()
        if changed is not None:
            adopt(self, changed)

    def _catch(self, hunt: Hunt) -> None:
        """Who is within reach of a predator is caught."""
        crew, state = self._crew, self._state
        flock, hunters = part(state, crew.flock), part(state, crew.predators)
        caught = hunt.after_move(
            Others(hunters.position, hunters.velocity, hunters.alive),
            Others(flock.position, flock.velocity, flock.alive), self.world.space.period,
        )  # fmt: skip
        if caught:
            pairs = [(int(crew.predators[p]), int(crew.flock[victim])) for p, victim in caught]
            self._log.captures += [Event(state.time, (victim, p)) for p, victim in pairs]
            self._state = self.body.lose(np.array([victim for _, victim in pairs]))

    def _perceive(self) -> None:
        """Everybody's view of the state as it is now."""
        self._views = self._crew.views(self._senses, self.state, None if self._hunt is None else self._hunt.hunger)
        self.view = self._views.flock

    def _look(self) -> None:
        """See where the obstacles are now and what the task asks for."""
        goal, senses = self.goal, self._senses
        if self.world.moving:
            self.world = self.world.at(self._state.time)
            senses = replace(senses, world=self.world)
        if self.steps > 0:
            goal.update(self.world, self._crew.party(self._state))
        target, path, way = self._orders
        # Copies: a controller may write into what it is shown.
        if goal.target is not target:
            senses = replace(senses, target=copy(goal.target))
        if goal.path is not path:
            senses = replace(senses, path=copy(goal.path))
        if goal.way is not way:
            senses = replace(senses, way=goal.way)
        self._orders, self._senses = (goal.target, goal.path, goal.way), senses

    def _move_on(self) -> None:
        """Who the task puts somewhere else is there now, and who it takes out is gone."""
        flock, gone = self._crew.flock, getattr(self.goal, "leaving", ())
        moves = getattr(self.goal, "moves", None)
        if len(gone):
            self._state = self.body.lose(flock[gone])
        if moves is not None and hasattr(self.body, "place"):
            self._state = self.body.place(flock[moves.agents], moves.position, moves.heading)
        if len(gone) or moves is not None:
            self.state = copied(self._state)

    def _decide(self, members: Floats | None = None) -> Any:
        try:
            return self._crew.decide(self._views, members)
        except ControllerFailed as error:
            raise SimulationError(f"{when(self.steps, self.state)}: {error}") from error.__cause__

    def _of_members(self, given: Any) -> bool:
        """Whether it is for the members alone while there are others."""
        members = self._crew.members
        return len(self._crew.role) > members and np.shape(given) == (members, self.state.position.shape[1])

    def _as_action(self, wanted: Any) -> Actions:
        return as_action(wanted, self._state, self.body.speed_limit, self.steps)

    def _as_command(self, action: Actions) -> Floats:
        return as_command(action, self._state, self.body.speed_limit, self.steps)

    def _judge(self) -> None:
        self._log.contacts.extend(self.body.contacts)
        flock = self._crew.party(self._state)
        if self.goal.met(flock):
            self.success = True
            if self.time_to_target is None and getattr(self.goal, "timed", True):
                self.time_to_target = self.state.time
            self.terminated = self.goal.ends_run
        elif not self.goal.ends_run:
            self.success = False
        if not self.terminated:
            self.terminated = not flock.alive.any()
            self.truncated = self.steps >= self.steps_planned

    def close(self) -> None:
        """Let go of the engine; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self.body.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
