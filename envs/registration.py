"""Environment ids: `swarm/Mission-v0` for any mission file, and one id a library mission."""

from __future__ import annotations

import gymnasium

from swarm.library import library

ENTRY = "swarm.envs.mission_env:MissionEnv"


def env_id(mission: str) -> str:
    """`five-drone-formation` to `swarm/FiveDroneFormation-v0`."""
    return f"swarm/{''.join(part.capitalize() for part in mission.split('-'))}-v0"


def register_all() -> None:
    """Register every id once; a second call changes nothing."""
    wanted = {"swarm/Mission-v0": {}, **{env_id(name): {"mission": name} for name in library()}}
    for name, arguments in wanted.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=ENTRY, kwargs=arguments)
