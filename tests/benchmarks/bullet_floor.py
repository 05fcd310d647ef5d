"""What PyBullet's calls alone cost for N free-flying bodies, with nothing computed around them.

One command step is (physics rate / command rate) x [read every body's pose and velocity, one force and one torque a
body, stepSimulation]: what an attitude loop at the physics rate asks of PyBullet when it reads every state.
"""

from __future__ import annotations

import time

from swarm.worlds.engine import pybullet


class Floor:
    """N bodies over static trunks in compound bodies of up to 16, ready to be stepped."""

    def __init__(self, bodies: int, obstacles: int, physics_hz: int = 240, command_hz: int = 48) -> None:
        self.client = client = pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0, 0, -9.8, physicsClientId=client)
        pybullet.setTimeStep(1 / physics_hz, physicsClientId=client)
        hull = pybullet.createCollisionShape(pybullet.GEOM_CYLINDER, radius=0.06, height=0.025, physicsClientId=client)
        trunks = [[5 + k % 10 * 2, k // 10 * 2 - 5, 2] for k in range(obstacles)]
        for start in range(0, obstacles, 16):
            part = trunks[start : start + 16]
            shape = pybullet.createCollisionShapeArray(
                [pybullet.GEOM_CYLINDER] * len(part), radii=[0.2] * len(part), lengths=[4] * len(part),
                collisionFramePositions=part, physicsClientId=client,
            )  # fmt: skip
            pybullet.createMultiBody(0, shape, physicsClientId=client)
        self.ids = [
            pybullet.createMultiBody(0.027, hull, basePosition=[0, k, 1.5], physicsClientId=client)
            for k in range(bodies)
        ]
        for body in self.ids:
            pybullet.changeDynamics(body, -1, linearDamping=0, angularDamping=0, physicsClientId=client)
        self.substeps = physics_hz // command_hz

    def run(self, steps: int) -> float:
        """Seconds that a number of command steps take."""
        client, ids = self.client, self.ids
        lift, zero = [0, 0, 0.027 * 9.8], [0, 0, 0]
        start = time.perf_counter()
        for _ in range(steps * self.substeps):
            for body in ids:
                pybullet.getBasePositionAndOrientation(body, client)
                pybullet.getBaseVelocity(body, client)
            for body in ids:
                pybullet.applyExternalForce(body, -1, lift, zero, pybullet.LINK_FRAME, client)
                pybullet.applyExternalTorque(body, -1, zero, pybullet.LINK_FRAME, client)
            pybullet.stepSimulation(client)
        return time.perf_counter() - start

    def close(self) -> None:
        """Let go of the physics client."""
        pybullet.disconnect(self.client)
