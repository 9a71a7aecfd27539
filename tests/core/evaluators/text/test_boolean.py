"""The truth value that a statement names."""

from __future__ import annotations

import pytest

from core.evaluators.text.boolean import _sentence, _statement, read_boolean


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("it is true", (True, False)),
        ("that is false", (False, False)),
        ("it is not true", (False, False)),
        ("it is not never true", (True, False)),
        ("the answer is yes", (True, False)),
        ("i would say no", (False, False)),
        ("never", (False, True)),
        ("not", (False, True)),
        ("not at all", None),
        ("true and false", None),
        ("i do not know", None),
        ("one two three four five six no", None),
    ],
)
def test_a_statement_names_one_truth_value_turned_by_each_negation_or_none(
    words: str, named: tuple[bool, bool] | None
) -> None:
    assert _statement(words.split()) == named


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("yes", (True, True)),
        ("no, it is late", (False, True)),
        ("yes or no", None),
        ("true or false", None),
        ("yes and no", None),
        ("yes, and there is no way around it for any of them", (False, False)),
        ("it is not at all so", (False, True)),
        ("i think it not at all so", (False, True)),
        ("i thought it not at all so", (False, False)),
        ("of course it is", (True, True)),
        ("he said no, but it is true", (True, False)),
        ("perhaps yes, perhaps no", None),
        ("perhaps it is true", (True, False)),
        ("i do not know if it is true", None),
        ("no, i do not know why", (False, True)),
        ("is it true?", None),
        ("no, why would it?", (False, True)),
        ("true?", (True, True)),
        ("verdict: no", (False, True)),
        ("no: one", (False, True)),
        ("no one came", None),
        ("wrong because it is late", (False, True)),
        ("right now", None),
        ("surely it is", (True, True)),
    ],
)
def test_a_sentence_says_yes_or_no_at_its_head_or_within(sentence: str, said: tuple[bool, bool] | None) -> None:
    assert _sentence(sentence) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes. It is not true.", True),
        ("Yes. No.", None),
        ("It is true. It is false.", None),
        ("Yes. Wait, it is false.", False),
        ("I do not know. Yes.", True),
        ("Is it true?", None),
        ("不是", False),
        ("是", True),
    ],
)
def test_what_opens_goes_before_what_is_stated_and_a_correction_before_both(text: str, said: bool | None) -> None:
    assert read_boolean(text) is said


@pytest.mark.parametrize(("length", "said"), [(60, (True, True)), (61, None)])
def test_a_sentence_of_more_than_sixty_words_says_nothing(length: int, said: tuple[bool, bool] | None) -> None:
    assert _sentence("yes, " + "word " * (length - 1)) == said
