"""Small plans, drawn at random or written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from swarm.errors import BadInput
from swarm.worlds import load_world
from swarm.worlds.floor_plan import FloorPlan, read_rows


def any_cells(most=7):
    """Cells of up to `most` rows and columns, a third of them obstacles."""
    shape = st.tuples(st.integers(1, most), st.integers(1, most))
    return arrays.arrays(np.uint8, shape, elements=st.sampled_from([0, 0, 0, 1, 1, 2, 3]))


@pytest.fixture(scope="session")
def drawn():
    """A plan from rows."""
    return lambda *rows, **keys: FloorPlan(read_rows(rows), **keys)


@pytest.fixture
def complaints(tmp_path):
    """What loading a world with this [floor_plan] complains about, with the file's folder left out."""

    def told(keys, top=""):
        path = tmp_path / "w.toml"
        path.write_text(f"{top}\n[floor_plan]\n{keys}\n")
        with pytest.raises(BadInput) as caught:
            load_world(path)
        assert all("\n" not in fault for fault in caught.value.faults)
        return [fault.replace(f"{tmp_path}/", "") for fault in caught.value.faults]

    return told
