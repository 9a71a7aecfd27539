from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from modex.core.safety import clean
from modex.tui.look.text import shown
from modex.tui.widgets.transcript_text import PIECE, block, cut, marked, paint, pieces, tidy, wrap
from tests.rows import each_row
from tests.tui.hostile import HOSTILE, is_harmless

TEXTS = st.text(st.characters(codec=None), max_size=400) | st.text("ab \n日é\t\u200b", max_size=400)


@given(TEXTS)
def test_tidy_text_is_what_the_one_boundary_makes_of_it(text: str) -> None:
    slow = "\n".join(map(shown, clean(text.replace("\t", "    ")).split("\n")))
    assert tidy(text) == slow


@each_row("text", HOSTILE)
def test_nothing_in_a_block_steers_a_terminal(text: str) -> None:
    assert is_harmless(block(text).text)


@given(TEXTS.map(tidy), st.integers(8, 60))
def test_wrapped_rows_fit_and_lose_only_spaces_at_their_ends(text: str, width: int) -> None:
    rows = wrap(text, 0, len(text), width)
    assert all(cell_len(text[start:end]) <= width for start, end in rows)
    after = 0
    for start, end in rows:
        assert text[after:start].strip() == ""
        assert start >= after
        after = end
    assert text[after:].strip() == ""


@given(st.integers(0, 3 * PIECE), st.sampled_from(["a", "ab ", "line\n", "日本 "]))
def test_pieces_cover_the_text_and_stay_small(length: int, unit: str) -> None:
    text = (unit * (length // len(unit) + 1))[:length]
    found = list(pieces(text))
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(end - start <= 2 * PIECE for start, end in found)
    for (_, end), (start, _) in pairwise(found):
        assert text[end:start] in ("", " ", "\n")


def test_words_are_kept_whole_where_they_fit() -> None:
    text = "one two three"
    assert [text[start:end] for start, end in wrap(text, 0, len(text), 8)] == ["one two", "three"]


def test_an_endless_word_is_cut_at_the_width() -> None:
    text = "x" * 25
    assert [end - start for start, end in wrap(text, 0, 25, 10)] == [10, 10, 5]


def test_text_that_is_not_wrapped_keeps_its_lines() -> None:
    assert cut("a\nbb\n", 0, 5) == [(0, 1), (2, 4), (5, 5)]


def test_a_marked_span_stands_where_it_stood_before_cleaning() -> None:
    text = "\x1b\u200b\u200bgives\t12.5 litres"
    item = marked(text, text.index("12.5"), text.index("12.5") + 4, before="[", after="]")
    start, end, role = item.spans[0]
    assert (item.text[start:end], role) == ("[12.5]", "mark")


def test_a_later_span_goes_over_an_earlier_one() -> None:
    assert paint("abcdef", (0, 6), "text", [(1, 5, "mark"), (2, 3, "match")]) == [
        ("a", "text"),
        ("b", "mark"),
        ("c", "match"),
        ("de", "mark"),
        ("f", "text"),
    ]
