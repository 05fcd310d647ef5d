"""The obstacle surfaces around each point, in compressed rows."""

from __future__ import annotations

from typing import NamedTuple

from swarm.state import Floats, Ints


class Near(NamedTuple):
    """Surfaces within range of A points; those of point i are the entries indptr[i] to indptr[i + 1], nearest first.

    One witness for each sphere, box, cylinder and bounding plane. Of a mesh as many as it takes, 16 at most: each
    speaks for what lies behind its tangent plane or within 25 degrees of its direction.
    """

    indptr: Ints  # (A + 1,)
    surface: Ints  # (E,) index into world.surfaces
    distance: Floats  # (E,) m, signed
    normal: Floats  # (E, D) unit, from the surface towards free space
