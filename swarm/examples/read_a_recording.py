"""Write a recording, read it back with nothing but NumPy, and score it with the metrics as plain functions."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import swarm


def main() -> None:
    """One run, one file, three numbers."""
    result = swarm.run("five-drone-formation", seed=0)
    assert result.trajectory is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trajectory.npz"
        result.trajectory.save(path, result.series)
        with np.load(path) as recording:
            position, velocity, time = recording["position"], recording["velocity"], recording["time"]
            error = recording["metric_formation_error"]
    order = swarm.metrics.order(velocity)
    print(f"{len(time)} samples of {position.shape[1]} agents over {time[-1]:.2f} s")
    worst = error.argmax()
    print(f"mean order {np.mean(order):.3f}, worst formation error {error[worst]:.2f} m at t = {time[worst]:.2f} s")


if __name__ == "__main__":
    main()
