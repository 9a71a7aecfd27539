from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code import evaluator
from modex.core.evaluators.code.cases import same_value
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.evaluators.code.extraction import find_function
from modex.core.evaluators.code.forms import problems_of
from modex.core.foundation.errors import JudgeError
from modex.core.sandbox.environments import PackagesError
from modex.core.sandbox.languages import LanguageMissingError
from modex.core.sandbox.python import close_python
from modex.core.verdict import Cases
from tests.core.evaluators.conftest import config, context, sample
from tests.rows import each_row

EXPECTED = {
    "function": "double",
    "cases": [
        {"args": [2], "returns": 4},
        {"args": ["ab"], "returns": "abab"},
        {"args": [None], "raises": "TypeError"},
    ],
}
RIGHT = "def double(x):\n    return x * 2"


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    close_python()


Judged = Callable[..., EvaluationResult]


@pytest.fixture(params=["bubblewrap", "monty"])
def judged(request: pytest.FixtureRequest) -> Judged:
    """Judges a response, in each sandbox."""
    if request.param == "bubblewrap":
        request.getfixturevalue("boxes")

    def judge(response: str, expected: Any = EXPECTED) -> EvaluationResult:
        judging = replace(context(config("code_tests")), sandbox=request.param)
        return CodeTestsEvaluator().evaluate(sample(response, expected), judging)

    return judge


@each_row(
    "response",
    [
        f"Here it is:\n```python\n{RIGHT}\n```\nIt multiplies.",
        f"```\n{RIGHT}\n```",
        f"First try:\n```python\ndef double(x):\n    return x\n```\nThat is wrong. Better:\n```python\n{RIGHT}\n```",
        f"```python\n{RIGHT}\n```\nUse it so:\n```python\nprint(double(3))\n```",
        f"```py\n{RIGHT}\n\nif __name__ == '__main__':\n    print(double(int(input())))\n```",
        "1. The function:\n   ```python\n   def double(x):\n       return x * 2\n   ```",
        f"{RIGHT}\n\nThis doubles whatever can be doubled.",
        "```python\ndouble = lambda x: x * 2\n```",
        "```python\ndef double(x):\n    return x * 2\n",
    ],
)
def test_a_right_function_passes_in_any_wrapping(judged: Judged, response: str) -> None:
    assert judged(response).score == 1.0


@each_row(
    ("response", "reason"),
    [
        ("I cannot write code.", "defines no function called double"),
        ("```python\ndef triple(x):\n    return x * 2\n```", "defines no function called double"),
        ("```python\ndef double(x):\n    return x ** 2\n```", 'double("ab") gave an error: TypeError'),
        ("```python\ndef double(x)\n    return x * 2\n```", "does not load"),
        ("```python\ndef double(x):\n    print(x * 2)\n```", "double(2) gave None, expected 4"),
        ("```python\ndef double(x):\n    return 4 if x == 2 else 'abab'\n```", "expected TypeError to be raised"),
    ],
)
def test_a_wrong_function_fails_with_its_reason(judged: Judged, response: str, reason: str) -> None:
    result = judged(response)
    assert result.score == 0.0
    assert reason in result.why


def test_a_function_that_is_mostly_right_is_wrong_and_says_how_much_held(judged: Judged) -> None:
    result = judged("```python\ndef double(x):\n    return x + x if x is not None else 0\n```")
    assert result.score == 0.0
    assert isinstance(part := result.found[0], Cases)
    assert (part.passed, part.total) == (2, 3)


def test_what_a_call_leaves_behind_is_seen_by_the_next(judged: Judged) -> None:
    expected = {"function": "add", "cases": [{"args": [1], "returns": [1]}, {"args": [2], "returns": [2]}]}
    leaking = "```python\ndef add(x, seen=[]):\n    seen.append(x)\n    return seen\n```"
    assert judged(leaking, expected).score == 0.0
    assert judged("```python\ndef add(x, seen=None):\n    return [x]\n```", expected).score == 1.0


def test_a_changed_argument_fails_where_it_must_stay(judged: Judged) -> None:
    expected = {"function": "ordered", "cases": [{"args": [[2, 1]], "returns": [1, 2], "unchanged": True}]}
    assert judged("```python\ndef ordered(x):\n    x.sort()\n    return x\n```", expected).score == 0.0
    assert judged("```python\ndef ordered(x):\n    return sorted(x)\n```", expected).score == 1.0


