"""What is typed after a key belongs to what that key opens, however fast it comes and however slow the machine is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from modex.tui.app import Launch, ModexApp
from modex.tui.features.compare.pair_screen import ComparePairScreen
from modex.tui.reading.store import StoreView
from modex.tui.screens.help import HelpScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.starting import StartingScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.start.fork import Starting
from modex.tui.widgets.identity import IdentityLine
from tests.cli import reading
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.emulator import Terminal
from tests.tui.stores import StoreMaker, cells
from tests.tui.suites import small_suite

SIZE = (100, 30)
_NAMES = {
    "^": "ctrl+p",
    "!": "exclamation_mark",
    "/": "slash",
    "+": "plus",
    "\r": "enter",
    "?": "question_mark",
    " ": "space",
    "\t": "tab",
}


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


@pytest.mark.long
@pytest.mark.parametrize(
    ("opens", "screen"),
    [
        ("b/", "LeaderboardScreen"),
        ("\r/", "LiveScreen"),
        ("\rt/", "SamplesScreen"),
        ("\rf/", "TranscriptScreen"),
        ("  c/", "CompareScreen"),
        ("   c/", "CompareSeveralScreen"),
        ("t/", "SuiteScreen"),
        ("tW/", "SuiteFaultsScreen"),
        ("n/", "NewRunScreen"),
        ("n\r", "PickModelScreen"),
        ("R", "RunsScreen"),
        ("F", "SearchScreen"),
        ("^", "PaletteScreen"),
    ],
)
async def test_every_box_takes_what_was_typed_behind_the_keys_that_open_it(
    runs: StoreMaker,
    make_app: MakeApp,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opens: str,
    screen: str,
) -> None:
    monkeypatch.setenv("MODEX_SUITE", str(small_suite(tmp_path / "s")))
    letters = "rsDJ+xqn!"
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, opens + letters)
        assert type(app.screen).__name__ == screen
        assert isinstance(app.focused, Input)
        assert app.focused.value.removeprefix("error_run") == letters
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
    code = f"from modex.tui.cli import main; main(['--db', {str(runs.path)!r}])"
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


@pytest.fixture
def slow_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question to the store, and every suite that is read, takes far longer than a key."""
    ask = StoreView.ask

    async def later(self: StoreView, *arguments: object, **named: object) -> object:
        await asyncio.sleep(0.1)
        return await ask(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(StoreView, "ask", later)


FAILS = "math ●●○○\nsql ●○○○"


@pytest.mark.long
@pytest.mark.usefixtures("slow_store")
@pytest.mark.parametrize(
    ("typed", "screen", "place"),
    [
        ("\rf", TranscriptScreen, "math_1_3"),
        ("\rfN", TranscriptScreen, "math_1_4"),
        ("\rfnnN", TranscriptScreen, "sql_1_3"),
        ("\rtnn", SamplesScreen, "math_1_4"),
        ("\rtfj\r", TranscriptScreen, "math_1_4"),
        ("\rtojj", SamplesScreen, "sql_1_2"),
        (" j c\r", ComparePairScreen, "math_1_3"),
        (" j c\rn", ComparePairScreen, "math_1_4"),
        (" j cx\rn\t", ComparePairScreen, "math_1_4"),
    ],
)
async def test_keys_wait_for_what_they_are_about(
    store: StoreMaker, make_app: MakeApp, typed: str, screen: type[Screen[Any]], place: str
) -> None:
    store.run("one", samples=cells("math ●●●●\nsql ●●●●" if "c" in typed else FAILS), status="completed")
    store.run("two", samples=cells(FAILS), status="completed")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, typed)
        await settle(pilot)
        assert isinstance(app.screen, screen)
        if isinstance(app.screen, SamplesScreen):
            assert app.screen.listing.current is not None
            assert app.screen.listing.current.test_id == place
        elif isinstance(app.screen, TranscriptScreen):
            assert app.screen.sample is not None
            assert app.screen.sample.test_id == place
        else:
            assert place in str(app.screen.query_one(IdentityLine).lines_for(100))


@pytest.mark.usefixtures("slow_store")
async def test_keys_wait_for_a_run_that_is_read_and_for_one_that_is_starting(
    store: StoreMaker, make_app: MakeApp, on_their_way: Starting
) -> None:
    store.run("one", samples=cells(FAILS), status="completed")
    app = make_app(start=Launch(on_their_way))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.post_message(events.Key("f", "f"))
        await pilot.pause()
        assert shows(app, StartingScreen)
        assert app.typed.under_way
        app.switch_screen(LiveScreen(("one",)))
        await settle(pilot)
        assert shows(app, TranscriptScreen)


@pytest.mark.usefixtures("slow_store")
async def test_enter_in_the_palette_waits_for_the_tests_it_may_mean(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("one", samples=cells(FAILS), status="completed")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await burst(pilot, "\r")
        for key in ("ctrl+p", *"sql_1_4", "enter"):
            app.post_message(events.Key({"_": "underscore"}.get(key, key), key if len(key) == 1 else None))
        await settle(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        assert app.screen.sample is not None
        assert app.screen.sample.test_id == "sql_1_4"


@pytest.mark.usefixtures("slow_store")
async def test_start_waits_for_what_the_plan_comes_to(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(NewRunScreen, "_begin_run", lambda self: started.append(self.plan.model))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(NewRunScreen(store.path, {"model": ["demo"], "suite": str(small_suite(tmp_path / "s"))}))
        await burst(pilot, "s")
        assert started == ["demo"]


async def test_what_waits_is_said_after_a_moment(
    runs: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()
    ask = StoreView.ask

    async def held(self: StoreView, *arguments: object, **named: object) -> object:
        await gate.wait()
        return await ask(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(StoreView, "ask", held)
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        app.post_message(events.Key("j", "j"))
        while not app._notifications:
            await pilot.pause(0.05)
        assert "keys wait" in str(next(iter(app._notifications)).message)
        app.post_message(events.Key("question_mark", "?"))
        app.post_message(events.Key("escape", None))
        gate.set()
        await settle(pilot)
        assert shows(app, RunsScreen)
