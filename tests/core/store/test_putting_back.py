"""What stood before a run was judged or asked again stands again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.putting_back import came_to_nothing, put_back, replaced, standing
from modex.core.store.sample import VERDICT_FIELDS, EvaluationSample
from tests.core.store.stores import finished, with_writer
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    """Two verdicts, an answer that timed out, one that the network kept away, and one that waits."""
    maker = StoreMaker(tmp_path / "m.db")
    maker.run(
        "r",
        samples=[
            sample("math", 1, 1, "passed", reason="as it was", judge_fingerprint="old"),
            sample("math", 1, 2, "failed", reason="as it was", judge_fingerprint="old"),
            sample("math", 1, 3, "error", error_type="timeout", error_message="too slow"),
            sample("math", 1, 4, "error", error_type="network", error_message="no route"),
            sample("math", 1, 5, "pending"),
        ],
    )
    maker.run("other", samples=[sample("math", 1, 1, "passed")])
    yield maker
    maker.close()


def stood(store: StoreMaker) -> list[tuple[Any, ...]]:
    found = store.manager.reader.samples(store.run_id("r"))
    return [(one.status, one.stage, one.score, one.reason, one.error_type, one.judge_fingerprint) for one in found]


def judge(store: StoreMaker, number: int, *, score: float, fingerprint: str = "new") -> None:
    """Give a sample another verdict; the one that it had is kept among the earlier ones."""
    before = store.manager.reader.sample(number)
    after = finished(before, score=score, reason="anew", judge_fingerprint=fingerprint)
    with_writer(
        store.manager,
        before.run_id,
        lambda writer: writer.save(after, VERDICT_FIELDS, before=before.status, keep_earlier=True),
    )


def fail(store: StoreMaker, number: int, kind: str, status: str = "error") -> None:
    store.manager.database.run(
        "UPDATE individual_test_results SET status = ?, stage = 'init', score = NULL, error_type = ? WHERE id = ?",
        [status, kind, number],
    )


def seq(store: StoreMaker) -> int:
    return store.manager.reader.run("r").seq


def test_verdicts_that_were_replaced_stand_again_and_those_that_replaced_them_are_kept(store: StoreMaker) -> None:
    run, before = store.run_id("r"), stood(store)
    judge(store, 1, score=0.5)
    began = standing(store.manager.database, run)
    assert replaced(store.manager.database, run, began) == 0
    judge(store, 1, score=1.0, fingerprint="newer")
    judge(store, 2, score=1.0)
    assert replaced(store.manager.database, run, began) == 2
    at = seq(store)
    assert put_back(store.manager.database, run, began, judging=True) == 2
    now = stood(store)
    assert (now[0][0], now[0][2], now[0][5]) == ("failed", 0.5, "new")
    assert now[1:] == before[1:]
    assert seq(store) == at + 2
    assert {one.seq for one in store.manager.reader.samples(run)} >= {at + 1, at + 2}
    kept = store.manager.database.rows(
        "SELECT result_id, status, score, reason, judge_fingerprint FROM earlier_verdicts ORDER BY id"
    )
    assert kept[1:] == [(1, "passed", 1.0, "anew", "newer"), (2, "passed", 1.0, "anew", "new")]


def test_a_verdict_that_was_replaced_twice_goes_back_to_the_first(store: StoreMaker) -> None:
    run, before = store.run_id("r"), stood(store)
    began = standing(store.manager.database, run)
    judge(store, 2, score=1.0)
    judge(store, 2, score=0.9, fingerprint="third")
    assert replaced(store.manager.database, run, began) == 1
    assert put_back(store.manager.database, run, began, judging=True) == 1
    assert stood(store) == before


def test_what_another_run_replaced_is_left_alone(store: StoreMaker) -> None:
    run, other = store.run_id("r"), store.run_id("other")
    began = standing(store.manager.database, run)
    judge(store, store.manager.reader.head_ids(other)[0], score=0.0)
    assert replaced(store.manager.database, run, began) == 0
    assert put_back(store.manager.database, run, began, judging=True) == 0
    assert next(iter(store.manager.reader.samples(other))).status == "failed"


def test_errors_that_were_judged_again_are_errors_again_with_their_reason(store: StoreMaker) -> None:
    run, before = store.run_id("r"), stood(store)
    began = standing(store.manager.database, run)
    judge(store, 3, score=1.0)
    judge(store, 4, score=0.0)
    put_back(store.manager.database, run, began, judging=True)
    assert stood(store) == before


@pytest.mark.parametrize(
    ("number", "kind", "status", "again"),
    [
        (3, "network", "error", True),  # the model timed out; now there was no network, which says nothing of it
        (3, "timeout", "error", False),  # it timed out again
        (3, "judge_error", "error", False),
        (3, "network", "pending", True),
        (3, "network", "running", False),
        (4, "server", "error", False),  # neither says anything of the model: what was seen last stays
        (4, "network", "pending", True),
    ],
)
def test_asked_again_an_error_of_the_models_stands_again_where_what_came_now_is_none(
    store: StoreMaker, number: int, kind: str, status: str, again: bool
) -> None:
    run, before = store.run_id("r"), stood(store)
    began = standing(store.manager.database, run)
    store.manager.database.run("UPDATE individual_test_results SET error_message = 'now' WHERE id = ?", [number])
    fail(store, number, kind, status)
    at = seq(store)
    put_back(store.manager.database, run, began, judging=False)
    assert seq(store) == at + again
    now = store.manager.reader.sample(number)
    assert (now.error_message == "now") is not again
    assert (stood(store)[number - 1] == before[number - 1]) is again


def test_asked_again_what_was_answered_stays(store: StoreMaker) -> None:
    run = store.run_id("r")
    began = standing(store.manager.database, run)
    judge(store, 2, score=1.0)
    judge(store, 3, score=1.0)
    assert put_back(store.manager.database, run, began, judging=False) == 0
    assert [one[0] for one in stood(store)] == ["passed", "passed", "passed", "error", "pending"]


@pytest.mark.parametrize(
    ("status", "kind", "back"),
    [
        ("error", "network", True),
        ("pending", None, True),
        ("error", "timeout", False),
        ("passed", None, False),
        ("failed", None, False),
        ("running", None, False),
    ],
)
def test_a_chosen_answer_is_whole_again_where_asking_again_brought_none(
    store: StoreMaker, status: str, kind: str | None, back: bool
) -> None:
    run = store.run_id("r")
    whole: EvaluationSample = store.manager.reader.sample(1)
    began = standing(store.manager.database, run, [whole, store.manager.reader.sample(5)])
    store.manager.database.run(
        "UPDATE individual_test_results SET status = ?, error_type = ?, response = 'other', stage = 'init' WHERE id = 1",
        [status, kind],
    )
    at = seq(store)
    put_back(store.manager.database, run, began, judging=False)
    now = store.manager.reader.sample(1)
    assert seq(store) == at + back
    if back:
        assert (now.status, now.response, now.stage, now.score) == ("passed", whole.response, "judged", 1.0)
        assert now.seq == at + 1
    else:
        assert (now.status, now.response) == (status, "other")
    assert store.manager.reader.sample(5).status == "pending"


def test_an_answer_whose_judging_failed_does_not_become_one_to_the_question_that_was_planned_since(
    store: StoreMaker,
) -> None:
    run, database = store.run_id("r"), store.manager.database
    database.run("UPDATE individual_test_results SET stage = 'rollout', rollout_fingerprint = 'old' WHERE id IN (3, 4)")
    began = standing(database, run)
    planned = (
        "UPDATE individual_test_results SET stage = 'init', status = 'pending', rollout_fingerprint = ? WHERE id = ?"
    )
    database.run(planned, ["new", 3])
    database.run(planned, ["old", 4])
    put_back(database, run, began, judging=False)
    assert [(one[0], one[1]) for one in stood(store)[2:4]] == [("pending", "init"), ("error", "rollout")]


def test_a_chosen_sample_is_put_back_with_the_question_and_the_gold_that_its_answer_is_of(store: StoreMaker) -> None:
    run, database = store.run_id("r"), store.manager.database
    before = store.manager.reader.sample(1)
    began = standing(database, run, [before])
    database.run(
        "UPDATE individual_test_results SET stage = 'init', status = 'pending', prompt = 'another', expected = '7',"
        " system_prompt = 'new', definition = '{}', rollout_fingerprint = 'new' WHERE id = 1"
    )
    put_back(database, run, began, judging=False)
    after = store.manager.reader.sample(1)
    before.seq = after.seq
    assert after == before


def judge_in_vain(store: StoreMaker, number: int) -> None:
    """The judge is asked for another verdict and gives none."""
    before = store.manager.reader.sample(number)
    after = replace(before, status="error", score=None, error_type="judge_error")
    with_writer(
        store.manager,
        before.run_id,
        lambda writer: writer.save(after, VERDICT_FIELDS, before=before.status, keep_earlier=True),
    )


@pytest.mark.parametrize(
    ("vain", "judged", "nothing"),
    [
        ((), (), False),
        ((1,), (), True),
        ((1, 2), (), True),
        ((1,), (2,), False),
        ((1,), (3,), False),
        ((), (3,), False),
    ],
)
def test_judging_came_to_nothing_where_verdicts_were_replaced_and_none_was_given(
    store: StoreMaker, vain: tuple[int, ...], judged: tuple[int, ...], nothing: bool
) -> None:
    run, database = store.run_id("r"), store.manager.database
    judge(store, 1, score=0.5)  # before, and by somebody else's session
    began = standing(database, run)
    other = store.manager.reader.head_ids(store.run_id("other"))[0]
    judge(store, other, score=0.0)
    for number in vain:
        judge_in_vain(store, number)
    for number in judged:
        judge(store, number, score=1.0)
    assert came_to_nothing(database, run, began) is nothing
