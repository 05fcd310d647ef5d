"""A fish school after a MATLAB text in Chinese: the school, its prey behaviour and shark, and its informed fish."""

from swarm.controllers.models.fish.informed import FishFollowers, FishInformed
from swarm.controllers.models.fish.prey import FishPrey
from swarm.controllers.models.fish.school import FishSchool
from swarm.controllers.models.fish.shark import FishShark

__all__ = ["FishFollowers", "FishInformed", "FishPrey", "FishSchool", "FishShark"]
