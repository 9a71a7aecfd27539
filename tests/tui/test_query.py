from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.query import parse


def test_names_and_words_are_told_apart() -> None:
    query = parse("model:gpt status:failed,error  two words", ("model", "status"))
    assert query.values == {"model": ("gpt",), "status": ("failed", "error")}
    assert query.text == "two words"
    assert query.one("model") == "gpt"


def test_an_unknown_name_is_a_word() -> None:
    assert parse("colour:red", ("model",)).text == "colour:red"


def test_quotes_keep_spaces_and_an_open_quote_is_no_error() -> None:
    assert parse('model:"a b"', ("model",)).values == {"model": ("a b",)}
    assert parse("it's", ()).text == "it's"


@given(st.text())
def test_nothing_typed_is_an_error(typed: str) -> None:
    parse(typed, ("status",))
