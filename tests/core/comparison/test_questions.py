"""Runs of different tools are paired by the words of their questions where their ids differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.comparison.questions import _is_free, questions_of
from modex.core.edge.imports.storing import KIND
from modex.core.features.compare.compare import compare, comparison_json
from modex.core.features.compare.several import compare_and_list
from modex.core.features.export.compared import compared
from modex.core.features.export.page.differences import differences
from modex.core.features.gate.rule import gate, gate_json
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.tui.features.compare.command import comparison_lines
from modex.tui.features.gate.command import gate_lines
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row


def asked(test_id: str, prompt: str, score: float, **fields: Any) -> EvaluationSample:
    return finished(sample(test_id, **fields), score=score, prompt=prompt)


OURS = [asked("a", "Who wrote Hamlet?", 1.0), asked("b", "What is 2 + 2?", 0.0), asked("c", "Only here?", 1.0)]
THEIRS = [
    asked("17", "what is  2 + 2?\n\nA. 3\nB. 4", 1.0, source="log", domain="log"),
    asked("18", "WHO wrote Hamlet?", 0.0, source="log", domain="log"),
    asked("19", "Only there?", 1.0, source="log", domain="log"),
]


def as_imported(manager: DBDataManager, run: RunRow) -> RunRow:
    manager.update_run(run.id, kind=KIND)
    return manager.reader.run_by_id(run.id)


def test_tests_of_other_ids_are_paired_by_their_question(manager: DBDataManager, store: Store) -> None:
    found = compare(manager.reader, store("ours", OURS), store("theirs", THEIRS))
    assert found.overall is not None
    assert (found.overall.n, found.questions.by_question) == (2, 2)
    assert [(flip.key[3], flip.flip, flip.other) for flip in found.flips] == [
        ("a", "lost", ("log", "log", 1, "18")),
        ("b", "gained", ("log", "log", 1, "17")),
    ]
    assert [key[3] for key in found.only_first] == ["c"]
    assert [key[3] for key in found.only_second] == ["19"]
    assert comparison_json(found)["by_question"] == 2


def test_a_question_that_two_tests_ask_is_not_paired(manager: DBDataManager, store: Store) -> None:
    twice = [*THEIRS, asked("20", "who wrote hamlet?", 1.0, source="log", domain="log")]
    found = compare(manager.reader, store("ours", OURS), store("theirs", twice))
    assert found.overall is not None
    assert [flip.key[3] for flip in found.flips] == ["b"]


def test_a_question_that_two_tests_of_the_first_run_ask_is_not_paired(manager: DBDataManager, store: Store) -> None:
    twice = [*OURS, asked("d", "who wrote hamlet?", 1.0)]
    found = compare(manager.reader, store("ours", twice), store("theirs", THEIRS))
    assert [flip.key[3] for flip in found.flips] == ["b"]


def test_runs_that_share_ids_are_paired_by_ids_alone_unless_another_tool_made_one(
    manager: DBDataManager, store: Store
) -> None:
    theirs = [*THEIRS, asked("c", "Only here?", 1.0)]
    first, second = store("ours", OURS), store("theirs", theirs)
    found = compare(manager.reader, first, second)
    assert found.overall is not None
    assert (found.overall.n, found.questions.by_question) == (1, 0)
    found = compare(manager.reader, first, as_imported(manager, second))
    assert found.overall is not None
    assert (found.overall.n, found.questions.by_question) == (3, 2)


def test_several_runs_are_paired_by_question_with_the_first(manager: DBDataManager, store: Store) -> None:
    again = [replace(one, test_id=f"z{one.test_id}", domain="other") for one in reversed(THEIRS)]
    runs = [store("ours", OURS), store("theirs", THEIRS), store("third", again)]
    several, tests = compare_and_list(manager.reader, runs, "disagree")
    assert several.n == 2
    places = [place.run.exp_id for place in several.places]
    assert [test.keys[places.index("third")][3] for test in tests] == ["z18", "z17"]


def test_ids_of_files_are_paired_only_where_they_ask_the_same(manager: DBDataManager, store: Store) -> None:
    first = store("first", [asked("1", "Capital of France?", 1.0), asked("2", "Capital of Spain?", 1.0),
                            asked("3", "Capital of Italy?", 1.0)])  # fmt: skip
    second = store("second", [asked("1", "CAPITAL of France?", 0.0), asked("2", "What is 2 + 2?", 0.0),
                              asked("3", "Capital of Spain?", 0.0, expected="Barcelona")])  # fmt: skip
    both = [replace(run, config={"selection": {"datasets": [{"path": "q.jsonl"}]}}) for run in (first, second)]
    found = compare(manager.reader, both[0], both[1])
    assert [(flip.key[3], flip.other and flip.other[3]) for flip in found.flips] == [("1", None), ("2", "3")]
    assert (found.questions.otherwise, found.questions.by_question) == (2, 1)
    assert ([key[3] for key in found.only_first], [key[3] for key in found.only_second]) == (
        ["3"],
        ["2 (other question)"],
    )
    assert {key[3] for key in found.other_rules or ()} == {"2"}
    assert "2 ids stand for another question in each run: not paired by id" in "\n".join(
        comparison_lines(found, most=None)
    )
    assert compare(manager.reader, first, second).questions.otherwise == 0  # ids of a suite are its own


def test_why_runs_share_no_test_is_said(manager: DBDataManager, store: Store) -> None:
    twice = [asked("d", "Who wrote Hamlet?", 1.0), asked("e", "who wrote hamlet?", 1.0)]
    found = compare(manager.reader, store("ours", twice), store("theirs", [THEIRS[1]]))
    assert (
        "the runs share no scored test: 1 question is asked by several tests of a run: not paired by the words"
        in list(comparison_lines(found, most=None))
    )
    why = "The runs share no scored test: 1 question is asked by several tests of a run: not paired by the words."
    runs = [found.first, found.second]
    assert why in "".join(compared(manager.reader, runs, "md"))
    assert why in differences(manager.reader, runs)
    ruled = gate(manager.reader, runs[0], runs[1], 0.03)
    assert "1 question is asked by several tests of a run" in ruled.takes
    assert gate_json(ruled)["asked_twice"] == 1


def test_what_was_paired_by_question_is_said_in_markdown_and_by_the_gate(manager: DBDataManager, store: Store) -> None:
    runs = [store("ours", OURS), store("theirs", THEIRS)]
    said = "2 tests have other ids in theirs: paired by the words of their question"
    assert f"{said}." in "".join(compared(manager.reader, runs, "md"))
    assert said in list(gate_lines(gate(manager.reader, runs[0], runs[1], 0.03)))


@each_row(
    ("kind", "config", "free"),
    [
        ("evaluation", {}, False),
        (KIND, {}, True),
        ("evaluation", {"selection": "damaged"}, False),
        ("evaluation", {"selection": {"datasets": []}}, False),
        ("evaluation", {"selection": {"datasets": [{"path": "a.csv"}]}}, True),
        ("evaluation", {"agent": "answers:a.jsonl"}, True),
        ("evaluation", {"agent": "python answers:"}, False),
        ("evaluation", {"agent": None}, False),
    ],
)
def test_ids_are_a_files_own_in_datasets_answers_and_other_tools_runs(
    kind: Any, config: dict[str, Any], free: bool
) -> None:
    assert _is_free(RunRow(1, kind=kind, config=config)) == free


def test_within_one_source_ids_say_which_test_is_which(manager: DBDataManager, store: Store) -> None:
    first = store("first", [asked("a", "Who wrote Hamlet?", 1.0)])
    second = store("second", [asked("b", "Who wrote Hamlet?", 1.0)])
    assert questions_of(manager.reader, first, second).same == {}
    other = store("other", [asked("b", "Who wrote Hamlet?", 1.0, source="x")])
    assert questions_of(manager.reader, first, other).same == {("x", "d", 1, "b"): ("suite", "d", 1, "a")}
    tool = as_imported(manager, second)
    assert questions_of(manager.reader, first, tool).same == {("suite", "d", 1, "b"): ("suite", "d", 1, "a")}
