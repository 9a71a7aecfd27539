"""Every sample as the look at the tests themselves needs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modex.core.features.suite_faults.query import answered, judged_again, system_prompts, votes_by_sample
from tests.tui.stores import StoreMaker, sample


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("items") / "m.db")
    yield maker
    maker.close()


def test_samples_come_test_by_test_with_an_answer_that_is_short(store: StoreMaker) -> None:
    answers: list[tuple[str | None, str | None, str | None]] = [
        ("4", "That makes 4.", "4"), (None, "r" * 200, "r" * 200), (None, "r" * 201, None), ("e" * 200, "no", "e" * 200),
        ("e" * 201, "no", None), (None, "", None), (None, None, None),
    ]  # fmt: skip
    samples = [
        sample("d", 1, number, "passed", epoch=2, extracted_answer=found, response=said, cluster="c", expected=[1])
        for number, (found, said, _) in enumerate(answers)
    ]
    samples += [sample("d", 1, 0, "failed"), sample("c", 2, 0, "error", error_type="timeout", score=None)]
    samples += [sample("z", 1, 0, "passed", source="a")]
    run = store.run("r", samples=samples)
    store.run("other", samples=samples)
    rows = list(answered(store.manager.reader, run))
    assert [(row.source, row.domain, row.test_id, row.status) for row in rows[:4]] == [
        ("a", "z", "z_1_0", "passed"), ("suite", "c", "c_2_0", "error"), ("suite", "d", "d_1_0", "failed"),
        ("suite", "d", "d_1_0", "passed"),
    ]  # fmt: skip
    assert [row.answer for row in rows[3:]] == [short for _, _, short in answers]
    assert (rows[1].score, rows[1].error_type, rows[1].level, rows[3].score) == (None, "timeout", 2, 1.0)
    assert (rows[3].cluster, rows[3].expected, rows[3].prompt) == ("c", "[1]", "What is 0 times 1?")
    database = store.manager.database
    database.run("UPDATE individual_test_results SET score = 'x', status = 'y', level = 'z' WHERE run_id = ?", [run])
    assert {(row.score, row.status, row.level) for row in answered(store.manager.reader, run)} == {(None, "error", 1)}


def test_system_prompts_are_read_of_as_many_samples_as_are_asked_for(store: StoreMaker) -> None:
    texts: list[str | None] = [None, "", *(f"tutor {number}\0" for number in range(500))]
    run = store.run("p", samples=[sample("d", 1, n, "passed", system_prompt=text) for n, text in enumerate(texts)])
    ids = store.manager.reader.head_ids(run)
    found = system_prompts(store.manager.reader, ids)
    assert found == {id_: text for id_, text in zip(ids, texts, strict=True) if text}
    assert system_prompts(store.manager.reader, ids[:3]) == {ids[2]: "tutor 0\0"}


def test_votes_of_judges_are_read_and_damaged_rows_are_nobodys(store: StoreMaker) -> None:
    details: list[dict[str, Any]] = [{"votes": 1}, {"why": "none"}, {"votes": 2}, {"votes": 3}, {"votes": 4}]
    run = store.run("v", samples=[sample("d", 1, number, "passed", details=one) for number, one in enumerate(details)])
    store.run("w", samples=[sample("d", 1, 1, "passed", details={"votes": 9})])
    ids = store.manager.reader.head_ids(run)
    for id_, damaged in ((ids[2], '{"votes"'), (ids[3], '["votes"]')):
        store.manager.database.run("UPDATE individual_test_results SET details = ? WHERE id = ?", [damaged, id_])
    assert list(votes_by_sample(store.manager.reader, run)) == [(ids[0], {"votes": 1}), (ids[4], {"votes": 4})]


def test_only_verdicts_by_the_very_same_judges_say_whether_they_agree_with_themselves(store: StoreMaker) -> None:
    kinds = [  # as it was judged first, the judges of then, as it stands, the judges of now
        ("passed", "j", "passed", "j"),
        ("passed", "j", "failed", "j"),
        ("passed", "i", "failed", "j"),
        ("error", "j", "failed", "j"),
        ("failed", "j", "error", "j"),
        ("failed", "j", "passed", "j"),
    ]
    samples = [
        sample("d", 1, number, now, judge_fingerprint=judge)  # type: ignore[arg-type]
        for number, (_, _, now, judge) in enumerate(kinds)
    ]
    runs, ids = [], []
    for name in ("j1", "j2", "j3"):
        runs.append(store.run(name, samples=samples))
        ids.append(store.manager.reader.head_ids(runs[-1]))
        for id_, (before, judge, _, _) in zip(ids[-1], kinds, strict=True):
            store.manager.database.run(
                "INSERT INTO earlier_verdicts (run_id, result_id, judge_fingerprint, evaluator_id, status, details, pass2_used)"
                " VALUES (?, ?, ?, '', ?, '{}', 0)",
                [runs[-1], id_, judge, before],
            )
    found = judged_again(store.manager.reader, runs[:2])
    assert sorted(found) == sorted(
        (held[at], flipped) for held in ids[:2] for at, flipped in ((0, False), (1, True), (5, True))
    )
