"""Whether two statements say the same, and by which method; arithmetic is done in this process, as the child does it."""

from __future__ import annotations

import pytest

from modex.core.answers.comparison import compare as compared_by_type
from modex.core.answers.formulas.equality import Comparer, Finding, Numeric
from modex.core.answers.formulas.statements import read_statement
from modex.core.answers.formulas.tree import Node
from modex.core.answers.kinds import expected_answer
from modex.core.answers.numbers.reading import to_fraction
from modex.core.answers.numbers.working_out import answer as child_answer
from tests.core.answers.tables import differing
from tests.rows import each_row


def asked(gold: Node, answer: Node) -> Numeric:
    """What the child says of two trees."""
    reply = child_answer({"nodes": [gold.as_json(), answer.as_json()]})
    names = ("gold", "answer", "gold_double", "answer_double")
    return Numeric(reply["equal"], *(to_fraction(reply[name]) if name in reply else None for name in names))


def compared(gold: str, answer: str, *, percent_equal: bool = False) -> Finding:
    """Two texts, read and compared."""
    return Comparer(asked, percent_equal).compare(read_statement(gold), read_statement(answer))


@each_row(
    ("gold", "answer", "method"),
    [
        ("1:2", "2:4", "ratio"),
        ("12:30", "12:30", "ratio"),
        ("12:30", "24:60", "ratio"),
        ("1:2:3", "2:4:6", "ratio"),
        ("[1,2]", "[1,2]", "collection"),
        (r"(1,2)\cup(3,4)", r"(3,4)\cup(1,2)", "region"),
        (r"(1,2]\cup(2,3)", "(1,3)", "region"),
        (r"(-\infty,1)\cup(1,\infty)", r"x \ne 1", "region"),
        (r"x \ne 1", r"(-\infty,1)\cup(1,\infty)", "region"),
        ("x<1", r"(-\infty,1)", "region"),
        ("x<1", "1>x", "region"),
        ("x<1", "2x<2", "relation"),
        ("x<1", "-x>-1", "relation"),
        ("1<x<2", "(1,2)", "region"),
        ("1<x<2", "2>x>1", "region"),
        ("y=2x+1", "2x-y+1=0", "equation"),
        ("y=2x+1", "2y=4x+2", "equation"),
        ("y=2x+1", "2x+1", "identical"),
        ("2x+1", "y=2x+1", "identical"),
        ("y=x", "x=y", "equation"),
        ("x=5", "5", "identical"),
        ("5", "x=5", "identical"),
        ("x^2+y^2=4", "4=x^2+y^2", "equation"),
        ("x^2+y^2=4", "2x^2+2y^2=8", "equation"),
        (r"\sin x=1", r"1=\sin x", "equation"),
        (r"\sin x = y", r"y-\sin x=0", "equation"),
        (r"\sin x>y", r"y<\sin x", "region"),
        ("1,2", "2,1", "collection"),
        (r"\{1,2\}", "1,2", "collection"),
        (r"\{1,2\}", r"\{1,2,2\}", "collection"),
        ("(1,2),(3,4)", "(3,4),(1,2)", "collection"),
        ("(1,2)", r"\langle 1,2\rangle", "collection"),
        ("x=1,y=2", "(1,2)", "collection"),
        ("(1,2)", "x=1,y=2", "collection"),
        ("y=2,x=1", "(1,2)", "collection"),
        ("x=1,y=2", "y=2,x=1", "collection"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", "matrix"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)", "matrix"),
        (r"\begin{pmatrix}1&2\end{pmatrix}", "[1,2]", "matrix"),
        (r"\begin{pmatrix}2&0\\0&2\end{pmatrix}", "2I", "matrix"),
        ("5 cm", "5", "identical"),
        ("5", "5 cm", "identical"),
        ("5 cm", "5 cm", "identical"),
        (r"50\%", "50", "identical"),
        (r"50\%", r"50\%", "identical"),
        ("101_2", "101_2", "base"),
        ("dog", "Dog", "text"),
        (r"\frac{1}{3}", "0.333", "rounded"),
        (r"\frac{1}{3}", "0.3333333333333333", "double"),
        ("0.1+0.2", "0.30000000000000004", "double"),
        (r"\sqrt{2}", "1.4142135623730951", "double"),
        (r"\sqrt{2}", "1.41", "rounded"),
        ("1.414", r"\sqrt{2}", "rounded"),
        (r"\pi", "3.14", "rounded"),
        (r"2\pi", "6.28", "rounded"),
        ("0.5", r"\frac{1}{2}", "numeric"),
        ("1.5", "1.4999999999999998", "double"),
        ("1000", "999.9999999999999", "double"),
        (r"90^\circ", r"\frac{\pi}{2}", "symbolic"),
        (r"90^\circ", "90", "identical"),
        ("x+1", "1+x", "symbolic"),
        ("(x+1)^2", "x^2+2x+1", "symbolic"),
        (r"\sin^2 x+\cos^2 x", "1", "symbolic"),
        (r"\emptyset", r"\{\}", "collection"),
        (r"\mathbb{R}", r"(-\infty,\infty)", "region"),
        (r"\mathbb{R}\setminus\{1\}", r"x\ne 1", "region"),
        ("2.5", "5/2", "numeric"),
        ("1e3", "1000", "numeric"),
        ("3!", "6", "numeric"),
        ("e", "2.718", "rounded"),
        ("e", "2.72", "rounded"),
        ("i^2", "-1", "symbolic"),
        ("0", "0.0", "numeric"),
        ("100", "100.0", "numeric"),
        ("2", "2.0000000000000004", "double"),
        ("1/7", "0.142857142857", "rounded"),
        ("1/7", "0.14285714285714285", "double"),
        ("x>1,y<2", "y<2,x>1", "collection"),
        ("f(x)=x^2", "x^2", "identical"),
        ("f(x)=x^2", "g(x)=x^2", "identical"),
        (r"x \in (1,2)", "(1,2)", "region"),
        ("|x|<3", "-3<x<3", "region"),
    ],
)
def test_statements_that_say_the_same(gold: str, answer: str, method: str) -> None:
    found = compared(gold, answer)
    assert (found.equal, found.method, found.why) == (True, method, "")


