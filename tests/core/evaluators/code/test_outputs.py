"""When what a program printed is what it should have printed."""

from __future__ import annotations

from modex.core.evaluators.code.outputs import difference
from tests.rows import each_row


@each_row(
    ("got", "wanted", "tolerance", "said"),
    [
        ("3\n", "3", None, None),
        ("3  \n\n", "3\n", None, None),
        ("a\r\nb", "a\nb", None, None),
        ("", "", None, None),
        (" 3", "3", None, "line 1 is ' 3', expected '3'"),
        ("1 2", "1  2", None, "line 1 is '1 2', expected '1  2'"),
        ("a\nb", "a\nc\nd", None, "line 2 is 'b', expected 'c'"),
        ("a", "a\nb\nc", None, "1 line of 3; line 2 should be 'b'"),
        ("a\nb\nc", "a\nb", None, "3 lines, expected 2; line 3 is 'c'"),
        ("1\n2", "1 2", 0, None),
        ("0.3333", "0.33333333", 1e-3, None),
        ("0.3", "0.33333333", 1e-3, "word 1 is '0.3', expected '0.33333333'"),
        ("1000000.5", "1000000", 1e-6, None),
        ("0.0000001", "0", 1e-6, None),
        ("0.1", "0", 1e-6, "word 1 is '0.1', expected '0'"),
        ("nan", "nan", 1e-6, None),
        ("nan", "1", 1e-6, "word 1 is 'nan', expected '1'"),
        ("inf", "inf", 1e-6, None),
        ("1 x", "1 x", 1e-6, None),
        ("1 x", "1 y", 1e-6, "word 2 is 'x', expected 'y'"),
        ("1 2 3", "1 2", 1e-6, "3 words, expected 2"),
        ("1", "1 2", 1e-6, "1 word, expected 2"),
        ("x" * 90, "y", None, f"line 1 is 'xxxxxxxxxxxxxxxxxxxx{'x' * 60}'…, expected 'y'"),
    ],
)
def test_where_an_output_is_another_one(got: str, wanted: str, tolerance: float | None, said: str | None) -> None:
    assert difference(got, wanted, tolerance) == said
