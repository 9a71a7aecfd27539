"""Help, palette, settings: what every screen opens."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from textual.screen import Screen

from modex.tui.actions import scope
from modex.tui.app import Watch
from modex.tui.look.glyphs import ASCII
from modex.tui.screens.help import HelpScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.palette import PaletteScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.settings import SettingsScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.scroll import ScrollLines
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.stores import SKETCH, StoreMaker, cells

SIZE = (80, 24)


async def test_help_shows_the_keys_of_the_screen_below_and_does_not_open_twice(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("question_mark", "question_mark")
        await settle(pilot)
        assert shows(app, HelpScreen)
        assert [type(screen) for screen in app.screen_stack[1:]] == [LiveScreen, HelpScreen]
        await pilot.press("escape")
        assert shows(app, LiveScreen)


@pytest.mark.long
@pytest.mark.parametrize("width", [46, 60, 80])
async def test_help_says_everything_at_any_width(store: StoreMaker, make_app: MakeApp, width: int) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(width, 24)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        text = app.screen.query_one(ScrollLines)
        lines = ["".join(part for part, _ in line) for line in text._lines]
        assert max(map(len, lines)) <= text.size.width
        told = " ".join(" ".join(lines).split())
        for action in (*scope("live").actions, *scope("everywhere").actions):
            assert action.help in told


@pytest.mark.parametrize("width", [44, 60, 80])
async def test_a_question_is_asked_in_full_at_any_width(store: StoreMaker, make_app: MakeApp, width: int) -> None:
    store.run("r", samples=cells("math ●●○"))
    app = make_app()
    async with app.run_test(size=(width, 24)) as pilot:
        await settle(pilot)
        await pilot.press("J")
        await settle(pilot)
        question = app.screen.query_one(Lines)
        lines = ["".join(part for part, _ in line) for line in question._painted]
        assert max(map(len, lines)) <= question.size.width
        told = " ".join(" ".join(lines).split())
        assert "judge 3 stored answers again; earlier verdicts are kept" in told


async def test_a_narrow_palette_keeps_its_keys(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math ●"))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        found = app.screen.query_one("#found", Lines)
        ends = [found.render_line(y).text.split()[-1] for y in range(found.size.height)]
        assert ends[0] == "L"
        assert not any(end.endswith("…") for end in ends)


async def test_the_palette_finds_a_command_and_does_it(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"every test")
        assert shows(app, PaletteScreen)
        await pilot.press("enter")
        await settle(pilot)
        assert shows(app, SamplesScreen)


@pytest.mark.long
@pytest.mark.parametrize(
    ("typed", "screen"),
    [("other-run", LiveScreen), ("math3 3", TranscriptScreen), ("suite and", SuiteScreen)],
)
async def test_the_palette_finds_runs_tests_and_screens(
    store: StoreMaker, make_app: MakeApp, typed: str, screen: type[Screen[object]]
) -> None:
    store.run("other-run")
    run_id = store.run("r", samples=cells(SKETCH))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        if screen is TranscriptScreen:
            app.push_screen(LiveScreen(("r",)))
            await settle(pilot)
            assert app.screen.about_run == run_id  # type: ignore[attr-defined]
        await pilot.press("ctrl+p")
        await settle(pilot)
        await pilot.press(*typed, "enter")
        await settle(pilot)
        assert shows(app, screen)


async def test_settings_say_what_auto_became(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("comma")
        await settle(pilot)
        shown = app.export_screenshot().replace("&#160;", " ")
        assert "auto: dark" in shown


async def test_a_setting_is_seen_at_once_and_kept(store: StoreMaker, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("comma")
        await settle(pilot)
        assert shows(app, SettingsScreen)
        await pilot.press("enter", "j", "enter")
        await settle(pilot)
        assert app.theme == "modex-light"
        assert app.frame.glyphs is ASCII
        kept = tomllib.loads((tmp_path / "config.toml").read_text())
        assert kept == {"theme": "light", "glyphs": "ascii"}
        await pilot.press("k", "enter", "enter", "enter")
        await settle(pilot)
        assert app.theme == "modex-dark", "what suits the terminal"
    assert tomllib.loads((tmp_path / "config.toml").read_text()) == {"glyphs": "ascii"}


async def test_the_users_keys_replace_ours(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)), keys={"live.tests": "ctrl+t"})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert shows(app, LiveScreen)
        await pilot.press("ctrl+t")
        await settle(pilot)
        assert shows(app, SamplesScreen)
