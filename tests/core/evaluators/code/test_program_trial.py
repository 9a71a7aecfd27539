"""Whole programs, functions of other languages and files of pytest's against their cases, in bubblewrap."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.sandbox.languages import LanguageMissingError, toolchain
from modex.core.verdict import Cases
from tests.core.evaluators.conftest import config, context, sample
from tests.rows import each_row

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
DOUBLED = [{"input": "21\n", "output": "42"}, {"input": "-1", "output": "-2\n"}]
PROGRAMS = {
    "python": "print(2 * int(input()))",
    "javascript": "console.log(2 * require('fs').readFileSync(0, 'utf8'))",
    "c": '#include <stdio.h>\nint main(void) { int a; scanf("%d", &a); printf("%d\\n", 2 * a); return 0; }',
    "cpp": "#include <iostream>\nint main() { int a; std::cin >> a; std::cout << 2 * a << std::endl; }",
    "rust": (
        "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap();"
        ' let a: i64 = s.trim().parse().unwrap(); println!("{}", 2 * a); }'
    ),
    "bash": "read a\necho $((2 * a)) | cat",
}
"""Of Go only its table is held here: it compiles its own library anew, half a minute on a busy machine."""


def judged(code: str, expected: dict[str, Any], tag: str = "python", **needs: Any) -> EvaluationResult:
    one = sample(f"Here:\n```{tag}\n{code}\n```", expected)
    one.definition = replace(one.definition, sandbox=needs)
    return CodeTestsEvaluator().evaluate(one, replace(context(config("code_tests")), sandbox="bubblewrap"))


def cases_of(result: EvaluationResult) -> Cases:
    (found,) = result.found
    assert isinstance(found, Cases)
    return found


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_right_program_passes_in_every_language_that_is_here(language: str) -> None:
    try:
        toolchain(language)
    except LanguageMissingError as error:
        pytest.skip(str(error))
    result = judged(PROGRAMS[language], {"language": language, "cases": DOUBLED}, language)
    assert (result.score, result.why) == (1.0, "all 2 cases hold")
    assert cases_of(result).function == language
    assert 0 < (cases_of(result).memory_mb or 0) < 512


@each_row(
    ("code", "expected", "said"),
    [
        (
            "print(3 * int(input()))",
            {"cases": DOUBLED},
            """case 1, input "21\\n": "63\\n" (line 1 is '63', expected '42'), expected "42\"""",
        ),
        (
            "print(42 if input() == '21' else 0)",
            {"cases": DOUBLED},
            """case 2, input "-1": "0\\n" (line 1 is '0', expected '-2'), expected "-2\\n\"""",
        ),
        ("pass", {"cases": DOUBLED}, 'case 1, input "21\\n": no output, expected "42"'),
        (
            "int('x')",
            {"cases": DOUBLED},
            "an error: ValueError: invalid literal for int() with base 10: 'x' (exit code 1)",
        ),
        ("print(2 * int(input()))\nraise SystemExit(3)", {"cases": DOUBLED}, "an error: exit code 3"),
        ("import os; os.kill(os.getpid(), 11)", {"cases": DOUBLED}, "an error: segmentation fault"),
        ("while True: pass", {"cases": DOUBLED, "seconds": 0.2}, "no result in 0.2 s"),
        ("print('x' * 3_000_000)", {"cases": DOUBLED}, "too much output"),
        ("x = bytearray(10**9)\nprint(1)", {"cases": DOUBLED, "memory_mb": 64}, "an error: MemoryError (exit code 1)"),
        ("def f(:", {"cases": DOUBLED}, "SyntaxError: invalid syntax"),
        ("int main( {", {"language": "c", "cases": DOUBLED}, "the program does not compile: main.c:1:"),
    ],
)
def test_a_wrong_program_fails_and_says_which_case_and_how(code: str, expected: dict[str, Any], said: str) -> None:
    result = judged(code, expected, expected.get("language", "python"))
    assert result.score == 0.0
    assert said in result.why


def test_numbers_within_the_tolerance_and_any_of_several_outputs_are_right() -> None:
    third = {"cases": [{"input": "", "output": "0.33333333"}]}
    assert judged("print(0.33334)", {**third, "tolerance": 1e-4}).score == 1.0
    assert judged("print(0.33334)", {**third, "tolerance": 1e-6}).score == 0.0
    assert judged("print(0.33334)", third).score == 0.0
    assert judged("print('b')", {"cases": [{"output": ["a", "b"]}]}).score == 1.0


