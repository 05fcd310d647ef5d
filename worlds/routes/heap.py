"""A binary heap of grid nodes by key, in which a node's key can be lowered in place."""

from __future__ import annotations

from swarm.compiled import kernel
from swarm.state import Floats, Ints


@kernel
def lift(heap: Ints, place: Ints, key: Floats, size: int, node: int) -> int:
    """Put a node into the heap, or move it up after its key was lowered.

    Args:
        heap: (N,) nodes, the first `size` in heap order.
        place: (N,) where each node stands in the heap, -1 if it does not.
        key: (N,) what they are ordered by; ties go by node, so that the order never depends on the past.
        size: Nodes in the heap.
        node: The one.

    Returns:
        The new size.
    """
    hole = place[node]
    if hole < 0:
        hole = size
        size += 1
    while hole > 0:
        parent = heap[(hole - 1) // 2]
        if key[parent] < key[node] or (key[parent] == key[node] and parent < node):
            break
        heap[hole] = parent
        place[parent] = hole
        hole = (hole - 1) // 2
    heap[hole] = node
    place[node] = hole
    return size


@kernel
def drop_first(heap: Ints, place: Ints, key: Floats, size: int) -> int:
    """Take out the node with the lowest key, heap[0].

    Args:
        heap, place, key, size: As for `lift`; size at least 1.

    Returns:
        The new size.
    """
    place[heap[0]] = -1
    size -= 1
    if size == 0:
        return 0
    last = heap[size]
    hole = 0
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        if child + 1 < size:
            a, b = heap[child], heap[child + 1]
            if key[b] < key[a] or (key[b] == key[a] and b < a):
                child += 1
        below = heap[child]
        if key[last] < key[below] or (key[last] == key[below] and last < below):
            break
        heap[hole] = below
        place[below] = hole
        hole = child
    heap[hole] = last
    place[last] = hole
    return size
