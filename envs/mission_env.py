"""Any mission as a Gymnasium environment: a policy takes the controller's place without another line changing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from swarm.envs.observation import Layout, observe
from swarm.envs.reward import Before, terms, to_go, weights
from swarm.envs.slots import slot_offsets
from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.simulation import Simulation

if TYPE_CHECKING:
    from swarm.envs.camera import CameraObservation

Observation = Any  # (N, K) float32, or with cameras a dictionary that has it under "state"
RENDER_MODES = ("rgb_array", "ansi")


class MissionEnv(gymnasium.Env[Observation, NDArray[np.float32]]):
    """One mission: observations (N, K), actions (N, D) in [-1, 1], one shared reward.

    The N are the mission's members; leaders and predators are flown by their own controllers.

    An action is a velocity over the speed limit; rows longer than 1 are cut to the unit ball. `terminated` is true when
    the goal is met or nobody lives, `truncated` when the mission's duration is over.

    Args:
        mission: A mission, a library name or a path.
        body: Another body than the mission's.
        engine: Another engine than the mission's.
        reward: Weights by term, in place of `swarm.envs.reward.WEIGHTS`.
        camera: What on-board cameras add to the observation, such as `{"kinds": ["depth"], "size": [64, 48]}`; see
            `swarm.envs.camera`. None for none: observations are the bare rows.
        render_mode: "rgb_array", "ansi" or None.

    Attributes:
        sim: The simulation behind it.
        layout: What the columns of an observation mean.

    Raises:
        BadInput: The mission cannot be flown so.

    Example:
        >>> env = gymnasium.make("swarm/FiveDroneFormation-v0")
        >>> observation, info = env.reset(seed=0)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        >>> info["reward_terms"]["progress"]
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 48}  # noqa: RUF012  (as the base class has it)

    def __init__(
        self,
        mission: Mission | str | Path,
        *,
        body: str | None = None,
        engine: str | None = None,
        reward: Mapping[str, float] | None = None,
        camera: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput(f'render_mode: expected {", ".join(RENDER_MODES)} or None, got "{render_mode}"')
        self.weights = weights(reward)
        self._camera = None if camera is None else _camera(camera)
        self.render_mode = render_mode
        self.mission = mission if isinstance(mission, Mission) else load_mission(mission)
        self.metadata = {**type(self).metadata, "render_fps": self.mission.swarm.command_hz}
        self.sim = Simulation(self.mission, controller=_nobody, body=body, engine=engine)
        self.mission = self.sim.mission  # as this body flies it
        agents, dim = self.mission.swarm.count, self.sim.world.dim
        self.layout = Layout(dim)
        rows = gymnasium.spaces.Box(-1.0, 1.0, (agents, self.layout.width), np.float32)
        self.observation_space: gymnasium.Space[Any] = rows if self._camera is None else self._camera.space(rows)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (agents, dim), np.float32)
        self._reach = self.mission.swarm.perception.range
        self._slots = self.mission.formation_slots(dim)
        self._canvas: Any = None
        self._before = Before(0.0, np.zeros((agents, dim)))
        self._formation_error = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: The run's seed, as in `swarm.run(mission, seed)`; None draws one from the environment's generator.
            options: Unused.

        Returns:
            Observation (N, K), or a dictionary with cameras, and info with the run's `seed`.
        """
        super().reset(seed=seed)
        run_seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self.sim.reset(run_seed)
        self._before = Before(to_go(self.sim), np.zeros(self.action_space.shape or ()))
        return self._observe(), {"seed": run_seed, "time": 0.0}

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One command step.

        Args:
            action: (N, D) in [-1, 1].

        Returns:
            Observation as from `reset`, reward, terminated, truncated, and info: `time` s, `success`, `reward_terms`
            (weighted, by name; they sum to the reward) and, when the episode ends, `metrics`.

        Raises:
            SimulationError: The action is not finite or has the wrong shape.
        """
        sim = self.sim
        sim.act(np.ascontiguousarray(action, dtype=np.float32))
        observation = self._observe()
        command = sim.command[: self.mission.swarm.count]
        found = terms(sim, self._before, command, self._formation_error)
        weighted = {name: self.weights[name] * value for name, value in found.items()}
        self._before = Before(to_go(sim), command)
        info: dict[str, Any] = {"time": sim.state.time, "success": sim.success, "reward_terms": weighted}
        if sim.done:
            info["metrics"] = sim.metrics
        return observation, sum(weighted.values()), sim.terminated, sim.truncated, info

    def _observe(self) -> Observation:
        view = self.sim.view
        offset, self._formation_error = np.zeros_like(view.position), 0.0
        if self._slots is not None:
            period = self.sim.world.space.period
            offset, self._formation_error = slot_offsets(view.position, self._slots, view.alive, period)
        rows = observe(view, offset, self._reach)[: self.mission.swarm.count]
        return rows if self._camera is None else self._camera.observe(self.sim, rows)

    def render(self) -> Any:
        """The swarm now: an (H, W, 3) uint8 picture from above, or text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode; pass render_mode='rgb_array' or 'ansi'")
            return None
        if self.render_mode == "ansi":
            from swarm.envs.text_map import text_map

            return text_map(self.sim)
        if self._canvas is None:
            from swarm.envs.canvas import Canvas

            self._canvas = Canvas()
        return self._canvas.draw(self.sim)

    def close(self) -> None:
        """Let go of the engine; a second call does nothing."""
        if self._camera is not None:
            self._camera.close()
        self.sim.close()


def _camera(table: Mapping[str, Any]) -> CameraObservation:
    from swarm.envs.camera import CameraObservation

    return CameraObservation(table)


def _nobody(view: Any) -> NDArray[np.float64]:
    """Stands in for the controller: the policy decides."""
    return np.zeros_like(view.position)
