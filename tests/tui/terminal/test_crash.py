from __future__ import annotations

import pytest
from rich.console import Console

from modex.tui.terminal.crash import Crash
from tests.tui.conftest import MakeApp, settle

CANARY = "sk-canary-0123456789abcdef"


def _fail() -> None:
    secret = CANARY
    raise RuntimeError(f"Incorrect API key provided: {secret}\x1b]52;c;AAAA\x07")


def test_a_crash_report_holds_no_secret_no_local_and_no_control_byte() -> None:
    try:
        _fail()
    except RuntimeError as error:
        console = Console(record=True, width=100, file=None, force_terminal=False, quiet=True)
        with console.capture() as captured:
            console.print(Crash(error))
        text = captured.get() or Crash(error).text
    assert CANARY not in text
    assert "\x1b" not in text
    assert "test_crash.py" in text
    assert "nothing stored was lost" in text


async def test_an_exception_on_a_screen_ends_with_the_report_and_exit_code_1(make_app: MakeApp) -> None:
    app = make_app()
    with pytest.raises(RuntimeError, match="Incorrect"):  # noqa: PT012
        async with app.run_test() as pilot:
            await settle(pilot)
            app.call_later(_fail)
            await pilot.pause()
    assert app.return_code == 1
