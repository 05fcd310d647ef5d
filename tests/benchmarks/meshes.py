"""What the largest mesh costs: two million faces from a file to distances."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from swarm.benchmarks import Row
from swarm.worlds import build_world

AROUND, ACROSS = 1_000, 1_000  # quads of the torus, two faces each


def write_torus(path: Path) -> None:
    """A torus of radii 4 m and 1 m as binary STL."""
    i, j = np.meshgrid(np.arange(AROUND + 1), np.arange(ACROSS + 1), indexing="ij")
    u, v = 2 * np.pi * (i % AROUND) / AROUND, 2 * np.pi * (j % ACROSS) / ACROSS
    places = np.stack([(4 + np.cos(v)) * np.cos(u), (4 + np.cos(v)) * np.sin(u), np.sin(v)], axis=-1)
    a, b, c, d = places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)
    record = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    record["corners"] = faces
    with path.open("wb") as file:
        file.write(bytes(80) + np.uint32(len(faces)).tobytes() + record.tobytes())


def measure() -> Iterator[Row]:
    """Time to load and lay out, time of a query, memory; distances are checked against the torus' formula."""
    with tempfile.TemporaryDirectory() as folder:
        write_torus(Path(folder) / "torus.stl")
        table = {
            "bounds": [[-9.0, -9.0, -4.0], [9.0, 9.0, 4.0]],
            "boundary": "open",
            "obstacles": [{"kind": "mesh", "file": "torus.stl", "center": [0.0, 0.0, 0.0]}],
        }
        begun = perf_counter()
        world = build_world(table, Path(folder) / "world.toml")
        loaded = perf_counter() - begun
        points = np.random.default_rng(0).uniform(world.bounds[0], world.bounds[1], (2_000, 3))
        begun = perf_counter()
        world.clearance(points[:1])
        laid_out = perf_counter() - begun
    begun = perf_counter()
    distance = world.clearance(points)[0]
    each = (perf_counter() - begun) / len(points)
    exact = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 4.0, points[:, 2]) - 1.0
    off = float(np.abs(distance - exact).max())
    yield Row("load a mesh of 2,000,000 faces (STL)", f"{loaded:.1f} s", "15 s", loaded < 15.0)
    yield Row("lay out its tree, once", f"{laid_out:.1f} s", "15 s", laid_out < 15.0)
    yield Row("distance of a point anywhere around it", f"{1e6 * each:.0f} us", "500 us", each < 500e-6)
    yield Row("largest difference from the torus' own formula", f"{1e3 * off:.3f} mm", "20 mm", off < 0.02)
    if sys.platform == "linux":
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # kB there, bytes on other systems
        yield Row("memory of the process at its most", f"{peak:.2f} GB", "2 GB", peak < 2.0)
