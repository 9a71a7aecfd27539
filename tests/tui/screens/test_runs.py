from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.pipeline.stat import stat
from modex.core.store.speeds import Figure, Pace
from modex.tui.features.review.screen import ReviewScreen
from modex.tui.reading.store import StoreView
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.widgets.edit import Edit
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import SKETCH, StoreMaker, cells
from tests.tui.suites import small_suite

SIZE = (80, 24)


def _three(store: StoreMaker) -> None:
    small = cells("math ●●○")
    store.run("alpha", "openai/gpt-5", small, started_at="2026-03-01T10:00:00.000Z", overall_score=0.9)
    store.run("beta", "qwen/qwen3", small, started_at="2026-03-02T10:00:00.000Z", overall_score=0.4)
    store.run("gamma", "openai/gpt-5-mini", small, started_at="2026-03-03T10:00:00.000Z", status="stopped")


def _names(screen: RunsScreen) -> list[str]:
    listing = screen.listing
    return [item.run.exp_id for index in range(listing.count) if (item := listing.item(index))]


async def test_runs_are_listed_newest_first(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert _names(app.screen) == ["gamma", "beta", "alpha"]


async def test_domains_stand_as_high_as_is_certain_where_samples_lack_a_verdict(
    store: StoreMaker, make_app: MakeApp
) -> None:
    drawn = cells("math ●!●!\nsql !!\ntools ●●")
    unread = [replace(one, error_type="judge_error" if one.error_type else None) for one in drawn]
    run_id = store.run("lossy", samples=unread)
    stat(store.manager, run_id)
    store.run("done", samples=cells("math ●●●"))
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, RunsScreen)

        def strip_of(name: str) -> str:
            line = next(text for y in range(5) if name in (text := screen.listing.render_line(y).text))
            return "".join(sign for sign in line if sign in screen.frame.glyphs.levels)

        assert strip_of("lossy") == "".join(map(screen.frame.glyphs.level, (0.5, 0.0, 1.0)))


SERVED = [{"name": "openai/gpt-5-mini", "file": "small-q4.gguf", "quantization": "Q4_K_M", "server": "llama-server"}]


@pytest.mark.parametrize(("width", "in_column"), [(80, False), (150, False), (180, True)])
async def test_what_was_served_is_a_column_where_there_is_room_else_in_the_line_below(
    store: StoreMaker, make_app: MakeApp, width: int, in_column: bool
) -> None:
    store.run("here", samples=cells("math ●●"), served=SERVED)
    store.run("there", samples=cells("math ●●"), started_at="2020-03-01T10:00:00.000Z")
    app = make_app()
    async with app.run_test(size=(width, 24)) as pilot:
        await settle(pilot)
        lines = seen(app).splitlines()
        assert ("served" in lines[1], "Q4_K_M, llama-server" in lines[2]) == (in_column, in_column)
        assert ("small-q4.gguf, Q4_K_M, llama-server" in lines[-2]) is not in_column
        await pilot.press("j")
        await settle(pilot)
        assert "gguf" not in seen(app).splitlines()[-2]


