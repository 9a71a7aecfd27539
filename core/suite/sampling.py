"""Choosing a sample of tests that a seed decides and a stream allows."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from modex.core.suite.definitions import TestCase


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


@dataclass(frozen=True, slots=True)
class DrawOrder:
    """Tests in the order in which growing samples take them."""

    keys: list[tuple[str, str, int, str]]
    """(source, domain, level, test_id)"""
    ends: list[int]
    """How many tests are taken with every whole cluster (or test in none), in order."""


def in_draw_order(tests: Iterable[TestCase], seed: int) -> DrawOrder:
    """The order that `seed` gives the tests; those of a cluster come one after the other."""
    placed = sorted(
        (priority(seed, draw_key(test)), position, (test.source, test.domain, test.level, test.test_id))
        for position, test in enumerate(tests)
    )
    last = len(placed) - 1
    ends = [place + 1 for place, one in enumerate(placed) if place == last or placed[place + 1][0] != one[0]]
    return DrawOrder([key for _, _, key in placed], ends)


def take_sample(tests: Iterable[TestCase], size: int, seed: int) -> list[TestCase]:
    """`size` tests chosen by `seed`, in their order; holds no more than those. A larger sample contains a smaller one."""
    heap: list[tuple[int, int, TestCase]] = []
    for position, test in enumerate(tests):
        entry = (-int.from_bytes(priority(seed, draw_key(test))), -position, test)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return [test for _, _, test in sorted(heap, key=lambda found: -found[1])]
