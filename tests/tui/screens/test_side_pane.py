"""The transcript beside the list of tests, on wide terminals."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from modex.core.store.reader import SampleQuery
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, details_of
from modex.tui.app import ModexApp
from modex.tui.screens.help import HelpScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.tui import transcripts as t
from tests.tui.conftest import MakeApp, settle
from tests.tui.hostile import HOSTILE, is_harmless
from tests.tui.stores import StoreMaker, cells, sample

WIDE = (200, 60)
NARROW = (100, 30)


async def opened(
    app: ModexApp, store: StoreMaker, pilot: Pilot[int], samples: list[EvaluationSample] | None = None
) -> SamplesScreen:
    story = [t.mixture(), t.weather(), t.query(), *cells("health ●"), t.talk(), t.refused()]
    store.run("r", samples=story if samples is None else samples)
    screen = SamplesScreen(store.manager.reader.run("r"), SampleQuery())
    await app.push_screen(screen)
    await settle(pilot)
    return screen


def in_side_pane(screen: SamplesScreen) -> str | None:
    """The test whose transcript is shown beside the list."""
    return screen.pane.sample.test_id if screen.pane.sample else None


def stands(screen: SamplesScreen) -> bool:
    """Whether a transcript stands beside the list."""
    return screen.pane.is_on_screen


def rows(screen: SamplesScreen) -> str:
    view = screen.pane.view
    return "\n".join(view.render_line(y).text for y in range(view.size.height))


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Let the application work until `condition` holds."""
    async with asyncio.timeout(10):
        while not condition():
            await pilot.pause()


