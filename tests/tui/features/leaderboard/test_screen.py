"""The leaderboard: models by suite, scores over time, spreads, and from there to a comparison."""

from __future__ import annotations

from textual.pilot import Pilot

from modex.tui.app import ModexApp
from modex.tui.features.compare.several_screen import CompareSeveralScreen
from modex.tui.features.leaderboard.screen import LeaderboardScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.widgets.lines import Lines
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import StoreMaker, cells

SIZE = (80, 24)
RUNS = (
    ("a1", "openai/a", "math ●○○○", 0.25),
    ("a2", "openai/a", "math ●●●○", 0.75),
    ("b1", "openai/b", "math ●●○○", 0.5),
    ("c1", "openai/c", "math ●●●●", 1.0),
    ("a2~again", "openai/a", "math ○○○○", 0.1),
)


def fill(store: StoreMaker) -> None:
    for exp_id, model, drawn, score in RUNS:
        store.run(exp_id, model, cells(drawn), status="completed", overall_score=score)


async def opened(app: ModexApp, pilot: Pilot[int], *keys: str) -> LeaderboardScreen:
    await settle(pilot)
    for key in ("b", *keys):
        await pilot.press(key)
        await settle(pilot)
    assert isinstance(app.screen, LeaderboardScreen)
    return app.screen


def names(screen: LeaderboardScreen) -> list[str]:
    """The runs that are listed."""
    return [run.exp_id for y in range(screen.listing.count) if (run := screen.listing.item(y)) is not None]


def lines(screen: LeaderboardScreen) -> list[str]:
    """The board as painted, then the words on the selected model."""
    board = [screen.listing.render_line(y).text for y in range(screen.listing.count + 1)]
    told = screen.query_one("#detail", Lines).lines_for(80)
    return board + ["".join(text for text, _ in line) for line in told]


async def test_each_model_stands_with_its_newest_run_and_its_scores_over_time(
    store: StoreMaker, make_app: MakeApp
) -> None:
    fill(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "j")
        text = "\n".join(lines(screen))
        assert [run.exp_id for run in screen.board.runs] == ["c1", "a2", "b1"] if screen.board else False
        assert "▂▆" in text
        assert "+50.0 since" in text
        assert "median, nine in ten within" in text


async def test_scores_over_unlike_numbers_of_tests_are_not_subtracted(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("part", "openai/a", cells("math ●●"), status="completed", overall_score=1.0)
    store.run("whole", "openai/a", cells("math ●●○○"), status="completed", overall_score=0.5)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        text = "\n".join(lines(await opened(app, pilot)))
    assert "50.0 (100.0 over 2 tests, " in text
    assert "since" not in text


async def test_a_run_that_only_asked_again_is_on_no_board(store: StoreMaker, make_app: MakeApp) -> None:
    fill(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        assert "again" not in "\n".join(lines(screen))
        assert len(screen.boards) == 1


async def test_enter_opens_the_run_and_c_compares_all(store: StoreMaker, make_app: MakeApp) -> None:
    fill(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "c", "escape")
        await pilot.press("c")
        await settle(pilot)
        assert shows(app, CompareSeveralScreen)
        await pilot.press("escape", "enter")
        await settle(pilot)
        assert isinstance(app.screen, LiveScreen)
        assert app.screen.panel.exp_id == "c1"


async def test_marks_choose_what_is_compared_and_o_orders(store: StoreMaker, make_app: MakeApp) -> None:
    fill(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "space", "space")
        assert len(screen.marks) == 2
        await pilot.press("o", "o", "o")
        await settle(pilot)
        assert screen.listing.sorted_by == "model"
        first = screen.listing.item(0)
        assert first is not None
        assert first.model == "openai/a"


async def test_a_filter_chooses_the_runs_that_count_in_the_words_of_the_command(
    store: StoreMaker, make_app: MakeApp
) -> None:
    fill(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "slash", *"score<60", "enter")
        assert names(screen) == ["b1", "a1"]
        await pilot.press("slash", *"score<60 model:/a", "enter")
        await settle(pilot)
        assert names(screen) == ["a1"]
        await pilot.press("slash", *"sore<1")
        await settle(pilot)
        assert any("did you mean score?" in str(note.message) for note in app._notifications)
        await pilot.press("escape")
        await settle(pilot)
        assert len(names(screen)) == 3
        await pilot.press("slash", *"zz")
        await settle(pilot)
        assert "No completed run matches the filter." in seen(app)


async def test_an_empty_store_says_what_to_press(make_app: MakeApp, store: StoreMaker) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        assert any(
            "No completed run" in text for line in screen.query_one("#empty", Lines).lines_for(80) for text, _ in line
        )
