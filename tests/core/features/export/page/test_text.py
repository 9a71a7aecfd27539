"""Text and numbers as the page shows them."""

from __future__ import annotations

import json

from modex.core.features.export.page.text import as_text, data, heat, line, lines, money, score, seconds, shown
from tests.rows import each_row


@each_row(
    ("value", "unpriced", "said"),
    [
        (0.0, 0, "$0.0000"),
        (0.0, 2, "–"),
        (0.5, 1, "≥ $0.5000"),
        (0.99994, 0, "$0.9999"),
        (1.0, 0, "$1.00"),
        (1234.5, 0, "$1,234.50"),
        (1234.5, 1, "≥ $1,234.50"),
    ],
)
def test_a_cost_has_cents_from_a_dollar_on_and_is_a_least_where_a_price_is_unknown(
    value: float, unpriced: int, said: str
) -> None:
    assert money(value, unpriced) == said
    assert money(value) == money(value, 0)


@each_row(
    ("value_ms", "said"),
    [
        (0, "0.0 s"),
        (59_940, "59.9 s"),
        (60_000, "1 min 00 s"),
        (61_400, "1 min 01 s"),
        (3_599_400, "59 min 59 s"),
        (3_600_000, "1 h 00 min"),
        (7_500_000, "2 h 05 min"),
    ],
)
def test_a_duration_has_the_two_largest_units(value_ms: float, said: str) -> None:
    assert seconds(value_ms) == said


@each_row(
    ("value", "colour", "said"),
    [
        (None, "none", "–"),
        (0.0, "h0", "0.0"),
        (0.04, "h0", "4.0"),
        (0.06, "h1", "6.0"),
        (0.5, "h5", "50.0"),
        (1.0, "h10", "100.0"),
        (1.4, "h10", "140.0"),
        (-0.4, "h0", "-40.0"),
    ],
)
def test_a_score_is_of_a_hundred_and_its_colour_one_of_ten(value: float | None, colour: str, said: str) -> None:
    assert (heat(value), score(value)) == (colour, said)


def test_texts_are_escaped_and_cut_to_a_line() -> None:
    assert shown("a <b>\"c\" & 'd'\n") == "a &lt;b&gt;&quot;c&quot; &amp; &#x27;d&#x27;\n"
    assert line('x\ny "z"', 40) == "x⏎y &quot;z&quot;"
    assert len(line("x" * 50, 10)) == 10
    assert lines(("a\nb", 9), ("<" * 9, 4), ("", 3)) == ["a⏎b", f"{'&lt;' * 3}…", ""]


def test_a_value_is_told_as_people_read_it_and_data_cannot_end_a_comment() -> None:
    assert (as_text("ä"), as_text(["ä", 1]), as_text(None)) == ("ä", '["ä", 1]', "null")
    written = data({"a": "--><script>&\u2028\u2029 ä", "b": 1})
    assert not set("<>&\u2028\u2029") & set(written)
    assert '"b":1' in written
    assert "ä" in written
    assert json.loads(written) == {"a": "--><script>&\u2028\u2029 ä", "b": 1}
