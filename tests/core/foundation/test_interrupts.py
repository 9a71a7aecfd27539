"""Ctrl+C at the worst moment: within a library that drops what a callback raises, and within one that renames it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import click
import pytest

from modex.core.foundation.interrupts import (
    hear_interrupts,
    leave_at_once,
    leave_interrupts,
    raise_lost_interrupt,
    was_interrupted,
)
from modex.core.sandbox.python import python_session
from modex.tui.cli import COMMANDS, main


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hear_interrupts()
    yield
    hear_interrupts()  # nothing of this test is remembered
    signal.signal(signal.SIGINT, before)


def test_one_that_the_interpreter_of_a_suites_code_drops_is_raised_when_it_is_back() -> None:
    opened: list[str] = []

    def interrupt(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and not opened and "opentelemetry" in frame.f_code.co_filename:
            opened.append(frame.f_code.co_name)
            signal.raise_signal(signal.SIGINT)

    with python_session(5.0) as session:
        session.run("1")  # what is imported when first needed is there
        sys.setprofile(interrupt)
        try:
            with pytest.raises(KeyboardInterrupt):
                session.run("1 + 1")
        finally:
            sys.setprofile(None)
        assert opened
        assert session.run("1 + 1").value == 2


def test_one_that_was_heard_is_raised_once_more_and_not_twice() -> None:
    raise_lost_interrupt()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert was_interrupted()
    with pytest.raises(KeyboardInterrupt):
        raise_lost_interrupt()
    raise_lost_interrupt()


def test_what_asyncio_looks_for_is_in_place_again_for_a_screen() -> None:
    assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    leave_interrupts()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_somebody_elses_stays() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hear_interrupts()
    leave_interrupts()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_at_a_signal_what_was_written_is_flushed_and_the_process_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []

    class Stream:
        def __init__(self, name: str) -> None:
            self.name = name

        def flush(self) -> None:
            flushed.append(self.name)
            raise ValueError("closed")

    def end(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(sys, "stdout", Stream("out"))
    monkeypatch.setattr(sys, "stderr", Stream("err"))
    with pytest.raises(SystemExit) as ended:
        leave_at_once()
    assert (ended.value.code, flushed) == (130, ["out", "err"])


def test_in_another_thread_a_lost_interrupt_waits_for_the_first_one() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    thread = threading.Thread(target=raise_lost_interrupt)
    thread.start()
    thread.join()
    assert was_interrupted()
    with pytest.raises(KeyboardInterrupt):
        raise_lost_interrupt()
    assert not was_interrupted()


@click.command()
@click.option("--renamed", is_flag=True)
def interrupted(renamed: bool) -> None:
    """Interrupted, as it comes or as a library tells it that builds something at the moment."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt as error:
        if renamed:
            raise ValueError("Error building `model` serializer: KeyboardInterrupt:") from error
        raise


@pytest.mark.parametrize("words", [["interrupted"], ["interrupted", "--renamed"]])
def test_a_command_that_is_interrupted_ends_with_130_whatever_a_library_makes_of_it(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(COMMANDS, "interrupted", (f"{__name__}:interrupted", "Be interrupted."))
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 130
    assert "modex:" not in capsys.readouterr().err


@pytest.mark.process
def test_the_exit_code_is_130_also_where_python_would_end_itself_by_the_signal(tmp_path: Path) -> None:
    # What interrupts code made from text (`exec` of a str, as dataclasses do) lets `python -m` end with SIGINT at last.
    (tmp_path / "made.py").write_text(
        """
import signal, sys, click
from modex.tui.cli import COMMANDS, main
command = click.Command("made", callback=lambda: exec("signal.raise_signal(signal.SIGINT)"))
sys.modules["made"] = sys.modules["__main__"]
COMMANDS["made"] = ("made:command", "Be interrupted.")
main()
"""
    )
    ended = subprocess.run(
        [sys.executable, "-m", "made", "made"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parents[3])])},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (130, "", "")
