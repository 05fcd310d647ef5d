"""The wind of a world as an arrow in the corner of a picture."""

from __future__ import annotations

from swarm.plots.views import Panel
from swarm.worlds.world import World


def draw_wind(panel: Panel, world: World) -> None:
    """Draw where the wind blows to; nothing where there is none."""
