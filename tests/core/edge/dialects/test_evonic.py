"""A suite of 60 tests in evonic's dialect runs as it is: each of its forms, with an answer that passes and one that fails."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from modex.core.edge.dialects import evonic
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.pipeline.assembly import problems_of
from modex.core.sandbox.javascript import javascript_unavailable
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.layers import fold
from modex.core.suite.loading import load_suite
from modex.core.tools.base import ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from tests.cli import call, reading, write_suite
from tests.core.evaluators.conftest import PROMPTS, ScriptedClient
from tests.core.suite.conftest import write_files
from tests.rows import each_row

FIXTURE = Path(__file__).parents[3] / "fixtures" / "evonic"
ANSWERS: dict[str, dict[str, Any]] = json.loads((FIXTURE / "answers.json").read_text(encoding="utf-8"))
RUNNABLE = [name for name, answer in ANSWERS.items() if answer["right"] is not None]
needs_javascript = pytest.mark.skipif(javascript_unavailable() is not None, reason="without the extra `javascript`")


@cache
def the_suite() -> Suite:
    """The fixture, read by the first test that wants it: its tools' code is looked at in processes."""
    return load_suite(FIXTURE)


@cache
def the_tests() -> dict[str, TestCase]:
    """Its tests by domain, level and id."""
    return {f"{test.domain}/{test.level}/{test.test_id}": test for test in the_suite().tests}


def passes(suite: Suite, test: TestCase, answer: dict[str, Any]) -> bool:
    """Whether the test passes with an answer: what was said or called, and what PASS 2 or the judge reply."""
    config = find_config(test.evaluator_id, suite.evaluators)
    assert config is not None
    calls = [
        {"id": f"c{number}", "name": name, "arguments": json.dumps(arguments)}
        for number, (name, arguments) in enumerate(answer.get("calls", ()))
    ]
    said = answer.get("say", "Done.")
    transcript: list[dict[str, Any]] = [{"role": "assistant", "content": said, "phase": "pass1", "iteration": 1}]
    if calls:
        transcript[0]["tool_calls"] = calls
    sample = EvaluationSample(
        domain=test.domain,
        level=test.level,
        test_id=test.test_id,
        prompt=str(test.prompt),
        expected=test.expected,
        evaluator_id=test.evaluator_id,
        response=said,
        transcript=transcript,
    )
    context = JudgeContext(
        config,
        lambda name: (PROMPTS / f"{name}.md").read_text(encoding="utf-8"),
        extractor=ScriptedClient(
            *(
                [f"ANSWER: {answer['pass2']}" if answer["pass2"][0] != "{" else answer["pass2"]]
                if "pass2" in answer
                else []
            )
        ),
        judges=(ScriptedClient(*([answer["judge"]] * 2 if "judge" in answer else [])),),
        tools={tool.name: tool for tool in test.tools},
        suite_root=suite.root,
        configs=suite.evaluators,
    )
    return get_evaluator(config).evaluate(sample, context).status == "passed"


def test_the_suite_has_sixty_tests_and_no_mistake() -> None:
    suite, problems = problems_of(str(FIXTURE))
    assert (len(suite.tests), problems, suite.dialect) == (60, [], "evonic")
    assert set(the_tests()) == set(ANSWERS)


@each_row("name", RUNNABLE, ids=lambda name: f"{name}: {ANSWERS[name]['form']}")
def test_each_form_passes_the_right_answer_and_fails_the_wrong_one(name: str) -> None:
    assert the_tests()[name].invalid is None
    assert [passes(the_suite(), the_tests()[name], ANSWERS[name][key]) for key in ("right", "wrong")] == [True, False]


def test_what_has_no_gold_or_no_mock_is_skipped_with_its_reason() -> None:
    reasons = {name: the_tests()[name].invalid or "" for name in ANSWERS if name not in RUNNABLE}
    assert set(reasons) == {"reasoning/5/r_no_gold", "tool_calling/5/t_no_gold", "tool_calling/5/t_backend"}
    assert "no gold" in reasons["reasoning/5/r_no_gold"]
    assert "no mock" in reasons["tool_calling/5/t_backend"]
    assert not the_suite().problems


