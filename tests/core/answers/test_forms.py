"""An exact value and lowest terms, where a test asks for them."""

from __future__ import annotations

import pytest

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import check_expected, expected_answer
from modex.core.foundation.errors import JudgeError
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
