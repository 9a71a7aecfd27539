from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.llm.served.log import Log


def _open_files() -> int:
    """How many descriptors this process has; 0 where the system does not say."""
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.is_dir() else 0


class Written:
    """A log of a pipe that a test writes into."""

    def __init__(self, path: Path) -> None:
        reads, self.end = os.pipe()
        self.path = path
        self.source = os.fdopen(reads, "rb")
        self.log = Log(self.source, path, "own-key")

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
    descriptors = _open_files()
    written.log.close()
    assert written.source.closed
    assert not descriptors or _open_files() == descriptors - 2


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


@pytest.mark.parametrize("before", [8186, 8189, 8191])
def test_a_key_is_masked_where_it_stands_across_two_pieces(written: Written, before: int) -> None:
    written.say(b"x" * before + b"own-key" + b"y" * 9000)
    written.over()
    written.log.close()
    assert written.path.read_text() == "x" * before + "[redacted]" + "y" * 9000


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


def test_what_is_kept_of_it_is_bounded(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.llm.served.log._MOST_BYTES", 100)
    for number in range(50):
        written.say(f"line {number:4}\n".encode())
    written.over()
    written.log.close()
    before = written.path.with_name("log.1").read_text()
    assert 100 < len(before) <= 110
    assert (before + written.path.read_text()).endswith("line   48\nline   49\n")
    assert {oct(path.stat().st_mode & 0o777) for path in written.path.parent.iterdir()} == {"0o600"}


def test_it_goes_on_where_the_last_start_ended(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("before\n")
    assert Written(tmp_path / "log").log.begin == len("before\n")
