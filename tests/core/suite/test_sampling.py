"""Samples that grow: which tests come first, and where clusters are whole."""

from __future__ import annotations

import pytest

from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.sampling import draw_key, in_draw_order, key_of, priority, take_sample


def made(number: int, cluster: str | None = None, source: str = "suite") -> TestCase:
    return TestCase(source, "d", 1, f"t{number}", "p", "e", "keyword", Location("f.json"), cluster=cluster)


MIXED = [made(n, f"c{n % 4}" if n % 2 else None) for n in range(24)]


def test_a_test_is_drawn_by_itself_or_by_its_cluster() -> None:
    assert (key_of(made(1)), draw_key(made(1))) == ("suite/d/1/t1", "suite/d/1/t1")
    assert draw_key(made(1, "c")) == draw_key(made(2, "c")) == "suite//c"
    assert draw_key(made(1, "c", "other")) == "other//c"


@pytest.mark.parametrize("seed", [0, 7])
def test_the_draw_order_is_that_in_which_growing_samples_take_tests(seed: int) -> None:
    order = in_draw_order(MIXED, seed)
    assert sorted(order.keys) == sorted(("suite", "d", 1, f"t{n}") for n in range(24))
    for size in range(25):
        taken = {test.test_id for test in take_sample(MIXED, size, seed)}
        assert taken == {key[3] for key in order.keys[:size]}
    assert in_draw_order(MIXED, seed + 1).keys != order.keys


def test_a_cluster_is_whole_after_its_last_test_and_a_test_alone_after_itself() -> None:
    order = in_draw_order(MIXED, 3)
    clusters = {f"t{n}": f"c{n % 4}" if n % 2 else f"t{n}" for n in range(24)}
    found = [clusters[key[3]] for key in order.keys]
    ends = [place + 1 for place, one in enumerate(found) if one not in found[place + 1 :]]
    assert order.ends == ends
    assert (len(ends), ends[-1]) == (14, 24)
    assert in_draw_order([], 3).ends == []
    assert in_draw_order([made(1)], 3).ends == [1]


def test_a_sample_keeps_the_order_of_the_tests() -> None:
    taken = [test.test_id for test in take_sample(MIXED, 9, 1)]
    assert taken == sorted(taken, key=lambda name: int(name[1:]))
    assert take_sample(MIXED, 0, 1) == []
    assert take_sample(MIXED, 99, 1) == MIXED


def test_priorities_are_those_of_every_version_and_machine() -> None:
    """By `printf '7\\0suite/d/1/t1' | b2sum -l 64`: a sample that is drawn again must be the same one."""
    assert priority(7, "suite/d/1/t1").hex() == "bb5736552dfa68fd"
