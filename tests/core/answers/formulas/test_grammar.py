from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.exact import exact_value
from modex.core.answers.formulas.grammar import read_expression
from modex.core.answers.formulas.statements import read_statement
from modex.core.answers.formulas.tree import FormulaError, Node, from_json, negated, number
from tests.core.answers.formulas.written import tree
from tests.rows import each_row

_SIGNS = r"0123456789.,+-*/^_!%()[]{}|\<>=:;$&xyzeinr πα√½²°±∞≤∈ \frac\sqrt\sin\log\pm\text\begin\cup\in"


def arithmetic() -> st.SearchStrategy[tuple[str, Fraction]]:
    """A written sum and its value, by Python's own arithmetic."""
    leaves = st.integers(0, 10**30).map(lambda value: (str(value), Fraction(value)))

    def combine(inner: st.SearchStrategy[tuple[str, Fraction]]) -> st.SearchStrategy[tuple[str, Fraction]]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda p: (f"({p[0][0]}+{p[1][0]})", p[0][1] + p[1][1])),
            pairs.map(lambda p: (f"({p[0][0]}-{p[1][0]})", p[0][1] - p[1][1])),
            pairs.map(lambda p: (rf"{p[0][0]} \cdot {p[1][0]}", p[0][1] * p[1][1])),
            pairs.filter(lambda p: p[1][1] != 0).map(
                lambda p: (rf"\frac{{{p[0][0]}}}{{{p[1][0]}}}", p[0][1] / p[1][1])
            ),
        )

    return st.recursive(leaves, combine, max_leaves=8)


@given(arithmetic())
def test_sums_have_the_value_that_they_say(sum_: tuple[str, Fraction]) -> None:
    text, value = sum_
    assert exact_value(read_expression(cleaned(text)), {}) == value


@given(arithmetic())
def test_trees_survive_the_wire(sum_: tuple[str, Fraction]) -> None:
    node = read_expression(cleaned(sum_[0]))
    assert from_json(node.as_json()) == node


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=60), st.text(_SIGNS, max_size=60)), st.sampled_from(["en", "de"]))
def test_no_text_raises(text: str, locale: str) -> None:
    read_statement(text, locale)


@each_row(
    "text",
    [
        "2 3",
        "x2",
        "(1",
        "1)",
        "2+",
        "*3",
        "dog",
        r"\frac{1}",
        "1..2",
        "5!!",
        r"\foo",
        "a_",
        "|x",
        "",
        "(" * 200 + "1" + ")" * 200,
    ],
)
def test_what_is_no_single_expression_is_refused_whole(text: str) -> None:
    with pytest.raises(FormulaError):
        read_expression(text)


def test_a_sign_belongs_to_the_whole_product() -> None:
    assert read_expression("-2x^2") == negated(
        Node("mul", (number(2), Node("pow", (Node("var", text="x"), number(2)))))
    )


def test_a_quotient_binds_like_a_product() -> None:
    assert exact_value(read_expression("1/2x"), {"x": Fraction(3)}) == Fraction(3, 2)