@each_row(
    ("gold", "answer", "method"),
    [
        ("1:2", "2:5", "ratio"),
        ("1:2", "1:2:3", "collection"),
        ("12:30", "6:15", "ratio"),
        ("1:2:3", "2:4:7", "ratio"),
        ("(1,2]", "(1,2)", "region"),
        ("(1,2]", "[1,2)", "region"),
        (r"(1,2)\cup(3,4)", "(1,2)", "region"),
        (r"(1,2)\cup(2,3)", "(1,3)", "region"),
        (r"x \ne 1", r"x \ne 2", "relation"),
        ("x<1", "y<1", "region"),
        ("x<1", r"x\le 1", "region"),
        ("x<1", "-x<-1", "relation"),
        ("x>1", "x<1", "region"),
        ("1<x<2", "1<y<2", "region"),
        ("y=2x+1", "y=2x+2", "symbolic"),
        ("x=5", "y=5", "equation"),
        ("x=5", "x=6", "numeric"),
        ("x=5", "x<5", "relation"),
        ("x<5", "x=5", "relation"),
        ("x^2+y^2=4", "x^2+y^2=5", "equation"),
        ("x^2+y^2=4", "x^2+y^2+z=4", "equation"),
        (r"\sin x>y", r"y>\sin x", "region"),
        ("1,2", "1,2,2", "collection"),
        ("1,1", "1,2", "collection"),
        ("1,1", "1", "collection"),
        (r"\{1,2\}", r"\{1,3\}", "collection"),
        ("(1,2)", r"\{1,2\}", "collection"),
        ("(1,2)", "1,2", "collection"),
        ("(1,2,3)", "(1,2)", "collection"),
        ("x=1,y=2", "(2,1)", "collection"),
        ("1", "1,2", "collection"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&5\end{pmatrix}", "matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}", "matrix"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,3)", "matrix"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2,3)", "matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "(1,2,3,4)", "matrix"),
        (r"\begin{pmatrix}2&0\\0&3\end{pmatrix}", "2I", "matrix"),
        (r"\begin{pmatrix}2&1\\0&2\end{pmatrix}", "2I", "matrix"),
        (r"\begin{pmatrix}2&0\\0&2\end{pmatrix}", "2", "matrix"),
        (r"\begin{pmatrix}1&0&0\\0&1&0\end{pmatrix}", "I", "matrix"),
        ("5 cm", "5 m", "symbolic"),
        (r"50\%", "0.5", "numeric"),
        (r"50\%", "1/2", "numeric"),
        ("1/2", r"50\%", "unit"),
        ("0.5", r"50\%", "numeric"),
        ("x", r"x\%", "unit"),
        ("101_2", "101", "base"),
        ("101_2", "110_2", "base"),
        ("101_2", "101_3", "base"),
        ("dog", "cat", "text"),
        ("dog", "5", "text"),
        ("5", "dog", "text"),
        (r"\frac{1}{3}", "0.33", "numeric"),
        (r"\frac{1}{3}", "0.334", "numeric"),
        (r"\sqrt{2}", "1.4", "symbolic"),
        (r"\sqrt{2}", "1.42", "symbolic"),
        (r"\pi", "22/7", "symbolic"),
        (r"\frac{1}{0}", "1", "numeric"),
        ("1", r"\frac{1}{0}", "numeric"),
        (r"30^\circ", r"\frac{\pi}{3}", "symbolic"),
        ("x+1", "x+2", "symbolic"),
        ("x+1", "y+1", "symbolic"),
        (r"\sqrt{x^2}", "x", "symbolic"),
        (r"\emptyset", "0", "collection"),
        ("[1,1]", "1", "collection"),
        ("[1,1]", r"\{1\}", "collection"),
        ("-5", "5", "numeric"),
        (r"x \in (1,2)", r"y \in (1,2)", "region"),
        ("|x|=3", "x=3", "equation"),
        ("|x|<3", "|x|<4", "region"),
    ],
)
def test_statements_that_differ(gold: str, answer: str, method: str) -> None:
    found = compared(gold, answer)
    assert (found.equal, found.method) == (False, method)
    assert found.why


