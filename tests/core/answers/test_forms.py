"""An exact value and lowest terms, where a test asks for them."""

from __future__ import annotations

import pytest

from modex.core.answers.comparison import compare
from modex.core.answers.forms import Form, form_fault
from modex.core.answers.kinds import check_expected, expected_answer
from modex.core.foundation.errors import JudgeError
from tests.core.answers.tables import differing
from tests.rows import each_row

ROOT = "\\frac{3+\\sqrt{19}}{2}"


@each_row(
    ("value", "form", "answer", "right"),
    [
        (ROOT, "exact", "(3+√19)/2", True),
        (ROOT, "exact", "x = (3+√19)/2 ≈ 3.68", True),
        (ROOT, "exact", "3.68", False),
        (ROOT, "exact", "≈ 3.68", False),
        (ROOT, None, "3.68", True),
        ("11/5", "exact", "2.2", True),
        ("5/12", "exact", "10/24", True),
        ("5/12", "exact", "0.4167", False),
        ("5/12", "lowest_terms", "5/12", True),
        ("5/12", "lowest_terms", "\\frac{5}{12}", True),
        ("5/12", "lowest_terms", "$\\frac{10}{24}$", False),
        ("5/12", "lowest_terms", "P = 10/24", False),
        ("5/12", "lowest_terms", "0.41667", False),
        ("5/12", None, "10/24", True),
    ],
)
def test_the_form_that_is_asked_is_held(value: str, form: str | None, answer: str, right: bool) -> None:
    expected = {"type": "math", "value": value} | ({"form": form} if form else {})
    assert compare(answer, expected_answer(expected))[0] is right


@pytest.mark.parametrize(
    "expected", [{"type": "math", "value": "1/2", "form": "short"}, {"type": "numeric", "value": 1, "form": "exact"}]
)
def test_a_form_that_there_is_not_is_a_mistake(expected: dict[str, object]) -> None:
    assert any("`form`" in fault for fault in check_expected(expected))
    with pytest.raises(JudgeError, match="form"):
        expected_answer(expected)


_FAULTS = r"""
2/4|lowest_terms|1 => the fraction is not in lowest terms
1/2|lowest_terms|1 => None
0.5|lowest_terms|1 => a fraction is asked for, not a decimal
\frac{2}{4}|lowest_terms|1 => the fraction is not in lowest terms
\dfrac{1}{2}|lowest_terms|1 => None
-2/4|lowest_terms|1 => the fraction is not in lowest terms
x = 2/4|lowest_terms|1 => the fraction is not in lowest terms
f(x) = 1/2|lowest_terms|1 => None
0.5|exact|1 => None
0.3|exact|0 => the exact value is asked for, not a rounded one
3,14|exact|0 => the exact value is asked for, not a rounded one
≈ 3.14|exact|0 => only an approximation is given
π ≈ 3.14|exact|0 => None
\sqrt{2}|exact|0 => None
\sqrt{2} \approx 1.4|exact|0 => None
50%|exact|0 => None
5.5%|exact|0 => the exact value is asked for, not a rounded one
2/4|exact|1 => None
3|lowest_terms|1 => None
$0.3$|exact|0 => the exact value is asked for, not a rounded one
0.3.|exact|0 => the exact value is asked for, not a rounded one
4/2|lowest_terms|1 => the fraction is not in lowest terms
"""
"""An answer, the form asked for, whether its value is the gold's to the last digit: what is wrong with it."""


def fault(line: str) -> str:
    answer, form, equal = line.split("|")
    asked: Form = "exact" if form == "exact" else "lowest_terms"
    return str(form_fault(answer, asked, equal_value=equal == "1"))


def test_the_form_of_an_answer_is_what_was_asked_for() -> None:
    assert differing(_FAULTS, fault) == []
