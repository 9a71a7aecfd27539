"""An export on its way to a reader that may be slow, or gone."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from modex.core.features.export.pouring import Pour, encoded

_LARGE = [bytes([65 + number]) * 100_000 for number in range(5)]
"""More than a pipe holds."""


def test_a_file_gets_every_piece_at_once(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        out.write(b"before ")
        pour = Pour(out, patience_s=0.0)
        pour.take(_LARGE)
        assert not pour.spooled
        assert (tmp_path / "out").read_bytes() == b"before " + b"".join(_LARGE)
        pour.finish()
    assert (tmp_path / "out").stat().st_size == 500_007


def test_what_stands_in_memory_is_written_like_a_file() -> None:
    out = io.BytesIO()
    pour = Pour(out)
    pour.take(_LARGE)
    pour.finish()
    assert (out.getvalue(), pour.spooled) == (b"".join(_LARGE), False)


def test_what_a_slow_reader_does_not_take_is_kept_and_given_later_in_order() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "wb") as out:
        out.write(b"before ")
        pour = Pour(out, patience_s=0.0)
        pour.take(_LARGE[:3])
        assert pour.spooled
        pour.take(_LARGE[3:])
        got: list[bytes] = []
        thread = threading.Thread(target=lambda: got.append(reader.read()))
        thread.start()
        pour.finish()
        pour.finish()
        out.close()
        thread.join()
    assert got == [b"before " + b"".join(_LARGE)]


def test_a_reader_that_takes_all_has_nothing_spooled_and_one_that_is_gone_is_told() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "wb") as out:
        got: list[bytes] = []
        thread = threading.Thread(target=lambda: got.append(reader.read()))
        thread.start()
        pour = Pour(out, patience_s=60.0)
        pour.take(_LARGE)
        assert not pour.spooled
        pour.finish()
        out.close()
        thread.join()
    assert got == [b"".join(_LARGE)]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out, pytest.raises(BrokenPipeError):
        Pour(out).take([b"x"])


def test_text_is_utf_8_with_a_question_mark_for_what_it_cannot_hold() -> None:
    assert list(encoded(["ä", "\ud800x"])) == ["ä".encode(), b"?x"]
