"""Headers are what http.client reads of them, whichever of the two ways they went."""

from __future__ import annotations

import http.client
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modex.core.llm.headers import read_headers

pieces = st.sampled_from(
    [
        b"A",
        b"content-length",
        b":",
        b" ",
        b"\t",
        b"\r\n",
        b"\n",
        b"\r",
        b"7",
        b"x y",
        b"\xc3\xa4",
        b"\x0b",
        b"\x85",
        b"-",
    ]
)


def read(data: bytes) -> tuple[list[tuple[str, str]], int, bytes]:
    """The headers, how many defects they have, and what is left."""
    source = io.BytesIO(data)
    found = read_headers(source)
    return found.items(), len(found.defects), source.read()


@given(st.lists(pieces, max_size=30).map(b"".join))
@example(b"Content-Length: 5\r\nX:\r\n\tfolded\r\n\r\nbody")
@example(b"Content-Type:text/plain \r\n\r\n")
@example(b"A : b\r\n\r\n")
@example(b"A: b")
def test_any_bytes_are_read_as_http_client_reads_them(data: bytes) -> None:
    source = io.BytesIO(data)
    expected = http.client.parse_headers(source)
    assert read(data) == (expected.items(), len(expected.defects), source.read())


def test_a_header_that_stands_twice_is_kept_twice() -> None:
    found = read_headers(io.BytesIO(b"Set-Cookie: a\r\nset-cookie: b\r\n\r\n"))
    assert found.get_all("SET-COOKIE") == ["a", "b"]


@pytest.mark.parametrize("data", [b"A: " + b"x" * 70_000 + b"\r\n\r\n", b"A: b\r\n" * 101 + b"\r\n"])
def test_too_much_of_them_is_refused(data: bytes) -> None:
    with pytest.raises(http.client.HTTPException):
        read_headers(io.BytesIO(data))
