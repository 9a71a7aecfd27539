from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.instructions.responses import loose_readings


def test_the_eight_readings_of_an_answer_with_lines_and_stars() -> None:
    assert list(loose_readings("Sure:\n*one*\ntwo\nBye")) == [
        "Sure:\n*one*\ntwo\nBye",
        "*one*\ntwo\nBye",
        "Sure:\n*one*\ntwo",
        "*one*\ntwo",
        "Sure:\none\ntwo\nBye",
        "one\ntwo\nBye",
        "Sure:\none\ntwo",
        "one\ntwo",
    ]


def test_empty_readings_and_those_that_are_there_already_are_left_out() -> None:
    assert list(loose_readings("one line")) == ["one line"]
    assert list(loose_readings("***")) == ["***"]
    assert list(loose_readings("")) == []
    assert list(loose_readings("first\n\nlast")) == ["first\n\nlast", "last", "first"]


@given(st.text(alphabet="ab*\n ", max_size=30))
def test_each_reading_is_the_answer_or_a_part_of_it(answer: str) -> None:
    found = list(loose_readings(answer))
    assert len(found) <= 8
    assert len(set(found)) == len(found)
    assert (found[:1] == [answer]) is bool(answer.strip())
    assert all(one in answer or one in answer.replace("*", "") for one in found)
