"""An exponential function that compilers can work out for several numbers at a time."""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.extending import intrinsic

from swarm.compiled import kernel

FARTHEST = 700.0  # beyond, a power of two leaves the normal numbers
# Powers of e are powers of two times what is left: x = n ln 2 + r. HIGH has so few digits that n HIGH is exact.
PER_LN2, HIGH, LOW = 1.0 / math.log(2.0), 6.93147180369123816490e-01, 1.90821492927058770002e-10
ROUNDER = 1.5 * 2.0**52  # added and taken away it rounds to whole numbers, which meanwhile are the lowest bits
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1.0 / math.factorial(k) for k in range(2, 14))


def _as_bits(typing_context: Any, number: Any) -> Any:
    """The 64 bits of a number as an integer."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], context.get_value_type(types.int64))

    return types.int64(types.float64), code


def _as_number(typing_context: Any, bits: Any) -> Any:
    """The number that an integer's 64 bits stand for."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], context.get_value_type(types.float64))

    return types.float64(types.int64), code


_bits: Any = intrinsic(_as_bits)
_number: Any = intrinsic(_as_number)


@kernel
def exponential(x: float) -> float:
    """e^x for x within ±700, and at these ends for what is beyond, to 2 units in the last place.

    Taylor's series of degree 13 on half of ln 2 to either side of 0, where the rest is below 1e-17, times a power of
    two: neither branches nor calls, so that a loop over an array takes a quarter of the time of `math.exp`.
    """
    x = min(max(x, -FARTHEST), FARTHEST)
    shifted = x * PER_LN2 + ROUNDER
    whole = shifted - ROUNDER
    r = (x - whole * HIGH) - whole * LOW
    p = C9 + r * (C10 + r * (C11 + r * (C12 + r * C13)))
    p = C6 + r * (C7 + r * (C8 + r * p))
    p = C3 + r * (C4 + r * (C5 + r * p))
    p = 1.0 + r * (1.0 + r * (C2 + r * p))
    return float(p * _number((_bits(shifted) << 52) + (1023 << 52)))
