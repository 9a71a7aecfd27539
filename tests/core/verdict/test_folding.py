"""Values written for reading."""

from __future__ import annotations

from typing import Any

from modex.core.verdict.folding import LONGEST_VALUE, fold, fold_line, shown
from tests.rows import each_row


def test_a_long_text_keeps_its_ends_and_says_how_much_is_left_out() -> None:
    assert fold("0123456789ab", 12) == "0123456789ab"
    assert fold("0123456789abc", 12) == "01234567 … (2 more characters) … abc"
    assert fold("x" * LONGEST_VALUE) == "x" * LONGEST_VALUE
    assert "x … (1,334 more characters) … x" in fold("x" * 5000)


def test_a_line_is_no_longer_than_its_limit() -> None:
    assert fold_line(" a \n b ", 3) == "a b"
    assert fold_line("a bc d", 5) == "a bc…"
    assert fold_line("a b c", 4) == "a b…"
    assert fold_line("a  bc", 3) == "a…"
    assert len(fold_line("x" * 301)) == 300


@each_row(
    ("value", "text"),
    [
        ("é", "é"),
        ({"value": 3, "aliases": [4, "x"]}, "3 (also 4, x)"),
        ({"value": "a", "aliases": []}, "a"),
        ({"value": "a", "aliases": "b"}, "a"),
        ({"value": [1]}, '{"value": [1]}'),
        ([1, "é"], '[1, "é"]'),
        (None, "null"),
    ],
)
def test_a_text_is_shown_as_it_is_and_the_rest_as_json(value: Any, text: str) -> None:
    assert shown(value) == text
