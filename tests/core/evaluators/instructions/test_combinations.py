from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


@each_row(
    ("text", "words"),
    [
        ("one\n******\ntwo", "2 answers, exactly 2 asked"),
        ("******\none******two\n******", "2 answers, exactly 2 asked"),
        ("one", "1 answer, exactly 2 asked"),
        ("one******two******three", "3 answers, exactly 2 asked"),
        ("one******  ******two", "an empty answer between two `******`"),
        ("one ******\none", "twice the same answer"),
    ],
)
def test_two_answers_differ_and_stand_between_six_stars(text: str, words: str) -> None:
    verdict = found("combination:two_responses", text)
    assert (verdict.words, verdict.followed) == (words, words.startswith("2 "))


def test_the_request_is_repeated_first() -> None:
    kind = "combination:repeat_prompt"
    assert found(kind, "  Write A POEM.\nRoses", prompt_to_repeat="write a poem. ").words == "begins with the request"
    assert followed(kind, "  Write A POEM.\nRoses", prompt_to_repeat="write a poem. ")
    assert found(kind, "\nSure! Write a poem.", prompt_to_repeat="Write").words == "begins with 'Sure! Write a poem.'"
    assert not followed(kind, "Sure! Write a poem.", prompt_to_repeat="Write")