@each_row(
    ("text", "written"),
    [
        ("1", "1"),
        ("1.5", "1.5"),
        (".5", ".5"),
        ("1,000", "1000"),
        ("1,234,567.5", "1234567.5"),
        ("1e5", "1e5"),
        ("1e-5", "1e-5"),
        ("1E+5", "1e5"),
        ("2e", "(mul 2 e)"),
        ("3!", "(fact 3)"),
        ("n!", "(fact n)"),
        ("(n+1)!", "(fact (add n 1))"),
        ("2^3", "(pow 2 3)"),
        ("2^{10}", "(pow 2 10)"),
        ("2^-1", "(pow 2 (neg 1))"),
        ("x_1", "x_1"),
        ("x_{12}", "x_12"),
        ("x'", "x'"),
        (r"\alpha", r"\alpha"),
        (r"\pi", "pi"),
        ("e", "e"),
        ("i", "i"),
        (r"\infty", "infty"),
        (r"\sqrt{2}", "(root 2 2)"),
        (r"\sqrt[3]{2}", "(root 2 3)"),
        (r"\sqrt2", "(root 2 2)"),
        (r"\sqrt x", "(root x 2)"),
        ("√2", "(root 2 2)"),
        ("√(x+1)", "(root (add x 1) 2)"),
        (r"\frac{1}{2}", "(div 1 2)"),
        (r"\frac12", "(div 1 2)"),
        (r"\frac1{2}", "(div 1 2)"),
        (r"\frac{1}2", "(div 1 2)"),
        (r"\dfrac{1}{2}", "(div 1 2)"),
        (r"\binom{n}{k}", "(binom n k)"),
        ("x", "x"),
        (r"\lfloor x \rfloor", "(floor x)"),
        (r"\lceil x \rceil", "(ceil x)"),
        (r"\sin x", "(fn:sin x)"),
        (r"\sin 2x", "(fn:sin (mul 2 x))"),
        (r"\sin(x)", "(fn:sin x)"),
        (r"\sin^2 x", "(pow (fn:sin x) 2)"),
        (r"\sin^{-1} x", "(fn:arcsin x)"),
        (r"\arcsin x", "(fn:arcsin x)"),
        (r"\cos x \sin x", "(mul (fn:cos x) (fn:sin x))"),
        (r"\sin x + 1", "(add (fn:sin x) 1)"),
        ("sin(x)", "(fn:sin x)"),
        (r"\log x", "(fn:log x)"),
        (r"\log_2 8", "(log 2 8)"),
        (r"\log_{10} x", "(log 10 x)"),
        (r"\ln x", "(fn:ln x)"),
        (r"\lg x", "(log 10 x)"),
        ("ln(x)", "(fn:ln x)"),
        ("log(x)", "(fn:log x)"),
        (r"\exp(x)", "(fn:exp x)"),
        ("exp(x)", "(fn:exp x)"),
        ("2x", "(mul 2 x)"),
        ("xy", "(mul x y)"),
        ("2 x y", "(mul (mul 2 x) y)"),
        ("2(x+1)", "(mul 2 (add x 1))"),
        ("(x+1)(x-1)", "(mul (add x 1) (add x (neg 1)))"),
        ("x(x+1)", "(mul x (add x 1))"),
        ("a/b", "(div a b)"),
        ("a/b/c", "(div (div a b) c)"),
        ("1/2x", "(mul (div 1 2) x)"),
        ("a*b", "(mul a b)"),
        (r"a\cdot b", "(mul a b)"),
        (r"a\times b", "(mul a b)"),
        (r"a\div b", "(div a b)"),
        ("-x", "(neg x)"),
        ("+x", "x"),
        ("-x^2", "(neg (pow x 2))"),
        ("(-x)^2", "(pow (neg x) 2)"),
        ("-2x", "(neg (mul 2 x))"),
        ("a-b-c", "(add (add a (neg b)) (neg c))"),
        ("a-(b-c)", "(add a (neg (add b (neg c))))"),
        ("a+-b", "(add a (neg b))"),
        (r"a\pm b", "(add a (pm b))"),
        (r"\pm a", "(pm a)"),
        (r"a\mp b", "(add a (mp b))"),
        (r"50\%", "(percent 50)"),
        ("50%", "(percent 50)"),
        (r"90^\circ", "(degree 90)"),
        ("90°", "(degree 90)"),
        (r"2\frac{1}{2}", "(add 2 (div 1 2))"),
        (r"1\frac{1}{2}", "(add 1 (div 1 2))"),
        ("x^2y", "(mul (pow x 2) y)"),
        ("x^{2y}", "(pow x (mul 2 y))"),
        ("2^x", "(pow 2 x)"),
        ("e^x", "(pow e x)"),
        (r"e^{i\pi}", "(pow e (mul i pi))"),
        (r"\sum_{n=1}^{5} n", "(sum:n 1 5 n)"),
        (r"\sum_{k=0}^n k^2", "(sum:k 0 n (pow k 2))"),
        (r"\prod_{i=1}^{3} i", "(prod:i 1 3 i)"),
        (r"\sum_{n=1}^{\infty} \frac{1}{n^2}", "(sum:n 1 infty (div 1 (pow n 2)))"),
        (r"0.\overline{3}", "(div 3 9)"),
        (r"0.1\overline{6}", "(div 15 90)"),
        (r"1.\overline{09}", "(div 108 99)"),
        ("[x+1]", "(add x 1)"),
        ("{x}", "x"),
        (r"\left(x\right)", "x"),
        ("x²", "(pow x 2)"),
        ("x³", "(pow x 3)"),
        ("½", "(div 1 2)"),
        ("2½", "(add 2 (div 1 2))"),
        (r"3\sqrt{2}", "(mul 3 (root 2 2))"),
        (r"\sqrt{2}x", "(mul (root 2 2) x)"),
        (r"\frac{\sqrt{2}}{2}", "(div (root 2 2) 2)"),
        ("x!y", "(mul (fact x) y)"),
        ("f(x)", "(mul f x)"),
        (r"\max(a,b)", "(fn:max a b)"),
        (r"\gcd(4,6)", "(fn:gcd 4 6)"),
        ("gcd(4,6)", "(fn:gcd 4 6)"),
        (r"\min(1,2,3)", "(fn:min 1 2 3)"),
        (r"\tan x^2", "(fn:tan (pow x 2))"),
        (r"\sin x^2", "(fn:sin (pow x 2))"),
        (r"\sin(x)^2", "(pow (fn:sin x) 2)"),
        (r"\sin(x)y", "(mul (fn:sin x) y)"),
        (r"\log_2(x)y", "(mul (log 2 x) y)"),
        (r"\log x y", "(fn:log (mul x y))"),
        (r"2\pi r", "(mul (mul 2 pi) r)"),
        (r"2\cdot 3!", "(mul 2 (fact 3))"),
        ("x^{-1}", "(pow x (neg 1))"),
        ("x^-2", "(pow x (neg 2))"),
        ("10^{-5}", "(pow 10 (neg 5))"),
        ("a b/c d", "(mul (div (mul a b) c) d)"),
        (r"\frac{a}{b}c", "(mul (div a b) c)"),
        (r"\frac{a}{b}^2", "(pow (div a b) 2)"),
        ("{2}^{3}", "(pow 2 3)"),
        ("x_1x_2", "(mul x_1 x_2)"),
        ("x_1^2", "(pow x_1 2)"),
        (r"\sqrt{x^2+1}-x", "(add (root (add (pow x 2) 1) 2) (neg x))"),
        ("3e", "(mul 3 e)"),
        ("3i", "(mul 3 i)"),
        ("2+3i", "(add 2 (mul 3 i))"),
        ("ab_c", "(mul a b_c)"),
        (r"1\,000", "1000"),
        (r"-\frac{1}{2}", "(neg (div 1 2))"),
        ("-(a+b)", "(neg (add a b))"),
        ("a(b)(c)", "(mul (mul a b) c)"),
        (r"\operatorname{lcm}(2,3)", "(fn:lcm 2 3)"),
        (r"\arctan\frac{1}{2}", "(fn:arctan (div 1 2))"),
        (r"\cot x", "(fn:cot x)"),
        (r"\sec x", "(fn:sec x)"),
        (r"\csc x", "(fn:csc x)"),
        (r"\sinh x", "(fn:sinh x)"),
        ("x**2", "(pow x 2)"),
        ("|x|", "(abs x)"),
        ("|x|y", "(mul (abs x) y)"),
        ("2|x|", "(mul 2 (abs x))"),
        ("|x+|y||", "(abs (add x (abs y)))"),
        ("||x||", "(abs (abs x))"),
        ("|-x|", "(abs (neg x))"),
        ("|a||b|", "(mul (abs a) (abs b))"),
        ("|x|^2", "(pow (abs x) 2)"),
        (r"\left|x\right|", "(abs x)"),
        ("2^{-x^2}", "(pow 2 (neg (pow x 2)))"),
        (r"\sqrt[n]{x+1}", "(root (add x 1) n)"),
        (r"\frac{x+1}{x-1}", "(div (add x 1) (add x (neg 1)))"),
        (r"\binom{5}{2}", "(binom 5 2)"),
        (r"\log_{b}(x^2)", "(log b (pow x 2))"),
        (r"\ln^2 x", "(pow (fn:ln x) 2)"),
        (r"\sin^{2}(2x)", "(pow (fn:sin (mul 2 x)) 2)"),
        ("x^2-3x+2", "(add (add (pow x 2) (neg (mul 3 x))) 2)"),
        (r"\pi^2/6", "(div (pow pi 2) 6)"),
        (r"\sum_{n=1}^{5}(n+1)", "(sum:n 1 5 (add n 1))"),
        (r"\sum_{n=1}^5 n + 1", "(add (sum:n 1 5 n) 1)"),
        (r"e^{-x}\cos x", "(mul (pow e (neg x)) (fn:cos x))"),
        ("5!-3", "(add (fact 5) (neg 3))"),
        ("-5!", "(neg (fact 5))"),
        ("|x-1|+|x+1|", "(add (abs (add x (neg 1))) (abs (add x 1)))"),
        (r"\frac{1}{2}\frac{3}{4}", "(mul (div 1 2) (div 3 4))"),
        (r"2\frac{x}{3}", "(mul 2 (div x 3))"),
        (r"12\frac{1}{2}", "(add 12 (div 1 2))"),
        (r"x\frac{1}{2}", "(mul x (div 1 2))"),
        (r"0.5\frac{1}{2}", "(mul 0.5 (div 1 2))"),
        (r"\sin x\cos y", "(mul (fn:sin x) (fn:cos y))"),
        (r"\sin 2\pi x", "(fn:sin (mul (mul 2 pi) x))"),
        (r"\sin\left(x\right)", "(fn:sin x)"),
        (r"\max(1,2)", "(fn:max 1 2)"),
        (r"\gcd(12,18,6)", "(fn:gcd 12 18 6)"),
        ("a_n", "a_n"),
        (r"\theta_1", r"\theta_1"),
        ("dx", "(mul d x)"),
    ],
)
def test_an_expression_binds_as_it_is_written(text: str, written: str) -> None:
    assert tree(read_expression(cleaned(text))) == written