@each_row(
    ("gold", "answer", "equal"),
    [
        (r"50\%", "0.5", True),
        ("0.5", r"50\%", True),
        ("1/2", r"50\%", True),
        (r"50\%", "50", True),
        (r"50\%", "5", False),
        ("50", r"50\%", False),
        ("x", r"x\%", False),
    ],
)
def test_fifty_per_cent_may_be_a_half(gold: str, answer: str, equal: bool) -> None:
    assert compared(gold, answer, percent_equal=True).equal is equal


def test_the_values_of_both_are_told_where_they_are_one_number_each() -> None:
    found = compared("1/2", "3/4")
    assert (found.gold, found.answer) == (to_fraction("0.5"), to_fraction("0.75"))
    found = compared(r"\sqrt{2}", "1.41")
    assert found.gold is not None
    assert float(found.gold) == pytest.approx(2**0.5)
    assert compared("x", "y").gold is None


def test_ranges_are_counted_in_words_that_agree() -> None:
    two = r"(1,2)\cup(3,4)"
    assert compared(two, "(1,2)").why == "1 range where 2 are expected"
    assert compared("(1,2)", two).why == "2 ranges where 1 is expected"


_SUM = r"\begin{pmatrix}1&2\\3&5\end{pmatrix}+\begin{pmatrix}4&1\\0&8\end{pmatrix}"
_PRODUCT = r"\begin{bmatrix}1&2\\3&4\end{bmatrix} \cdot \begin{bmatrix}5&6\\7&8\end{bmatrix}"
_MINUS = r"2\begin{pmatrix}1&2\end{pmatrix}-\begin{pmatrix}5&6\end{pmatrix}"


