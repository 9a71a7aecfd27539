"""The inner end of a box's pipe speaks the JSON that the outer end does."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from modex.core.sandbox.bubblewrap import pipe
from modex.core.sandbox.wire import MAX_MESSAGE, pack
from tests.rows import each_row


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


@each_row(
    "value",
    [
        None, True, False, 0, -1, 2**200, 1.5, -0.0, 1e300, "", "a\n\"\\/\u2028é😀\ud800\x00", [], [1, [2, []]], {},
        {"a": {"b": [None]}, "": 1}, {"dict": [["x", 1]]},
    ],
)  # fmt: skip
def test_every_value_goes_either_way_as_json(ends: tuple[int, int], value: Any) -> None:
    reading, writing = ends
    message = {"do": value}
    pipe.send(writing, message)
    assert os.read(reading, 10_000) == pack(message)
    os.write(writing, pack(message))
    assert pipe.receive(reading) == json.loads(json.dumps(message))


def test_messages_come_one_by_one_however_they_are_cut(ends: tuple[int, int]) -> None:
    reading, writing = ends
    text = pack({"a": "x" * 300}) + pack({"b": 2})
    os.write(writing, text[:3])
    os.write(writing, text[3:100])
    os.write(writing, text[100:])
    assert pipe.receive(reading) == {"a": "x" * 300}
    assert pipe.receive(reading) == {"b": 2}


@each_row("text", [b"", b"\0\0", b"\0\0\0\x09{}", b"\0\0\0\0"])
def test_where_the_other_side_is_gone_there_is_none(text: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, text)
    os.close(writing)
    assert pipe.receive(reading) is None
    os.close(reading)


def test_what_is_too_large_is_not_sent(ends: tuple[int, int]) -> None:
    reading, writing = ends
    with pytest.raises(ValueError, match="a value of 16,777,220 bytes"):
        pipe.send(writing, {"a": "x" * (MAX_MESSAGE - 4)})
    assert pipe.MAX_MESSAGE == MAX_MESSAGE
    pipe.send(writing, {})
    assert os.read(reading, 100) == struct.pack("!I", 2) + b"{}"