def test_tool_lists_add_up_over_the_layers() -> None:
    assert the_tests()["tool_calling/2/t_append"].tool_ids == ("get_today", "calculator")
    assert the_tests()["tool_calling/2/t_arg_names"].tool_ids == ("get_today", "calculator", "check_rooms")
    assert the_tests()["tool_calling/1/t_one"].tool_ids == ("get_today", "get_weather")


def test_layers_of_the_system_prompt_fold_as_there() -> None:
    assert (
        fold(the_tests()["conversation/2/c_inherited"].layers) == "Kamu asisten yang ramah.\n\nJawab dalam dua kalimat."
    )
    assert "Andini" in (fold(the_tests()["conversation/5/c_random_name"].layers) or "")


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("check_rooms", {"start_date": "a", "end_date": "b"}, {"available_rooms": ["Bismo", "Joglo"]}),
        ("price_of", {"item": "kettle", "count": 3}, {"total": 90}),
        ("price_of", {"item": "pan", "count": 1}, {"error": "unknown item"}),
        ("send_mail", {"to": "a"}, {"sent": True}),
        pytest.param(
            "calculator", {"expression": "125*8"}, {"result": 1000, "expression": "125*8"}, marks=needs_javascript
        ),
        pytest.param("calculator", {"expression": "x"}, {"error": "Invalid characters"}, marks=needs_javascript),
    ],
)
def test_mocks_answer_as_there(tool: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    result = SuiteToolExecutor().call(the_suite().tools[tool], arguments, ToolSession())
    assert (json.loads(result.content), result.is_error) == (answer, False)


def test_a_text_mock_answers_with_its_text() -> None:
    assert SuiteToolExecutor().call(the_suite().tools["get_weather"], {"city": "Bali"}, ToolSession()).content == (
        "Sunny, 31 degrees"
    )


def test_check_names_what_it_translated_and_what_cannot_run() -> None:
    called = call("check", FIXTURE)
    assert called.code == 1  # two of its tests cannot run here
    assert "written for evonic" in called.err
    for words in (
        "answer (numeric)",
        "mock_response (javascript)",
        "4 × hybrid",
        "t_no_gold.json:1): no gold",
        "tools_used",
    ):
        assert words in called.err
    data = call("check", FIXTURE, "--json").data
    assert data["dialect"] == "evonic"
    assert {row["test"] for row in data["not_runnable"]} == set(ANSWERS) - set(RUNNABLE)
    assert any(row["note"].startswith("judged from 0 to 100") for row in data["translated"])


def test_a_run_takes_the_suite_as_it_is(tmp_path: Path) -> None:
    called = call(
        "run", "--model", "demo", "--suite", FIXTURE, "--headless", "--exp-id", "e", "--db", tmp_path / "m.db"
    )
    assert "Traceback" not in called.err
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    by_status = {status: [s for s in samples if s.status == status] for status in ("skipped", "error")}
    skipped = {sample.test_id for sample in by_status["skipped"]}
    assert {"r_no_gold", "t_no_gold", "t_backend"} <= skipped
    assert by_status["error"] == [], [(s.test_id, s.error_message) for s in by_status["error"]]


def test_import_writes_a_suite_of_ours_that_judges_alike(tmp_path: Path) -> None:
    called = call("import", "evonic", FIXTURE, tmp_path / "out")
    assert called.code == 0, called.err
    suite, problems = problems_of(str(tmp_path / "out"))
    assert (problems, suite.dialect) == ([], None)
    ours = {f"{test.domain}/{test.level}/{test.test_id}": test for test in suite.tests}
    assert set(ours) == set(RUNNABLE)
    left = [path for path in (tmp_path / "out" / "left_out").rglob("*.json") if "tools" not in path.parts]
    assert len(left) == len(the_tests()) - len(RUNNABLE)
    for name in RUNNABLE:
        assert (ours[name].expected, ours[name].tool_ids) == (the_tests()[name].expected, the_tests()[name].tool_ids), (
            name
        )
        assert ours[name].prompt == the_tests()[name].prompt
        assert fold(ours[name].layers) == fold(the_tests()[name].layers)
        if "judge" not in ANSWERS[name]["right"]:
            assert [passes(suite, ours[name], ANSWERS[name][key]) for key in ("right", "wrong")] == [True, False], name
    text = (tmp_path / "out" / "test_definitions" / "tools" / "check_rooms.json").read_text(encoding="utf-8")
    assert "mock_response" not in text


def test_import_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("here")
    called = call("import", "evonic", FIXTURE, tmp_path / "out")
    assert called.code == 2
    assert "not empty" in called.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_suite_that_says_so_is_read_as_ours(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "suite")
    (tmp_path / "suite" / "test_definitions" / "suite.json").write_text('{"dialect": "modex"}')
    suite, problems = problems_of(str(tmp_path / "suite"))
    assert suite.dialect is None
    assert len(problems) > 20


@pytest.mark.parametrize(("config", "keywords"), [
    ({"comparison": "exact", "required_keywords": ["so"]}, ["cat"]),
    ({"required_keywords": ["so"]}, [{"any": ["cat"], "prefix": True}]),
])  # fmt: skip
def test_words_that_a_pattern_requires_make_a_suite_evonics_only_where_no_comparison_is_named(
    tmp_path: Path, config: dict[str, Any], keywords: list[Any]
) -> None:
    tests = [{"id": "t", "prompt": "Which animal?", "expected": {"keywords": ["cat"]}}]
    suite = write_suite(tmp_path, tests)
    folder = suite / "test_definitions" / "evaluators"
    folder.mkdir()
    own = {"id": "own", "name": "own", "type": "regex", "uses_pass2": False, "extraction_regex": "so", "config": config}
    (folder / "own.json").write_text(json.dumps(own))
    assert [test.expected["keywords"] for test in load_suite(suite).tests] == [keywords]


@each_row(
    ("expected", "evaluator", "is_one"),
    [
        ({"answer": 4}, "two_pass", True), ({"answer": 4, "value": 4}, "two_pass", False), ("answer", "two_pass", False),
        ({"answer": 4}, "keyword", True), ({"answer": 4, "keywords": []}, "keyword", False), ({"answer": 4}, "regex", False),
        ({"keywords": []}, "keyword", False), (["answer"], "two_pass", False),
        ({"expected": "a", "evaluator_id": "regex_matcher"}, "regex", True), ({"expected": "a"}, "regex", False),
        ({"expected": "a", "evaluator_id": 1}, "regex", False),
    ],
)  # fmt: skip
def test_an_expected_value_is_evonics_by_its_key(expected: Any, evaluator: str, is_one: bool) -> None:
    assert evonic.Evonic().is_test(expected, evaluator) is is_one


@each_row(
    ("tool", "name", "parameters"),
    [
        ({"name": "a", "parameters": {"x": 1}}, "a", {"x": 1}),
        ({"name": "a", "function": {"name": "b", "parameters": {"y": 1}}}, "b", {"y": 1}),
        ({"name": "a", "function": {}}, "a", {}),
        ({"function": "odd", "name": "a"}, "a", {}),
        ({"parameters": []}, "", {}),
    ],
)
def test_a_tool_may_be_wrapped(tool: dict[str, Any], name: str, parameters: dict[str, Any]) -> None:
    assert evonic._function(tool) == (name, parameters)


SEED = {"seed/test_db.sql": "CREATE TABLE customers (id INTEGER, name TEXT); INSERT INTO customers VALUES (1, 'Ani');"}
PARTS = {"query_type": "SELECT", "table": "customers"}


@each_row(
    ("files", "expected", "dialect"),
    [
        (SEED, [PARTS], "evonic"),
        ({}, [PARTS], None),
        ({}, [{**PARTS, "required_columns": ["name"]}], "evonic"),
        (SEED, [PARTS, {"fixture": "seed/test_db.sql", "query": "SELECT 1"}], None),
        (SEED, [{"fixture": "seed/test_db.sql", "query": "SELECT 1"}, PARTS], None),
        (SEED, [{**PARTS, "selects": ["name"]}], None),
        (SEED, [{**PARTS, "required_columns": "name"}, "odd"], "evonic"),
        ({}, [{**PARTS, "required_columns": "name"}], None),
        ({**SEED, "suite.json": {"dialect": "modex"}}, [PARTS], None),
    ],
)
def test_a_suite_of_queries_is_evonics_by_its_tables_and_never_where_a_query_is_ours(
    tmp_path: Path, files: dict[str, Any], expected: list[Any], dialect: str | None
) -> None:
    tests = {
        f"test_definitions/d/level_1/t{number}.json": {
            "id": f"t{number}", "prompt": "Query?", "evaluator_id": "sql_executor", "expected": one,
        }
        for number, one in enumerate(expected)
    }  # fmt: skip
    assert load_suite(write_files(Path(mkdtemp(dir=tmp_path)), {**files, **tests})).dialect == dialect


def test_the_parts_of_another_evaluator_make_no_suite_evonics(tmp_path: Path) -> None:
    test = {
        "id": "t",
        "prompt": "Query?",
        "evaluator_id": "llm_judge",
        "expected": {**PARTS, "required_columns": ["a"]},
    }
    suite = write_files(Path(mkdtemp(dir=tmp_path)), {**SEED, "test_definitions/d/level_1/t.json": test})
    assert load_suite(suite).dialect is None


@each_row(("query", "passed"), [("SELECT name FROM customers", True), ('SELECT "nosuch" FROM customers', False)])
def test_a_suite_of_queries_alone_is_run_on_its_own_tables(tmp_path: Path, query: str, passed: bool) -> None:
    test = {"id": "t", "prompt": "Query?", "evaluator_id": "sql_executor", "expected": PARTS}
    suite = load_suite(write_files(Path(mkdtemp(dir=tmp_path)), {**SEED, "test_definitions/d/level_1/t.json": test}))
    assert passes(suite, suite.tests[0], {"say": f"```sql\n{query}\n```"}) is passed


def test_suites_of_our_own_form_are_never_evonics(tmp_path: Path) -> None:
    made = call("init", tmp_path / "own")
    assert made.code == 0
    examples = [
        tmp_path / "own",
        *(path.parent for path in (Path(__file__).parents[4] / "docs" / "examples").rglob("test_definitions")),
    ]
    assert [load_suite(path).dialect for path in (None, *examples)] == [None] * (len(examples) + 1)


@each_row(
    ("own", "domain", "defined", "expected", "invalid"),
    [
        ({}, "regex", True, "(?s)a.c", None),
        ({}, "regex", False, "a.c", "there is no evaluator 'regex_matcher'"),
        ({"evaluator_id": "regex"}, "keyword", False, "a.c", None),
    ],
)
def test_an_expected_value_within_another_is_judged_by_the_evaluator_that_it_names(
    tmp_path: Path, own: dict[str, Any], domain: str, defined: bool, expected: str, invalid: str | None
) -> None:
    wrapped = {"expected": "a.c", "evaluator_id": "regex_matcher"}
    files: dict[str, Any] = {
        "test_definitions/d/domain.json": {"id": "d", "evaluator_id": domain},
        "test_definitions/d/level_1/t.json": {"id": "t", "prompt": "Say it.", "expected": wrapped, **own},
    }
    if defined:
        pattern = {"id": "regex_matcher", "type": "regex", "config": {"use_expected_as_pattern": True}}
        files["test_definitions/evaluators/regex_matcher.json"] = pattern
    suite = load_suite(write_files(Path(mkdtemp(dir=tmp_path)), files))
    (test,) = suite.tests
    assert (suite.dialect, test.expected, suite.problems) == ("evonic", expected, [])
    assert (invalid or "None") in str(test.invalid)
