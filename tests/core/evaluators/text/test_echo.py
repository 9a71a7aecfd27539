from __future__ import annotations

from core.evaluators.text.echo import echoes

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
