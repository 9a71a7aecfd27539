from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.llm.served.log import Log


class Written:
    """A log of a pipe that a test writes into."""

    def __init__(self, path: Path) -> None:
        reads, self.end = os.pipe()
        self.path = path
        self.source = os.fdopen(reads, "rb")
        self.descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.log = Log(self.source, self.descriptor, "own-key")

    def say(self, text: bytes) -> None:
        os.write(self.end, text)

    def over(self) -> None:
        os.close(self.end)


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path / "log")


def test_what_a_program_wrote_is_there_once_it_ended_and_both_ends_are_closed(written: Written) -> None:
    written.say(b"one\n" * 1000 + b"without an end \xff")
    written.over()
    written.log.catch_up()
    assert written.path.read_text() == "one\n" * 1000 + "without an end \ufffd"
    written.log.close()
    assert written.source.closed
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(written.descriptor)


def test_its_end_is_waited_for_by_the_closing_too(written: Written) -> None:
    written.say(b"last words\n" * 3000)
    written.over()
    written.log.close()
    assert written.path.read_text() == "last words\n" * 3000


def test_keys_are_masked_line_by_line(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "hunterverysecret99")
    written.say(b"a own-key b hunterverysecret99 c\n")
    written.over()
    written.log.close()
    assert written.path.read_text() == "a [redacted] b [redacted] c\n"


def test_a_line_without_end_is_kept_in_pieces(written: Written) -> None:
    written.say(b"x" * 20_000)
    written.over()
    written.log.close()
    assert written.path.stat().st_size == 20_000


def test_a_key_is_masked_also_behind_a_line_that_goes_on_for_long(written: Written) -> None:
    written.say(b"x" * 8192 + b"own-key\n")
    written.over()
    written.log.close()
    assert written.path.read_text() == "x" * 8192 + "[redacted]\n"


def test_a_pipe_that_another_process_holds_is_not_waited_for_without_end(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.core.llm.served.log._CATCH_UP_S", 0.01)
    written.say(b"so far\n")
    written.log.close()
    assert not written.source.closed
    written.say(b"and on\n")
    written.over()
    monkeypatch.undo()
    written.log.close()
    assert written.path.read_text() == "so far\nand on\n"
    assert written.source.closed
