"""Controllers and rules are found by name and checked before they run."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import swarm.controllers
from swarm.controllers import CONTROLLERS, RULES, make_controller, make_rule


@dataclass
class Own:
    speed: float = 1.0

    def __call__(self, view):
        return np.full_like(view.position, self.speed)


def plain(view):
    return np.zeros_like(view.position)


NOT_CALLABLE = 3


def made(use, **params):
    faults = []
    return make_controller(use, params, "m.toml: controller", faults), faults


@pytest.mark.parametrize("name", ["boids", "formation"])
def test_registered_controllers_are_built_with_their_defaults(name):
    controller, faults = made(name)
    assert not faults
    assert callable(controller)


@pytest.mark.parametrize("name", RULES)
def test_registered_rules_are_built_with_their_defaults(name):
    faults = []
    assert callable(make_rule(name, {}, "m.toml: rules[0]", faults))
    assert not faults


def test_an_unknown_controller_suggests_the_nearest():
    controller, faults = made("boid")
    assert controller is None
    assert len(faults) == 1
    assert faults[0].startswith("m.toml: controller.use: ")
    assert 'did you mean "boids"' in faults[0]


def test_unknown_parameters_and_impossible_values_are_one_line_each():
    controller, faults = made("boids", seperation=1.0, cruise=-1.0, barrier={"sweeps": 0})
    assert controller is None
    assert [fault.split(": ")[1].split(" ")[0] for fault in sorted(faults)] == [
        "controller.params.barrier.sweeps", "controller.params.cruise", "controller.params.seperation",
    ]  # fmt: skip


def test_a_class_of_ones_own_takes_parameters():
    controller, faults = made(f"{__name__}:Own", speed=2.0)
    assert not faults
    assert controller.speed == 2.0


def test_a_function_of_ones_own_takes_none():
    assert made(f"{__name__}:plain")[0] is plain
    controller, faults = made(f"{__name__}:plain", speed=2.0)
    assert controller is None
    assert faults == ["m.toml: controller.params.speed: a plain function takes no parameters"]


@pytest.mark.parametrize(
    "reference", ["no_such_module:Name", f"{__name__}:missing", f"{__name__}:NOT_CALLABLE", ":", "a:"]
)
def test_references_to_nothing_are_faults(reference):
    controller, faults = made(reference)
    assert controller is None
    assert len(faults) == 1
    assert faults[0].startswith("m.toml: controller.use: expected ")


def test_classes_are_attributes_of_the_package():
    for name in ("Boids", "Formation", "WeightedSum", "Prioritised", "Barrier"):
        assert getattr(swarm.controllers, name).__name__ == name
    with pytest.raises(AttributeError):
        swarm.controllers.Nothing  # noqa: B018


def test_every_registered_name_leads_somewhere():
    for reference in [*CONTROLLERS.values(), *RULES.values()]:
        assert callable(swarm.controllers.find(reference))


def test_the_package_loads_without_the_compiler():
    code = "import sys, swarm.controllers; sys.exit('numba' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
