"""Answers are read one after the other, and what is said of them is one key each and stored at once."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from modex.core.features.review.query import ReviewRow, reviews
from modex.tui.app import ModexApp
from modex.tui.features.review.reading import Draw
from modex.tui.features.review.screen import ReviewScreen
from modex.tui.features.review.verdict_lines import VerdictLines
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.widgets.lines import Lines
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import StoreMaker, cells, sample

SIZE = (80, 24)


def texts(screen: ReviewScreen) -> str:
    view = screen.pane.view
    return "\n".join(view.render_line(y).text for y in range(view.size.height))


def bottom(screen: ReviewScreen) -> str:
    said = screen.query_one(VerdictLines)
    return "\n".join(said.render_line(y).text for y in range(said.size.height))


async def opened(app: ModexApp, pilot: Pilot[int], draw: Draw | None = None, **options: object) -> ReviewScreen:
    screen = ReviewScreen("r", draw or Draw(), author="ann", **options)  # type: ignore[arg-type]
    await app.push_screen(screen)
    await settle(pilot)
    return screen


def stored(store: StoreMaker) -> list[ReviewRow]:
    return reviews(store.manager.reader)


async def press(pilot: Pilot[int], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def test_one_key_agrees_one_labels_and_the_place_is_found_again(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math ●○○ ○●\nsql ○○●"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, Draw("failures"))
        first = screen.about_sample
        await press(pilot, "l", *"wrong", "space", *"unit", "enter")
        await press(pilot, "d", "n")
        await press(pilot, "1", "A")
        third = screen.about_sample
        await press(pilot, "escape")
        again = await opened(app, pilot, Draw("failures"))
        assert again.about_sample == third
    rows = stored(store)
    assert [(row.verdict, row.own_verdict, row.label) for row in rows] == [
        ("disagree", "passed", "wrong unit"),
        ("agree", "failed", "wrong unit"),
    ]
    assert rows[0].result_id == first


async def test_an_answer_is_read_in_three_keys(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=[sample("math", 1, number, "failed") for number in range(10)])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await press(pilot, "l", "a", "enter", "a", "n")
        keys = 5
        for _ in range(9):
            await press(pilot, "1", "a", "n")
            keys += 3
    assert keys == 3 * 10 + 2
    assert len(stored(store)) == 10
    assert {(row.verdict, row.label) for row in stored(store)} == {("agree", "a")}


async def test_what_was_said_last_is_taken_back_from_anywhere(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math ●○○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        first = screen.about_sample
        await press(pilot, "a", "c", "s", "o", "enter")
        assert [row.note for row in stored(store)] == ["so"]
        await press(pilot, "n", "u")
        assert screen.about_sample == first
        assert [row.note for row in stored(store)] == [None]
        await press(pilot, "u")
        assert stored(store) == []


async def test_what_was_said_last_is_taken_back_while_the_next_answer_is_read(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells("math ●○○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        first = screen.about_sample
        await press(pilot, "a")
        screen._go(1)  # and no turn of the loop: the answer is still being read
        assert screen.check_action("agree", ()) is False
        assert screen.check_action("undo", ())
        screen.action_undo()
        await settle(pilot)
        assert screen.about_sample == first
        assert stored(store) == []


async def test_a_blind_reader_sees_the_verdict_when_they_have_given_theirs(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=[sample("math", 1, 1, "failed", reason="off by a factor of ten")])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, blind=True)
        assert "factor of ten" not in texts(screen)
        assert "That makes 1." in texts(screen)
        await press(pilot, "a")
        assert stored(store) == []
        await press(pilot, "plus")
        assert "factor of ten" in texts(screen)
        assert "right, disagrees" in bottom(screen)
    assert [(row.verdict, row.own_verdict) for row in stored(store)] == [("disagree", "passed")]


async def test_a_changed_answer_is_said_and_comes_again(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math ○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        await press(pilot, "a")
        assert "wrong, agrees" in bottom(screen)
        await press(pilot, "escape")
        store.finish(store.run_id("r"), "math_1_1", "failed", response="Something else.")
        screen = await opened(app, pilot)
        assert "has changed since" in bottom(screen)
        await press(pilot, "a")
        assert "wrong, agrees" in bottom(screen)
    assert len(stored(store)) == 1


@pytest.mark.parametrize("leaves", ["escape", "enter"])
async def test_a_note_that_is_left_stays_as_it_was(store: StoreMaker, make_app: MakeApp, leaves: str) -> None:
    store.run("r", samples=cells("math ○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await press(pilot, "c", *"yes", "enter")
        await press(pilot, "c", "s", leaves)
    assert [row.note for row in stored(store)] == ["yes" if leaves == "escape" else "s"]


async def test_an_error_without_an_answer_is_not_drawn(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math !·"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        assert screen.about_sample is None
        assert "No answer here" in "\n".join(
            text for line in screen.query_one("#empty", Lines).lines_for(80) for text, _ in line
        )
        await press(pilot, "a")
    assert stored(store) == []


async def test_the_key_on_a_transcript_reviews_what_it_shows(store: StoreMaker, make_app: MakeApp) -> None:
    run = store.run("r", samples=cells("math ●○○ ○●"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(TranscriptScreen(store.path, run, store.manager.reader.head_ids(run), 3))
        await settle(pilot)
        await press(pilot, "V")
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.about_sample == store.manager.reader.head_ids(run)[3]
        await press(pilot, "escape", "escape")
        assert shows(app, RunsScreen)


@pytest.mark.parametrize(("key", "box"), [("l", "label"), ("c", "note")])
async def test_what_is_typed_of_an_answer_is_seen_between_the_labels_and_the_keys(
    store: StoreMaker, make_app: MakeApp, key: str, box: str
) -> None:
    store.run("r", samples=cells("math ●○○ ○●"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await press(pilot, "l", *"unit", "enter")
        await press(pilot, key, *"off", "plus", "minus")
        rows = seen(app).splitlines()
        assert rows[-2].strip() == f"{box} off+-"
        assert "1 unit 1" in rows[-3]
        assert "right" not in rows[-1]
        assert "wrong" not in rows[-1]
        await press(pilot, "escape")
        assert "1 unit 1" in seen(app).splitlines()[-2]
