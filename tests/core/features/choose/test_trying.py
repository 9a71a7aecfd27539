"""What first answers say of a model: whether it answers, how fast, what all will cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.features.choose.trying import FirstCalls, tried, tried_json, tried_words
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.store.speeds import Figure, Pace
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

PACE = Pace(Figure(3, 100.0, 120.0), Figure(3, 52.0, 50.0), None)
KNOWN = FirstCalls("r", "small", 3, 3, 0, "", 0.41, PACE, 0.0002)


def failing(test_id: str, kind: str, message: str) -> EvaluationSample:
    done = finished(sample(test_id))
    done.status, done.stage, done.score, done.error_type, done.error_message = "error", "rollout", None, kind, message
    return done


def test_wrong_and_cut_off_answers_are_answers_and_errors_are_none(manager: DBDataManager, store: Store) -> None:
    right, wrong = finished(sample("a"), score=1.0), finished(sample("b"), score=0.0)
    for one in (right, wrong):
        one.duration_ms, one.cost_usd = 250, 0.01
    run = store("r", [right, wrong, failing("c", "truncated", "too long"), failing("d", "connection", "refused")])
    found = tried(manager.reader, replace(run, cost_usd=0.02), "small")
    assert (found.exp_id, found.model, found.asked, found.answered, found.cut_off) == ("r", "small", 4, 3, 1)
    assert found.answers
    assert found.error == "connection: refused"
    assert found.cost_usd == pytest.approx(0.005)
    assert tried(manager.reader, replace(run, unpriced_calls=1), "small").cost_usd is None


def test_a_model_of_which_all_calls_failed_does_not_answer(manager: DBDataManager, store: Store) -> None:
    run = store("r", [failing(name, "connection", "refused") for name in ("a", "b")])
    found = tried(manager.reader, run, "small")
    assert not found.answers
    assert tried_words(found, 10) == "small does not answer: connection: refused"
    assert (
        tried_words(FirstCalls("r", "m", 0, 0, 0, "", None, None, None), 10)
        == "m does not answer: nothing of it was asked"
    )


def test_the_words_say_speed_cost_and_what_was_cut_off() -> None:
    assert tried_words(KNOWN, 200) == (
        "small answers: 3 of 3, 0.41 s each (first token 0.10 s, 52 tokens/s); all 200 cost about $0.04"
    )
    plain = replace(KNOWN, seconds=None, pace=None)
    assert tried_words(replace(plain, cost_usd=None), 200) == "small answers: 3 of 3; no price is known"
    assert tried_words(replace(plain, cost_usd=0.0), 200) == "small answers: 3 of 3; it costs nothing"
    assert tried_words(replace(plain, cost_usd=0.0, cut_off=2, error="timeout: slow"), 1) == (
        "small answers: 3 of 3; it costs nothing; 2 cut off: a larger --max-tokens may help; one error: timeout: slow"
    )


def test_the_json_holds_what_was_measured() -> None:
    assert tried_json(KNOWN, 200) == {
        "run": "r", "model": "small", "asked": 3, "answered": 3, "cut_off": 0, "error": None, "seconds": 0.41,
        "pace": PACE.as_dict(), "cost_usd": 0.0002, "cost_of_all_usd": pytest.approx(0.04),
    }  # fmt: skip
    bare = tried_json(replace(KNOWN, pace=None, cost_usd=None, error="timeout: x"), 200)
    assert (bare["pace"], bare["cost_of_all_usd"], bare["error"]) == (None, None, "timeout: x")
