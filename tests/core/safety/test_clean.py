"""No text steers a terminal, a log or a page: what each character is shown as, and how much of a long text is looked at."""

from __future__ import annotations

import re

import pytest

from modex.core.safety.clean import INVISIBLE, as_words, clean, clean_line


def span(first: int, last: int) -> range:
    """Code points, both ends among them."""
    return range(first, last + 1)


PICTURES = {code: chr(0x2400 + code) for code in span(0, 0x1F) if code not in (9, 10)} | {0x7F: "\u2421"}
REPLACED = {
    *span(0x80, 0x9F), *span(0xD800, 0xDFFF), 0x061C, 0x200E, 0x200F, *span(0x202A, 0x202E), *span(0x2066, 0x2069),
    0xFFF9, 0xFFFA, 0xFFFB,
}  # fmt: skip
DROPPED = {
    0x00AD, 0x180E, *span(0x200B, 0x200D), *span(0x2060, 0x2064), 0xFEFF, *span(0xFE00, 0xFE0F), *span(0xE0000, 0xE0FFF),
}  # fmt: skip
LINES = {0x2028, 0x2029}


def shown(code: int) -> str:
    """What stands in a cleaned text for one character."""
    if code in PICTURES:
        return PICTURES[code]
    return "\ufffd" if code in REPLACED else "" if code in DROPPED else "\n" if code in LINES else chr(code)


def test_every_character_there_is_is_shown_dropped_or_drawn_as_another() -> None:
    for first in range(0, 0x110000, 0x1000):
        codes = range(first, first + 0x1000)
        assert clean("".join(map(chr, codes))) == "".join(map(shown, codes)), hex(first)


def test_on_one_line_ends_of_lines_are_drawn_and_a_tab_is_a_blank() -> None:
    assert clean("a\r\nb\rc\td") == "a\nb\u240dc\td"
    assert clean_line(" a\r\nb\nc\td\u2028e\u2029f\u200b\x1b ") == "a⏎b⏎c d⏎e⏎f\u241b"


def test_what_is_not_shown_as_it_is_stands_in_a_word() -> None:
    invisible = re.compile(INVISIBLE)
    wanted = {*PICTURES, *REPLACED, *DROPPED}
    assert {code for code in range(0x110000) if invisible.match(chr(code))} == wanted


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("abcd", None, "abcd"),
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc…"),
        ("ab", 1, "…"),
        ("ab", 0, "…"),
        ("", 0, ""),
        ("  abcd  ", 4, "abcd"),
        ("\u200b" * (4 * 10 + 64 - 10) + "abcdefghij", 10, "abcdefghij"),
        ("\u200b" * (4 * 10 + 64 - 9) + "abcdefghij", 10, "abcdefghi"),
        ("\u200b" * 500 + "a", None, "a"),
    ],
)
def test_a_line_is_cut_where_it_is_too_long_and_of_a_huge_text_the_beginning_is_looked_at(
    text: str, limit: int | None, line: str
) -> None:
    assert clean_line(text, limit) == line


def test_words_of_a_command_can_be_pasted() -> None:
    assert as_words("a b", "c", "d\x1b") == "'a b' c 'd\u241b'"
