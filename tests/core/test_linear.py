"""What reads a model's text takes a time that grows as the text: every pattern of `core/`, and every evaluator, with 40 shapes.

`re` holds the interpreter, so that a pattern of quadratic time makes a run deaf to every signal: 60 kB take minutes then.
"""

from __future__ import annotations

import re

import pytest

from benchmarks.linear import FORTY, LARGE, Use, collect, shape, slow_evaluators, slow_patterns


@pytest.mark.long
def test_no_pattern_takes_longer_than_its_text_grows() -> None:
    found = collect(("core",))
    assert len(found) > 500
    assert slow_patterns(FORTY, found) == []


def test_a_pattern_of_quadratic_time_is_found() -> None:
    slow = Use("re", r"\s+$", int(re.ASCII), "search")
    assert [one["pattern"] for one in slow_patterns(FORTY, {slow: "here"}, 0.3)] == [r"\s+$"]


@pytest.mark.long
def test_no_evaluator_takes_longer_than_its_text_grows() -> None:
    assert len(FORTY) == 40
    assert all(LARGE * 0.9 < len(shape(unit, LARGE, start, end)) < LARGE * 1.1 for unit, start, end in FORTY)
    assert slow_evaluators() == []


def test_a_pattern_that_never_ends_is_found_though_no_shape_of_it_can_be_timed() -> None:
    endless = Use("re", r"(?:a|a)*b", 0, "fullmatch")
    assert [one["pattern"] for one in slow_patterns(FORTY, {endless: "here"}, 0.3)] == [endless.pattern]
