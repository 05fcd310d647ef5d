"""Bodies by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from swarm.bodies import BODIES, Choice, choose_body, make_body


def test_defaults_are_the_first_engine_and_model():
    faults = []
    assert choose_body("drone", None, None, "m.toml: swarm", faults) == Choice("drone", "bullet", "cf2x")
    assert choose_body("drone", None, "cf2x_L250", "m.toml: swarm", faults).model == "cf2x_L250"
    assert not faults


@pytest.mark.parametrize(
    ("names", "key", "nearest"),
    [
        (("dron", None, None), "body", "drone"),
        (("drone", "bulet", None), "engine", "bullet"),
        (("drone", None, "cf2x_l250"), "model", "cf2x_L250"),
    ],
)
def test_unknown_names_are_faults_that_suggest_the_nearest(names, key, nearest):
    faults = []
    assert choose_body(*names, "m.toml: swarm", faults) is None
    (fault,) = faults
    assert fault.startswith(f"m.toml: swarm.{key}: expected")
    assert f'did you mean "{nearest}"?' in fault


@pytest.mark.parametrize("name", sorted(BODIES))
def test_every_registered_combination_can_be_built(name):
    for engine in BODIES[name].engines or (None,):
        for model in BODIES[name].models or (None,):
            body = make_body(Choice(name, engine, model), count=2, physics_hz=240, command_hz=48, speed_limit=None)
            assert body.radius >= 0.0
            assert body.speed_limit > 0.0
            assert body.acceleration_limit > 0.0
            assert body.dim in (2, 3)
            body.close()


def test_importing_bodies_loads_no_engine():
    code = "import sys, swarm.bodies; print({'pybullet', 'numba', 'scipy', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
