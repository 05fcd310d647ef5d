"""Parameter sets against the published figures."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.models import CF2X, CF2X_L250, MODELS


def test_cf2x_hovers_and_tops_out_at_the_published_rotor_speeds():
    airframe = CF2X.airframe
    assert airframe.hover_rotor_speed == pytest.approx(14468, abs=1)
    assert airframe.rotor_speed_max == pytest.approx(21703, abs=1)
    assert 4.0 * airframe.thrust(airframe.rotor_speed_max) == pytest.approx(0.595, abs=5e-4)
    assert airframe.thrust_to_weight == pytest.approx(2.25, abs=1e-3)


def test_cf2x_l250_gives_the_identified_largest_thrust():
    airframe = CF2X_L250.airframe
    assert airframe.thrust(airframe.rotor_speed_max) == pytest.approx(0.12, abs=1e-4)
    assert airframe.thrust_to_weight == pytest.approx(1.49, abs=5e-3)


def test_rotor_speed_inverts_thrust(model):
    for speed in (5000.0, 12000.0, 21000.0):
        assert model.airframe.rotor_speed(model.airframe.thrust(speed)) == pytest.approx(speed)


def test_packed_parameters_stand_where_the_kernels_read_them(model):
    packed = model.packed(240, 48)
    assert len(packed) == len(at.PARAMETERS)
    for k, name in enumerate(at.PARAMETERS):
        assert getattr(at, name.upper()) == k
    assert packed[at.MASS] == model.airframe.mass
    assert packed[at.INERTIA_Z] == model.airframe.inertia[2]
    assert packed[at.LINEAR_DRAG_Y] == model.airframe.linear_drag[1]
    assert packed[at.TILT_TANGENT] == np.tan(model.gains.tilt_max)
    assert packed[at.TIMESTEP] == 1.0 / 240.0
    assert packed[at.LIFT_MAX] < 9.8 * model.airframe.thrust_to_weight


def test_models_are_found_by_their_names():
    assert all(model.name == name for name, model in MODELS.items())
    assert np.isfinite([model.packed(240, 48) for model in MODELS.values()]).all()
