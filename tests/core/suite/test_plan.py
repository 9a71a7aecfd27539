from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec, Selection
from modex.core.foundation.errors import ConfigurationError, SuiteError
from modex.core.suite.definitions import Location, Suite, TestCase, ToolDefinition
from modex.core.suite.plan import SelectedTests
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"
ROWS = "".join(
    json.dumps({"id": f"q{number}", "question": "q?", "answer": str(number), "category": name, "level": level}) + "\n"
    for number, (name, level) in enumerate([("on-chain", 1), ("trends", 2), ("on-chain", 3)])
)
FILES: dict[str, Any] = {
    f"{D}/math/level_1/a.json": case("a"),
    f"{D}/qa/dataset.json": {"file": "crypto.jsonl", "evaluator_id": "match", "enabled": False, "rollout": "reasoning"},
    f"{D}/qa/crypto.jsonl": ROWS,
    "prompts/qa/domain.md": "Be brief.",
    "prompts/qa/level_2.md": "---\nmode: append\n---\nShow steps.",
}


def names(tests: SelectedTests) -> list[str]:
    return [f"{test.source}/{test.domain}/{test.level}/{test.test_id}" for test in tests]


def test_a_disabled_dataset_runs_only_by_name(load: Load) -> None:
    assert names(SelectedTests(load(FILES), Selection(suite="s"))) == ["suite/math/1/a"]
    for name in ("qa", "crypto"):
        assert names(SelectedTests(load(FILES), Selection(suite="s", domains=(name,)))) == [
            "crypto/on-chain/1/q0",
            "crypto/trends/2/q1",
            "crypto/on-chain/3/q2",
        ]
    assert names(SelectedTests(load(FILES), Selection(suite="s", tests=("q1",)))) == ["crypto/trends/2/q1"]


def test_a_category_of_a_dataset_is_a_domain(load: Load) -> None:
    tests = SelectedTests(load(FILES), Selection(suite="s", domains=("on-chain",), levels=(3,)))
    assert tests.check() == 1
    assert names(tests) == ["crypto/on-chain/3/q2"]


def test_rows_carry_the_layers_and_settings_of_their_domain(load: Load) -> None:
    tests = list(SelectedTests(load(FILES), Selection(suite="s", domains=("qa",))))
    assert [[layer.text for layer in test.layers] for test in tests] == [
        ["Be brief."],
        ["Be brief.", "Show steps."],
        ["Be brief."],
    ]
    assert {(test.rollout, test.evaluator_id) for test in tests} == {("reasoning", "match")}
    assert tests[0].location.path == f"{D}/qa/crypto.jsonl"