@each_row(
    "text",
    [
        "1,00",
        "1.2.3",
        "1e5x",
        "3!!",
        "2^3^2",
        "x_{i}'",
        "--x",
        r"\overline{3}",
        "(1",
        "1)",
        r"5 \mod 3",
        "x^2_1",
        "C(5,2)",
        r"{5 \choose 2}",
        r"\vec{v}",
        r"\hat{x}",
        r"\mathrm{x}",
        r"\text{cm}",
        "1 000",
        r"\log",
        r"\sin",
        r"\sqrt",
        r"\frac",
        "^2",
        "_1",
        "x^",
        "x_",
        r"\sum n",
        "x+",
        "x^**2",
        "a:b",
        "|x",
        r"\|x\|",
        r"\lim_{x\to0} x",
        "2^{3}4",
        "3 4",
        r"\max 1",
        r"\int x dx",
    ],
)
def test_what_nobody_can_mean_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        read_expression(cleaned(text))


@each_row(
    ("text", "comma", "bracketed"),
    [
        ("1,5", "1.5", None),
        ("1.000,5", "1000.5", None),
        ("1.5", "1.5", "1.5"),
        ("1.000", "1000", "1.000"),
        ("1.000.000", "1000000", None),
        ("12.34", "12.34", "12.34"),
        ("1,5x", "(mul 1.5 x)", None),
        ("1,000", "1.000", None),
        (".5", None, ".5"),
        ("1e5", "1e5", "1e5"),
    ],
)
def test_a_comma_is_the_decimal_sign_or_separates(text: str, comma: str | None, bracketed: str | None) -> None:
    for written, options in ((comma, {"comma": True}), (bracketed, {"bracketed": True})):
        if written is None:
            with pytest.raises(FormulaError):
                read_expression(text, **options)
        else:
            assert tree(read_expression(text, **options)) == written
