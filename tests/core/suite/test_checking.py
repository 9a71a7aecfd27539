from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from modex.core.suite.checking import check_suite
from modex.core.suite.definitions import EvaluatorConfig, Suite, TestCase
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"


def needs_a_number(test: TestCase, config: EvaluatorConfig, root: Path | None) -> Iterable[str]:
    del config, root
    if not isinstance(test.expected, int):
        yield "'expected' must be a number"


def test_an_evaluators_finding_stands_on_the_line_of_expected(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/level_1/a.json": case("a", expected="four"),
            f"{D}/d/level_1/b.json": case("b"),
            f"{D}/d/level_1/c.jsonl": '\n{"id": "c", "prompt": "x", "expected": null, "evaluator_id": "two_pass"}',
        }
    )
    check_suite(suite, {"two_pass": needs_a_number})
    assert [(problem.path, problem.line) for problem in suite.problems] == [
        (f"{D}/d/level_1/a.json", 4),
        (f"{D}/d/level_1/c.jsonl", 2),
    ]
    assert [test.invalid is None for test in suite.tests] == [False, True, False]


def test_a_configured_evaluator_is_checked_by_its_type(load: Load) -> None:
    seen: list[EvaluatorConfig] = []

    def remember(test: TestCase, config: EvaluatorConfig, root: Path | None) -> Iterable[str]:
        seen.append(config)
        return ()

    suite = load(
        {
            f"{D}/evaluators/e.json": {"id": "dates", "type": "regex", "extraction_regex": r"\d+", "config": {"k": 1}},
            f"{D}/d/level_1/a.json": case(evaluator_id="dates"),
        }
    )
    check_suite(suite, {"regex": remember})
    assert [(config.id, config.config) for config in seen] == [("dates", {"k": 1})]


def test_a_check_that_raises_is_a_finding(load: Load) -> None:
    def explode(test: TestCase, config: EvaluatorConfig, root: Path | None) -> Iterable[str]:
        raise KeyError("boom")

    suite = load({f"{D}/d/level_1/a.json": case()})
    check_suite(suite, {"two_pass": explode})
    assert "cannot be checked by 'two_pass': KeyError: 'boom'" in suite.problems[0].message


def test_an_invalid_test_is_not_checked_again(load: Load) -> None:
    suite = load({f"{D}/d/level_1/a.json": case(expected="x", weight=0)})
    before = list(suite.problems)
    check_suite(suite, {"two_pass": needs_a_number})
    assert suite.problems == before
