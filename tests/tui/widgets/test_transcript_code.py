"""Code, JSON and Markdown in a transcript have colours; the text stays as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.tui.widgets.transcript_code import coloured
from modex.tui.widgets.transcript_text import block
from tests.rows import each_row


def roles(text: str, language: str = "") -> dict[str, str]:
    """What has a colour, and which."""
    item = coloured(block(text), language)
    assert item.text == block(text).text
    return {item.text[start:end]: role for start, end, role in item.colours}


@each_row(
    ("text", "language", "expected"),
    [
        (
            '{"city": "Oslo", "n": -3.5, "ok": true}',
            "",
            {'"city"': "code name", '"Oslo"': "code value", "true": "code word"},
        ),
        ('get_weather(city="Oslo")', "call", {"get_weather": "code name", '"Oslo"': "code value"}),
        ("SELECT a FROM t WHERE x = 'y'", "", {"SELECT": "code word", "'y'": "code value"}),
        ("def f(x):\n    return 1  # one", "", {"def": "code word", "f": "code name", "# one": "code note"}),
        ("So:\n```python\nreturn x\n```\nDone.", "", {"return": "code word"}),
        ('So:\n```\n{"a": 1}\n```', "", {'"a"': "code name", "1": "code value"}),
        ("# Title\nsome **bold** and `code`", "", {"# Title": "title", "**bold**": "title", "`code`": "code value"}),
    ],
)
def test_what_is_written_is_told_apart(text: str, language: str, expected: dict[str, str]) -> None:
    assert expected.items() <= roles(text, language).items()


def test_plain_sentences_and_long_texts_keep_one_colour() -> None:
    assert roles("The answer is 12, I think (see above).") == {}
    assert roles("SELECT a FROM t " + "x " * 20_000) == {}
    assert roles("```brainfuck\n+[-]\n```") == {"```brainfuck\n": "faint", "```": "faint"}


@given(
    st.text(alphabet='`~#*{}[]":,-sqljon \n123', max_size=200), st.sampled_from(["", "json", "call", "sql", "python"])
)
def test_colours_are_in_order_and_apart(text: str, language: str) -> None:
    item = coloured(block(text), language)
    at = 0
    for start, end, _ in item.colours:
        assert at <= start < end <= len(item.text)
        at = end
    for row in ((0, len(item.text)), (3, 7)):
        touched = [span for span in item.colours if span[0] < row[1] and span[1] > row[0]]
        assert list(item.colours_in(row)) == touched
