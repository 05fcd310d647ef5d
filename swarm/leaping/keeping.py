"""What a leap leaves behind, for the recording and the stuck detector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.leaping import Leap
from swarm.worlds.floor_plan.clearance import clearance

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.recording import Recorder
    from swarm.simulation import Simulation
    from swarm.stuck import Detector


def record(sim: Simulation, parts: Leap, log: Log, recorder: Recorder, detector: Detector) -> None:
    """Add to a recording what ticks have left in its room; show the detector the ways."""
    from swarm.leaping.sight import Blind

    made, agents = log.alive.shape
    time = np.arange(sim.steps + 1, sim.steps + made + 1) / sim.mission.swarm.command_hz
    room = recorder.room(made)
    if isinstance(parts.sight.pack, Blind):
        places, shelves = log.position.reshape(-1, 2), sim.world.shelves
        nearest = sim.world.nearest(places)[0] if shelves is None else clearance(places, shelves)
        np.subtract(nearest.reshape(made, agents), sim.view.senses.radius, out=room.clearance)
    room.time[:] = time
    sim.body.attitudes(log.heading, log.left, room.attitude)
    recorder.extend(made)
    bound = parts.task.bound(time, log.alive)
    looks = detector.looks(time)
    left = np.zeros((made, agents))
    left[looks] = parts.task.left(log.position[looks])
    detector.follow(time, left, bound, sim.body.speed_limit)
