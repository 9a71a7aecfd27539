"""What a stored conversation asked."""

from __future__ import annotations

import json
from typing import Any

from modex.core.suite.datasets.asked import asked_in, last_asked, role_of
from tests.rows import each_row


def _turns(text: str, **contents: Any) -> list[dict[str, Any]]:
    """`s`, `u`, `a`, `t` are turns of the system, the user, the assistant and a tool; each says its place."""
    roles = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}
    return [{"role": roles[one], "content": contents.get(f"at{place}", str(place))} for place, one in enumerate(text)]


@each_row(
    ("turns", "places"),
    [("u", "0"), ("ua", "0"), ("sua", "01"), ("uaua", "012"), ("uauau", "012"), ("uuta", "01"), ("uata", "0"), ("utua", "02"),
     ("suatua", "0124"), ("a", None), ("s", None), ("au", None), ("aua", "01")],
)  # fmt: skip
def test_the_turns_end_with_the_last_one_of_the_user_that_was_answered(turns: str, places: str | None) -> None:
    for given in (_turns(turns), json.dumps(_turns(turns))):
        found = asked_in(given)
        assert (None if found is None else "".join(str(turn["content"]) for turn in found)) == places


@each_row("value", [None, "", "text", "[", "[]", [], [3], [{"content": "x"}], {"role": "user"}, "[1]", [{"role": 3}], 5, "5",
                   [{"role": "user", "content": "q"}, {"content": "x"}], [{"role": "user", "content": "q"}, "x"]])  # fmt: skip
def test_what_is_no_conversation_asks_nothing(value: Any) -> None:
    assert asked_in(value) is None


def test_a_turn_without_words_is_left_out_and_other_names_of_roles_and_words_are_read() -> None:
    given = [{"from": "human", "value": ""}, {"role": "developer", "content": "s"}, {"from": "human", "value": "q"},
             {"from": "gpt", "value": "a"}]  # fmt: skip
    assert asked_in(given) == [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    assert [role_of(one) for one in ({"role": "model"}, {"role": "function"}, {"role": "own"}, {"role": 1}, {})] == [
        "assistant", "tool", "own", None, None,
    ]  # fmt: skip


@each_row(
    ("content", "words"),
    [
        ("q", "q"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, "odd", {"text": "b"}], "ab"),
        (3, ""),
        ([{"text": 3}], ""),
    ],
)
def test_the_last_words_are_those_of_the_last_turn(content: Any, words: str) -> None:
    asked = {"role": "user", "content": content}
    assert [last_asked([{"role": "user", "content": "before"}] * before + [asked]) for before in range(3)] == [
        words
    ] * 3
    assert last_asked([]) == ""
