"""Everything stored is searched as it is typed, and a hit opens where it stands."""

from __future__ import annotations

from textual.pilot import Pilot

from modex.core.features.review.query import reviews
from modex.tui.app import ModexApp
from modex.tui.features.review.screen import ReviewScreen
from modex.tui.features.search.screen import SearchScreen
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.widgets.lines import Lines
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.hostile import HOSTILE, is_harmless
from tests.tui.stores import StoreMaker, sample

SIZE = (80, 24)


def rows(screen: SearchScreen) -> list[str]:
    return [screen.listing.render_line(y + 1).text.rstrip() for y in range(screen.listing.count)]


async def searched(app: ModexApp, pilot: Pilot[int], typed: str) -> SearchScreen:
    await settle(pilot)
    await pilot.press("F")
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, SearchScreen)
    await pilot.press(*("space" if sign == " " else sign for sign in typed))
    await settle(pilot)
    return screen


async def test_words_are_found_as_they_are_typed_and_open_where_they_stand(
    store: StoreMaker, make_app: MakeApp
) -> None:
    long = "\n".join(f"line {number}" for number in range(80))
    store.run("r", samples=[sample("math", 1, 1, "passed", response=f"{long}\nthe tolerance is five\n{long}")])
    store.run("s", samples=[sample("sql", 1, 2, "failed", response="no such thing")])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await searched(app, pilot, "toler")
        (row,) = rows(screen)
        assert "math/1/math_1_1" in row
        assert "the tolerance is five" in row or "the toler" in row
        await pilot.press("enter", "enter")
        await settle(pilot)
        opened = app.screen
        assert isinstance(opened, TranscriptScreen)
        shown = "\n".join(opened.view.render_line(y).text for y in range(opened.view.size.height))
        assert "the tolerance is five" in shown
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert shows(app, SearchScreen)
        assert rows(screen) == [row]


async def test_a_filter_restricts_and_an_unknown_role_is_named(store: StoreMaker, make_app: MakeApp) -> None:
    store.run(
        "r", samples=[sample("math", 1, n, "failed" if n % 2 else "passed", response="tolerance") for n in range(6)]
    )
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await searched(app, pilot, "tolerance ")
        await pilot.press(*"status", "colon", *"failed")
        await settle(pilot)
        assert screen.listing.count == 3
        await pilot.press("space", *"role", "colon", *"nose")
        await settle(pilot)
        assert (
            "no role 'nose'" in " ".join(str(note.message) for note in app._notifications) or screen.listing.count == 0
        )


async def test_a_hit_is_reviewed_with_one_key(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=[sample("math", 1, n, "failed", response=f"tolerance {n}") for n in range(3)])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await searched(app, pilot, "tolerance")
        await pilot.press("enter", "j", "V")
        await settle(pilot)
        review = app.screen
        assert isinstance(review, ReviewScreen)
        selected = screen.about_sample
        assert review.about_sample == selected
        await pilot.press("a")
        await settle(pilot)
    assert [row.result_id for row in reviews(store.manager.reader)] == [selected]


async def test_hostile_text_is_harmless_in_a_hit(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=[sample("math", 1, 1, "failed", response=f"tolerance {HOSTILE}")])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await searched(app, pilot, "tolerance")
        assert all(is_harmless(row) for row in rows(screen))
        assert screen.listing.count == 1


async def test_an_empty_search_says_what_can_be_looked_for(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=[sample("math", 1, 1, "failed")])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await searched(app, pilot, "")
        told = screen.query_one("#told", Lines)
        assert "Words in prompts" in "".join(text for line in told.lines_for(80) for text, _ in line)
        await pilot.press(*"nowhere")
        await settle(pilot)
        assert "Nothing found." in "".join(text for line in told.lines_for(80) for text, _ in line)
