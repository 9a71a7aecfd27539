"""What is typed after a key belongs to what that key opens, however fast it comes and however slow the machine is."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from tests.cli import reading
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.emulator import Terminal
from tests.tui.stores import StoreMaker, cells
from tests.tui.suites import small_suite
from tui.app import ModexApp
from tui.screens.help import HelpScreen
from tui.screens.runs import RunsScreen
from tui.screens.samples import SamplesScreen
from tui.screens.suite import SuiteScreen

SIZE = (100, 30)
_NAMES = {"/": "slash", "+": "plus", "\r": "enter", "?": "question_mark"}


async def burst(pilot: Pilot[int], text: str) -> None:
    """Everything at once, as one packet of a slow link brings it."""
    for letter in text:
        pilot.app.post_message(events.Key(_NAMES.get(letter, letter), letter))
    await settle(pilot)


@pytest.fixture
def runs(store: StoreMaker) -> StoreMaker:
    for name in ("rating", "paused_run", "error_run"):
        store.run(name, samples=cells("math ●●○\nsql ●○○"), status="stopped")
    return store


@pytest.mark.parametrize("text", ["/rat", "/paused", "/error", "/+++", "/Dx", "/q"])
async def test_text_typed_at_once_goes_into_the_box(runs: StoreMaker, make_app: MakeApp, text: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, text)
        assert shows(app, RunsScreen)
        assert app.screen.query_one(Input).value == text[1:]
    with reading(runs.path) as reader:
        assert {run.status for run in reader.runs()} == {"stopped"}


async def test_a_filter_and_what_follows_it_in_one_go(runs: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, "/rat\r\r")
        assert getattr(app.screen, "panel", None) is not None
        assert app.screen.panel.exp_id == "rating"  # type: ignore[attr-defined]


async def test_keys_for_a_screen_that_is_opening_go_to_it(
    runs: StoreMaker, make_app: MakeApp, tmp_path: object
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, "?j?")
        assert shows(app, HelpScreen)


async def test_a_screen_of_tests_takes_text_at_once(runs: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, "\rt/xpn")
        assert shows(app, SamplesScreen)
        assert app.screen.query_one(Input).value == "xpn"


async def test_a_suite_takes_text_at_once(store: StoreMaker, make_app: MakeApp, tmp_path: object) -> None:
    app: ModexApp = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(SuiteScreen(store.path, str(small_suite(tmp_path / "s"))))  # type: ignore[operator]
        await settle(pilot)
        await burst(pilot, "/rsum")
        assert shows(app, SuiteScreen)
        assert app.screen.query_one(Input).value == "rsum"


async def test_keys_wait_for_a_screen_that_is_still_reading_and_escape_lets_go(
    runs: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()
    before = RunsScreen.refresh_data

    async def slow(self: RunsScreen) -> bool:
        await gate.wait()
        return await before(self)

    monkeypatch.setattr(RunsScreen, "refresh_data", slow)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for letter in "jj":
            app.post_message(events.Key(letter, letter))
        await pilot.pause()
        held = app.typed.under_way
        app.post_message(events.Key("escape", None))
        gate.set()
        await settle(pilot)
        assert held
        assert isinstance(app.screen, RunsScreen)
        assert app.screen.listing.cursor == 0


def test_one_write_to_a_terminal_is_typed_into_the_box(runs: StoreMaker, tmp_path: object) -> None:
    code = f"from tui.cli import main; main(['--db', {str(runs.path)!r}])"
    terminal = Terminal.of_code(code, MODEX_GLYPHS="unicode", HOME=str(tmp_path))
    try:
        terminal.wait_until(lambda lines: any("paused_run" in line for line in lines), "the list")
        terminal.press("/rat")
        terminal.wait_until(
            lambda lines: (
                any("/rat" in line.replace(" ", "") for line in lines)
                and not any("paused_run" in line for line in lines)
            ),
            "the filter, and only what it finds",
        )
        assert not any("RunsScreen" in line for line in terminal.lines)
    finally:
        terminal.end()
