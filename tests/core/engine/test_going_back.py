"""A run whose judging, or whose asking again, did not come to its end."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.engine.going_back import GoingBack
from modex.core.engine.stopping import STOPPED_WORDS, SessionOutcome
from modex.core.store.manager import ChosenSamples
from modex.core.store.rows import RunRow
from modex.core.store.sample import VERDICT_FIELDS
from tests.core.store.stores import finished, with_writer
from tests.tui.stores import StoreMaker, sample

LATER = "2026-03-06T00:00:00.000Z"
ABORTED = SessionOutcome("aborted", "no such key")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def begun(store: StoreMaker, status: str = "completed", *signs: str, scored: bool = True) -> RunRow:
    """A run in this status with a sample for each sign; a session has begun with it."""
    statuses = {"+": "passed", "-": "failed", "!": "error", ".": "pending"}
    samples = [sample("math", 1, n, statuses[sign]) for n, sign in enumerate(signs, 1)]  # type: ignore[arg-type]
    score = 0.25 if scored else None
    store.run("r", samples=samples, status=status, reason="why", completed_at=LATER, overall_score=score)
    return store.manager.reader.run("r")


def going_back(
    store: StoreMaker, run: RunRow, *, judging: bool = False, chosen: ChosenSamples | None = None
) -> GoingBack:
    found = GoingBack(store.manager, run, judging=judging, chosen=chosen)
    store.manager.update_run(run.id, status="aborted", reason="no such key", completed_at=None)
    return found


def judge(store: StoreMaker, number: int, score: float) -> None:
    before = store.manager.reader.sample(number)
    after = finished(before, score=score, judge_fingerprint="new")
    with_writer(
        store.manager,
        before.run_id,
        lambda writer: writer.save(after, VERDICT_FIELDS, before=before.status, keep_earlier=True),
    )


def now(store: StoreMaker) -> tuple[str, str | None, str | None, float | None]:
    run = store.manager.reader.run("r")
    return run.status, run.reason, run.completed_at, run.overall_score


def scores(store: StoreMaker) -> list[float | None]:
    return [one.score for one in store.manager.reader.samples(store.run_id("r"))]


def test_judging_that_was_refused_leaves_status_verdicts_and_scores_as_they_were(store: StoreMaker) -> None:
    run = begun(store, "completed", "+", "-")
    back = going_back(store, run, judging=True)
    judge(store, 2, 1.0)
    assert back.after(ABORTED) == SessionOutcome(
        "aborted", "no such key; 1 earlier verdict stands again; the run is as it was"
    )
    assert scores(store) == [1.0, 0.0]
    assert now(store) == ("completed", "why", LATER, 0.5)
    assert store.manager.reader.run("r").passed_tests == 1


@pytest.mark.parametrize(
    ("replaced", "said"),
    [(0, "the run is as it was"), (2, "2 earlier verdicts stand again; the run is as it was")],
)
def test_what_was_put_back_is_said(store: StoreMaker, replaced: int, said: str) -> None:
    back = going_back(store, begun(store, "completed", "+", "-"), judging=True)
    for number in range(1, replaced + 1):
        judge(store, number, 0.9)
    assert back.after(SessionOutcome("error")) == SessionOutcome("error", f"error; {said}")


def test_what_was_completed_is_left_as_it_became(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-"), judging=True)
    judge(store, 2, 1.0)
    assert back.after(SessionOutcome("completed")) == SessionOutcome("completed")
    assert (scores(store), now(store)[0]) == ([1.0, 1.0], "aborted")


def test_judging_that_a_person_stops_keeps_what_is_new_and_says_how_much(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-", "!"), judging=True)
    judge(store, 2, 1.0)
    outcome = back.after(SessionOutcome("stopped", STOPPED_WORDS))
    assert outcome.status == "stopped"
    assert "1 of 2 verdicts are new" in (outcome.reason or "")
    assert scores(store)[:2] == [1.0, 1.0]
    assert now(store)[1] == outcome.reason


def test_judging_that_is_stopped_before_the_first_verdict_leaves_the_run_as_it_was(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-"), judging=True)
    assert back.after(SessionOutcome("stopped")).reason == "stopped before a verdict was replaced; the run is as it was"
    assert now(store) == ("completed", "why", LATER, 0.5)


def test_judging_that_ends_itself_since_nothing_answers_is_put_back(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-"), judging=True)
    judge(store, 2, 1.0)
    assert "stands again" in (back.after(SessionOutcome("stopped", "nothing answered for 10 minutes")).reason or "")
    assert scores(store) == [1.0, 0.0]


def test_a_complete_run_that_is_asked_again_in_vain_is_complete_again(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "!"))
    assert back.after(ABORTED) == SessionOutcome("aborted", "no such key; the run is as it was")
    assert now(store) == ("completed", "why", LATER, 1.0)


@pytest.mark.parametrize(("status", "signs"), [("completed", "+."), ("stopped", "+!"), ("stopped", "+.")])
def test_a_run_that_still_has_something_to_ask_ends_as_it_ended_now_and_is_summed_up(
    store: StoreMaker, status: str, signs: str
) -> None:
    back = going_back(store, begun(store, status, *signs))
    assert back.after(ABORTED) == ABORTED
    assert now(store) == ("aborted", "no such key", None, 1.0)


@pytest.mark.parametrize(("status", "signs"), [("aborted", "+!"), ("error", "+!"), ("completed", "..")])
def test_a_run_that_had_not_ended_or_had_nothing_done_is_left_alone(store: StoreMaker, status: str, signs: str) -> None:
    back = going_back(store, begun(store, status, *signs))
    assert back.after(ABORTED) == ABORTED
    assert now(store) == ("aborted", "no such key", None, 0.25)


def test_asking_again_that_a_person_stops_is_stopped(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "!"))
    assert back.after(SessionOutcome("stopped")) == SessionOutcome("stopped")
    assert now(store)[0] == "aborted"  # the session itself has stored how it ended


def test_a_run_that_was_never_summed_up_is_not_summed_up_by_going_back(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-", scored=False), judging=True)
    back.after(ABORTED)
    assert now(store) == ("completed", "why", LATER, None)


def test_chosen_answers_that_are_asked_again_in_vain_are_whole_again(store: StoreMaker) -> None:
    run = begun(store, "completed", "+", "-")
    back = going_back(store, run, chosen=ChosenSamples(frozenset({1}), "ask"))
    for number in (1, 2):
        store.manager.database.run(
            "UPDATE individual_test_results SET status = 'pending', stage = 'init', score = NULL WHERE id = ?", [number]
        )
    back.after(ABORTED)
    assert [one.status for one in store.manager.reader.samples(run.id)] == ["passed", "pending"]


def test_what_stood_before_a_starter_prepared_the_run_is_what_stands_again(store: StoreMaker) -> None:
    begun(store, "running", "+", "-")
    store.manager.update_run(
        store.run_id("r"), live={"before": {"status": "completed", "reason": "before that", "completed_at": LATER}}
    )
    back = going_back(store, store.manager.reader.run("r"), judging=True)
    back.after(ABORTED)
    assert now(store)[:3] == ("completed", "before that", LATER)


def test_judging_that_fails_puts_back_the_verdicts_of_a_run_that_had_not_ended_too(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "aborted", "+", "-"), judging=True)
    judge(store, 2, 1.0)
    assert "1 earlier verdict stands again" in (back.after(ABORTED).reason or "")
    assert scores(store) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("chosen", "whole"),
    [
        (ChosenSamples(frozenset({1, 8}), "ask"), {1, 8}),
        (ChosenSamples(frozenset({8, 1, 3}), "ask"), {1, 3}),  # as many as are kept, by their ids
        (ChosenSamples(frozenset({1, 8}), "judge"), set()),
        (None, set()),
    ],
)
def test_only_so_many_chosen_answers_that_are_asked_again_are_kept_whole(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch, chosen: ChosenSamples | None, whole: set[int]
) -> None:
    monkeypatch.setattr("modex.core.engine.going_back._MOST", 2)
    run = begun(store, "completed", *"++++++++")
    back = going_back(store, run, chosen=chosen)
    store.manager.database.run("UPDATE individual_test_results SET status = 'pending', stage = 'init', score = NULL")
    back.after(ABORTED)
    assert {one.id for one in store.manager.reader.samples(run.id) if one.status == "passed"} == whole


def test_whoever_judges_is_told_before_verdicts_are_put_back_and_whoever_asks_is_not(store: StoreMaker) -> None:
    told: list[list[float | None]] = []
    run = begun(store, "completed", "+", "-")
    back = GoingBack(store.manager, run, judging=True, chosen=None, going=lambda: told.append(scores(store)))
    judge(store, 2, 1.0)
    back.after(ABORTED)
    assert told == [[1.0, 1.0]]
    GoingBack(store.manager, run, judging=False, chosen=None, going=lambda: told.append([])).after(ABORTED)
    assert told == [[1.0, 1.0]]


def test_judges_that_were_asked_to_the_end_and_gave_not_one_verdict_leave_the_run_as_it_was(store: StoreMaker) -> None:
    back = going_back(store, begun(store, "completed", "+", "-"), judging=True)
    for number in (1, 2):
        before = store.manager.reader.sample(number)
        after = dataclasses.replace(finished(before), status="error", score=None, error_type="judge_error")
        with_writer(
            store.manager,
            before.run_id,
            lambda writer, after=after, before=before: writer.save(  # type: ignore[misc]
                after, VERDICT_FIELDS, before=before.status, keep_earlier=True
            ),
        )
    outcome = back.after(SessionOutcome("completed"))
    assert outcome.status == "stopped"
    assert "gave not one verdict" in (outcome.reason or "")
    assert "2 earlier verdicts stand again; the run is as it was" in (outcome.reason or "")
    assert scores(store) == [1.0, 0.0]


def test_judging_that_is_stopped_before_a_verdict_was_replaced_leaves_errors_as_they_were_too(
    store: StoreMaker,
) -> None:
    back = going_back(store, begun(store, "completed", "+", "!"), judging=True)
    judge(store, 2, 1.0)  # the error had no verdict that this could replace
    assert "before a verdict was replaced" in (back.after(SessionOutcome("stopped")).reason or "")
    assert store.manager.reader.sample(2).status == "error"
    assert store.manager.reader.run("r").error_tests == 1
