"""Order against noise in Vicsek's model, with the published values: `python -m swarm.plots.phase_transition out.png`.

The model is the one of the mission `vicsek`, moved without the recording and the measures of a mission. It takes one or
two minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from swarm.controllers.models.vicsek import Vicsek
from swarm.errors import BadInput
from swarm.metrics.heading import order
from swarm.neighbours import graph
from swarm.output import check_writable
from swarm.plots import style
from swarm.state import Floats

SPEED, RADIUS = 0.03, 1.0  # m a step and m
FULL = 2.0 * np.pi  # rad, noise that leaves no order
# Agents and side of the box in m to noise in rad and published mean order: density 4, Vicsek et al. 1995.
PUBLISHED = {
    (40, 3.1): {1.0: 0.958, 3.0: 0.652, 5.0: 0.206},
    (100, 5.0): {1.0: 0.953, 3.0: 0.619, 5.0: 0.131},
}
CRITICAL = 2.9  # rad, the published noise at which order begins in a swarm without end
NOISE = np.concatenate([np.arange(0.0, 6.1, 0.5), [FULL]])  # rad
SKIPPED, STEPS = 2_000, 8_000


def floor(agents: int) -> float:
    """Mean order of directions at random: √π / 2 / √N, of N unit vectors (Rayleigh's distribution)."""
    return float(np.sqrt(np.pi) / 2.0 / np.sqrt(agents))


def mean_order(
    noise: float, agents: int, side: float, seed: int = 0, skipped: int = SKIPPED, steps: int = STEPS
) -> float:
    """Mean order over the steps after the first `skipped`.

    Args:
        noise: rad, width of the interval from which it is drawn.
        agents: N.
        side: m, of the periodic box.
        seed: Of start and noise.
        skipped: Steps until the start is forgotten.
        steps: In all.
    """
    rng = np.random.default_rng(seed)
    position = rng.uniform(0.0, side, (agents, 2))
    angle = rng.uniform(-np.pi, np.pi, agents)
    velocity = SPEED * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    model = Vicsek(noise=noise, radius=RADIUS, speed=SPEED)
    model.reset(SimpleNamespace(rng=rng))  # type: ignore[arg-type]
    alive, world, box = np.ones(agents, bool), np.zeros(agents, np.int64), np.array([side, side])
    total = 0.0
    for step in range(steps):
        near = graph(position, velocity, alive, world, box, RADIUS)
        view: Any = SimpleNamespace(position=position, velocity=velocity, neighbours=near, speed_limit=SPEED)
        velocity = model(view)
        position = (position + velocity) % side
        if step >= skipped:
            total += float(order(velocity))
    return total / (steps - skipped)


def curves(noise: Floats = NOISE, skipped: int = SKIPPED, steps: int = STEPS) -> dict[tuple[int, float], Floats]:
    """Mean order at each noise, for each published swarm; each value has a seed of its own."""
    return {
        swarm: np.array([mean_order(float(eta), *swarm, seed, skipped, steps) for seed, eta in enumerate(noise)])
        for swarm in PUBLISHED
    }


def draw_transition(noise: Floats, found: dict[tuple[int, float], Floats]) -> Figure:
    """The curves as lines, the published values as rings, and the floor of each swarm."""
    page = style.figure(7.6, 4.6, 120.0)
    axes = page.add_axes((0.085, 0.115, 0.895, 0.8), xlim=(0.0, 6.4), ylim=(0.0, 1.03))
    style.tidy(axes)
    colors = (style.AGENTS[1], style.AGENTS[0])
    for k, (color, (swarm, values)) in enumerate(zip(colors, found.items())):
        agents, side = swarm
        axes.plot(
            noise,
            values,
            "-",
            marker=".",
            color=color,
            linewidth=1.6,
            label=f"this model, N = {agents}, box {side:g} m",
        )
        known = PUBLISHED[swarm]
        axes.plot(
            list(known), list(known.values()), "o" if k == 0 else "s", markerfacecolor="none", markersize=11,
            color=color, markeredgewidth=1.8, label=f"published, N = {agents}",
        )  # fmt: skip
        axes.plot([4.6, 6.4], [floor(agents)] * 2, color=color, linestyle=(0, (4, 2)), linewidth=1.0)
        axes.text(
            4.55, floor(agents), f"0.886 / √{agents} = {floor(agents):.3f}", color=color, fontsize=8, ha="right",
            va="center",
        )  # fmt: skip
    axes.axvline(CRITICAL, color=style.FAINT, linestyle=(0, (1, 2)), linewidth=1.2)
    axes.text(CRITICAL - 0.06, 0.04, f"ηc = {CRITICAL} rad for N → ∞", fontsize=8, ha="right", color=style.INK)
    axes.set_xticks([0, np.pi / 2, np.pi, 1.5 * np.pi, FULL], ["0", "π/2", "π", "3π/2", "2π"])
    axes.set_xlabel("noise η (rad)", labelpad=2)
    axes.set_ylabel("order, mean over time")
    axes.set_title("Vicsek's particles: order against noise", fontweight="bold")
    axes.legend(loc="upper right")
    return page


def main(words: list[str]) -> int:
    """Write the figure; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m swarm.plots.phase_transition",
        description="Draw order against noise in Vicsek's model beside the published values. Takes minutes.",
        epilog="example: python -m swarm.plots.phase_transition phase-transition.png",
    )
    parser.add_argument("file", type=Path, metavar="F.png", help="the picture")
    options = parser.parse_args(words)
    try:
        if options.file.suffix.lower() != ".png":
            raise BadInput(f"expected a file ending in .png, got {options.file}")
        check_writable(options.file, "picture")
        found = curves()
        with style.styled():
            style.save(draw_transition(NOISE, found), options.file)
    except BadInput as fault:
        print(fault, file=sys.stderr)
        return 2
    for (agents, side), values in found.items():
        for eta, published in PUBLISHED[agents, side].items():
            reached = values[int(np.argmin(np.abs(NOISE - eta)))]
            print(f"N {agents:4d}, box {side:g} m, noise {eta:g} rad: order {reached:.3f}, published {published:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
