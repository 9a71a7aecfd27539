"""How far a download is stands on one line of a terminal, and nowhere else."""

from __future__ import annotations

import io

import pytest

from modex.tui.features.fetch.progress import DownloadLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    times = iter([0.0, 0.05, 0.2, 0.2])
    out = Terminal()
    progress = DownloadLine(out, clock=lambda: next(times))
    progress.begins("gsm8k", 2_000_000)
    progress.came(500_000)
    progress.came(500_000)
    shown = out.getvalue().split("\r")[1:]
    assert shown == ["gsm8k  0.0 of 2.0 MB    0 %", "gsm8k  1.0 of 2.0 MB   50 %"]
    progress.ends()
    assert out.getvalue().endswith("\r" + " " * 27 + "\r")
    progress.ends()
    assert out.getvalue().count("\r") == 4


def test_a_pipe_hears_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    progress = DownloadLine(out)
    progress.begins("gsm8k", 2_000_000)
    progress.came(2_000_000)
    progress.ends()
    assert out.getvalue() == ""
    progress.waits("gsm8k")
    assert capsys.readouterr().err == "gsm8k: another modex fetches it; waiting for it\n"


def test_a_size_that_is_not_known_has_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    DownloadLine(out).begins("x", 0)
    assert out.getvalue() == "\rx  0.0 of 0.0 MB"
