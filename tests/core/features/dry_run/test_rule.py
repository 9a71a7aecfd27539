"""Rules that are tried: what a model is asked, and what it is spared."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.features.dry_run.rule import (
    Budget,
    ChangedVerdict,
    DryRun,
    ShownVerdict,
    _Asked,
    _NotAskedError,
    _Remembering,
    _unfenced,
)
from modex.core.llm.types import Completion, Message
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row

_QUESTION: list[Message] = [{"role": "user", "content": "Is 4 right?"}]


class _Client:
    """A model that answers each question for half a dollar."""

    model = "demo/judge"

    def __init__(self) -> None:
        self.asked: list[tuple[Any, dict[str, Any]]] = []

    def complete(self, messages: Any, **options: Any) -> Completion:
        self.asked.append((messages, options))
        return Completion("new", cost_usd=0.5)


def _remembering(exchanges: list[dict[str, Any]], budget: Budget) -> tuple[_Remembering, _Client]:
    client = _Client()
    given: Any = client
    return _Remembering(given, exchanges, budget), client


def _exchange(
    answer: str | None, *, model: str = "demo/judge", content: str = "Is 4 right?", **more: str
) -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": content}], "answer": answer, **more}


def test_what_was_asked_word_for_word_is_answered_from_what_is_stored_each_answer_once() -> None:
    stored = [_exchange("other", model="demo/x"), _exchange("one", reasoning="so"), _exchange("two"), _exchange(None)]
    found, client = _remembering(stored, Budget(0.0))
    assert found.model == "demo/judge"
    answers = [found.complete(_QUESTION) for _ in range(3)]
    assert [(one.text, one.reasoning) for one in answers] == [("one", "so"), ("two", None), ("", None)]
    with pytest.raises(_NotAskedError):
        found.complete(_QUESTION)
    assert client.asked == []


def test_another_question_is_asked_while_anything_may_be_spent() -> None:
    budget = Budget(1.0)
    found, client = _remembering([_exchange("one", content="Is 5 right?")], budget)
    for spent in (0.5, 1.0):
        assert found.complete(_QUESTION, temperature=0.5, max_tokens=7).text == "new"
        assert budget.spent_usd == spent
    with pytest.raises(_NotAskedError):
        found.complete(_QUESTION)
    messages, options = client.asked[0]
    assert messages == _QUESTION
    assert {name: value for name, value in options.items() if value is not None} == {
        "temperature": 0.5,
        "max_tokens": 7,
    }


@each_row(("most", "spent", "left"), [(0.0, None, False), (1.0, None, True), (1.0, 0.9, True), (1.0, 1.0, False)])
def test_a_budget_is_left_until_it_is_spent_and_an_unknown_price_is_none(
    most: float, spent: float | None, left: bool
) -> None:
    budget = Budget(most)
    budget.spend(spent)
    assert (budget.left, budget.spent_usd) == (left, spent or 0.0)


def test_the_signs_that_fence_data_off_are_drawn_anew_and_do_not_tell_questions_apart() -> None:
    one = [{"role": "user", "content": "a DATA-0123456789abcdef b"}]
    other = [{"role": "user", "content": "a DATA-fedcba9876543210 b"}]
    assert _unfenced(one) == _unfenced(other) == [("user", "a DATA b")]
    assert _unfenced([{"role": "user", "content": "DATA-0123456789abcde"}]) == [("user", "DATA-0123456789abcde")]
    assert _unfenced([{"role": "user", "content": "x"}]) != _unfenced([{"role": "system", "content": "x"}])
    assert (_unfenced("odd"), _unfenced(["odd"])) == ([], [])


def test_that_a_model_was_wanted_and_not_asked_is_noted() -> None:
    asked = _Asked()
    free, _ = _remembering([], Budget(1.0))
    assert asked.watch(free).complete(_QUESTION).text == "new"
    assert not asked.refused
    bound, _ = _remembering([], Budget(0.0))
    with pytest.raises(_NotAskedError):
        asked.watch(bound).complete(_QUESTION)
    assert asked.refused


def test_a_verdict_is_told_with_its_error_or_its_reason_and_flips_where_the_status_is_another() -> None:
    broken = EvaluationSample(status="error", error_message="no answer", reason="old")
    wrong = EvaluationSample(
        status="failed", error_message="left over", score=0.0, extracted_answer="5", reason="it is odd"
    )
    assert ShownVerdict.of(broken) == ShownVerdict("error", None, None, "no answer")
    assert ShownVerdict.of(wrong) == ShownVerdict("failed", 0.0, "5", "it is odd")
    flip, other = (
        ChangedVerdict(wrong, ShownVerdict.of(broken)),
        ChangedVerdict(wrong, ShownVerdict("failed", 0.5, "5", "")),
    )
    assert (flip.flips, other.flips) == (True, False)
    assert flip.after == ShownVerdict.of(wrong)
    assert DryRun(RunRow(1), [other, flip]).flips == [flip]
