from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from modex.core.suite.checking import CheckNote, check_suite, check_tests, prefixed
from modex.core.suite.definitions import EvaluatorConfig, Location, Suite, TestCase
from tests.core.suite.conftest import case
from tests.rows import each_row

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


def odd(test: TestCase, config: EvaluatorConfig, root: Path | None) -> Iterable[str]:
    del test, config, root
    return ["one", CheckNote("worth knowing"), "two", "three", prefixed("part 1: ", CheckNote("too")), "four"]


def test_what_is_worth_knowing_is_a_note_and_no_reason_to_skip(load: Load) -> None:
    suite = load({f"{D}/d/level_1/a.json": case("a"), f"{D}/d/level_1/b.json": case("b", evaluator_id="keyword")})
    check_suite(suite, {"two_pass": odd, "keyword": lambda *_: [CheckNote("worth knowing")]})
    assert [(note.path, note.line, note.message) for note in suite.notes] == [
        (f"{D}/d/level_1/a.json", 4, "part 1: too"),
        (f"{D}/d/level_1/a.json", 4, "worth knowing"),
        (f"{D}/d/level_1/b.json", 4, "worth knowing"),
    ]
    assert [problem.message for problem in suite.problems] == ["four", "one", "three", "two"]
    assert [test.invalid for test in suite.tests] == [
        f"{D}/d/level_1/a.json:4: one; {D}/d/level_1/a.json:4: two; {D}/d/level_1/a.json:4: three",
        None,
    ]


@each_row(
    ("expected", "lacks_gold", "golds_needed", "asked"),
    [
        (None, False, True, True),
        (None, True, True, False),
        (None, False, False, False),
        (None, True, False, False),
        ("x", True, False, True),
        ("x", False, True, True),
    ],
)
def test_a_test_without_a_gold_is_asked_of_its_evaluator_only_where_it_should_have_one(
    expected: Any, lacks_gold: bool, golds_needed: bool, asked: bool
) -> None:
    test = TestCase("suite", "d", 1, "t", "q", expected, "e", Location("t.json"), lacks_gold=lacks_gold)
    found = check_tests([test], Suite(Path()), {"e": lambda *_: ["odd"]}, golds_needed=golds_needed)
    assert [messages for _, messages in found] == [["odd"] if asked else []]


def test_a_gold_that_is_drawn_later_is_not_looked_at() -> None:
    test = TestCase("suite", "d", 1, "t", "q", "{n}", "e", Location("t.json"), written=False)
    assert [found for _, found in check_tests([test], Suite(Path()), {"e": lambda *_: ["odd"]})] == [[]]


@each_row(
    ("evaluator", "found"),
    [("own", ["by id"]), ("based", ["by base"]), ("typed", ["by type"]), ("unheard", []), ("default", ["by base"])],
)
def test_an_evaluator_is_checked_by_its_id_else_its_base_else_its_type(evaluator: str, found: list[str]) -> None:
    suite = Suite(Path())
    suite.evaluators = {
        "own": EvaluatorConfig("own", "own", "regex", config={"base": "base"}),
        "based": EvaluatorConfig("based", "based", "regex", config={"base": "base"}),
        "typed": EvaluatorConfig("typed", "typed", "regex", config={"base": 3}),
    }
    defaults = {"default": EvaluatorConfig("default", "default", "builtin", config={"base": "base"}),
                "own": EvaluatorConfig("own", "own", "builtin")}  # fmt: skip
    checks = {name: (lambda *_, said=said: [said]) for name, said in
              (("own", "by id"), ("base", "by base"), ("regex", "by type"))}  # fmt: skip
    test = TestCase("suite", "d", 1, "t", "q", 1, evaluator, Location("t.json"))
    assert [said for _, said in check_tests([test], suite, checks, defaults)] == [found]


def test_the_line_is_that_of_expected_in_a_file_of_one_test_and_else_the_tests_own(load: Load) -> None:
    suite = load({
        f"{D}/d/level_1/a.JSON": case("a"),
        f"{D}/d/level_1/b.json": case("b"),
        f"{D}/d/level_1/c.jsonl": '{"id": "c", "prompt": "x", "expected": 1, "evaluator_id": "two_pass"}',
    })  # fmt: skip
    (suite.root / D / "d/level_1/b.json").unlink()
    check_suite(suite, {"two_pass": lambda *_: ["odd"]})
    assert [(problem.path[-6:], problem.line) for problem in suite.problems] == [
        ("a.JSON", 1), ("b.json", 1), (".jsonl"[-6:], 1),
    ]  # fmt: skip
