"""Output that nobody reads to its end: one exit code for every command, as the documentation promises."""

from __future__ import annotations

import subprocess
import sys

import pytest

from modex.core.foundation.exit_codes import ExitCode

CODE = "from modex.tui.cli import main; main()"


@pytest.mark.process
@pytest.mark.parametrize("words", [("--help",), ("show", "--help"), ("schema",)], ids=str)
def test_a_real_pipe_that_is_closed_ends_a_command_with_141(words: tuple[str, ...]) -> None:
    started = subprocess.Popen([sys.executable, "-c", CODE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.close()
    said = started.stderr.read()
    started.stderr.close()
    assert started.wait(60) == ExitCode.CLOSED_PIPE
    assert said == b""
