"""Distances eight at a time: who of 64 is in range, as the bits of a number.

Written in the compiler's own vectors: from a loop it makes vectors of comparisons too, but spends more time gathering
their outcomes than on the distances, and takes one by one what is left over at the end. What is computed is what the
loop would compute, in the same order for each agent, on any processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending, types

from swarm.compiled import kernel
from swarm.state import Floats

intrinsic: Any = extending.intrinsic  # what it makes is called without the first argument of what it is given
WORD = 64  # agents asked at once, bits of a number
_LANES = 8  # doubles in the widest registers there are; narrower ones take it in two or four steps
_VECTOR = ir.VectorType(ir.DoubleType(), _LANES)
_INDEX = ir.IntType(32)


@kernel
def in_range(
    x1: Floats, x2: Floats, base: int, first: int, last: int, middle1: float, middle2: float, squared_reach: float,
    squared_close: float,
) -> tuple[np.uint64, np.uint64]:  # fmt: skip
    """Which of 64 agents in a plane are in range, and which of those are close as well.

    All 64 are worked out, also where fewer are asked for: eight steps whose number is known are over before the
    processor has found out that it guessed another number wrong.

    Args:
        x1, x2: (M,) m, positions; there must be 64 from `base` on, whatever those not asked for hold.
        base: Which agent bit 0 stands for.
        first, last: The stretch of agents asked for, first < base + 64 and last > base.
        middle1, middle2: m, from where distances count.
        squared_reach, squared_close: m², inclusive; nobody is in range if it is below 0.

    Returns:
        Bits of those in range, and of those close.
    """
    near, close = np.uint64(0), np.uint64(0)
    for lane in range(0, WORD, _LANES):
        near |= _eight(x1, x2, base + lane, middle1, middle2, squared_reach) << np.uint64(lane)
        close |= _eight(x1, x2, base + lane, middle1, middle2, squared_close) << np.uint64(lane)
    if last - base < WORD:
        near &= (np.uint64(1) << np.uint64(last - base)) - np.uint64(1)
    if first > base:
        near &= ~np.uint64(0) << np.uint64(first - base)
    return near, near & close


@intrinsic
def lowest(_context: Any, _bits: Any) -> tuple[Any, Any]:
    """Place of the lowest bit that is set, of a number that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def _eight(_context: Any, x1: Any, x2: Any, first: Any, middle1: Any, middle2: Any, limit: Any) -> tuple[Any, Any]:
    """Bit k says whether the squared distance of x1[first + k], x2[first + k] is within a limit."""
    signature = types.uint64(x1, x2, types.intp, types.float64, types.float64, types.float64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        squares = []
        for array, kind, middle in zip(args[:2], signature.args, args[3:5]):
            data = context.make_array(kind)(context, builder, array).data
            place = builder.bitcast(builder.gep(data, [args[2]]), _VECTOR.as_pointer())
            step = builder.fsub(builder.load(place, align=8), _spread(builder, middle))
            squares.append(builder.fmul(step, step))
        within = builder.fcmp_ordered("<=", builder.fadd(*squares), _spread(builder, args[5]))
        return builder.zext(builder.bitcast(within, ir.IntType(_LANES)), ir.IntType(64))

    return signature, generate


def _spread(builder: Any, number: Any) -> Any:
    """A number in all lanes."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, number, _INDEX(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_INDEX, _LANES), [0] * _LANES))
