"""From a name and a table of parameters to a controller or a rule."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from swarm.errors import BadInput
from swarm.schema import build, choose

CONTROLLERS: dict[str, str] = {
    "boids": "swarm.controllers.boids:Boids",
    "formation": "swarm.controllers.formation:Formation",
    "weighted_sum": "swarm.controllers.combiners.weighted_sum:WeightedSum",
    "prioritised": "swarm.controllers.combiners.prioritised:Prioritised",
    "vicsek": "swarm.controllers.models.vicsek:Vicsek",
    "couzin": "swarm.controllers.models.couzin:Couzin",
    "cucker-smale": "swarm.controllers.models.cucker_smale:CuckerSmale",
    "ants": "swarm.controllers.pheromones.ants:Ants",
    "olfati-saber": "swarm.controllers.models.olfati_saber:OlfatiSaber",
    "pace_by_order": "swarm.controllers.combiners.pace_by_order:PaceByOrder",
    "fish-school": "swarm.controllers.models.fish:FishSchool",
    "fish-prey": "swarm.controllers.models.fish:FishPrey",
    "fish-shark": "swarm.controllers.models.fish:FishShark",
    "fish-followers": "swarm.controllers.models.fish:FishFollowers",
    "fish-informed": "swarm.controllers.models.fish:FishInformed",
    "steering-boids": "swarm.controllers.models.steering_boids:SteeringBoids",
    "python-boids": "swarm.controllers.models.python_boids:PythonBoids",
    "python-boids-predator": "swarm.controllers.models.python_boids:PythonBoidsPredator",
    "turn-caps": "swarm.controllers.combiners.turn_caps:TurnCaps",
    "netlogo-boids": "swarm.controllers.models.netlogo.boids:NetLogoBoids",
    "netlogo-leader": "swarm.controllers.models.netlogo.leader:NetLogoLeader",
    "hadimassa": "swarm.controllers.models.hadimassa:Hadimassa",
    "netlogo-hunter": "swarm.controllers.models.netlogo.hunter:NetLogoHunter",
    "social-force": "swarm.controllers.models.crowd:SocialForce",
    "time-gap": "swarm.controllers.models.crowd:TimeGap",
    "floor-field": "swarm.controllers.models.crowd:FloorField",
}
RULES: dict[str, str] = {
    "separation": "swarm.controllers.rules.separation:Separation",
    "alignment": "swarm.controllers.rules.alignment:Alignment",
    "cohesion": "swarm.controllers.rules.cohesion:Cohesion",
    "obstacle_avoidance": "swarm.controllers.rules.obstacle_avoidance:ObstacleAvoidance",
    "containment": "swarm.controllers.rules.containment:Containment",
    "altitude": "swarm.controllers.rules.altitude:Altitude",
    "seek": "swarm.controllers.rules.seek:Seek",
    "cruise": "swarm.controllers.rules.cruise:Cruise",
    "flee": "swarm.controllers.rules.flee:Flee",
    "arrive": "swarm.controllers.rules.arrive:Arrive",
    "pursue": "swarm.controllers.rules.pursue:Pursue",
    "offset_pursuit": "swarm.controllers.rules.offset_pursuit:OffsetPursuit",
    "evade": "swarm.controllers.rules.evade:Evade",
    "wander": "swarm.controllers.rules.wander:Wander",
    "wall_following": "swarm.controllers.rules.wall_following:WallFollowing",
    "path_following": "swarm.controllers.rules.path_following:PathFollowing",
    "flow_following": "swarm.controllers.rules.flow_following:FlowFollowing",
    "leader_following": "swarm.controllers.rules.leader_following:LeaderFollowing",
    "leadership": "swarm.controllers.rules.leadership:Leadership",
    "unaligned_avoidance": "swarm.controllers.rules.unaligned_avoidance:UnalignedAvoidance",
    "queuing": "swarm.controllers.rules.queuing:Queuing",
    "chase": "swarm.controllers.rules.chase:Chase",
    "flee_predators": "swarm.controllers.rules.flee_predators:FleePredators",
    "formation_keeping": "swarm.controllers.rules.formation_keeping:FormationKeeping",
}


def make_controller(use: str, params: Mapping[str, Any], where: str, faults: list[str]) -> Any:
    """Build a controller.

    Args:
        use: A registered name, or `package.module:Name` of a class (its dataclass fields or arguments are the
            parameters) or of a function `view -> (A, D) m/s`.
        params: Its parameters.
        where: Prefix of messages, such as "mission.toml: controller".
        faults: Gets one line for each fault.

    Returns:
        The controller, or None when a fault was noted.
    """
    return _make(use, params, CONTROLLERS, where, f"{where}.params", faults)


def make_rule(use: str, params: Mapping[str, Any], where: str, faults: list[str]) -> Any:
    """Build a rule; arguments as for `make_controller`."""
    return _make(use, params, RULES, where, where, faults)


def resolve_rules(rules: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Rules as they are, and tables with `use` turned into rules.

    Raises:
        BadInput: One line for each fault.
    """
    faults: list[str] = []
    resolved = []
    for k, rule in enumerate(rules):
        if isinstance(rule, Mapping):
            table = dict(rule)
            resolved.append(make_rule(table.pop("use", ""), table, f"{where}[{k}]", faults))
        elif callable(rule):
            resolved.append(rule)
        else:
            faults.append(f"{where}[{k}]: expected a rule or a table with `use`, got {rule!r}")
    if faults:
        raise BadInput(*faults)
    return tuple(resolved)


def find(reference: str) -> Any:
    """What `package.module:Name` stands for.

    Raises:
        ImportError, AttributeError: There is no such thing.
    """
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def _make(
    use: str, params: Mapping[str, Any], known: Mapping[str, str], where: str, params_where: str, faults: list[str]
) -> Any:
    own = not (isinstance(use, str) and ":" in use and use not in known)
    if own and not choose(use, known, f"{where}.use", faults):
        return None
    try:
        found = find(known.get(use, use))
    except (Exception, SystemExit) as error:
        faults.append(
            f'{where}.use: expected package.module:Name of something that can be imported, got "{use}": '
            f"{type(error).__name__}: {error}"
        )
        return None
    if dataclasses.is_dataclass(found) and inspect.isclass(found):
        return build(found, params, params_where, faults)
    if not callable(found):
        faults.append(f'{where}.use: expected a controller (something callable), got "{use}", a {type(found).__name__}')
        return None
    if not inspect.isclass(found):
        for name in params:
            faults.append(f"{params_where}.{name}: a plain function takes no parameters")
        return found if not params else None
    try:
        made = found(**params)
    except BadInput as error:
        faults.extend(f"{params_where}.{fault}" for fault in error.faults)
        return None
    except (Exception, SystemExit) as error:
        faults.append(f"{params_where}: {use}: {type(error).__name__}: {error}")
        return None
    if not callable(made):
        faults.append(f'{where}.use: expected a controller with __call__(view), got "{use}"')
        return None
    return made