def test_several_unknowns_ratios_and_sums_of_matrices_equal_their_values_and_no_others() -> None:
    table: list[tuple[str, str, bool]] = [
        (r"(11,8)or(8,11)", "(8,11), (11,8)", True),
        (r"(11,8)or(8,11)", "(8,11)", False),
        ("(1,2),(3,4)", "(3,4),(1,2),(3,4)", True),
        ("(1,2),(3,4)", "(3,4),(1,3),(3,4)", False),
        ("1,2", "1,2,2", False),
        ("(5,9),(9,5)", r"(x, y) = (5, 9) \quad \text{and} \quad (9, 5)", True),
        ("(5,9),(9,5)", "(x, y) = (5, 9)", False),
        ("(p,q)=(3,5)", "(3,5)", True),
        ("(p,q)=(3,5)", "(5,3)", False),
        ("(p,q)=(3,5)", "(q,p)=(5,3)", True),
        ("(p,q)=(3,5)", "(q,p)=(3,5)", False),
        ("p=5,q=2;p=9,q=2", "(5,2),(9,2)", True),
        ("p=5,q=2;p=9,q=2", "p=9,q=2;q=2,p=5", True),
        ("p=5,q=2;p=9,q=2", "(2,5),(2,9)", False),
        ("V_{1}:V_{2}=11:20", "11:20", True),
        ("V_{1}:V_{2}=11:20", "V_2:V_1=20:11", True),
        ("V_{1}:V_{2}=11:20", "V_2:V_1=11:20", False),
        (r"\frac{AB}{CD}=2", "2", True),
        (r"\frac{AB}{CD}=2", r"\frac{CD}{AB}=2", False),
        (r"\begin{pmatrix}5&3\\3&13\end{pmatrix}", _SUM, True),
        (r"\begin{pmatrix}5&3\\3&12\end{pmatrix}", _SUM, False),
        (r"\begin{pmatrix}19&22\\43&50\end{pmatrix}", _PRODUCT, True),
        (r"\begin{pmatrix}5&12\\21&32\end{pmatrix}", _PRODUCT, False),
        (r"\begin{pmatrix}-3&-2\end{pmatrix}", _MINUS, True),
        (r"\begin{pmatrix}7&10\end{pmatrix}", _MINUS, False),
        (r"\begin{pmatrix}1&2\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}\begin{pmatrix}1&2\end{pmatrix}", False),
        (r"\begin{pmatrix}1&2\end{pmatrix}", r"\begin{pmatrix}1\end{pmatrix}+\begin{pmatrix}1&2\end{pmatrix}", False),
        ("0<f(x)<7", "(0,7)", True),
        ("0<f(x)<7", "[0,7]", False),
        ("0<f(x)<7", "0<x<7", False),
        ("f(x)>3", r"(3,\infty)", True),
        ("f(x)>3", r"[3,\infty)", False),
        ("17", r"x\approx17", True),
        ("17", r"x\approx18", False),
        (r"\frac{10}{3}", r"x \approx 3.33", True),
        (r"35\%", "35 percentage", True),
        (r"35\%", "34 percentage", False),
        (r"\frac{\pi}{2}", r"90^\circ", True),
        (r"90^\circ", r"\frac{\pi}{2}", True),
        (r"\frac{\pi}{2}", r"80^\circ", False),
        (r"\frac{\pi}{2}", "90", False),
        ("90", r"\frac{\pi}{2}", False),
    ]
    for gold, answer, equal in table:
        assert compared(gold, answer).equal is equal, (gold, answer)


@pytest.mark.parametrize("factors", [4, 20])
def test_a_product_of_many_matrices_is_no_answer(factors: int) -> None:
    square = r"\begin{pmatrix}1&0\\0&1\end{pmatrix}"
    assert not compared(square, square * factors).equal
    assert compared(square, square * 3).equal


