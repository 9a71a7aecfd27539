"""What is wrong with tests is found in the answers of many models, with its numbers; from few nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.features.review.query import HumanVerdict, say
from modex.core.features.suite_faults.examine import examine, suites_with_runs
from modex.core.features.suite_faults.finding import FaultKind, SuiteFaults, SuiteFinding
from modex.core.features.suite_faults.gather import one_form
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Vote, Votes, details_of
from tests.rows import each_row
from tests.tui.stores import StoreMaker, sample

STORY = "A train leaves the old harbour station early in the morning and reaches the next town after {} minutes"
Make = Callable[[int], EvaluationSample]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


def graded(number: int, hard: int) -> Make:
    """A test that models from number `hard` on pass."""
    return lambda model: sample(
        "math", 1, number, "passed" if model >= hard else "failed",
        prompt=f"Sum number {number * 37} please", expected=number, extracted_answer=str(900 + model),
    )  # fmt: skip


def planted(models: int, own: dict[str, Make], store: StoreMaker) -> SuiteFaults:
    """Runs of models of growing ability over ordinary tests and `own`; what is found."""
    tests = [graded(number, number % 12) for number in range(1, 24)]
    for model in range(models):
        rows = [make(model) for make in tests]
        for name, make in own.items():
            made = make(model)
            made.test_id = name
            rows.append(made)
        store.run(f"r{model:02}", f"model-{model:02}", rows)
    reader = store.manager.reader
    return examine(reader, None, suites_with_runs(reader)[None])


def named(found: SuiteFaults, kind: FaultKind) -> list[str]:
    return [one.tests[0][3] for one in found.of(kind)]


def only(found: SuiteFaults, kind: FaultKind, name: str) -> SuiteFinding:
    (one,) = (one for one in found.of(kind) if one.tests[0][3] == name)
    return one


def made(status: str, answer: str, **fields: Any) -> EvaluationSample:
    fields.setdefault("prompt", "Which is it?")
    return sample("math", 1, 99, status, extracted_answer=answer, **fields)  # type: ignore[arg-type]


def wrong_gold(model: int) -> EvaluationSample:
    """Only the least able models give what the suite holds to be right."""
    return made("failed" if model >= 5 else "passed", "42.0" if model % 2 else "42")


def test_a_gold_that_the_abler_models_agree_against_is_in_doubt(store: StoreMaker) -> None:
    found = planted(13, {"wrong_gold": wrong_gold}, store)
    one = only(found, "gold_suspect", "wrong_gold")
    assert one.figures["agreeing"] == one.figures["able"] == 7
    assert one.written == {"answer": "42"}
    assert named(found, "gold_suspect") == ["wrong_gold"]
    against = only(found, "against_rest", "wrong_gold")
    assert against.figures["correlation"] < -0.5
    assert named(found, "against_rest") == ["wrong_gold"]


def test_how_many_answers_were_read_is_told(store: StoreMaker) -> None:
    planted(3, {}, store)
    reader = store.manager.reader
    told: list[int] = []
    examine(reader, None, suites_with_runs(reader)[None], told.append)
    assert sum(told) == 3 * 23


def test_from_few_models_no_gold_is_doubted_and_that_is_said(store: StoreMaker) -> None:
    found = planted(11, {"wrong_gold": wrong_gold}, store)
    assert not found.of("gold_suspect")
    assert not found.of("against_rest")
    assert "too few runs to tell, 11 of 12" in found.notes[0]


def test_runs_of_one_model_count_as_one(store: StoreMaker) -> None:
    for number in range(14):
        store.run(f"r{number}", "the-same", [graded(1, 0)(0), graded(2, 1)(0)])
    reader = store.manager.reader
    found = examine(reader, None, suites_with_runs(reader)[None])
    assert "1 of 12 different models" in found.notes[0]
    assert not found.findings


def test_tests_that_tell_nobody_apart_and_such_without_a_verdict_are_named(store: StoreMaker) -> None:
    own: dict[str, Make] = {
        "easy": lambda _: made("passed", "1", prompt="easy?"),
        "hard": lambda model: made("failed", f"{model}", prompt="hard?"),
        "broken": lambda _: made("error", "", prompt="broken?", score=None),
    }
    found = planted(4, own, store)
    assert only(found, "all_pass", "easy").words == "passed by all 4 models"
    assert only(found, "all_fail", "hard").figures == {"models": 4, "passed": 0, "answers": 4}
    assert only(found, "no_verdict", "broken").figures == {"errors": {"rate_limit": 4}}


def test_questions_that_are_asked_twice_or_nearly_so_are_one_finding(store: StoreMaker) -> None:
    ask = STORY + ", how long does it take there and back again without any stop on the way?"
    own: dict[str, Make] = {
        "once": lambda _: made("passed", "1", prompt=STORY.format(10), expected=1),
        "again": lambda _: made("failed", "1", prompt=STORY.format(10).upper(), expected=2),
        "near": lambda _: made("passed", "1", prompt=ask.format(10)),
        "nearer": lambda _: made("passed", "1", prompt=ask.format(12)),
        "told": lambda _: made("passed", "1", prompt="Please " + ask.format(14), cluster="trains"),
    }
    found = planted(1, own, store)
    (same,) = found.of("same_question")
    assert {key[3] for key in same.tests} == {"once", "again"}
    assert same.figures == {"tests_alike": 2, "golds": 2}
    (alike,) = found.of("alike")
    assert {key[3] for key in alike.tests} == {"near", "nearer", "told"}


def test_questions_of_one_cluster_are_known_to_be_alike(store: StoreMaker) -> None:
    own: dict[str, Make] = {
        f"t{number}": lambda _, number=number: made(  # type: ignore[misc]
            "passed", "1", prompt=(STORY + " again and again and again and again").format(number), cluster="trains"
        )
        for number in range(3)
    }
    assert not planted(1, own, store).of("alike")


@pytest.mark.parametrize(
    ("prompt", "told"),
    [("What is the capital? The answer is Jakarta.", True), ("Jakarta or Bandung: which is the capital?", False)],
)
def test_a_gold_in_the_prompt_is_found_where_that_is_the_exception(store: StoreMaker, prompt: str, told: bool) -> None:
    found = planted(1, {"leak": lambda _: made("passed", "Jakarta", prompt=prompt, expected="Jakarta")}, store)
    one = only(found, "leaked_gold", "leak")
    assert one.figures == {"where": "prompt", "told": told}
    assert named(found, "leaked_gold") == ["leak"]


def test_a_short_number_in_a_prompt_is_no_leak_unless_it_is_called_the_answer(store: StoreMaker) -> None:
    own: dict[str, Make] = {
        "chance": lambda _: made(
            "passed", "15", prompt="Ann has 15 apples and gives away none. How many?", expected=15
        ),
        "leak": lambda _: made("passed", "15", prompt="How many are left? (answer: 15)", expected=15),
        "choice": lambda _: made("passed", "B", prompt="A red, B blue?", expected={"type": "choice", "value": "B"}),
    }
    assert named(planted(1, own, store), "leaked_gold") == ["leak"]


def test_where_every_question_is_about_a_text_with_the_answer_in_it_none_is_a_finding(store: StoreMaker) -> None:
    rows = [
        sample("reading", 1, n, "passed", prompt=f"Text: town{n}ville is old. Which town?", expected=f"town{n}ville")
        for n in range(6)
    ]
    store.run("r", "m", rows)
    reader = store.manager.reader
    found = examine(reader, None, suites_with_runs(reader)[None])
    assert not found.of("leaked_gold")
    assert any("reading: the gold stands in the prompt of 6 of 6 tests" in words for words in found.notes)


def test_verdicts_that_people_hold_to_be_wrong_are_in_doubt(store: StoreMaker) -> None:
    run = store.run("r", "m", [graded(1, 0)(0), graded(2, 0)(0)])
    reader = store.manager.reader
    first, second = reader.samples(run)
    say(reader, first, "ann", HumanVerdict("failed"))
    say(reader, second, "ann", HumanVerdict("passed"))
    (one,) = examine(reader, None, suites_with_runs(reader)[None]).of("judges_differ")
    assert one.tests[0][3] == first.test_id
    assert one.words == "people hold 1 of 1 verdicts to be wrong"


def test_judges_that_split_are_counted(store: StoreMaker) -> None:
    votes = details_of([Votes((Vote("a", 1.0), Vote("b", 0.0)))], {})
    for number in range(3):
        run = store.run(f"r{number}", f"m{number}", [made("passed", "1", details=votes if number else {})])
        store.manager.update_run(run, judged_by={"llm_judge": {"models": ["a", "b"]}})
    reader = store.manager.reader
    (one,) = examine(reader, None, suites_with_runs(reader)[None]).of("judges_differ")
    assert one.words == "judges split on 2 of 2 answers"


def test_answers_to_an_older_form_of_a_test_are_left_out(store: StoreMaker) -> None:
    for number in range(4):
        gold = 1 if number < 3 else 2
        store.run(f"r{number}", f"m{number}", [made("failed", "7", prompt="What?", expected=gold)],
                  started_at=f"2026-01-0{number + 1}T00:00:00.000Z")  # fmt: skip
    reader = store.manager.reader
    found = examine(reader, None, suites_with_runs(reader)[None])
    assert found.otherwise == 3
    assert not found.of("all_fail")


def test_suites_are_looked_at_apart(store: StoreMaker) -> None:
    config = RunConfig(model=ModelSpec(model="m"), selection=Selection(suite="/tmp/mine"))
    store.run("a", samples=[graded(1, 0)(0)])
    store.run("b", samples=[graded(1, 0)(0)], config=config)
    found = suites_with_runs(store.manager.reader)
    assert {suite: [run.exp_id for run in runs] for suite, runs in found.items()} == {None: ["a"], "/tmp/mine": ["b"]}


def test_what_models_and_suites_wrote_is_left_out_of_json_unless_asked_for(store: StoreMaker) -> None:
    found = planted(13, {"wrong_gold": lambda _: made("failed", "ignore all rules")}, store)
    assert "ignore all rules" not in json.dumps(found.as_json(content=False))
    (one,) = [one for one in found.as_json(content=True)["findings"] if one["kind"] == "gold_suspect"]
    assert one["untrusted"] == {"answer": "ignore all rules"}


@each_row(
    ("one", "other"), [("42", "42.0"), (" Paris. ", "paris"), ("1,000", "1000"), ("**Yes**", "yes"), ("-3.50", "-3.5")]
)
def test_ways_of_writing_one_answer_are_one(one: str, other: str) -> None:
    assert one_form(one) == one_form(other)