async def test_the_transcript_follows_the_cursor(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        assert in_side_pane(screen) == "mixture"
        assert "⟦12.5⟧" in rows(screen)
        await pilot.press("j", "j")
        await settle(pilot)
        assert in_side_pane(screen) == "big_orders"
        await pilot.press("G")
        await settle(pilot)
        assert in_side_pane(screen) == "limits"


async def test_a_narrow_terminal_shows_and_reads_the_list_alone(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(179, 40)) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.press("j", "tab")
        await settle(pilot)
        assert not screen.pane.display
        assert screen.pane.loaded is None
        assert screen.listing.has_focus


async def test_nothing_is_read_until_the_cursor_rests(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        rested = asyncio.Semaphore(0)
        screen.pane.rest = rested.acquire

        async def everything_asked_is_shown() -> None:
            await pilot.pause()
            await app.frame.store.ask(lambda _: None)
            await pilot.pause()

        await pilot.press("j")
        await everything_asked_is_shown()
        assert in_side_pane(screen) == "mixture"
        await pilot.press("j")
        rested.release()
        await everything_asked_is_shown()
        assert in_side_pane(screen) == "mixture", "it moved on while the first rest was waited for"
        rested.release()
        await settle(pilot)
        assert in_side_pane(screen) == "big_orders"


async def test_an_answer_for_a_test_that_was_left_is_not_shown(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        view = app.frame.store
        queue = view._lanes["browse"]._work_queue
        first, second, at_second = threading.Event(), threading.Event(), threading.Event()
        held = [asyncio.create_task(view.ask(lambda _: first.wait()))]
        try:
            await until(pilot, lambda: queue.qsize() == 0)
            await pilot.press("j")
            await until(pilot, lambda: queue.qsize() == 1)

            def hold_again(_: object) -> bool:
                at_second.set()
                return second.wait()

            held.append(asyncio.create_task(view.ask(hold_again)))
            await until(pilot, lambda: queue.qsize() == 2)
            await pilot.press("j")
            first.set()
            await until(pilot, at_second.is_set)
            await pilot.pause()
            assert in_side_pane(screen) == "mixture", "the second test was read, but the third is selected"
        finally:
            first.set()
            second.set()
        await asyncio.gather(*held)
        await settle(pilot)
        assert in_side_pane(screen) == "big_orders"


async def test_tab_gives_the_keys_to_the_transcript_and_back(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        bar = app.frame.glyphs.bar
        assert screen.listing.render_line(1).text.startswith(bar)
        assert bar not in rows(screen)
        await pilot.press("tab")
        assert screen.reads
        assert not screen.listing.render_line(1).text.startswith(bar)
        assert bar in rows(screen)
        assert "off by 2.5" in rows(screen)
        await pilot.press("enter")
        assert "off by 2.5" not in rows(screen)
        await pilot.press("tab")
        assert screen.listing.has_focus
        await pilot.press("tab", "escape")
        assert screen.listing.has_focus
        assert app.screen is screen


async def test_the_transcripts_keys_walk_through_the_list(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await opened(app, store, pilot)
        for key, expected in (("tab", "mixture"), ("n", "two_cities"), ("N", "big_orders"), ("N", "headache")):
            await pilot.press(key)
            await settle(pilot)
            assert (in_side_pane(screen), screen.reads) == (expected, True) if key != "tab" else screen.reads
        await pilot.press("p")
        await settle(pilot)
        assert in_side_pane(screen) == "health_1_1"
        assert screen.listing.cursor == 3
        await pilot.press("n", "n", "n")
        await settle(pilot)
        assert [notice.message for notice in app._notifications] == ["this is the last test of the list"]


async def test_a_search_in_the_transcript_leaves_the_list_as_it_is(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.press("tab", "slash", *"acid", "enter")
        await settle(pilot)
        assert len(screen.pane.view.matches)
        assert screen.listing.count == 6
        await pilot.press("escape")
        assert screen.reads
        assert not screen.pane.view.matches.words


async def test_it_scrolls_while_the_list_keeps_the_keys(store: StoreMaker, make_app: MakeApp) -> None:
    lines = "\n".join(f"line {number}" for number in range(500))
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot, [t.mixture(response=lines, details={}), t.weather()])
        before = screen.pane.view.scroll_offset.y
        await pilot.press("ctrl+e", "ctrl+e")
        await settle(pilot)
        rolled = screen.pane.view.scroll_offset.y
        assert rolled > before + 40
        assert (screen.listing.has_focus, screen.listing.cursor) == (True, 0)
        await pilot.press("ctrl+y", "ctrl+y")
        await settle(pilot)
        assert screen.pane.view.scroll_offset.y == before


async def test_resizing_over_the_limit_and_back_keeps_test_place_and_keys(store: StoreMaker, make_app: MakeApp) -> None:
    lines = "\n".join(f"line {number} " + "word " * (number % 40) for number in range(500))
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot, [t.weather(), t.mixture(response=lines, details={})])
        await pilot.press("j")
        await settle(pilot)
        await pilot.press("tab")
        view = screen.pane.view
        view.search("line 300 ")
        place = view._layout.place(view._cursor)
        await pilot.resize_terminal(*NARROW)
        await settle(pilot)
        assert not screen.pane.display
        assert (screen.listing.has_focus, screen.listing.cursor) == (True, 1)
        assert screen.listing.render_line(3).text.startswith(app.frame.glyphs.bar)
        await pilot.resize_terminal(190, 50)
        await settle(pilot)
        after = view._layout.place(view._cursor)
        assert (after.section, after.block, in_side_pane(screen)) == (place.section, place.block, "mixture")
        assert "line 300 " in rows(screen)
        assert view.has_focus


async def test_a_test_chosen_while_narrow_is_shown_when_there_is_room(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.resize_terminal(*NARROW)
        await pilot.press("j")
        await settle(pilot)
        assert in_side_pane(screen) == "mixture"
        await pilot.resize_terminal(*WIDE)
        await settle(pilot)
        assert in_side_pane(screen) == "two_cities"


async def test_a_test_that_still_runs_is_followed_to_its_verdict(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot, [sample("math", 3, 3, "running", test_id="mixture")])
        assert "being asked now" in rows(screen)
        store.finish(store.run_id("r"), "mixture", "passed", response="It is 15.")
        screen.refresh_now()
        await settle(pilot)
        assert "It is 15." in rows(screen)


async def test_enter_opens_the_selected_test_by_itself(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, store, pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        assert app.screen.sample is not None
        assert app.screen.sample.test_id == "two_cities"


async def test_with_no_test_left_there_is_no_transcript(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.press("slash", *"zzz")
        await settle(pilot)
        assert not stands(screen)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert stands(screen)
        assert screen.listing.has_focus


async def test_help_shows_the_transcripts_keys_where_it_stands(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot)
        assert list(screen.scopes) == ["samples", "lists", "side_pane", "transcript"]
        await pilot.press("tab")
        assert list(screen.scopes) == ["transcript", "side_pane", "samples", "lists"]
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.resize_terminal(*NARROW)
        assert list(screen.scopes) == ["samples", "lists"]


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_leaves_no_control_byte_on_the_screen(
    store: StoreMaker, make_app: MakeApp, text: str
) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        details = details_of([Compared(text, text, why=text)], {})
        await opened(app, store, pilot, [t.mixture(response=text, prompt=text, test_id=text, details=details)])
        assert all(is_harmless(strip.text) for strip in app.screen._compositor.render_strips())
