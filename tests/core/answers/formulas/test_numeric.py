"""Values that are not rational, computed in this process: the product asks a child that may be killed."""

from __future__ import annotations

import math

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.grammar import read_expression
from modex.core.answers.formulas.numeric import in_doubles, same_value
from modex.core.answers.formulas.tree import Node
from modex.core.answers.numbers.working_out import answer


def _node(text: str) -> Node:
    return read_expression(cleaned(text))


_PAIRS = [
    (r"\sin^2(x)+\cos^2(x)", r"1", True),
    (r"\sin(2x)", r"2\sin(x)\cos(x)", True),
    (r"\sin(2x)", r"2\sin(x)", False),
    (r"\sqrt{x^2}", r"|x|", True),
    (r"\sqrt{x^2}", r"x", False),
    (r"|x|", r"x", False),
    (r"x", r"|x|", False),
    (r"(x^2-1)/(x-1)", r"x+1", True),
    (r"\ln(x^2)", r"2\ln(x)", True),
    (r"\ln(x)", r"\frac{\log_{2}(x)}{\log_{2}(e)}", True),
    (r"\log_{10}(100)", r"2", True),
    (r"\log_{2}(8)", r"3", True),
    (r"x^{1/3}", r"\sqrt[3]{x}", True),
    (r"x^{2/3}", r"\sqrt[3]{x}^2", True),
    (r"x^{1/2}", r"\sqrt{x}", True),
    (r"\sqrt{-1-x^2}", r"1", False),
    (r"\pi", r"3.14159", False),
    (r"\pi", r"3.14159265358979323846264338327950288419716939937510582097494459", True),
    (r"e^{i\pi}", r"-1", True),
    (r"\sqrt{-4}", r"2i", True),
    (r"i^2", r"-1", True),
    (r"\sqrt{2}+\sqrt{3}", r"\sqrt{5+2\sqrt{6}}", True),
    (r"\sin(\pi)", r"0", True),
    (r"\sin(30°)", r"1/2", True),
    (r"50\%", r"1/2", True),
    (r"\tan(\pi/4)", r"1", True),
    (r"\cot(x)", r"1/\tan(x)", True),
    (r"\sec(x)", r"1/\cos(x)", True),
    (r"\csc(x)", r"1/\sin(x)", True),
    (r"\arcsin(x)", r"\pi/2-\arccos(x)", True),
    (r"\arctan(1)", r"\pi/4", True),
    (r"\sinh(x)", r"(e^x-e^{-x})/2", True),
    (r"\cosh(x)", r"(e^x+e^{-x})/2", True),
    (r"\tanh(x)", r"\sinh(x)/\cosh(x)", True),
    (r"\exp(x)", r"e^x", True),
    (r"n!", r"n (n-1)!", True),
    (r"\binom{n}{2}", r"n(n-1)/2", True),
    (r"\lfloor x \rfloor", r"x", False),
    (r"\lceil \pi \rceil", r"4", True),
    (r"\lfloor \pi \rfloor", r"3", True),
    (r"\max(\pi,e)", r"\pi", True),
    (r"\min(\pi,e)", r"e", True),
    (r"\sum_{k=1}^{n} k", r"n(n+1)/2", True),
    (r"\prod_{k=1}^{n} k", r"n!", True),
    (r"\sum_{k=1}^{10} \sqrt{k}", r"22.468278186204101", False),
    (r"\sum_{k=1}^{3} \sqrt{k}", r"1+\sqrt{2}+\sqrt{3}", True),
    (r"\prod_{k=1}^{3} \sqrt{k}", r"\sqrt{6}", True),
    (r"1/0", r"1/0", False),
    (r"\ln(0)", r"\ln(0)", False),
    (r"0^{-\pi}", r"1", False),
    (r"0^{\pi}", r"0", True),
    (r"\infty", r"\infty", False),
    (r"\sqrt[3]{-\pi}", r"-\sqrt[3]{\pi}", True),
    (r"\sqrt[0]{\pi}", r"1", False),
    (r"\log_{1}(\pi)", r"2", False),
    (r"x+y", r"y+x", True),
    (r"x-y", r"y-x", False),
    (r"x/y", r"x y^{-1}", True),
    (r"-x", r"0-x", True),
    (r"x^{10000001}", r"x^{10000001}", False),
    (r"\sin(10^{7})", r"\sin(10^{7})", False),
    (r"e^{-200}-e^{-200}", r"0", True),
    (r"e^{-200}", r"0", False),
    (r"(-1)^x", r"(-1)^x", True),
    (r"\arcsin(2+x^2)", r"1", False),
    (r"i x", r"x i", True),
    (r"\sqrt{x} i", r"\sqrt{-x}", False),
]
"""A gold, an answer, and whether they have one value wherever the gold has one."""


def test_two_expressions_have_one_value_or_differ_somewhere() -> None:
    assert [(gold, other, same_value(_node(gold), _node(other))) for gold, other, _ in _PAIRS] == _PAIRS


_DOUBLES = [
    (r"0.1+0.2", 0.30000000000000004),
    (r"\sqrt{2}^2", 2.0000000000000004),
    (r"1/3", 0.3333333333333333),
    (r"\sqrt{-1}", None),
    (r"1/0", None),
    (r"\sum_{k=1}^{3} 0.1", 0.3),
    (r"x", None),
    (r"i", None),
    (r"10^{400}", math.inf),
    (r"\ln(2)", 0.6931471805599453),
    (r"2^{1/2}", 1.4142135623730951),
]
"""An expression, and what its operations give one by one in double precision."""


def test_doubles_are_what_a_program_would_compute() -> None:
    found = [(text, in_doubles(_node(text))) for text, _ in _DOUBLES]
    assert [(text, None if value is None else float(value)) for text, value in found] == _DOUBLES


def test_the_child_tells_the_values_of_constants_and_of_what_programs_make_of_them() -> None:
    assert answer({"nodes": [_node(r"\sqrt{2}^2").as_json(), _node("x").as_json()]}) == {
        "equal": False,
        "gold": f"2.{'0' * 39}",
        "gold_double": "2.0000000000000004441",
    }
    assert answer({"nodes": [_node("2i").as_json(), _node(r"\pi").as_json()]}) == {
        "equal": False,
        "answer": "3.141592653589793238462643383279502884197",
        "answer_double": "3.141592653589793116",
    }
