"""Fresh memory is an array like any other."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

from swarm.fresh_memory import LARGE, fresh
from swarm.recording import Recorder
from swarm.state import State


@pytest.mark.parametrize("rows", [3, LARGE // 64, LARGE])
@pytest.mark.parametrize("kind", [float, np.float32, bool])
def test_it_is_zero_can_be_written_and_outlives_its_maker(rows, kind):
    array = fresh((rows, 2), kind)
    assert array.shape == (rows, 2)
    assert array.dtype == kind
    assert array.flags.c_contiguous
    assert not array.any()
    array[-1] = 1
    last = array[-2:]
    del array
    assert last.tolist() == [[0, 0], [1, 1]]
    assert np.array_equal(pickle.loads(pickle.dumps(last)), last)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="one process has no child of the same memory")
def test_a_child_writes_to_memory_of_its_own():
    array = fresh((LARGE,))
    child = os.fork()
    if child == 0:
        array[0] = 7.0
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert array[0] == 0.0


def test_a_recording_that_outgrows_its_room_keeps_what_it_has():
    agents, samples = 40, 4096 + 3
    recorder = Recorder(agents, 2, samples - 1)
    still = np.zeros((agents, 3))
    for k in range(samples):
        place = np.full((agents, 2), float(k))
        recorder.add(
            State(
                float(k), place, -place, np.full((agents, 4), k), still, np.full(agents, k % 2 == 0),
                np.zeros(agents, np.int64), np.zeros(agents, np.int64),
            ),
            2.0 * place, place[:, 0],
        )  # fmt: skip
    made, k = recorder.trajectory(), np.arange(samples)
    assert np.array_equal(made.time, k)
    assert np.array_equal(made.position[:, 5, 1], k)
    assert np.array_equal(made.velocity[:, 5, 1], -k)
    assert np.array_equal(made.command[:, 5, 1], 2 * k)
    assert np.array_equal(made.clearance[:, 39], k)
    assert np.array_equal(made.attitude[:, 0, 3], k)
    assert np.array_equal(made.alive[:, 7], k % 2 == 0)
