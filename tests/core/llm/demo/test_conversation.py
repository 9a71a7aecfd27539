"""The scripted model in a conversation, as the user and as the one who is asked."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.conversation import asks_first, user_says
from modex.core.llm.demo.cues import Cue
from modex.core.llm.types import Message
from tests.rows import each_row

DICE = Dice("default", "k")


def cue(facts: list[str] | None = None, **user: Any) -> Cue:
    return Cue("user", "k", context={"user": {"facts": facts, **user}})


def as_user(said: int, last: str, begins: str = "Hello") -> list[Message]:
    """What the user is shown after it said so much; `begins` is how the conversation began."""
    talk: list[Message] = [{"role": "system", "content": "play"}, {"role": "user", "content": "Hi"}]
    talk += [{"role": "assistant", "content": begins}]
    for number in range(said):
        talk += [{"role": "user", "content": "?"}, {"role": "assistant", "content": f"fact {number}"}]
    return [*talk, {"role": "user", "content": last}]


@each_row(
    ("said", "last", "begins", "answer"),
    [
        (0, "Which one?", "Hello", "one"),
        (1, "Which one? ", "Hello", "two"),
        (2, "Please answer yes.", "Hello", "Yes, please."),
        (2, "Antworten Sie mit Ja.", "Ich will das", "Ja, bitte."),
        (2, "Responda sí, por favor.", "Quiero mi pedido", "Sí, por favor."),
        (3, "Anything else?", "Hello", "###STOP###"),
        (0, "Done.", "Hello", "###STOP###"),
    ],
)
def test_a_user_tells_one_fact_an_answer_then_says_yes_and_then_leaves(
    said: int, last: str, begins: str, answer: str
) -> None:
    assert user_says(DICE, as_user(said, last, begins), cue(["one", "two"])) == answer


def test_a_user_leaves_with_its_own_word_before_a_conversation_and_where_it_is_hasty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = cue(["one"], stop_words=["BYE", "END"])
    assert user_says(DICE, as_user(0, "And?")[-2:], given) == "BYE"
    for roll, answer in ((0.24, "BYE"), (0.25, "one")):
        monkeypatch.setattr(Dice, "roll", lambda *_, roll=roll: roll)
        assert user_says(Dice("hasty", "k"), as_user(0, "And?"), given) == answer
        assert user_says(DICE, as_user(0, "And?"), given) == "one"


@each_row(
    ("users", "asked"),
    [
        (["Hello"], "Gladly. What else do I need to know?"),
        (["Hello", "a"], "Gladly. What else do I need to know?"),
        (["Hello", "a", "b"], "Shall I do it like that? Please answer yes."),
        (["Hello", "a", "b", "yes"], ""),
        (["ich", "a", "b"], "Soll ich das so machen? Bitte antworten Sie mit Ja."),
        (["Quiero eso"], "Con gusto. ¿Qué más debo saber?"),
        ([], "Gladly. What else do I need to know?"),
    ],
)
def test_before_it_acts_it_asks_while_its_user_has_more_to_say(users: list[str], asked: str) -> None:
    messages: list[Message] = [{"role": "system", "content": "x"}]
    messages += [{"role": "user", "content": text} for text in users]
    assert asks_first(messages, cue(["one", "two"])) == asked


def test_without_a_user_it_asks_whether_it_may_and_acts() -> None:
    nobody = Cue("rollout", "k", context={"user": "damaged"})
    assert asks_first([{"role": "user", "content": "a"}], nobody).startswith("Shall I")
    assert asks_first([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}], nobody) == ""