def test_code_that_never_ends_is_a_failure_and_not_an_error(judged: Judged) -> None:
    expected = {"function": "f", "cases": [{"args": [1], "returns": 1}, {"args": [2], "returns": 2}], "seconds": 0.3}
    result = judged("```python\ndef f(x):\n    while x == 1:\n        pass\n    return x\n```", expected)
    assert result.score == 0.0
    assert "no result in time" in result.why


def test_code_reaches_neither_files_nor_environment(judged: Judged) -> None:
    for body in ("open('/etc/passwd').read()", "__import__('os').environ['MODEX_HOME']"):
        with suppress(JudgeError):  # a part of Python says that it lacks them
            assert judged(f"```python\ndef double(x):\n    return {body}\n```").score == 0.0


@each_row(
    ("got", "wanted", "same"),
    [
        (1, 1, True), (1.0, 1, True), (True, 1, False), (0, False, False), ((1, 2), [1, 2], True), ([1, 2], [2, 1], False),
        (0.1 + 0.2, 0.3, True), (0.3001, 0.3, False), (10**30, 10**30, True), (10**30 + 1, 10**30, False),
        ({1: "a"}, {"1": "a"}, True), ({"1": "a", "2": "b"}, {"1": "a"}, False), ("1", 1, False), (None, None, True),
        ({1, 2}, {"set": [2, 1]}, True), ([1, 2], {"set": [1, 2]}, False), ("a", ["a"], False), ([], None, False),
        (10**400, 1.0, False),
    ],
)  # fmt: skip
def test_values_compare_as_json_means_them(got: Any, wanted: Any, same: bool) -> None:
    assert same_value(got, wanted) is same


@each_row(
    ("expected", "said"),
    [
        ("text", "expected is"),
        ({"function": "f g", "cases": [{"args": [], "returns": 1}]}, "name of a function or class"),
        ({"function": "f", "cases": []}, "list of 1 to"),
        ({"function": "f", "cases": [{"args": []}]}, "exactly one of"),
        ({"function": "f", "cases": [{"args": [], "returns": 1, "raises": "X"}]}, "exactly one of"),
        ({"function": "f", "cases": [{"args": 1, "returns": 1}]}, ".args must be a list"),
        ({"function": "f", "cases": [{"args": [], "return": 1}]}, ".return is not known"),
        ({"function": "f", "cases": [{"args": [], "returns": 1}], "seconds": 99}, "at most 60"),
    ],
)
def test_every_mistake_in_expected_is_named(judged: Judged, expected: Any, said: str) -> None:
    assert any(said in problem for problem in problems_of(expected))
    with pytest.raises(JudgeError):
        judged(f"```python\n{RIGHT}\n```", expected)


def test_prose_around_unfenced_code_is_left_out() -> None:
    code = find_function(f"Sure!\n{RIGHT}\nThis is it.", "double")
    assert code == RIGHT


def test_a_case_that_fails_does_not_keep_the_others_from_being_tried(judged: Judged) -> None:
    expected = {
        "function": "f",
        "cases": [{"args": [0], "returns": 0}, {"args": [1], "raises": "ValueError"}, {"args": [2], "returns": 2}],
    }
    said = "```python\ndef f(x):\n    if x < 2:\n        raise TypeError('x' * 900)\n    return x\n```"
    (found,) = judged(said, expected).found
    assert isinstance(found, Cases)
    assert (found.passed, found.total, len(found.failures)) == (1, 3, 2)
    assert found.failures[0].got.startswith("an error: TypeError: xxx")
    assert len(found.failures[0].got) == len("an error: ") + 300
    assert found.failures[1].expected == "ValueError to be raised"


def test_code_that_does_not_load_says_why_in_three_hundred_characters(judged: Judged) -> None:
    (found,) = judged("```python\nraise ValueError('y' * 900)\ndef double(x):\n    return x\n```").found
    assert isinstance(found, Cases)
    assert found.why.startswith("the code does not load: ValueError: yyy")
    assert len(found.why) == len("the code does not load: ") + 300


