"""What people say of samples outlives judgements, and says when the answer has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.filters import parse_query
from modex.core.features.review import query as reviews
from modex.core.features.review.query import HumanVerdict, OwnVerdict, ReviewRow, say
from modex.core.foundation.errors import StoreError
from modex.core.store.exact import encode_text
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.sample import SampleStatus
from modex.core.store.selecting import SAMPLE_FILTERS, sample_query
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


def said_of(
    store: StoreMaker, number: int, said: HumanVerdict, author: str = "ann"
) -> tuple[HumanVerdict, HumanVerdict]:
    reader = store.manager.reader
    return say(reader, reader.sample(number), author, said)


def the_only(store: StoreMaker) -> ReviewRow:
    (row,) = reviews.reviews(store.manager.reader, [store.run_id("r")])
    return row


def test_a_person_says_one_thing_of_an_answer_and_may_change_it(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict(label="unit"))
    before, _ = said_of(store, 2, HumanVerdict("passed", label="unit", note="the gold is wrong\nreally"))
    row = the_only(store)
    assert before == HumanVerdict(label="unit")
    assert (row.verdict, row.own_verdict, row.label, row.note) == (
        "disagree",
        "passed",
        "unit",
        "the gold is wrong really",
    )
    assert said_of(store, 2, HumanVerdict()) == (
        HumanVerdict("passed", label="unit", note="the gold is wrong really"),
        HumanVerdict(),
    )
    assert reviews.reviews(store.manager.reader) == []


def test_two_people_each_have_their_say(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict("failed"), "ann")
    said_of(store, 2, HumanVerdict("passed"), "bob")
    found = reviews.reviews(store.manager.reader)
    assert [(row.author, row.verdict) for row in found] == [("ann", "agree"), ("bob", "disagree")]
    assert [row.author for row in reviews.reviews(store.manager.reader, author="bob")] == ["bob"]


def test_texts_that_a_database_cannot_hold_come_back_as_they_were_written(store: StoreMaker) -> None:
    odd = "a\ud800b\0c"
    store.manager.database.run("UPDATE individual_test_results SET test_id = ? WHERE id = 2", [encode_text(odd)])
    said_of(store, 2, HumanVerdict("failed", label=odd, note=odd), author=odd)
    row = the_only(store)
    assert (row.test_id, row.author, row.label, row.note) == (odd, odd, odd, odd)
    assert reviews.labels_used(store.manager.reader) == [(odd, 1)]
    assert reviews.reviewed_tests(store.manager.reader, SampleQuery(statuses=("failed",)))[0] == f"math/2/{odd}"


def test_what_a_person_holds_an_answer_to_be_outlives_another_judgement(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict("failed", label="unit"))
    store.finish(store.run_id("r"), "math_2_2", "passed", judge_fingerprint="another")
    row = the_only(store)
    assert (row.verdict, row.own_verdict, row.label) == ("agree", "failed", "unit")
    assert row.agrees_now is False
    assert not row.stale


def test_a_review_says_when_the_answer_has_changed_and_stays(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict("failed", label="unit"))
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    assert the_only(store).stale
    said_of(store, 2, HumanVerdict("failed", label="sign"))
    assert (the_only(store).label, the_only(store).stale) == ("sign", False)
    everything = reviews.reviews_of(store.manager.reader, 2)
    assert [(row.label, row.stale) for row in everything] == [("unit", True), ("sign", False)]
    said_of(store, 2, HumanVerdict())
    assert (the_only(store).label, the_only(store).stale) == ("unit", True)


def test_what_is_said_of_an_answer_that_came_back_is_said_last(store: StoreMaker) -> None:
    def answered(text: str) -> None:
        store.manager.database.run("UPDATE individual_test_results SET response = ? WHERE id = 2", [text])

    answered("first")
    said_of(store, 2, HumanVerdict("passed"))
    answered("second")
    said_of(store, 2, HumanVerdict("failed"))
    answered("first")
    before, _ = said_of(store, 2, HumanVerdict("passed", note="again"))
    assert before == HumanVerdict("passed")
    row = the_only(store)
    assert (row.own_verdict, row.note, row.stale) == ("passed", "again", False)
    assert len(reviews.reviews_of(store.manager.reader, 2)) == 2


def test_the_same_answer_asked_again_is_not_another_one(store: StoreMaker) -> None:
    calls: list[dict[str, object]] = [
        {"role": "assistant", "tool_calls": [{"name": "f", "arguments": {}}]},
        {"role": "tool", "content": "3"},
    ]
    store.finish(store.run_id("r"), "math_2_2", "failed", transcript=json.dumps(calls))
    said_of(store, 2, HumanVerdict("failed"))
    timed = [{**calls[0], "duration_ms": 9, "usage": {"prompt_tokens": 4}}, calls[1]]
    store.finish(store.run_id("r"), "math_2_2", "failed", transcript=json.dumps(timed), duration_ms=77)
    assert not the_only(store).stale
    store.finish(
        store.run_id("r"), "math_2_2", "failed", transcript=json.dumps([calls[0], {"role": "tool", "content": "4"}])
    )
    assert the_only(store).stale


def test_an_answer_without_a_verdict_can_be_judged_by_a_person(store: StoreMaker) -> None:
    said_of(store, 4, HumanVerdict("passed"))
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
    said_of(store, 2, HumanVerdict("failed", label="old"))
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    said_of(store, 2, HumanVerdict("passed", label="unit", note="gold"))
    said_of(store, 3, HumanVerdict(label="sign"), "bob")
    said_of(store, 1, HumanVerdict("passed"))
    query = SampleQuery(conditions=parse_query(typed, SAMPLE_FILTERS).conditions)
    if typed.endswith("status:failed"):
        query = SampleQuery(conditions=parse_query(typed, SAMPLE_FILTERS).conditions, statuses=("failed",))
    assert store.manager.reader.head_ids(store.run_id("r"), query) == found


def test_labels_of_tests_and_how_often_they_stand(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict(label="  a   unit "))
    said_of(store, 3, HumanVerdict(label="a unit"), "bob")
    reader = store.manager.reader
    assert reviews.labels_used(reader) == [("a unit", 2)]
    wanted = sample_query('label:"a unit"')
    assert reviews.reviewed_tests(reader, wanted, "r") == ["math/2/math_2_2", "sql/3/sql_3_3"]
    assert reviews.reviewed_tests(reader, sample_query("reviewer:bob")) == ["sql/3/sql_3_3"]
    assert reviews.rename_label(reader, "a unit", "units") == 2
    assert reviews.labels_used(reader) == [("units", 2)]


def test_reviews_go_with_their_run(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict(label="unit"))
    store.manager.delete_run(store.run_id("r"))
    assert reviews.reviews(store.manager.reader) == []


def test_a_review_that_knows_no_answer_is_of_the_one_that_stands(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict("failed"))
    store.manager.database.run("UPDATE reviews SET answer_digest = NULL")
    store.finish(store.run_id("r"), "math_2_2", "failed", response="Another answer.")
    assert not the_only(store).stale


def test_of_two_reviews_of_one_answer_by_one_person_the_newest_is_changed(store: StoreMaker) -> None:
    said_of(store, 2, HumanVerdict(label="first"))
    columns = (
        "run_id, result_id, author, verdict, own_verdict, label, note, created_at, source_fingerprint, answer_digest"
    )
    store.manager.database.run(f"INSERT INTO reviews ({columns}) SELECT {columns} FROM reviews")
    before, _ = said_of(store, 2, HumanVerdict(label="second"))
    assert before == HumanVerdict(label="first")
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
    say(maker.manager.reader, first, "ann", HumanVerdict(label="x"))
    assert [row.label for row in reviews.reviews(maker.manager.reader)] == ["x"]
    maker.close()


def test_reviews_are_asked_for_by_run_by_person_and_by_sample_a_page_at_a_time(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "_PAGE", 2)
    reader, run = store.manager.reader, store.run_id("r")
    other = store.run("other", samples=[sample("math", 1, 1, "passed")])
    (far,) = reader.head_ids(other)
    for number in (1, 2, 3, far):
        said_of(store, number, HumanVerdict(label=f"l{number}"))
    said_of(store, 2, HumanVerdict(label="b2"), "bob")
    said_of(store, 2, HumanVerdict(label="again"))

    def labels(*arguments: Any, **wanted: Any) -> list[str | None]:
        return [row.label for row in reviews.reviews(reader, *arguments, **wanted)]

    assert labels() == ["l1", "again", "l3", f"l{far}", "b2"]
    assert labels([run]) == ["l1", "again", "l3", "b2"]
    assert labels([]) == []
    assert labels([other]) == [f"l{far}"]
    assert labels(author="bob") == ["b2"]
    assert labels(result_ids=[far, 3, 2]) == ["l3", f"l{far}", "again", "b2"]
    assert labels([run], result_ids=[far, 3], author="ann") == ["l3"]
    assert labels(result_ids=[]) == []
    assert [row.label for row in reviews.reviews_of(reader, 2)] == ["again", "b2"]


def test_tests_of_which_an_answer_matches_are_named_once_of_the_run_of_that_name_or_of_all(store: StoreMaker) -> None:
    reader = store.manager.reader
    store.run("other", samples=[sample("math", 1, 1, "failed"), sample("zoo", 5, 1, "failed", test_id="a\0b")])
    failed = sample_query("status:failed")
    assert reviews.reviewed_tests(reader, failed, "r") == ["math/2/math_2_2", "sql/3/sql_3_3"]
    assert reviews.reviewed_tests(reader, failed, "other") == ["math/1/math_1_1", "zoo/5/a\0b"]
    every = ["math/2/math_2_2", "sql/3/sql_3_3", "math/1/math_1_1", "zoo/5/a\0b"]
    assert reviews.reviewed_tests(reader, failed) == reviews.reviewed_tests(reader, failed, "none") == every
    assert len(reviews.reviewed_tests(reader, SampleQuery())) == 5


@pytest.mark.parametrize(
    ("own", "status", "agrees"),
    [("passed", "passed", True), ("failed", "passed", False), ("passed", "failed", False), ("failed", "failed", True),
     (None, "passed", None), ("passed", "error", None), ("passed", "pending", None)],
)  # fmt: skip
def test_a_person_agrees_with_the_verdict_that_stands_now(
    store: StoreMaker, own: OwnVerdict | None, status: SampleStatus, agrees: bool | None
) -> None:
    said_of(store, 1, HumanVerdict(own, note="n"))
    store.manager.database.run("UPDATE individual_test_results SET status = ? WHERE id = 1", [status])
    assert the_only(store).agrees_now is agrees


def test_labels_and_notes_are_one_line_of_a_bounded_length(store: StoreMaker) -> None:
    assert reviews.clean_label("  a \n b  ") == "a b"
    assert reviews.clean_label(" \n") is None
    assert reviews.clean_label("x" * 61) == "x" * 60
    assert reviews.clean_label("x" * 59 + " y") == "x" * 59
    said_of(store, 1, HumanVerdict(label="a  b", note="n" * 2001, unsure=True))
    row = the_only(store)
    assert (row.label, row.note, row.verdict) == ("a b", "n" * 2000, "unsure")
    assert HumanVerdict().empty
    assert not any(
        one.empty
        for one in (HumanVerdict("passed"), HumanVerdict(unsure=True), HumanVerdict(label="x"), HumanVerdict(note="x"))
    )
    assert reviews.verdict_in(None) == HumanVerdict()
    assert reviews.verdict_in(row) == HumanVerdict(None, unsure=True, label="a b", note="n" * 2000)


def test_an_answer_is_its_text_and_its_calls_whatever_else_stands_in_its_transcript() -> None:
    def digest(*entries: Any, response: str | None = "4") -> str:
        return reviews.answer_digest(sample("d", 1, 1, "passed", response=response, transcript=list(entries)))

    call, result = {"role": "assistant", "tool_calls": [{"id": 1}]}, {"role": "tool", "content": "5"}
    assert digest() == digest({"role": "assistant", "content": "x"}) == digest("odd", {"role": "user", "content": "y"})
    assert (
        len({digest(), digest(call), digest(call, result), digest(result), digest(response="5"), digest(response=None)})
        == 6
    )
    assert digest(call, {**result, "ms": 3}) == digest({**call, "content": "said"}, result)


def test_a_review_whose_sample_cannot_be_read_is_of_another_answer(store: StoreMaker) -> None:
    said_of(store, 1, HumanVerdict("passed"))
    assert not the_only(store).stale
    store.manager.database.run("UPDATE individual_test_results SET transcript = '[\"tool' WHERE id = 1")
    assert the_only(store).stale


def test_a_label_is_called_otherwise_wherever_it_stands_or_taken_away(store: StoreMaker) -> None:
    reader = store.manager.reader
    for number, label in ((1, "a"), (2, "a"), (3, "b")):
        said_of(store, number, HumanVerdict(label=label))
    assert reviews.labels_used(reader) == [("a", 2), ("b", 1)]
    assert reviews.rename_label(reader, "a", "z") == 2
    assert reviews.labels_used(reader) == [("z", 2), ("b", 1)]
    assert reviews.rename_label(reader, "z", None) == 2
    assert reviews.labels_used(reader) == [("b", 1)]


def test_of_an_answer_that_is_gone_nothing_can_be_said_and_when_it_was_said_can_be_given(store: StoreMaker) -> None:
    reader = store.manager.reader
    one = reader.sample(1)
    say(reader, one, "ann", HumanVerdict("failed"), at="2026-01-01T00:00:00.000Z")
    assert the_only(store).created_at == "2026-01-01T00:00:00.000Z"
    say(reader, one, "ann", HumanVerdict("passed"), at="2026-01-02T00:00:00.000Z")
    assert (the_only(store).created_at, the_only(store).source_fingerprint) == (
        "2026-01-02T00:00:00.000Z", one.rollout_fingerprint,
    )  # fmt: skip
    say(reader, one, "ann", HumanVerdict("failed"))
    assert the_only(store).created_at == "2026-01-02T00:00:00.000Z"
    store.manager.delete_run(store.run_id("r"))
    with pytest.raises(StoreError, match="is gone"):
        say(reader, one, "ann", HumanVerdict("passed"))
