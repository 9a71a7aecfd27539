"""What a gate says of a run against another one, and what it would take to tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.features.gate.rule import GateVerdict, gate, gate_json, gate_junit, gate_markdown
from modex.core.foundation.exit_codes import ExitCode
from modex.core.statistics.gating import Answer, Ruling
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample


def answers(passed: int, of: int) -> list[EvaluationSample]:
    return [finished(sample(f"t{n}"), score=float(n < passed)) for n in range(of)]


def gated(manager: DBDataManager, store: Store, first: int, second: int, of: int, margin: float = 0.1) -> GateVerdict:
    return gate(manager.reader, store("a", answers(first, of)), store("b", answers(second, of)), margin)


@pytest.mark.parametrize(
    ("first", "second", "answer", "code", "words"),
    [
        (60, 60, "pass", ExitCode.FINISHED, "not worse by more than 10 points"),
        (60, 20, "fail", ExitCode.MISSED, "worse by more than 10 points"),
        (60, 57, "undecided", ExitCode.UNDECIDED, "cannot tell yet whether it is worse by more than 10 points"),
    ],
)
def test_a_gate_passes_fails_or_cannot_tell(
    manager: DBDataManager, store: Store, first: int, second: int, answer: str, code: ExitCode, words: str
) -> None:
    found = gated(manager, store, first, second, 60)
    assert (found.ruling.answer, found.exit_code, found.words) == (answer, code, words)
    assert (found.takes == "") is (answer != "undecided")
    assert found.held_to.startswith("the gate rules on")
    assert (found.quarantined, found.only_first, found.required, found.missed, found.other_rules) == ([], 0, 0, (), 0)


def test_what_it_would_take_is_told_by_what_stands_in_the_way(manager: DBDataManager, store: Store) -> None:
    none = gate(manager.reader, store("x", answers(0, 0)), store("y", answers(0, 0)), 0.1)
    assert none.takes.startswith("the runs share fewer than two tests")
    assert none.held_to == ""
    assert (
        "run both over more tests"
        in gate(manager.reader, store("few", answers(4, 4)), store("fewer", answers(3, 4)), 0.1).takes
    )
    found = gated(manager, store, 60, 57, 60)
    assert "two new runs over about" in found.takes

    def takes(**changes: object) -> str:
        return replace(found, ruling=replace(found.ruling, **changes)).takes  # type: ignore[arg-type]

    assert takes(times=100.0).startswith("two new runs over about 6,000 tests like these 60 would tell")
    assert takes(blocked=True).startswith("answers without a verdict could turn it")
    for times in (None, 1_000_001 / 60, 1e9):
        assert takes(times=times).startswith("the difference stands so near the margin")
    assert takes(times=999_999.5 / 60).startswith("two new runs over about 1,000,000 tests")


@pytest.mark.parametrize("named", ["t3", "d/1/t3"])
def test_a_test_that_is_quarantined_counts_for_nothing(manager: DBDataManager, store: Store, named: str) -> None:
    tries = [replace(one, epoch=epoch, pass_needed=2, pass_of=2) for epoch in (1, 2) for one in answers(30, 30)]
    first = store("a", tries)
    failed = [replace(one, score=0.0, status="failed") if one.test_id in ("t3", "t4") else one for one in tries]
    second = store("b", failed)
    every = gate(manager.reader, first, second, 0.1)
    assert every.difference is not None
    assert ([one.test_id for one in every.missed], every.required, every.difference.n) == (["t3", "t4"], 30, 30)
    found = gate(manager.reader, first, second, 0.1, {named, "t99"})
    assert found.difference is not None
    assert ([one.test_id for one in found.missed], found.required, found.difference.n) == (["t4"], 29, 29)
    assert [key[3] for key in found.quarantined] == ["t3"]


def test_a_test_whose_epochs_have_not_decided_yet_is_not_one_that_was_missed(
    manager: DBDataManager, store: Store
) -> None:
    tries = [replace(one, epoch=epoch, pass_needed=2, pass_of=3) for epoch in (1, 2) for one in answers(30, 30)]
    waits = [
        replace(one, score=0.0, status="failed") if (one.test_id, one.epoch) == ("t3", 2) else one for one in tries
    ]
    found = gate(manager.reader, store("a", tries), store("b", waits), 0.1)
    assert (found.missed, found.required) == ((), 30)


def test_tests_that_only_the_first_run_has_are_counted_and_those_of_the_second_are_not(
    manager: DBDataManager, store: Store
) -> None:
    found = gate(manager.reader, store("a", answers(12, 12)), store("b", answers(9, 9)), 0.1)
    assert (found.only_first, found.difference.n if found.difference else 0) == (3, 9)
    found = gate(manager.reader, store("c", answers(9, 9)), store("d", answers(12, 12)), 0.1)
    assert (found.only_first, found.difference.n if found.difference else 0) == (0, 9)


def test_tests_that_were_judged_by_another_gold_are_counted_but_not_where_they_are_quarantined(
    manager: DBDataManager, store: Store
) -> None:
    first = store("a", answers(12, 12))
    second = store(
        "b", [replace(one, expected="other") if one.test_id in ("t1", "t2") else one for one in answers(12, 12)]
    )
    assert gate(manager.reader, first, second, 0.1).other_rules == 2
    assert gate(manager.reader, first, second, 0.1, {"t1"}).other_rules == 1


def test_scripts_hear_the_ruling_and_what_it_is_founded_on(manager: DBDataManager, store: Store) -> None:
    found = gated(manager, store, 60, 57, 60)
    said = gate_json(found)
    assert (said["first"], said["second"], said["answer"], said["exit_code"]) == (
        "a",
        "b",
        "undecided",
        int(ExitCode.UNDECIDED),
    )
    assert said["fresh_tests"] == said["more_tests"] + 60 > 60
    assert (said["margin"], said["too_few"], said["quarantined"], said["k_of_n"]) == (
        0.1, False, [], {"tests": 0, "missed": []},
    )  # fmt: skip
    assert gate_json(replace(found, without_verdict=(3, 5)))["without_verdict"] == {"first": 3, "second": 5}
    none = replace(found, difference=None)
    assert (gate_json(none)["fresh_tests"], gate_json(none)["more_tests"]) == (None, None)


@pytest.mark.parametrize(
    ("answer", "counts", "inside", "mark"),
    [
        ("pass", ("0", "0"), "", "passed"),
        ("fail", ("1", "0"), "<failure", "failed"),
        ("undecided", ("0", "1"), "<skipped", "cannot tell yet"),
    ],
)
def test_a_pipeline_reads_one_case_that_passed_failed_or_was_skipped(
    manager: DBDataManager, store: Store, answer: Answer, counts: tuple[str, str], inside: str, mark: str
) -> None:
    found = replace(gated(manager, store, 9, 9, 9), ruling=Ruling(answer, 0.1))
    junit = gate_junit(found, ["a line", "]]> another"])
    assert f'tests="1" failures="{counts[0]}" skipped="{counts[1]}"' in junit
    assert ("<failure" in junit, "<skipped" in junit) == (inside == "<failure", inside == "<skipped")
    assert "a line\n]]]]><![CDATA[> another" in junit
    page = gate_markdown(found, ["a ``` line"])
    assert page.startswith(f"### modex gate: {mark}\n")
    assert page.count("```") == 2


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ((0, 0), ""),
        ((1, 0), "1 test of a lacks a verdict"),
        ((0, 1), "1 test of b lacks a verdict"),
        ((2000, 0), "2,000 tests of a lack a verdict"),
        ((1, 1), "1 test of a and 1 test of b lack a verdict"),
        ((0, 2), "2 tests of b lack a verdict"),
    ],
)
def test_tests_without_a_verdict_are_told_by_their_run(
    manager: DBDataManager, store: Store, without: tuple[int, int], said: str
) -> None:
    found = gated(manager, store, 3, 3, 6)
    assert replace(found, without_verdict=without).lacking == said