def test_after_a_call_that_never_ends_no_other_case_is_tried(judged: Judged) -> None:
    expected = {"function": "f", "cases": [{"args": [1], "returns": 1}, {"args": [2], "returns": 2}], "seconds": 0.3}
    (found,) = judged("```python\ndef f(x):\n    while x == 1:\n        pass\n    return x\n```", expected).found
    assert isinstance(found, Cases)
    assert (found.passed, len(found.failures)) == (0, 1)


def test_a_check_holds_where_it_is_true_and_an_error_that_is_asked_for_is_right(judged: Judged) -> None:
    cases = [
        {"check": "f(1) == 1"},
        {"check": "f(2)"},
        {"args": [3], "raises": "ValueError"},
        {"args": [4], "returns": 4},
    ]
    said = "```python\ndef f(x):\n    if x == 3:\n        raise ValueError('no')\n    return x\n```"
    (found,) = judged(said, {"function": "f", "cases": cases}).found
    assert isinstance(found, Cases)
    assert (found.passed, found.total) == (3, 4)
    assert [(one.call, one.got, one.expected) for one in found.failures] == [("f(2)", "2", "True")]


@each_row(
    "failing",
    [
        {"args": [1], "raises": "ValueError"},
        {"args": [1], "returns": 2},
        {"check": "f(1) == 2"},
        {"check": "1 / 0"},
        {"args": [[2, 1]], "returns": [2, 1], "unchanged": True},
    ],
)
def test_after_any_failure_but_one_that_ends_the_program_the_next_case_is_tried(
    judged: Judged, failing: dict[str, Any]
) -> None:
    said = "```python\ndef f(x):\n    if isinstance(x, list):\n        x.append(3)\n        return [2, 1]\n    return x\n```"
    (found,) = judged(said, {"function": "f", "cases": [failing, {"args": [4], "returns": 4}]}).found
    assert isinstance(found, Cases)
    assert (found.passed, len(found.failures)) == (1, 1)


@each_row(
    ("expected", "name", "missing"),
    [
        (EXPECTED, "monty", None),
        ({"function": "f", "test": "assert f() == 1"}, "monty", "it needs Python itself"),
        ({"cases": [{"input": "", "output": "1"}]}, "monty", "it needs Python itself"),
        ({"pytest": "def test_f(): pass"}, "monty", "it needs Python itself"),
        ({"language": "javascript", **EXPECTED}, "monty", "it needs Python itself"),
        ({"function": 3}, "monty", None),
    ],
)
def test_what_no_sandbox_here_can_judge_is_known_before_the_answer(
    expected: dict[str, Any], name: Any, missing: str | None
) -> None:
    judging = replace(context(config("code_tests")), sandbox=name)
    told = CodeTestsEvaluator().unavailable(sample("", expected), judging)
    assert (told is None) == (missing is None)
    assert (missing or "") in (told or "")
    assert "install bubblewrap" in (told or "install bubblewrap")


@each_row(
    ("expected", "lost", "missing"),
    [
        ({"language": "rust", "cases": [{"input": "", "output": "1"}]}, "toolchain", "no rust"),
        ({"pytest": "def test_f(): pass"}, "pytest_shown", "pip install 'modex[sandbox]'"),
        ({"function": "f", "test": "assert f() == 1"}, "environment", "no numpy"),
        (EXPECTED, "environment", "no numpy"),
    ],
)
def test_a_language_pytest_and_packages_are_looked_for_too(expected: dict[str, Any], lost: str, missing: str) -> None:
    def gone(*_: Any) -> None:
        if lost == "toolchain":
            raise LanguageMissingError("no rust; install it")
        if lost == "environment":
            raise PackagesError("no numpy; check its name")

    judging = replace(context(config("code_tests")), sandbox="bubblewrap")
    asked = sample("", expected)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(evaluator, "real_python_missing", lambda _name: None)
        patched.setattr(evaluator, "unavailable", lambda _name: None)
        asked.definition = replace(asked.definition, sandbox={"packages": ["numpy"]} if lost == "environment" else {})
        patched.setattr(evaluator, lost, gone)
        assert missing in (CodeTestsEvaluator().unavailable(asked, judging) or "")