def test_a_dataset_alone_leaves_the_suites_tests_out(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "extra.jsonl"
    path.write_text(ROWS)
    tests = SelectedTests(load(FILES), Selection(datasets=(DatasetSpec(path=str(path)),)), evaluator="match")
    assert tests.check() == 3
    assert names(tests)[0] == "extra/on-chain/1/q0"
    assert "extra.jsonl: question: column 'question'" in tests.guesses


@pytest.mark.parametrize(("more", "evaluator"), [({}, "two_pass"), ({"judge_named": True}, "llm_judge")])
def test_rows_of_an_unknown_source_are_an_llm_judges_only_where_one_is_named(
    load: Load, tmp_path: Path, more: dict[str, Any], evaluator: str
) -> None:
    path = tmp_path / "extra.jsonl"
    path.write_text(ROWS.replace('"id"', '"source": "elsewhere", "id"'))
    tests = SelectedTests(load(FILES), Selection(datasets=(DatasetSpec(path=str(path)),)), **more)
    assert {test.evaluator_id for test in tests} == {evaluator}


def test_rollout_of_the_run_overrides_that_of_the_tests(load: Load) -> None:
    (test,) = SelectedTests(load(FILES), Selection(suite="s"), rollout="agentic")
    assert test.rollout == "agentic"


def test_every_mistake_stops_the_run_at_once(load: Load) -> None:
    suite = load({**FILES, f"{D}/qa/crypto.jsonl": ROWS + "{oops\n", f"{D}/math/level_1/b.json": case("b", weight=0)})
    with pytest.raises(SuiteError) as caught:
        SelectedTests(suite, Selection(suite="s", domains=("qa", "math"))).check()
    assert [problem.line for problem in caught.value.problems] == [6, 4]


def test_with_skip_invalid_the_rest_runs_and_the_mistakes_are_kept_as_tests(load: Load) -> None:
    suite = load({**FILES, f"{D}/qa/crypto.jsonl": ROWS + "{oops\n", f"{D}/math/level_1/b.json": case("b", weight=0)})
    tests = SelectedTests(suite, Selection(suite="s", domains=("qa", "math"), skip_invalid=True))
    assert tests.check() == 6
    assert {test.test_id for test in tests if test.invalid} == {"b", "unreadable:4"}


def test_a_row_its_evaluator_cannot_score_is_a_mistake_of_its_line(load: Load) -> None:
    def refuse(*_: object) -> list[str]:
        return ["'expected' is odd"]

    tests = SelectedTests(load(FILES), Selection(suite="s", domains=("qa",)), checks={"match": refuse})
    with pytest.raises(SuiteError, match=r"crypto\.jsonl:1: 'expected' is odd"):
        tests.check()


def test_a_dataset_that_cannot_be_read_is_a_mistake_of_its_definition(load: Load) -> None:
    suite = load({**FILES, f"{D}/qa/crypto.jsonl": '{"foo": 1}\n'})
    with pytest.raises(SuiteError, match=r"qa/dataset\.json:1: .*no column looks like a question"):
        SelectedTests(suite, Selection(suite="s", domains=("qa",))).check()


@pytest.mark.parametrize(
    ("selection", "part"),
    [
        (Selection(suite="s", domains=("mathe",)), "did you mean 'math'"),
        (Selection(suite="s", tests=("zzz",)), "there is no test 'zzz'"),
        (Selection(suite="s", levels=(5,)), "no test to run"),
        (Selection(suite="s", domains=("math",), filters=("level=4",)), "no test to run"),
    ],
)
def test_a_selection_of_nothing_says_why(load: Load, selection: Selection, part: str) -> None:
    with pytest.raises(ConfigurationError, match=part):
        SelectedTests(load(FILES), selection).check()


def test_two_datasets_of_one_source_are_refused(load: Load, tmp_path: Path) -> None:
    specs: list[DatasetSpec] = []
    for folder in ("one", "two"):
        path = tmp_path / folder / "same.jsonl"
        path.parent.mkdir()
        path.write_text(ROWS)
        specs.append(DatasetSpec(path=str(path)))
    with pytest.raises(ConfigurationError, match="two datasets have the source 'same'"):
        SelectedTests(load(FILES), Selection(datasets=tuple(specs)))


def test_sample_and_limit_span_everything(load: Load) -> None:
    selection = Selection(suite="s", domains=("qa", "math"), sample=3, sample_seed=1, limit=2)
    tests = SelectedTests(load(FILES), selection)
    assert tests.check() == 2
    assert names(tests) == names(tests)
    assert len(names(tests)) == 2


def stratified(folder: Path, column: str, load: Load, **more: Any) -> SelectedTests:
    path = folder / "rows.jsonl"
    lines = [{"q": f"q{n}?", "a": "1", "subject": "xy"[n % 4 == 0], "part": n % 2 or None, "no": n} for n in range(24)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    spec = DatasetSpec(path=str(path), question_field="q", answer_field="a", category_field="subject")
    return SelectedTests(load(FILES), Selection(datasets=(spec,), stratify=column, **more), evaluator="match")


@pytest.mark.parametrize(
    ("column", "shares"),
    [("subject", "x: 6, y: 2"), ("domain", "x: 6, y: 2"), ("category", "x: 6, y: 2"), ("part", "(none): 4, 1: 4")],
)
@pytest.mark.parametrize("size", [{"limit": 8}, {"sample": 8}, {"sample": 20, "limit": 8}, {"sample": 8, "limit": 20}])
def test_a_limit_and_a_sample_are_shared_out_by_a_column(
    column: str, shares: str, size: dict[str, int], load: Load, tmp_path: Path
) -> None:
    tests = stratified(tmp_path, column, load, **size)
    assert tests.check() == 8
    assert tests.guesses[-1] == f"8 of 24 tests, by {column} ({shares})"
    found = names(tests)
    assert (len(found), found) == (8, names(tests))
    larger = names(stratified(tmp_path, column, load, limit=9))
    assert set(found) < set(larger)
    assert found != names(stratified(tmp_path, column, load, limit=8, sample_seed=1))


def test_a_column_to_share_out_by_that_no_row_has_is_refused_with_those_that_there_are(
    load: Load, tmp_path: Path
) -> None:
    with pytest.raises(
        ConfigurationError, match=r"no test has anything in a column 'parts'; did you mean 'part'\?; there"
    ):
        stratified(tmp_path, "parts", load, limit=3).check()


def test_strata_without_a_size_are_refused(load: Load, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="say how many tests, by --limit N or --sample N"):
        stratified(tmp_path, "part", load)


def test_a_column_of_ids_to_share_out_by_is_told(load: Load, tmp_path: Path) -> None:
    tests = stratified(tmp_path, "no", load, limit=3)
    assert tests.check() == 3
    assert tests.guesses[-1].startswith("3 of 24 tests, by no, which has 24 values: hardly two tests of any")


def test_tools_of_the_run_are_offered_to_tests_that_bring_none(load: Load) -> None:
    def tool(name: str) -> ToolDefinition:
        return ToolDefinition(name, name, "", {}, Location("t.json"))

    selected = SelectedTests(load(FILES), Selection(suite="s", tools=()))
    (test,) = selected
    own = replace(test, tools=(tool("own"),), tool_ids=("own",))
    assert [selected._as_asked(one).tool_ids for one in (test, own)] == [(), ("own",)]
    selected._tools = (tool("run"),)
    selected.selection = selected.selection.model_copy(update={"tools": ("run",)})
    assert [selected._as_asked(one).tool_ids for one in (test, own)] == [("run",), ("own",)]
    assert [[each.id for each in selected._as_asked(one).tools] for one in (test, own)] == [["run"], ["own"]]


def test_what_the_evaluator_says_of_the_suites_own_tests_is_a_mistake_too(load: Load) -> None:
    def refuse(*_: object) -> list[str]:
        return ["'expected' is odd"]

    tests = SelectedTests(load(FILES), Selection(suite="s"), checks={"two_pass": refuse})
    with pytest.raises(SuiteError, match="'expected' is odd"):
        tests.check()
    assert SelectedTests(load(FILES), Selection(suite="s"), checks={}).check() == 1


def test_a_dataset_alone_is_not_held_back_by_mistakes_of_the_suites_tests(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "extra.jsonl"
    path.write_text(ROWS)
    suite = load({**FILES, f"{D}/math/level_1/b.json": case("b", template={"code": "{}", "prompt": "?"})})

    def refuse(*_: object) -> list[str]:
        return ["'expected' is odd"]

    selection = Selection(datasets=(DatasetSpec(path=str(path)),), variant=3)
    tests = SelectedTests(suite, selection, evaluator="match", checks={"two_pass": refuse})
    assert tests.suite is suite
    assert tests.check() == 3
    assert [problem for problem in suite.problems if "odd" in problem.message] == []


@pytest.mark.parametrize(
    ("form", "without", "said"),
    [(True, (), True), (False, (), False), (True, ("test",), False), (True, ("level",), True)],
)
def test_the_form_of_answers_is_said_where_rows_are_asked_for_it(
    load: Load, tmp_path: Path, form: bool, without: tuple[Any, ...], said: bool
) -> None:
    path = tmp_path / "extra.jsonl"
    path.write_text(ROWS)
    selection = Selection(datasets=(DatasetSpec(path=str(path)),), form=form, without_layers=without)
    tests = SelectedTests(load(FILES), selection)
    assert any(": form: " in guess for guess in tests.guesses) is said
    assert {len(test.layers) for test in tests} == {int(said)}


def test_datasets_are_as_they_were_read_until_a_file_is_another_one(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "extra.jsonl"
    path.write_text(ROWS)
    tests = SelectedTests(load(FILES), Selection(datasets=(DatasetSpec(path=str(path)),)), evaluator="match")
    assert (tests.is_as_read, tests.listed, tests.files) == (False, 0, [path])
    tests.check()
    found = [tests.is_as_read]
    path.write_text(ROWS + ROWS.replace('"q', '"r'))
    found.append(tests.is_as_read)
    path.unlink()
    found.append(tests.is_as_read)
    assert found == [True, False, False]


def test_tests_that_are_trusted_are_not_asked_of_their_evaluator_again(load: Load) -> None:
    asked: list[str] = []

    def look(test: TestCase, *_: object) -> list[str]:
        asked.append(test.test_id)
        return []

    tests = SelectedTests(load(FILES), Selection(suite="s", domains=("qa",)), checks={"match": look})
    assert len(list(tests)) == len(asked) == 3
    tests.trust(2)
    assert len(list(tests)) == len(asked) == 3
    assert tests.listed == 2
    assert any("2 golds are lists" in guess for guess in tests.guesses)


def test_golds_are_needed_unless_it_is_said_that_they_are_not(load: Load) -> None:
    rows = ROWS + '{"id": "q9", "question": "q?", "category": "trends", "level": 2}\n'
    files = {**FILES, f"{D}/qa/crypto.jsonl": rows}
    with pytest.raises(SuiteError, match=r"crypto\.jsonl:4"):
        SelectedTests(load(files), Selection(suite="s", domains=("qa",))).check()
    tests = SelectedTests(load(files), Selection(suite="s", domains=("qa",)), golds_needed=False)
    assert (tests.check(), tests.without_gold) == (4, 1)


def test_only_the_dataset_that_holds_answers_may_have_a_question_several_times(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "answered.jsonl"
    path.write_text(ROWS + ROWS)
    selection = Selection(datasets=(DatasetSpec(path=str(path)),))
    for answered in (None, tmp_path / "another.jsonl"):
        with pytest.raises(SuiteError):
            SelectedTests(load(FILES), selection, evaluator="match", answered=answered).check()
    assert SelectedTests(load(FILES), selection, evaluator="match", answered=path).check() == 3


def test_whoever_looks_sees_the_tests_as_they_are_asked_and_of_a_sample_those_alone(load: Load) -> None:
    suite = load({**FILES, f"{D}/math/level_1/b.json": case("b", expected=[1, 2])})
    for more, seen in (({}, 2), ({"limit": 1}, 1), ({"sample": 1}, 1)):
        looked: list[TestCase] = []
        tests = SelectedTests(suite, Selection(suite="s", gold="parts", **more), rollout="agentic")  # type: ignore[arg-type]
        assert tests.check(looked.append) == seen
        assert looked == list(tests)
        assert {test.rollout for test in looked} == {"agentic"}
        assert tests.listed == 1
