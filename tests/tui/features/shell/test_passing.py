"""What passes between two terminals: keys, what is drawn without what steers a terminal, the size; and how it ends."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import termios
import threading

import pytest

from modex.tui.features.shell.passing import WithoutStrings, pass_through, take_size


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (b"plain \xc3\xa4\r\n", "plain ä\r\n"),
        (b"\x1b[31mred\x1b[0m \x1b7\x1b(B\x1b[?1049h", "\x1b[31mred\x1b[0m \x1b7\x1b(B\x1b[?1049h"),
        (b"a\x1b]52;c;aGk=\x07b", "ab"),
        (b"a\x1b]0;title\x1b\\b", "ab"),
        (b"a\x1bP+q544e\x1b\\b\x1b_x\x1b\\c\x1b^x\x1b\\d\x1bXx\x1b\\e", "abcde"),
        (b"a\x1b]0;title\x18b\x1b]0;\x1ac", "abc"),
        (b"\xc2\x9d0;title\x07", "0;title\x07"),
        (b"a\x1b\x1b]0;x\x07b", "a\x1bb"),
        (b"a\x1b]" + b"x" * 65536 + b"b", "ab"),
        (b"\xff", "\ufffd"),
    ],
    ids=range(10),
)
def test_control_strings_are_dropped_however_they_are_cut(told: bytes, shown: str) -> None:
    whole, cut = WithoutStrings(), WithoutStrings()
    assert whole.feed(told).decode() == shown
    assert b"".join(cut.feed(told[at : at + 1]) for at in range(len(told))).decode() == shown


def _size(terminal: int) -> tuple[int, int]:
    rows, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8))
    return rows, columns


def _resize(terminal: int, rows: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def test_what_has_no_size_gives_none() -> None:
    (read, write), (master, end) = os.pipe(), os.openpty()
    _resize(master, 5, 6)
    take_size(read, master)
    assert _size(end) == (5, 6)
    for one in (read, write, master, end):
        os.close(one)


def test_keys_size_and_output_pass_and_the_terminal_is_as_before() -> None:
    person, own = os.openpty()
    master, inner = os.openpty()
    _resize(own, 24, 80)
    before = termios.tcgetattr(own)
    seen: list[object] = []

    def work() -> None:
        seen.append(_size(inner))
        os.write(inner, b"\x1b]0;no\x07name? ")
        os.write(person, b"Ada\r")
        seen.append(os.read(inner, 100))
        _resize(own, 30, 100)
        os.kill(os.getpid(), signal.SIGWINCH)
        resized = threading.Event()
        while _size(inner) != (30, 100):
            resized.wait(0.01)
        seen.append(termios.tcgetattr(own)[3] & (termios.ECHO | termios.ICANON | termios.ISIG))
        os.write(inner, b"bye")

    handler = signal.getsignal(signal.SIGWINCH)
    pass_through(master, work, own, own)
    assert seen == [(24, 80), b"Ada\n", 0]
    assert signal.getsignal(signal.SIGWINCH) == handler
    assert termios.tcgetattr(own) == before
    told = b""
    while b"bye" not in told:
        told += os.read(person, 1000)
    assert b"name? Ada\r\nbye" in told
    assert b"no\x07" not in told
    for one in (person, own, master, inner):
        os.close(one)


def test_a_signal_that_ends_it_leaves_the_terminal_as_before() -> None:
    person, own = os.openpty()
    master, inner = os.openpty()
    before = termios.tcgetattr(own)
    go = threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        go.wait(20)

    with pytest.raises(SystemExit) as ended:
        pass_through(master, work, own, own)
    go.set()
    assert ended.value.code == 128 + signal.SIGTERM
    assert termios.tcgetattr(own) == before
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    for thread in threading.enumerate():
        if thread.name == "attended":
            thread.join(20)
    for one in (person, own, master, inner):
        os.close(one)
