"""Choosing a sample of tests that a seed decides and a stream allows."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from hashlib import blake2b

from core.suite.definitions import TestCase


def priority(seed: int, key: str) -> bytes:
    """The place of a test in a sample: the smallest `N` priorities are taken.

    It depends on the seed and the test alone, so a larger sample contains a smaller one and new rows change little.
    """
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()


def take_sample(tests: Iterable[TestCase], size: int, seed: int) -> list[TestCase]:
    """`size` tests chosen by `seed`, in their order; holds no more than those. A larger sample contains a smaller one."""
    heap: list[tuple[int, int, TestCase]] = []
    for position, test in enumerate(tests):
        key = f"{test.source}/{test.domain}/{test.level}/{test.test_id}"
        entry = (-int.from_bytes(priority(seed, key)), -position, test)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        elif heap and entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)
    return [test for _, _, test in sorted(heap, key=lambda found: -found[1])]
