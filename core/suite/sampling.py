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


def draw_key(test: TestCase) -> str:
    """What a test is drawn by: itself, or its cluster, so that clusters come one after the other."""
    if test.cluster is not None:
        return f"{test.source}//{test.cluster}"
    return key_of(test)


def key_of(test: TestCase) -> str:
    """What names a test among all that a run may have."""
    return f"{test.source}/{test.domain}/{test.level}/{test.test_id}"


def in_draw_order(tests: Iterable[TestCase], seed: int) -> list[tuple[str, str, int, str]]:
    """The keys (source, domain, level, test_id) of the tests in the order in which growing samples take them."""
    placed = [
        (priority(seed, draw_key(test)), position, (test.source, test.domain, test.level, test.test_id))
        for position, test in enumerate(tests)
    ]
    return [key for _, _, key in sorted(placed)]


def take_sample(tests: Iterable[TestCase], size: int, seed: int) -> list[TestCase]:
    """`size` tests chosen by `seed`, in their order; holds no more than those. A larger sample contains a smaller one."""
    heap: list[tuple[int, int, TestCase]] = []
    for position, test in enumerate(tests):
        entry = (-int.from_bytes(priority(seed, draw_key(test))), -position, test)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        elif heap and entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)
    return [test for _, _, test in sorted(heap, key=lambda found: -found[1])]