async def test_no_column_tells_what_was_served_where_nothing_was(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("there", samples=cells("math ●●"))
    app = make_app()
    async with app.run_test(size=(200, 24)) as pilot:
        await settle(pilot)
        assert "served" not in seen(app)


async def test_the_line_below_the_list_ends_with_a_whole_word(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("one", samples=cells("math ●●"), status="stopped", reason=" ".join(["carefully"] * 20))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        line = seen(app).splitlines()[-2].rstrip()
        assert line.endswith(" carefully…")
        assert len(line) <= 80


async def test_whose_the_errors_are_stands_under_the_list(store: StoreMaker, make_app: MakeApp) -> None:
    drawn = cells("math ●!●!")
    store.run("lossy", samples=[replace(one, error_type="judge_error" if one.error_type else None) for one in drawn])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "2 not scored: judge" in seen(app)


async def test_a_filter_narrows_while_it_is_typed_and_escape_clears_it(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        await pilot.press("slash", *"model:gpt")
        await settle(pilot)
        assert _names(app.screen) == ["gamma", "alpha"]
        await pilot.press(*" status:stopped", "enter")
        await settle(pilot)
        assert _names(app.screen) == ["gamma"]
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert len(_names(app.screen)) == 3


async def test_sorting_goes_through_the_columns(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("o")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert _names(app.screen) == ["alpha", "beta", "gamma"]
        assert app.screen.listing.sorted_by == "score"


async def test_an_order_is_reversed_and_back_by_a_key(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("o", "O")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert _names(app.screen)[0] != "alpha"
        await pilot.press("O")
        await settle(pilot)
        assert _names(app.screen) == ["alpha", "beta", "gamma"]


async def test_an_answer_to_the_question_before_a_filter_does_not_undo_the_filters_count(
    store: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        screen, gate, ask = app.screen, asyncio.Event(), StoreView.ask
        assert isinstance(screen, RunsScreen)

        async def held(self: StoreView, *arguments: Any, **named: Any) -> Any:
            found = await ask(self, *arguments, **named)
            await gate.wait()
            return found

        monkeypatch.setattr(StoreView, "ask", held)
        screen.refresh_now()
        await pilot.press("slash", *"beta")
        gate.set()
        await settle(pilot)
        assert _names(screen) == ["beta"]
        assert screen.listing.count == 1


async def test_speeds_stand_under_the_list_and_where_there_is_room_in_it(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    pace = Pace(Figure(9, 410.0, 800.0), Figure(9, 52.0, 31.0), Figure(9, 3200.0, 9900.0), estimated=1)
    store.manager.update_run(store.run_id("beta"), pace=pace.as_dict())
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "first token" not in seen(app)
        await pilot.press("j")
        await settle(pilot)
        assert "median first token 0.41 s (p95: 0.80), ~52 tokens/s (p95: ~31)" in seen(app)
        await pilot.resize_terminal(160, 24)
        await settle(pilot)
        row = next(line for line in seen(app).splitlines() if "beta" in line)
        assert ("0.41 s" in row, "~52" in row) == (True, True)
        await pilot.press("slash", *"speed>50", "enter")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert _names(app.screen) == ["beta"]


async def test_a_run_that_goes_on_has_its_speed_beside_what_is_left(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    samples = cells("math ●●○")
    for item in samples[:2]:
        item.ttft_ms, item.output_tokens_per_s = 410.0, 52.0
    store.run("alpha", samples=samples, status="running", live={"eta_s": 90})
    hold("alpha")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        detail = next(line for line in seen(app).splitlines() if "left" in line)
        assert "now first token 0.41 s, 52 tokens/s" in detail
        await pilot.resize_terminal(160, 24)
        await settle(pilot)
        row = next(line for line in seen(app).splitlines() if "alpha" in line)
        assert ("0.41 s" in row, " 52" in row) == (True, True)


async def test_a_new_run_appears_and_the_selection_stays_on_its_run(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        await pilot.press("j")
        store.run("delta", samples=cells("math ●"), started_at="2026-03-04T10:00:00.000Z")
        app.screen.refresh_now()
        await settle(pilot)
        assert _names(app.screen) == ["delta", "gamma", "beta", "alpha"]
        assert app.screen.selected is not None
        assert app.screen.selected.exp_id == "beta"


async def test_the_selection_follows_a_run_that_begins_to_move(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        await pilot.press("G")
        store.manager.update_run(store.run_id("alpha"), status="running")
        hold("alpha")
        app.screen.refresh_now()
        await settle(pilot)
        assert _names(app.screen) == ["alpha", "gamma", "beta"]
        assert app.screen.selected is not None
        assert app.screen.selected.exp_id == "alpha"


async def test_enter_opens_the_run_and_escape_comes_back(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert shows(app, LiveScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert shows(app, RunsScreen)


async def test_deleting_asks_first(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("D")
        assert isinstance(app.screen, AskScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert len(_names(app.screen)) == 3
        await pilot.press("D", "d")
        await settle(pilot)
        app.screen.refresh_now()
        await settle(pilot)
        assert _names(app.screen) == ["beta", "alpha"]


async def test_a_run_nobody_holds_is_interrupted_and_can_be_resumed(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    store.run("held", samples=cells(SKETCH), status="running")
    store.run("left", samples=cells(SKETCH), status="running")
    hold("held")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        states = {item.run.exp_id: item.run.state for i in range(2) if (item := app.screen.listing.item(i))}
        assert states == {"held": "running", "left": "interrupted"}
        assert app.screen.selected is not None
        assert app.screen.check_action("resume", ()) == (app.screen.selected.exp_id == "left")


async def test_q_on_the_first_screen_leaves(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("q")
    assert app.return_value == 0


async def test_a_database_that_cannot_be_read_is_said_and_not_a_crash(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    store.close()
    store.path.write_bytes(b"this is not a database" * 500)
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        assert [note.severity for note in app._notifications] == ["error"]


async def test_the_suite_that_is_shown_is_that_of_the_selected_run(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    root = small_suite(tmp_path / "its-own")
    store.run("r", config=RunConfig(model=ModelSpec(model="demo"), selection=Selection(suite=str(root))))
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert isinstance(app.screen, SuiteScreen)
        assert app.screen.path == str(root)


async def test_going_on_with_a_run_is_asked_first_with_what_it_will_do(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("left", samples=cells("math ●●○\nsql ●!·"), status="stopped")
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert isinstance(app.screen, AskScreen)
        text = "\n".join("".join(str(part[0]) for part in line) for line in app.screen.query_one(Lines).lines_for(60))
        assert "1 error to retry, 1 test to ask" in text
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)


async def test_judging_again_takes_every_marked_run_and_asks_for_a_judge(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("one", samples=cells("math ●●○"))
    store.run("two", samples=cells("math ●○○"))
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("space", "space", "J")
        await settle(pilot)
        asked = app.screen
        assert isinstance(asked, AskScreen)
        text = "\n".join("".join(str(part[0]) for part in line) for line in asked.query_one(Lines).lines_for(60))
        assert "2 marked runs" in text
        assert "6 stored answers" in text
        await pilot.press("m")
        await settle(pilot)
        assert app.screen.query_one(Edit).display
        await pilot.press(*"demo", "escape")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        assert len(app.screen.marks) == 2


async def test_archiving_puts_runs_away_and_takes_them_back(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        await pilot.press("space", "space", "A")
        await settle(pilot)
        assert _names(screen) == ["alpha"]
        await pilot.press("slash", *"archived:yes", "enter")
        await settle(pilot)
        assert _names(screen) == ["gamma", "beta"]
        await pilot.press("A")
        await settle(pilot)
        assert _names(screen) == ["beta"]
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert _names(screen) == ["gamma", "alpha"]
        store.manager.update_run(store.run_id("alpha"), archived=True)
        store.manager.update_run(store.run_id("gamma"), archived=True)
        screen.refresh_now()
        await settle(pilot)
        said = "\n".join(
            "".join(str(part[0]) for part in line) for line in screen.query_one("#empty", Lines).lines_for(80)
        )
        assert "Every run is archived" in said


async def test_a_run_is_renamed_and_a_name_that_is_taken_is_refused(store: StoreMaker, make_app: MakeApp) -> None:
    _three(store)
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        await pilot.press("space", "k", "R", "end", *"-2", "enter")
        await settle(pilot)
        assert _names(screen) == ["gamma-2", "beta", "alpha"]
        assert [run.exp_id for run in screen.marks.values()] == ["gamma-2"]
        await pilot.press("R", "ctrl+u", *"alpha", "enter")
        await settle(pilot)
        assert _names(screen) == ["gamma-2", "beta", "alpha"]
        await pilot.press("R", *"other", "escape")
        await settle(pilot)
        assert _names(screen) == ["gamma-2", "beta", "alpha"]


@pytest.mark.long
async def test_status_means_the_state_that_is_shown(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    for name in ("held", "left"):
        store.run(name, samples=cells(SKETCH), status="running")
    store.run("done", samples=cells(SKETCH))
    hold("held")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        for typed, names in (
            ("status:interrupted", ["left"]),
            ("status:running", ["held"]),
            ("status!=interrupted", ["held", "done"]),
            ("status:interrupted,completed", ["left", "done"]),
        ):
            await pilot.press("slash", "ctrl+u", *typed, "enter")
            await settle(pilot)
            assert _names(screen) == names


async def test_a_marked_run_shows_its_mark_also_where_the_selection_stands(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("one", samples=cells(SKETCH), status="completed")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        listing = app.screen.query_one("#runs", Listing)
        before = listing.render_line(1).text
        await pilot.press("space")
        await settle(pilot)
        assert listing.cursor == 0, "the marked run is the selected one"
        after = listing.render_line(1).text
        assert (before[:4], after[:4]) == ("▐✓  ", "▐✓◆ ")


async def test_the_selected_run_is_reviewed_from_the_list(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("one", samples=cells(SKETCH), status="completed")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("V")
        await settle(pilot)
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.about_run == store.run_id("one")
