"""MATH's rule compares what stands in the last box as a text, after a few ways of writing are made one."""

from __future__ import annotations

from modex.core.evaluators.official.math_500 import RULE, read_boxed, rewritten, same_text
from tests.rows import each_row


@each_row(
    ("text", "read"),
    [
        ("So $\\boxed{4}$.", "4"),
        ("\\boxed{1} and \\boxed{2}", "2"),
        ("\\boxed{\\frac{3}{4}}", "\\frac{3}{4}"),
        ("\\fbox{7}", "7"),
        ("\\fbox{7} then \\boxed{8}, \\fbox{9}", "8"),
        ("\\boxed{}", ""),
        ("\\boxed{4", None),
        ("\\boxed 4 {5}", None),
        ("\\boxed", None),
        ("4", None),
        ("", None),
    ],
)
def test_the_last_box_is_read(text: str, read: str | None) -> None:
    assert read_boxed(text) == read


@each_row(
    ("first", "second", "same"),
    [
        ("4", "4", True),
        ("4", "5", False),
        ("\\frac12", "\\frac{1}{2}", True),
        ("\\frac1{72}", "\\frac{1}{72}", True),
        ("\\frac123", "\\frac{1}{2}3", True),
        ("\\dfrac{1}{2}", "\\tfrac{1}{2}", True),
        ("1/2", "\\frac{1}{2}", True),
        ("-1/2", "\\frac{-1}{2}", True),
        ("01/2", "\\frac{1}{2}", False),
        ("a/b", "\\frac{a}{b}", False),
        ("0.5", "\\frac{1}{2}", True),
        (".5", "0.5", True),
        ("0.50", "0.5", False),
        ("\\sqrt3", "\\sqrt{3}", True),
        ("2\\sqrt3x", "2\\sqrt{3}x", True),
        ("\\left( 3, 4 \\right)", "(3,4)", True),
        ("60^\\circ", "60", True),
        ("60^{\\circ}", "60", True),
        ("12\\text{ cm}", "12", True),
        ("12\\text{cm}", "12", False),
        ("10\\%", "10", True),
        ("10%", "10", True),
        ("\\$32,348", "32,348", True),
        ("32,348", "32348", False),
        ("x = 5", "5", True),
        ("x=5", "5", True),
        ("abc=5", "5", False),
        ("x=5=y", "5", False),
        ("\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "\\begin{pmatrix}1\\2\\end{pmatrix}", True),
        ("1{.}5 .5", "1{0.}50.5", True),
        ("{.5}", "{0.5}", True),
        ("3 .5", "3 0.5", True),
        ("1\\!000", "1000", True),
        ("1\n2", "12", True),
        ("(x+1)^2", "x^2+2x+1", False),
        ("", "", True),
        ("\\sqrt", "\\sqrt", True),
        ("\\frac", "\\frac", True),
        ("\\frac1", "\\frac{1}", False),
        ("\\left(\\frac1", "(\\frac1", True),
        ("\\left(\\frac", "(\\frac", False),
        ("1\\text{ m}\\text{ s}", "1", False),
    ],
)
def test_answers_are_one_text_or_not(first: str, second: str, same: bool) -> None:
    assert same_text(first, second) is same_text(second, first) is RULE.right(first, second) is same


def test_an_answer_is_rewritten_once() -> None:
    assert rewritten("x = \\left(\\dfrac12, \\sqrt3\\right)^\\circ") == "(\\frac{1}{2},\\sqrt{3})"
