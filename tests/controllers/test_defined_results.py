"""Every registered rule and controller has an answer for nobody, one, all in one place, and any range."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers import CONTROLLERS, RULES, make_controller, make_rule

RULES_OF = {"rules": [{"use": "separation"}, {"use": "alignment"}, {"use": "cohesion"}]}
CAPPED = {"rules": [{**rule, "max_turn": 3.0} for rule in RULES_OF["rules"]]}
SLOTS = {"slots": ((0.5, 0.0), (-0.5, 0.5), (-0.5, -0.5), (-1.0, 1.0))}
PARAMS = {"weighted_sum": RULES_OF, "prioritised": RULES_OF, "turn-caps": CAPPED, "formation_keeping": SLOTS}


def made(name):
    faults = []
    made = (make_rule if name in RULES else make_controller)(name, PARAMS.get(name, {}), "test", faults)
    assert not faults
    return made


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [*RULES, *(n for n in CONTROLLERS if n != "ants")])  # ants want a maze and its zones
@pytest.mark.parametrize("boundary", ["open", "torus", "walls"])
@pytest.mark.parametrize("dim", [2, 3])
def test_the_answer_is_finite_and_one_vector_an_agent(name, boundary, dim, make_view, make_world, make_briefing):
    rng, world = np.random.default_rng(0), make_world(dim, half=20.0, boundary=boundary)
    # Few are compared all with all, many are sorted; a formation has four places, and a controller at least one agent.
    counts = [4] if name == "formation_keeping" else [1, 2, 4, 200] if name == "formation" else [0, 1, 2, 4, 200]
    for agents in counts:
        spread = rng.uniform(-20.0, 20.0, (agents, dim))
        for position, velocity in ((np.full((agents, dim), 1.0), 0 * spread), (spread, rng.normal(size=spread.shape))):
            for reach in (1e-9, 5.0, 80.0, np.inf):  # 80 m is twice round the torus
                part = made(name)
                if hasattr(part, "reset"):
                    part.reset(make_briefing(position, world=world))
                view = make_view(position, velocity, world=world, reach=reach, target=np.full(dim, 3.0))
                asked = part(view)
                assert asked.shape == position.shape
                assert np.isfinite(asked).all()