_EQUAL = r"""
16|4^2 => right numeric
16|16.0 => right numeric
16|17 => wrong numeric
16|x = 16 => right identical
x = 16|16 => right identical
x = 16|y = 16 => wrong equation
x^2|x*x => right symbolic
x^2|x^3 => wrong symbolic
x^2|(x)^2 => right identical
2x|x+x => right symbolic
2x|2y => wrong symbolic
x+1|1+x => right symbolic
x-1|1-x => wrong symbolic
\frac{1}{2}|0.5 => right numeric
\frac{1}{2}|.5 => right numeric
\frac{1}{2}|1/2 => right identical
\frac{1}{3}|0.333 => right rounded
\frac{1}{3}|0.3333333333 => right rounded
\sqrt{8}|2\sqrt{2} => right symbolic
\sqrt{8}|2.83 => right rounded
\sqrt{8}|-\sqrt{8} => wrong symbolic
\pi|3.14 => right rounded
\pi|3.14159265358979 => right rounded
\pi|180^\circ => right symbolic
e^2|\exp(2) => right symbolic
\ln 2|\log 2 => right symbolic
\log_2 8|3 => right symbolic
\sin^2 x + \cos^2 x|1 => right symbolic
\tan x|\frac{\sin x}{\cos x} => right symbolic
|x|||-x| => right symbolic
x < 2|2 > x => right region
x < 2|x \le 2 => wrong region
x < 2|(-\infty, 2) => right region
1 < x < 2|(1, 2) => right region
1 < x < 2|1 < x \le 2 => wrong region
1 \le x \le 2|[1, 2] => right region
x = 1, 2|x = 2 or x = 1 => right collection
1, 2|2, 1 => right collection
1, 2|1, 2, 3 => wrong collection
1, 2|\{1, 2\} => right collection
(1, 2)|(2, 1) => wrong collection
(1, 2)|(1, 2) => right identical
(1, 2)|(1, 2, 3) => wrong collection
\{1, 2\}|\{2, 1\} => right collection
\{1, 2\}|\{1\} => wrong collection
\emptyset|\{\} => right collection
\emptyset|no solution => right collection
[1, 2) \cup (3, 4)|(3, 4) \cup [1, 2) => right region
[1, 2) \cup [2, 3)|[1, 3) => right region
\mathbb{R}|(-\infty, \infty) => right region
y = 2x|2x => right identical
y = 2x|y - 2x = 0 => right equation
y = 2x|x = y/2 => right equation
y = 2x|y = 3x => wrong symbolic
\begin{pmatrix}1&2\\3&4\end{pmatrix}|\begin{bmatrix}1&2\\3&4\end{bmatrix} => right matrix
\begin{pmatrix}1&2\\3&4\end{pmatrix}|\begin{pmatrix}1&2\\3&5\end{pmatrix} => wrong matrix
\begin{pmatrix}1\\2\end{pmatrix}|(1, 2) => right matrix
\begin{vmatrix}1&2\\3&4\end{vmatrix}|-2 => right numeric
3+4i|4i+3 => right symbolic
3+4i|3-4i => wrong symbolic
i^2|-1 => right symbolic
5\%|5 => right identical
50^\circ|50 => right identical
5 \text{ cm}|5 cm => right identical
5 \text{ cm}|5 m => wrong symbolic
5 \text{ cm}|50 mm => wrong unit
5!|120 => right numeric
\binom{5}{2}|10 => right numeric
\frac{d}{dx}|x => wrong symbolic
\sum_{k=1}^3 k|6 => right numeric
\lfloor 2.5 \rfloor|2 => right numeric
\pm 2|2, -2 => right collection
\pm 2|2 => wrong collection
a:b = 1:2|1:2 => right ratio
1:2|2:4 => right ratio
1:2|2:1 => wrong ratio
2 \times 10^3|2000 => right numeric
2 \times 10^3|2e3 => right numeric
1,000|1000 => right identical
0.1|0.10 => right numeric
0.1|0.11 => wrong numeric
x|x => right identical
x|y => wrong symbolic
2^{10}|1024 => right numeric
a^{b+c}|a^b a^c => right symbolic
\frac{x^2-1}{x-1}|x+1 => right symbolic
x = \frac{-b \pm \sqrt{D}}{2a}|\frac{-b \pm \sqrt{D}}{2a} => right collection
"""
"""A gold and an answer: right or wrong, and by which way of comparing."""


def judged(line: str) -> str:
    gold, answer = ("|x|", "|-x|") if line.startswith("|x|") else line.split("|", 1)
    right, part = compared_by_type(answer, expected_answer({"type": "math", "value": gold}))
    return f"{'right' if right else 'wrong'} {part.facts.get('method', '')}"


def test_formulas_are_equal_by_what_they_mean() -> None:
    assert differing(_EQUAL, judged) == []
