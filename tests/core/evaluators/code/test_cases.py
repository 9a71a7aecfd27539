"""What a case of a program expects: values of JSON, and values that Python has beside them."""

# ruff: noqa: E501 - a row of the table is one line
from __future__ import annotations

import json
from typing import Any

from modex.core.evaluators.code.cases import read_expected, same_value
from modex.core.evaluators.code.forms import problems_of
from tests.core.answers.tables import differing

_SAME = r"""
(1, 2)|[1, 2] => True
1|1.0 => True
1|true => False
true|true => True
true|1 => False
1|true => False
"a"|"a" => True
"a"|"b" => False
null|null => True
null|0 => False
[1]|[1, 2] => False
[1, 2]|[2, 1] => False
{"a": 1}|{"a": 1} => True
{"a": 1}|{"b": 1} => False
{"a": 1}|{"a": 2} => False
{"a": 1, "b": 2}|{"a": 1, "c": 2} => False
{true: 1}|{"true": 1} => True
{False: 1}|{"false": 1} => True
{null: 1}|{"null": 1} => True
{1, 2}|{"set": [1, 1]} => False
{1}|{"set": [1, 1]} => True
{1, 2, 3}|{"set": [1, 2]} => False
{1}|{"set": []} => False
set()|{"set": []} => True
"a"|null => False
null|"a" => False
{"a": 1}|{"a": 1, "b": 2} => False
{"1": 2}|{"1": 2} => True
0.1|0.10000000001 => True
0.1|0.2 => False
100000000000000000000|100000000000000000001 => False
10000000|10000000.0000001 => True
1|"1" => False
"1"|1 => False
[]|[] => True
[]|{} => False
0|1e-13 => True
0|0.001 => False
[[1]]|[[1]] => True
{"a": [1]}|{"a": [1.0]} => True
2|3 => False
{1, 2}|{"set": [2, 1]} => True
{1}|{"set": [1, 2]} => False
{1, 3}|{"set": [1, 2]} => False
[1, 2]|{"set": [1, 2]} => False
{1: 2}|{"1": 2} => True
{2.5: 1}|{"2.5": 1} => True
(1, 2)|[1, 2] => True
frozenset([1])|{"set": [1]} => True
10**400|0.5 => False
10**400|10**400 => True
{"set": 1}|{"set": [1]} => False
"""
"""What a program gave, and what the test has."""
_PROBLEMS = r"""
5 => expected is {"function": name, "cases": [{"args": […], "returns": …}]} or with a "test" in Python, {"language": "cpp", "cases": [{"input": "…", "output": "…"}]}, or {"pytest": "…"}
{} => expected.function must be the name of a function or class; expected.cases must be a list of 1 to 200 cases
{"function": "f", "cases": []} => expected.cases must be a list of 1 to 200 cases
{"function": "f", "cases": [{"returns": 1}]} => fine
{"function": "f x", "cases": [{"returns": 1}]} => expected.function must be the name of a function or class
{"function": "f", "cases": [{"returns": 1, "raises": "X"}]} => expected.cases[0]: name exactly one of returns, raises, check
{"function": "f", "cases": [{}]} => expected.cases[0]: name exactly one of returns, raises, check
{"function": "f", "cases": [{"check": ""}]} => expected.cases[0].check must be a text
{"function": "f", "cases": [{"check": 5}]} => expected.cases[0].check must be a text
{"function": "f", "cases": [{"args": 1, "returns": 1}]} => expected.cases[0].args must be a list
{"function": "f", "cases": [{"kwargs": [], "returns": 1}]} => expected.cases[0].kwargs must be an object
{"function": "f", "cases": [5]} => expected.cases[0] must be an object such as {"args": [1], "returns": 2}
{"function": "f", "seconds": 0, "cases": [{"returns": 1}]} => expected.seconds must be a number above 0 and at most 60
{"function": "f", "seconds": 60, "cases": [{"returns": 1}]} => fine
{"function": "f", "seconds": 61, "cases": [{"returns": 1}]} => expected.seconds must be a number above 0 and at most 60
{"function": "f", "seconds": true, "cases": [{"returns": 1}]} => expected.seconds must be a number above 0 and at most 60
{"function": "f", "seconds": "a", "cases": [{"returns": 1}]} => expected.seconds must be a number above 0 and at most 60
{"function": "f", "foo": 1, "test": "1"} => expected.foo is not known here; known are before, cases, credit, function, language, memory_mb, seconds, test
{"function": "f", "test": " "} => expected.test must be Python code
{"function": "f", "test": 1} => expected.test must be Python code
{"function": "f", "test": "1 +"} => expected.test is no Python: invalid syntax (<unknown>, line 1)
{"function": "f", "test": "1", "before": 2} => expected.before must be Python code
{"function": "f", "test": "1", "before": "def f("} => expected.before is no Python: '(' was never closed (<unknown>, line 1)
{"function": "f", "test": "1", "cases": []} => expected.cases must be a list of 1 to 200 cases
{"function": "f", "cases": {}} => expected.cases must be a list of 1 to 200 cases
{"function": "f", "memory_mb": 9999, "test": "1"} => expected.memory_mb must be a number above 0 and at most 8192
{"function": "f", "credit": "some", "test": "1"} => expected.credit must be one of all, cases
{"function": "f", "credit": "cases", "test": "1"} => fine
{"function": "f", "language": "javascript", "cases": [{"returns": 1}]} => fine
{"function": "f", "language": "cpp", "cases": [{"returns": 1}]} => expected.language of a function must be one of python, javascript; in cpp ask for a whole program, with `after` behind the answer's function
{"function": "f", "language": "javascript", "test": "1", "cases": [{"returns": 1}]} => expected.test is Python, and the language is another one; a program's cases have input and output
{"function": "S", "cases": [{"calls": [["push", 1], ["pop"]], "returns": [null, 1]}]} => fine
{"function": "S", "cases": [{"calls": [["push", 1]], "returns": []}]} => expected.cases[0].returns must list what each of the calls returns
{"function": "S", "cases": [{"calls": ["push"], "returns": [1]}]} => expected.cases[0].calls must be a list of calls, each the method and its arguments: [["push", 1], ["pop"]]
{"language": "cpp", "cases": [{"input": "1", "output": "2"}]} => fine
{"cases": [{"output": "2"}]} => fine
{"language": "cobol", "cases": [{"output": "2"}]} => expected.language must be one of python, javascript, c, cpp, go, rust, bash
{"cases": [{"input": "1"}]} => expected.cases[0].output must be a text, or a list of texts of which any is right
{"cases": [{"output": []}]} => expected.cases[0].output must be a text, or a list of texts of which any is right
{"cases": [{"output": ["1", "2"]}]} => fine
{"cases": [{"input": 1, "output": "2"}]} => expected.cases[0].input must be a text of at most 4,000,000 characters
{"cases": [{"output": "2", "out": 1}]} => expected.cases[0].out is not known here; known are input, memory_mb, output, seconds
{"cases": [{"output": "2", "seconds": 0}]} => expected.cases[0].seconds must be a number above 0 and at most 60
{"cases": [{"output": "2"}, 5]} => expected.cases[1] must be an object such as {"input": "1 2", "output": "3"}
{"language": "c", "cases": []} => expected.cases must be a list of 1 to 200 cases such as {"input": "1 2", "output": "3"}
{"language": "c", "cases": [{"output": "2"}], "tolerance": 1} => expected.tolerance must be a number from 0 and below 1
{"language": "c", "cases": [{"output": "2"}], "after": 1} => expected.after must be code
{"language": "c", "cases": [{"output": "2"}], "test": "1"} => expected.test is not known for a program; known are after, before, cases, checker, credit, language, memory_mb, seconds, tolerance
{"cases": [{"input": "1"}], "checker": "def check(input, output, expected): return True"} => fine
{"cases": [{"input": "1"}], "checker": "x = 1"} => expected.checker must define check(input, output, expected)
{"cases": [{"input": "1"}], "checker": "x ="} => expected.checker is no Python: invalid syntax (<unknown>, line 1)
{"cases": [{"input": "1"}], "checker": 5} => expected.checker must be Python code that defines check(input, output, expected)
{"pytest": "def test_a(): pass"} => fine
{"pytest": ""} => expected.pytest must be Python code
{"pytest": "x = 1"} => expected.pytest has no function called test…
{"pytest": "x ="} => expected.pytest is no Python: invalid syntax (<unknown>, line 1)
{"pytest": "def test_a(): pass", "module": "a b"} => expected.module must be the name by which the file imports the answer
{"pytest": "def test_a(): pass", "function": "f"} => expected.function is not known beside pytest; known are before, credit, memory_mb, module, pytest, seconds
"""


def value(text: str) -> Any:
    return eval(text, {"null": None, "true": True})


def test_a_value_is_the_expected_one_by_type_and_value() -> None:
    assert differing(_SAME, lambda line: str(same_value(*map(value, line.split("|"))))) == []


def test_what_is_wrong_with_cases_is_said() -> None:
    assert differing(_PROBLEMS, lambda text: "; ".join(problems_of(json.loads(text))) or "fine") == []


def test_what_a_case_does_not_say() -> None:
    found = read_expected({"function": "f", "cases": [{"returns": 1}, {"check": "f(1)", "unchanged": True}]})
    assert found.seconds == 2.0
    first, second = found.cases
    assert (list(first.args), dict(first.kwargs), first.returns, first.raises, first.check) == ([], {}, 1, None, None)
    assert (first.unchanged, second.unchanged, second.check) == (False, True, "f(1)")


def test_of_what_is_not_known_the_first_is_named() -> None:
    cases = [{"returns": 1, **dict.fromkeys("zybxc", 1)}]
    found = list(problems_of({"function": "f", "cases": cases, **dict.fromkeys("zyxwab", 1)}))
    assert [one.partition(" is not known")[0] for one in found] == ["expected.a", "expected.cases[0].b"]
