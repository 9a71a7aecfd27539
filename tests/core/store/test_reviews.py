"""What people say of samples outlives judgements, and says when the answer has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.filters import parse_query
from core.store import reviews
from core.store.reader import Reader, SampleQuery
from core.store.reviews import ReviewRow, Said, say
from core.store.selecting import SAMPLE_FILTERS, sample_query
from tests.fixtures.old_databases import NAMES, unpack
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    maker.run(
        "r",
        samples=[
            sample("math", 1, 1, "passed"),
            sample("math", 2, 2, "failed"),
            sample("sql", 3, 3, "failed"),
            sample("sql", 4, 4, "error"),
        ],
    )
    yield maker
    maker.close()


def said_of(store: StoreMaker, number: int, said: Said, author: str = "ann") -> tuple[Said, Said]:
    reader = store.manager.reader
    return say(reader, reader.sample(number), author, said)


def the_only(store: StoreMaker) -> ReviewRow:
    (row,) = reviews.reviews(store.manager.reader, [store.run_id("r")])
    return row


def test_a_person_says_one_thing_of_an_answer_and_may_change_it(store: StoreMaker) -> None:
    said_of(store, 2, Said(label="unit"))
    before, _ = said_of(store, 2, Said("passed", label="unit", note="the gold is wrong\nreally"))
    row = the_only(store)
    assert before == Said(label="unit")
    assert (row.verdict, row.own_verdict, row.label, row.note) == (
        "disagree",
        "passed",
        "unit",
        "the gold is wrong really",
    )
    assert said_of(store, 2, Said()) == (Said("passed", label="unit", note="the gold is wrong really"), Said())
    assert reviews.reviews(store.manager.reader) == []


def test_two_people_each_have_their_say(store: StoreMaker) -> None:
    said_of(store, 2, Said("failed"), "ann")
    said_of(store, 2, Said("passed"), "bob")
    found = reviews.reviews(store.manager.reader)
    assert [(row.author, row.verdict) for row in found] == [("ann", "agree"), ("bob", "disagree")]
    assert [row.author for row in reviews.reviews(store.manager.reader, author="bob")] == ["bob"]


def test_what_a_person_holds_an_answer_to_be_outlives_another_judgement(store: StoreMaker) -> None:
    said_of(store, 2, Said("failed", label="unit"))
    store.finish(store.run_id("r"), "math_2_2", "passed", judge_fingerprint="another")
    row = the_only(store)
    assert (row.verdict, row.own_verdict, row.label) == ("agree", "failed", "unit")
    assert row.agrees_now is False
    assert not row.stale


def test_a_review_says_when_the_answer_has_changed_and_stays(store: StoreMaker) -> None:
    said_of(store, 2, Said("failed", label="unit"))
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    assert the_only(store).stale
    said_of(store, 2, Said("failed", label="sign"))
    assert (the_only(store).label, the_only(store).stale) == ("sign", False)
    everything = reviews.reviews_of(store.manager.reader, 2)
    assert [(row.label, row.stale) for row in everything] == [("unit", True), ("sign", False)]
    said_of(store, 2, Said())
    assert (the_only(store).label, the_only(store).stale) == ("unit", True)


def test_what_is_said_of_an_answer_that_came_back_is_said_last(store: StoreMaker) -> None:
    def answered(text: str) -> None:
        store.manager.database.run("UPDATE individual_test_results SET response = ? WHERE id = 2", [text])

    answered("first")
    said_of(store, 2, Said("passed"))
    answered("second")
    said_of(store, 2, Said("failed"))
    answered("first")
    before, _ = said_of(store, 2, Said("passed", note="again"))
    assert before == Said("passed")
    row = the_only(store)
    assert (row.own_verdict, row.note, row.stale) == ("passed", "again", False)
    assert len(reviews.reviews_of(store.manager.reader, 2)) == 2


def test_the_same_answer_asked_again_is_not_another_one(store: StoreMaker) -> None:
    calls: list[dict[str, object]] = [
        {"role": "assistant", "tool_calls": [{"name": "f", "arguments": {}}]},
        {"role": "tool", "content": "3"},
    ]
    store.finish(store.run_id("r"), "math_2_2", "failed", transcript=json.dumps(calls))
    said_of(store, 2, Said("failed"))
    timed = [{**calls[0], "duration_ms": 9, "usage": {"prompt_tokens": 4}}, calls[1]]
    store.finish(store.run_id("r"), "math_2_2", "failed", transcript=json.dumps(timed), duration_ms=77)
    assert not the_only(store).stale
    store.finish(
        store.run_id("r"), "math_2_2", "failed", transcript=json.dumps([calls[0], {"role": "tool", "content": "4"}])
    )
    assert the_only(store).stale


def test_an_answer_without_a_verdict_can_be_judged_by_a_person(store: StoreMaker) -> None:
    said_of(store, 4, Said("passed"))
    assert (the_only(store).verdict, the_only(store).own_verdict, the_only(store).agrees_now) == (None, "passed", None)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("label:unit", [2]),
        ("label:UNIT,sign", [2, 3]),
        ("label~ni", [2]),
        ("label!=unit", [1, 3, 4]),
        ("label:none", [1, 4]),
        ("label!=none", [2, 3]),
        ("review:disagree", [2]),
        ("review:none", [3, 4]),
        ("reviewer:bob", [3]),
        ("note:gold", [2]),
        ("label:unit status:failed", [2]),
        ("label:old", []),
    ],
)
def test_filters_know_what_people_said_last(store: StoreMaker, typed: str, found: list[int]) -> None:
    said_of(store, 2, Said("failed", label="old"))
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    said_of(store, 2, Said("passed", label="unit", note="gold"))
    said_of(store, 3, Said(label="sign"), "bob")
    said_of(store, 1, Said("passed"))
    query = SampleQuery(conditions=parse_query(typed, SAMPLE_FILTERS).conditions)
    if typed.endswith("status:failed"):
        query = SampleQuery(conditions=parse_query(typed, SAMPLE_FILTERS).conditions, statuses=("failed",))
    assert store.manager.reader.head_ids(store.run_id("r"), query) == found


def test_labels_of_tests_and_how_often_they_stand(store: StoreMaker) -> None:
    said_of(store, 2, Said(label="  a   unit "))
    said_of(store, 3, Said(label="a unit"), "bob")
    reader = store.manager.reader
    assert reviews.labels_used(reader) == [("a unit", 2)]
    wanted = sample_query('label:"a unit"')
    assert reviews.reviewed_tests(reader, wanted, "r") == ["math/2/math_2_2", "sql/3/sql_3_3"]
    assert reviews.reviewed_tests(reader, sample_query("reviewer:bob")) == ["sql/3/sql_3_3"]
    assert reviews.rename_label(reader, "a unit", "units") == 2
    assert reviews.labels_used(reader) == [("units", 2)]


def test_reviews_go_with_their_run(store: StoreMaker) -> None:
    said_of(store, 2, Said(label="unit"))
    store.manager.delete_run(store.run_id("r"))
    assert reviews.reviews(store.manager.reader) == []


def test_a_review_that_knows_no_answer_is_of_the_one_that_stands(store: StoreMaker) -> None:
    said_of(store, 2, Said("failed"))
    store.manager.database.run("UPDATE reviews SET answer_digest = NULL")
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    assert not the_only(store).stale


def test_of_two_reviews_of_one_answer_by_one_person_the_newest_is_changed(store: StoreMaker) -> None:
    said_of(store, 2, Said(label="first"))
    columns = (
        "run_id, result_id, author, verdict, own_verdict, label, note, created_at, source_fingerprint, answer_digest"
    )
    store.manager.database.run(f"INSERT INTO reviews ({columns}) SELECT {columns} FROM reviews")
    before, _ = said_of(store, 2, Said(label="second"))
    assert before == Said(label="first")
    assert the_only(store).label == "second"
    assert [row.label for row in reviews.reviews_of(store.manager.reader, 2)] == ["first", "second"]


@pytest.mark.parametrize("name", NAMES)
def test_an_old_file_has_none_and_takes_some(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    reader = Reader(path)
    run = reader.runs()[0]
    assert reviews.reviews(reader) == []
    assert reader.head_ids(run.id, SampleQuery(conditions=parse_query("label:x", SAMPLE_FILTERS).conditions)) == []
    reader.close()
    maker = StoreMaker(path)
    first = maker.manager.reader.sample(maker.manager.reader.head_ids(run.id)[0])
    say(maker.manager.reader, first, "ann", Said(label="x"))
    assert [row.label for row in reviews.reviews(maker.manager.reader)] == ["x"]
    maker.close()
