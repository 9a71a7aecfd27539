from __future__ import annotations

from modex.core.evaluators.text.echo import echoes
from tests.rows import each_row

ASKED = "Hello, when do you open on Saturday, and can I pay by card?"


def test_the_question_said_again_is_an_echo() -> None:
    assert echoes(ASKED, [ASKED])
    assert echoes("You ask: hello, when do you open on Saturday, and can I pay by card", ["Thanks!", ASKED])


def test_an_answer_in_words_of_the_question_is_none() -> None:
    assert not echoes("We open on Saturday at ten, and yes, you can pay by card.", [ASKED])
    assert not echoes("On Saturday", [ASKED])


def test_a_passage_of_a_long_text_is_none() -> None:
    text = "The fee is due by 14 April at the latest. " + "Much else is said here about other things. " * 30
    assert not echoes("The fee is due by 14 April at the latest.", [text])


TWELVE = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@each_row(
    ("reply", "echo"),
    [
        (TWELVE[:8], True),  # 6 of the turn's 10 runs
        (TWELVE[:7], False),
        (["a", *TWELVE], True),
        ([*"abcde", *TWELVE], False),  # 10 of 15 runs
        (["a", "b", *TWELVE], True),  # 10 of 12
        (["a", "b", "c", *TWELVE], False),  # 10 of 13
        ([*TWELVE[:4], "x", *TWELVE[4:]], False),
    ],
)
def test_an_echo_takes_most_of_the_turn_and_adds_little(reply: list[str], echo: bool) -> None:
    assert echoes(" ".join(reply), ["other", " ".join(TWELVE)]) is echo


def test_three_words_at_least_are_an_echo_and_no_reply_three_times_as_long() -> None:
    assert echoes("one two three", ["one two three"])
    assert not echoes("one two", ["one two"])
    assert not echoes("one two three", [])
    turn = "a b c d e f"
    assert echoes(turn + " " * (2 * len(turn)), [turn])
    assert not echoes(turn + " " * (2 * len(turn) + 1), [turn])
