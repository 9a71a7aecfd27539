"""Two transcripts of one test: which turn stands for which, and what differs by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.tui.reading.alignment import TranscriptTurn, aligned, differences, normalised
from tests.rows import each_row


def turns(*words: str) -> list[TranscriptTurn]:
    return [TranscriptTurn(*word.split(":")) for word in words]


def test_turns_of_one_kind_belong_together_and_what_only_one_has_stands_alone() -> None:
    one = turns("prompt:p", "get_weather:oslo", "response:cold")
    other = turns("prompt:p", "search:oslo", "get_weather:bergen", "response:wet")
    assert aligned(one, other) == [(0, 0), (None, 1), (1, 2), (2, 3)]


def test_equal_turns_are_matched_before_those_that_are_only_of_one_kind() -> None:
    one = turns("call:a", "call:b", "call:c")
    other = turns("call:b", "call:c", "call:d")
    assert aligned(one, other) == [(0, None), (1, 0), (2, 1), (None, 2)]


@each_row(
    ("one", "other"),
    [
        ('{"a": 1, "b": "x"}', '{"b":"x","a":1.0}'),
        ({"city": " Oslo "}, '{"city": "Oslo"}'),
        ("", "{}"),
        ("not  json", "not json"),
    ],
)
def test_arguments_are_the_same_whatever_their_order_and_spaces(one: object, other: object) -> None:
    assert normalised(one) == normalised(other)


def test_other_values_are_other_arguments() -> None:
    assert normalised('{"a": 1}') != normalised('{"a": 2}')
    assert normalised('{"a": "1"}') != normalised('{"a": 1}')


def test_differences_are_words() -> None:
    gone, new = differences("The sum is 12.\nSure.", "The sum is 15.\nSure.\nQuite.")
    assert gone == [(11, 13)]
    assert [("The sum is 15.\nSure.\nQuite.")[a:b] for a, b in new] == ["15", "Quite."]


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_not_marked_is_the_same_in_both(first: str, second: str) -> None:
    gone, new = differences(first, second)
    for text, ranges in ((first, gone), (second, new)):
        assert all(0 <= a <= b <= len(text) for a, b in ranges)
        assert ranges == sorted(ranges)

    def rest(text: str, ranges: list[tuple[int, int]]) -> list[str]:
        kept, at = "", 0
        for a, b in ranges:
            kept += text[at:a] + " "
            at = b
        return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in kept + text[at:]).split()

    if not gone and not new:
        assert rest(first, []) == rest(second, [])