CHECKER = """
def check(input, output, expected):
    n = int(input)
    a, b = map(int, output.split())
    if a + b != n:
        return f"{a} + {b} is not {n}"
    return a > 1 and b > 1
"""


@each_row(
    ("code", "said"),
    [
        ("n = int(input())\nprint(2, n - 2)", "all 2 cases hold"),
        ("n = int(input())\nprint(n - 3, 3)", "all 2 cases hold"),
        ("print(2, 2)", 'case 1, input "9": "2 2\\n" (2 + 2 is not 9), expected a right output'),
        ("n = int(input())\nprint(1, n - 1)", 'case 1, input "9": "1 8\\n", expected a right output'),
        ("print('no')", "the checker ended with ValueError"),
    ],
)
def test_a_checker_judges_outputs_of_which_many_are_right(code: str, said: str) -> None:
    expected = {"cases": [{"input": "9"}, {"input": "20"}], "checker": CHECKER}
    assert said in judged(code, expected).why


def test_a_checker_is_out_of_reach_of_what_it_checks() -> None:
    expected = {"cases": [{"input": "9"}], "checker": CHECKER}
    for code in (
        "open('/tmp/check.py', 'w').write('def check(*_): return True')\nprint(1, 1)",
        "print('\\x00' * 9)",
        "print('2 7'); import os; os._exit(1)",
        "import sys; sys.stdout.write('{\"value\": true}')",
    ):
        assert judged(code, expected).score == 0.0


def test_the_score_is_the_share_of_cases_where_that_is_asked_for() -> None:
    cases = [{"input": str(n), "output": str(n % 4)} for n in range(8)]
    result = judged("print(int(input()))", {"cases": cases, "credit": "cases"})
    assert (result.score, cases_of(result).passed, cases_of(result).total) == (0.5, 4, 8)
    assert judged("print(int(input()))", {"cases": cases}).score == 0.0
    function = {"function": "f", "cases": [{"args": [1], "returns": 1}, {"args": [2], "returns": 3}], "credit": "cases"}
    assert judged("def f(x): return x", function).score == 0.5


def test_limits_of_a_case_come_before_those_of_the_test_and_of_its_sandbox() -> None:
    slow = "import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass\nprint(1)"
    cases = [{"output": "1"}]
    assert judged(slow, {"cases": cases}, limits={"seconds": 0.2}).score == 0.0
    assert judged(slow, {"cases": cases, "seconds": 5}, limits={"seconds": 0.2}).score == 1.0
    assert judged(slow, {"cases": [{**cases[0], "seconds": 0.2}], "seconds": 5}).score == 0.0


def test_code_around_the_answer_calls_its_function() -> None:
    expected = {
        "language": "c",
        "before": "#include <stdio.h>",
        "after": 'int main(void) { int a; scanf("%d", &a); printf("%d", twice(a)); return 0; }',
        "cases": DOUBLED,
    }
    assert judged("int twice(int a) { return 2 * a; }", expected, "c").score == 1.0
    assert judged("#include <stdlib.h>\nint twice(int a) { exit(0); }", expected, "c").score == 0.0


FUNCTION = {
    "language": "javascript",
    "function": "twice",
    "cases": [{"args": [2], "returns": 4, "unchanged": True}, {"args": [None], "raises": "TypeError"}],
}


@each_row(
    ("code", "said"),
    [
        ("function twice(x) { if (x === null) throw new TypeError('no'); return 2 * x }", "all 2 cases hold"),
        ("const twice = async x => { if (x === null) throw new TypeError('no'); return 2 * x }", "all 2 cases hold"),
        ("function twice(x) { return 2 * x }", "twice(None): 0, expected TypeError to be raised"),
        ("function twice(x) { return 3 * x }", "twice(2): 6, expected 4"),
        ("function twice(x) { return y }", "twice(2): an error: ReferenceError: y is not defined, expected 4"),
        ("function twice(x) { process.exit(0) }", "twice(2): no result: the program ended before, expected 4"),
        (
            "function twice(x) { console.log('\\x02modex\\x02{\"value\": 5}'); return 4 }",
            "expected TypeError to be raised",
        ),
        ("function thrice(x) { return 3 }", "twice(2): an error: ReferenceError: twice is not defined"),
    ],
)
def test_a_function_of_javascript_is_called_and_what_it_returns_compared(code: str, said: str) -> None:
    assert said in judged(code, FUNCTION, "js").why


