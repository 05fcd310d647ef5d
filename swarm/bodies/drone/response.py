"""How a drone answers a step of the velocity command: the measurement, its figures and their picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.bodies.drone.models import MODELS
from swarm.state import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class StepResponse(NamedTuple):
    """Flight from hover after the command jumped at time 0; T samples, one per physics step."""

    time: Floats  # (T,) s
    velocity: Floats  # (T, 3) m/s
    height: Floats  # (T,) m above the start


class StepFigures(NamedTuple):
    """What a step response is judged by."""

    rise_time: float  # s to 90 % of the commanded speed; inf if never
    overshoot: float  # share of the commanded speed
    steady_error: float  # share of the commanded speed, largest in the last half second
    height_error: float  # m, largest departure from the height meant


def step_response(
    model: str, speed: float, direction: tuple[float, float, float] = (1.0, 0.0, 0.0), duration: float = 3.0
) -> StepResponse:
    """Fly a step from hover to `speed` m/s along `direction` in empty space, in PyBullet at 240 Hz.

    Args:
        model: Name of the parameter set.
        speed: m/s.
        direction: Of flight; any length.
        duration: s.
    """
    from swarm.bodies.drone.bullet import DroneBullet

    rate = 240
    command = np.array([direction], dtype=np.float64)
    command *= speed / np.linalg.norm(command)
    body = DroneBullet(model, count=1, physics_hz=rate, command_hz=rate)
    try:
        start = body.reset(None, np.zeros((1, 3)), np.zeros(1))
        states = [start] + [body.advance(command) for _ in range(round(duration * rate))]
    finally:
        body.close()
    position = np.array([state.position[0] for state in states])
    return StepResponse(
        np.array([state.time for state in states]),
        np.array([state.velocity[0] for state in states]),
        position[:, 2],
    )


def figures(
    response: StepResponse, speed: float, direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
) -> StepFigures:
    """The figures of a step to `speed` m/s along a level `direction`."""
    along = response.velocity @ (np.array(direction) / np.linalg.norm(direction)) / speed
    risen = np.flatnonzero(along >= 0.9)
    last = response.time > response.time[-1] - 0.5
    return StepFigures(
        float(response.time[risen[0]]) if len(risen) else float("inf"),
        float(max(along.max() - 1.0, 0.0)),
        float(np.abs(along[last] - 1.0).max()),
        float(np.abs(response.height).max()),
    )


def plot_step_responses(speeds: tuple[float, ...] = (2.0, 3.0)) -> Figure:
    """Speed and height after a step, every model and speed in one figure with two panels."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 5.0), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2.0, 1.0))
    for shade, model in enumerate(MODELS):
        for speed, style in zip(speeds, ("-", "--", ":", "-."), strict=False):
            response = step_response(model, speed, duration=1.5)
            look = {"color": f"C{shade}", "linestyle": style, "label": f"{model}, {speed:g} m/s"}
            above.plot(response.time, response.velocity[:, 0], **look)
            below.plot(response.time, 100.0 * response.height, **look)
    for speed in speeds:
        above.axhline(speed, color="0.8", linewidth=0.8, zorder=0)
        above.axhline(0.9 * speed, color="0.8", linewidth=0.8, linestyle=":", zorder=0)
        above.annotate("90 %", (0.0, 0.9 * speed), color="0.5", fontsize="small", va="bottom")
    above.axvline(0.6, color="0.8", linewidth=0.8, zorder=0)
    above.annotate("0.6 s: 90 % reached by then", (0.61, 0.1), color="0.5", fontsize="small")
    above.set_title("Velocity command stepped from 0 to 2 and 3 m/s (measured, with drag and rotor lag)", fontsize=11)
    above.set_ylabel("speed (m/s)")
    above.legend(loc="lower right")
    below.set_ylabel("height (cm)")
    below.set_ylim(-2.0, 2.0)
    below.set_xlabel("time after the command (s)")
    return figure


def table(speeds: tuple[float, ...] = (2.0, 3.0)) -> list[str]:
    """The figures of every model and speed, as lines of a Markdown table."""
    lines = ["| model | step | 90 % within | overshoot | steady error | height kept within |", "| --- " * 6 + "|"]
    for model in MODELS:
        for speed in speeds:
            found = figures(step_response(model, speed), speed)
            lines.append(
                f"| {model} | {speed:g} m/s | {found.rise_time:.2f} s | {100 * found.overshoot:.1f} % "
                f"| {100 * found.steady_error:.2f} % | {100 * found.height_error:.2f} cm |"
            )
    return lines


if __name__ == "__main__":
    import sys

    print("\n".join(table()))
    if len(sys.argv) > 1:
        plot_step_responses().savefig(sys.argv[1], dpi=110)
