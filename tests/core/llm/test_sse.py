"""Events are read by the WHATWG's rules, however the network cuts their bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.llm.chunked import Chunked
from modex.core.llm.sse import Event, events
from tests.rows import each_row

CASES: dict[bytes, list[tuple[str, str]]] = {
    b"data: a\n\n": [("", "a")],
    b"data:a\n\ndata:  b\n\n": [("", "a"), ("", " b")],
    b"data: a\r\n\r\ndata: b\r\rdata: c\n\n": [("", "a"), ("", "b"), ("", "c")],
    b"data: YHOO\ndata: +2\ndata: 10\n\n": [("", "YHOO\n+2\n10")],
    b": test stream\n\ndata: first\nid: 1\n\ndata:second\nid\n\ndata:  third\n\n": [
        ("", "first"),
        ("", "second"),
        ("", " third"),
    ],
    b"data\n\ndata\ndata\n\ndata:": [("", ""), ("", "\n")],
    b"data:test\n\ndata: test\n\n": [("", "test"), ("", "test")],
    b"event: error\ndata: x\n\ndata: y\n\n": [("error", "x"), ("", "y")],
    b"event: lonely\n\ndata: y\n\n": [("", "y")],
    b"\xef\xbb\xbfdata: marked\n\n": [("", "marked")],
    b"data: never ended\n": [],
    b"database: no field of ours\nretry: 10\n\n": [],
    "data: ä漢🙂\n\n".encode(): [("", "ä漢🙂")],
    b"data: \xff\n\n": [("", "\ufffd")],
    b"": [],
}


@each_row("raw", CASES)
@each_row("size", [1, 2, 3, 1000])
def test_the_examples_of_the_standard(raw: bytes, size: int) -> None:
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert list(events(pieces)) == [Event(*expected) for expected in CASES[raw]]


_LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=30)


@given(
    texts=st.lists(st.lists(_LINE, min_size=1, max_size=3), max_size=5),
    ends=st.lists(st.sampled_from(["\n", "\r", "\r\n"]), min_size=1),
    cuts=st.lists(st.integers(0, 400)),
)
def test_no_cut_and_no_line_end_changes_what_is_read(texts: list[list[str]], ends: list[str], cuts: list[int]) -> None:
    lines = [line for text in texts for line in (*(f"data: {part}" for part in text), "")]
    # A line that ends with CR, and an empty one that ends with LF, are one line end together: one kind a stream.
    raw = "".join(line + ends[0] for line in lines).encode()
    places = sorted({min(cut, len(raw)) for cut in cuts} | {0, len(raw)})
    pieces = [raw[a:b] for a, b in pairwise(places)]
    assert [event.data for event in events(pieces)] == ["\n".join(text) for text in texts]


@given(
    chunks=st.lists(st.binary(min_size=1, max_size=40), max_size=6),
    cut=st.integers(1, 20),
    trailer=st.sampled_from([b"", b"X: y\r\n"]),
)
def test_chunked_bodies_come_whole_wherever_they_are_cut(chunks: list[bytes], cut: int, trailer: bytes) -> None:
    raw = b"".join(b"%X;a=b\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\nmore"
    reader = Chunked()
    found = b"".join(reader.take(raw[at : at + cut]) for at in range(0, len(raw), cut))
    assert found == b"".join(chunks)
    assert reader.over
    assert reader.rest == b"more"


@given(chunks=st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=8))
def test_a_read_that_is_one_whole_chunk_gives_its_bytes(chunks: list[bytes]) -> None:
    reader = Chunked()
    for chunk in chunks:
        assert reader.take(b"%x\r\n%s\r\n" % (len(chunk), chunk)) == chunk
    assert (reader.take(b"0\r\n\r\n"), reader.over, reader.rest) == (b"", True, b"")
    assert (reader.take(b"1\r\na\r\n"), reader.rest) == (b"", b"1\r\na\r\n")


def test_a_chunk_that_holds_what_looks_like_chunks_is_read_by_its_size() -> None:
    assert Chunked().take(b"8\r\n1\r\na\r\n\r\n\r\n") == b"1\r\na\r\n\r\n"
    assert Chunked().take(b"1\r\na\r\n2\r\nbc\r\n") == b"abc"
    reader = Chunked()
    assert reader.take(b"7\r\na") + reader.take(b"1\r\nb\r\n") == b"a1\r\nb\r\n"


@each_row("raw", [b"x\r\n", b"3\r\nabcd\r\n", b"-1\r\n", b"\r\n", b"1" * 17 + b"\r\n", b"a" * 70_000])
def test_what_is_not_chunked_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="chunk"):
        Chunked().take(raw)