def test_a_class_of_any_language_is_tried_call_by_call() -> None:
    calls = [["push", 3], ["push", 4], ["pop"], ["size"]]
    right = (
        "class Stack:\n    def __init__(self): self.kept = []\n    def push(self, x): self.kept.append(x)\n"
        "    def pop(self): return self.kept.pop()\n    def size(self): return len(self.kept)"
    )
    expected = {"function": "Stack", "cases": [{"args": [], "calls": calls, "returns": [None, None, 4, 1]}]}
    assert judged(right, expected).score == 1.0
    wrong = judged(right.replace("self.kept.pop()", "self.kept.pop(0)"), expected)
    assert wrong.why == "Stack(): push(3), push(4), pop(), size() gave [None, None, 3, 1], expected [None, None, 4, 1]"
    script = (
        "class Stack { kept = []; push(x) { this.kept.push(x) } pop() { return this.kept.pop() }"
        " size() { return this.kept.length } }"
    )
    assert judged(script, {**expected, "language": "javascript"}, "js").score == 1.0


@each_row(
    ("code", "language", "lacks"),
    [
        ("import numpy", "python", "numpy"),
        ("require('left-pad')", "javascript", "left-pad"),
        ("#include <gmpxx_not_here.h>\nint main() {}", "cpp", "gmpxx_not_here.h"),
        ("jq_not_here .", "bash", "jq_not_here"),
    ],
)
def test_what_is_not_installed_is_no_wrong_answer(code: str, language: str, lacks: str) -> None:
    with pytest.raises(JudgeError, match=f"does not have .*{lacks}") as caught:
        judged(code, {"language": language, "cases": DOUBLED}, language)
    assert caught.value.error_type == "unsupported_code"


TESTS = """
import pytest
from solution import Empty, Stack, total

@pytest.fixture
def stack():
    return Stack()

@pytest.mark.parametrize("values, wanted", [([], 0), ([1, 2], 3)])
def test_total(values, wanted):
    assert total(values) == wanted

class TestStack:
    def test_pop(self, stack):
        stack.push(3)
        assert stack.pop() == 3

    def test_empty(self, stack):
        with pytest.raises(Empty):
            stack.pop()
"""
SOLUTION = """
class Empty(Exception): pass
class Stack:
    def __init__(self): self.kept = []
    def push(self, x): self.kept.append(x)
    def pop(self):
        if not self.kept: raise Empty
        return self.kept.pop()
def total(values): return sum(values)
"""


@each_row(
    ("old", "new", "held", "said"),
    [
        ("", "", 4, "all 4 cases hold"),
        ("return sum(values)", "return sum(values) + 1", 2, "test_total[values0-0]: assert 1 == 0"),
        ("raise Empty", "raise KeyError('x')", 3, "TestStack::test_empty: KeyError: 'x'"),
        ("def total", "def totals", 0, "cannot import name 'total' from 'solution'"),
        (
            "class Empty(Exception): pass",
            "import os\nos._exit(0)",
            0,
            "the code does not load: the code ended its interpreter",
        ),
        ("return sum(values)", "import os; os._exit(0)", 0, "the code ended its interpreter (exit code 0)"),
        ("return sum(values)", "raise SystemExit(0)", 2, "SystemExit: 0"),
    ],
)
def test_a_file_of_pytests_judges_a_module(old: str, new: str, held: int, said: str) -> None:
    code = SOLUTION.replace(old, new) if old else SOLUTION
    result = judged(code, {"pytest": TESTS})
    assert result.score == float(held == 4)
    assert said in result.why
    assert cases_of(result).passed == held


def test_a_share_of_a_files_tests_and_a_file_whose_tests_are_all_skipped() -> None:
    wrong = SOLUTION.replace("return sum(values)", "return 0")
    assert judged(wrong, {"pytest": TESTS, "credit": "cases"}).score == 0.75
    with pytest.raises(JudgeError, match="does not have module pytest"):  # so that no answer can skip a test
        judged(SOLUTION.replace("return sum(values)", "import pytest; pytest.skip()"), {"pytest": TESTS})
    with pytest.raises(JudgeError, match="no test that is run"):
        judged(SOLUTION, {"pytest": "import pytest\n@pytest.mark.skip\ndef test_a(): pass"})
