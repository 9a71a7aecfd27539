from __future__ import annotations

import gc
import json
from collections.abc import Callable

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.tui.app import ModexApp, Watch
from modex.tui.reading.run import RunFeed
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.base import READ_ONLY
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.widgets.keyline import KeyLine
from modex.tui.widgets.log import LogPane
from modex.tui.widgets.matrix_layout import shows_as_much
from modex.tui.widgets.pulse import elapsed, pulse_parts, state_parts
from modex.tui.widgets.story import StoryPane
from modex.tui.widgets.workers import WorkersPane
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import LIVE, SKETCH, StoreMaker, cells, sample

SIZE = (80, 24)
Hold = Callable[[str], None]


def _screen(app: ModexApp) -> LiveScreen:
    assert isinstance(app.screen, LiveScreen)
    return app.screen


def _commands(store: StoreMaker) -> list[tuple[str, object]]:
    rows = store.manager.database.rows("SELECT command, argument FROM run_commands ORDER BY id")
    return [(command, json.loads(argument) if argument else None) for command, argument in rows]


def _running(store: StoreMaker, hold: Hold, exp_id: str = "r") -> int:
    run_id = store.run(exp_id, samples=cells(SKETCH), status="running")
    store.pulse(run_id)
    hold(exp_id)
    return run_id


@pytest.mark.parametrize(("width", "told"), [(60, False), (140, True)])
async def test_the_top_line_says_how_the_model_was_served_where_there_is_room(
    store: StoreMaker, make_app: MakeApp, width: int, told: bool
) -> None:
    served = [
        {"name": "openai/gpt-5-mini", "file": "small-q4.gguf", "quantization": "Q4_K_M", "server": "llama-server"}
    ]
    store.run("r", samples=cells(SKETCH), served=served)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(width, 24)) as pilot:
        await settle(pilot)
        top = seen(app).splitlines()[0]
        assert ("small-q4.gguf, Q4_K_M, llama-server" in top, "completed" in top) == (told, True)


async def test_what_finishes_is_seen_in_matrix_and_log(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        store.finish(run_id, "math_4_1", "passed", completed_at="2026-03-05T14:29:58.000Z")
        _screen(app).refresh_now()
        await settle(pilot)
        while _screen(app).panel.matrix.rows[1].marks[3] != "P...":
            # The matrix is not counted again at once where the first count took long.
            _screen(app).refresh_now()
            await settle(pilot)
        last = _screen(app).query_one(LogPane)._shown[-1]
        assert last.head is not None
        assert last.head.test_id == "math_4_1"


@pytest.mark.long
async def test_a_screen_that_stays_open_keeps_the_last_look_alone(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for beat in range(12):
            store.pulse(run_id, in_flight=beat)
            _screen(app).refresh_now()
            await settle(pilot)
        assert _screen(app).panel.run is not None
        gc.collect()
        rows = [found for found in gc.get_objects() if isinstance(found, RunRow) and found.exp_id == "r"]
        assert len(rows) <= 3


async def test_the_log_of_a_run_behind_another_is_there_when_it_gets_the_keys(
    store: StoreMaker, make_app: MakeApp, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.tui.screens.live.MOST_LINES", 2)
    _running(store, hold, "one")
    run_id = _running(store, hold, "two")
    app = make_app(Watch(("one", "two")))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for number in (1, 2, 3):
            store.finish(run_id, f"math_4_{number}", "passed")
            _screen(app).refresh_now()
            await settle(pilot)
        await pilot.press("tab")
        await settle(pilot)
        shown = _screen(app).query_one(LogPane)._shown
        assert [line.head.test_id for line in shown if line.head] == ["math_4_2", "math_4_3"]


@pytest.mark.parametrize("place", ["list", "screen"])
async def test_a_run_that_ended_is_worked_on_only_after_a_question(
    store: StoreMaker, make_app: MakeApp, place: str
) -> None:
    store.run("left", samples=cells(SKETCH), status="stopped")
    app = make_app(*([Watch(("left",))] if place == "screen" else []))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert isinstance(app.screen, AskScreen)
        assert "Go on with left?" in seen(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "Go on with left?" not in seen(app)
    run = store.manager.reader.run("left")
    assert run.state == "stopped", "nobody was sent to work on it"


async def test_pause_resume_and_concurrency_reach_the_runner(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p", "plus", "minus")
        await settle(pilot)
        assert _commands(store) == [("pause", None), ("concurrency", 18), ("concurrency", 14)]
        store.manager.update_run(run_id, status="paused")
        _screen(app).refresh_now()
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert _commands(store)[-1] == ("resume", None)


async def test_stopping_asks_first(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s")
        assert isinstance(app.screen, AskScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert _commands(store) == []
        await pilot.press("s", "s")
        await settle(pilot)
        assert _commands(store) == [("stop", None)]


async def test_a_run_goes_on_before_the_eyes_while_a_question_lies_over_it_and_not_behind_another_screen(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)), refresh_hz=8)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        live = _screen(app)
        await pilot.press("s")
        assert isinstance(app.screen, AskScreen)
        store.pulse(run_id, in_flight=3)
        while live.panel.run is None or live.panel.run.live["in_flight"] != 3:
            await pilot.pause(0.01)
        assert live.in_sight
        await pilot.press("escape", "question_mark")
        await settle(pilot)
        assert not live.in_sight


async def test_workers_of_a_cluster_stand_with_their_machine(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
        pane = _screen(app).query_one("#workers", WorkersPane)

        def lines() -> str:
            return "\n".join("".join(text for text, _ in line) for line in pane.lines_for(78))

        while "conversation_3_3" not in lines():
            _screen(app).refresh_now()
            await settle(pilot)
        assert "node7" not in lines()
        store.pulse(run_id, workers=[{**LIVE["workers"][0], "host": "node7"}, LIVE["workers"][1]])
        while "node7" not in lines():
            _screen(app).refresh_now()
            await settle(pilot)
        assert [line.split()[-1] for line in lines().splitlines()[:2]] == ["on", "node7"]


async def test_commands_in_a_workspace_stand_in_the_log_once_each_and_have_room(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    run_id = _running(store, hold)
    feed, reader = RunFeed("r"), Reader(store.path)
    long = f"shell: python3 -m pytest {'x' * 60}"
    at_work = [{**LIVE["workers"][0], "phase": long}, {**LIVE["workers"][1], "phase": "read_file: a.py"}]
    named = "{domain}/{level}/{test_id}".format(**at_work[0])

    def told() -> list[str]:
        found = feed.read(reader, force=True)
        assert found is not None
        return [line.message for line in found.updates if line.kind == "info" and "shell: " in line.message]

    assert told() == []
    store.pulse(run_id, workers=at_work)
    assert told() == [f"{named}: {long}"]
    assert told() == []
    store.pulse(run_id, workers=[{**LIVE["workers"][0], "phase": "waiting"}])
    assert told() == []
    store.pulse(run_id, workers=[{**at_work[0], "sample_id": n, "phase": f"shell: {n}"} for n in range(1, 9)])
    assert told() == [f"{named}: shell: {n}" for n in range(1, 5)]
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("w")
        pane = _screen(app).query_one("#workers", WorkersPane)

        def lines() -> str:
            return "\n".join("".join(text for text, _ in line) for line in pane.lines_for(78))

        store.pulse(run_id, workers=at_work)
        while long[:30] not in lines():
            _screen(app).refresh_now()
            await settle(pilot)
    reader.close()


async def test_skipping_names_what_waits_in_the_cell(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("j", "l", "l", "l", "K")
        await settle(pilot)
        assert isinstance(app.screen, AskScreen)
        await pilot.press("k")
        await settle(pilot)
        [(command, ids)] = _commands(store)
        assert command == "skip"
        assert isinstance(ids, list)
        rows = store.manager.database.rows(
            f"SELECT test_id FROM individual_test_results WHERE id IN ({', '.join(map(str, ids))})"
        )
        assert [row[0] for row in rows] == ["math_4_2", "math_4_3", "math_4_4"]


async def test_ctrl_c_asks_and_leaving_lets_the_run_go_on(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+c")
        assert isinstance(app.screen, AskScreen)
        await pilot.press("l")
        await pilot.pause()
    assert app.return_value == 0
    assert _commands(store) == []


async def test_a_cell_a_domain_and_a_level_open_their_tests(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for keys, count in ((["j", "l"], 4), (["h", "h"], 20), (["G"], 36)):
            await pilot.press(*keys, "enter")
            await settle(pilot)
            assert isinstance(app.screen, SamplesScreen)
            assert app.screen.listing.count == count
            await pilot.press("escape")
            await settle(pilot)


async def test_the_log_can_be_filtered(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"status:failed domain:math", "enter")
        await settle(pilot)
        log = _screen(app).query_one(LogPane)
        assert [line.head.test_id for line in log._shown if line.head] == ["math_3_3"]


async def test_several_runs_stand_side_by_side_or_behind_tabs(store: StoreMaker, make_app: MakeApp) -> None:
    for exp_id in ("a", "b"):
        store.run(exp_id, samples=cells(SKETCH))
    app = make_app(Watch(("a", "b")))
    async with app.run_test(size=(130, 36)) as pilot:
        await settle(pilot)
        assert [panel.display for panel in _screen(app).panels] == [True, True]
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert [panel.display for panel in _screen(app).panels] == [True, False]
        keys = "".join(text for text, _ in _screen(app).query_one(KeyLine)._painted[0])
        assert "tab next run" in keys
        await pilot.press("tab")
        await settle(pilot)
        assert [panel.display for panel in _screen(app).panels] == [False, True]


async def test_resizing_keeps_the_selected_cell(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "l", "l")
        for size in ((40, 12), (1, 1), (200, 60), (20, 4), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert _screen(app).panel.view.selection == ("reasoning", 3)


async def test_a_run_deleted_by_another_hand_is_said(store: StoreMaker, make_app: MakeApp) -> None:
    run_id = store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        store.manager.delete_run(run_id)
        _screen(app).refresh_now()
        await settle(pilot)
        assert "deleted" in _screen(app).panel.gone
        await pilot.press("escape")
        await settle(pilot)
        assert len(app.screen_stack) == 1


async def test_a_store_that_cannot_be_written_can_be_watched_and_offers_no_command(
    store: StoreMaker, make_app: MakeApp, hold: Hold, read_only: None
) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("p", "s", "plus", "K")
        await settle(pilot)
        assert shows(app, LiveScreen)
        assert [note.message for note in app._notifications] == [f"{READ_ONLY} (4 times)"]
        await pilot.press("enter", "K")
        await settle(pilot)
        assert shows(app, SamplesScreen)
        await pilot.press("escape", "escape", "n", "r", "D")
        await settle(pilot)
        assert len(app.screen_stack) == 1
    assert _commands(store) == []


async def test_the_clock_stands_in_a_pause_and_goes_on_from_there(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    run_id = _running(store, hold)
    moment = 1000.0
    app = make_app(Watch(("r",)))
    app.frame.clock = lambda: moment

    def shown() -> float:
        panel = _screen(app).panel
        assert panel.run is not None
        return elapsed(panel.run, panel.since_pulse)

    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert shown() == 134.0
        store.manager.update_run(run_id, status="paused")
        moment += 60
        _screen(app).refresh_now()
        await settle(pilot)
        moment += 60
        assert shown() == 134.0
        store.manager.update_run(run_id, status="running")
        _screen(app).refresh_now()
        await settle(pilot)
        assert shown() == 134.0
        moment += 5
        assert shown() == 139.0


@pytest.mark.long
@pytest.mark.parametrize("height", [20, 24, 40])
async def test_a_wider_window_shows_no_less_of_the_matrix(store: StoreMaker, make_app: MakeApp, height: int) -> None:
    twelve = "\n".join(f"domain_{number} " + " ".join(["●●○●●●○●●○●●"] * 5) for number in range(9))
    store.run("r", samples=cells(twelve))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(60, height)) as pilot:
        await settle(pilot)
        view, before = _screen(app).panel.view, _screen(app).panel.view.placed
        for width in (80, 100, 120, 160, 200):
            await pilot.resize_terminal(width, height)
            await settle(pilot)
            assert shows_as_much(view.placed, before), width
            assert view.size.height == view.lines, width
            before = view.placed
        assert before.marks == 12


async def test_a_cell_has_the_background_of_its_score_and_its_sign_for_each_test(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells("math ●●●● ○○○○ !!!!"))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        view = _screen(app).panel.view
        view.select(1, 0)
        grounds = []
        for column in range(3):
            painted = view.paint_line(column, 1, view.placed.cell)
            grounds.append({segment.style.bgcolor for segment in painted if segment.style and segment.text.strip()})
        palette = app.frame.palette
        for score, found in zip((1.0, 0.0, None), grounds, strict=True):
            assert found == {palette.heated(score).style("text").bgcolor}


async def test_a_finished_run_tells_its_story_and_the_log_is_a_key_away(store: StoreMaker, make_app: MakeApp) -> None:
    calls = [sample("tools", 2, n, "failed", reason="get_weather was not called") for n in range(1, 13)]
    store.run("before", samples=[*cells("math ●●●●")])
    store.run("r", samples=[*cells("math ●●●○"), *calls])
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        pane = _screen(app).query_one(StoryPane)
        told = "\n".join(pane.render_line(y).text for y in range(pane.size.height))
        assert "12 × get_weather was not called" in told
        assert "0 tools/2" in told
        assert "1 lost, 0 gained  before" in told
        await pilot.press("L")
        assert not pane.display
        assert _screen(app).query_one(LogPane).size.height > 10


async def test_on_a_wide_and_high_terminal_the_story_stands_beneath_the_matrix(
    store: StoreMaker, make_app: MakeApp
) -> None:
    calls = [sample("tools", 2, n, "failed", reason="get_weather was not called") for n in range(1, 13)]
    store.run("r", samples=[*cells("math ●●●○"), *calls])
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        screen = _screen(app)
        shown = [pane for pane in screen.query(StoryPane) if pane.region.area]
        assert len(shown) == 1
        assert shown[0].region.y > screen.panel.view.region.bottom
        assert shown[0].region.right <= screen.query_one(LogPane).region.x


async def test_a_small_terminal_too_says_why_tests_failed(store: StoreMaker, make_app: MakeApp) -> None:
    drawn = cells("\n".join(f"domain_{number} ●●○ ●○ ● ○ ○" for number in range(11)))
    store.run("r", samples=[*drawn, sample("domain_0", 2, 9, "failed", reason="get_weather was not called")])
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        screen = _screen(app)
        (pane,) = [pane for pane in screen.query(StoryPane) if pane.region.area]
        assert "1 × get_weather was not called" in pane.render_line(0).text
        assert screen.panel.view.region.height == screen.panel.view.lines
        await pilot.press("L")
        await settle(pilot)
        assert screen.query_one(LogPane).region.height > 15


async def test_a_finished_run_opens_the_failed_answers_that_contain_the_gold(
    store: StoreMaker, make_app: MakeApp
) -> None:
    run_id = store.run("r", samples=[sample("math", 1, number, "failed") for number in (1, 2, 3)])
    store.finish(run_id, "math_1_2", "failed", verdict_flags='["gold_in_answer"]')
    store.manager.update_run(run_id, metrics={"suite": {"gold_in_answer": 1}})
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "1 failed answer contains the gold  o lists them" in seen(app)
        await pilot.press("o")
        await settle(pilot)
        assert isinstance(app.screen, SamplesScreen)
        assert "flag:gold_in_answer" in seen(app)
        assert "math_1_2" in seen(app)
        assert "math_1_1" not in seen(app)


async def test_a_run_that_works_has_no_story(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert not _screen(app).query_one(StoryPane).display


def test_all_who_judge_are_said_where_nothing_is_in_flight(store: StoreMaker, hold: Hold) -> None:
    run = _running(store, hold)
    for in_flight, said in ((0, " 16/16 judging"), (3, " 3/16 in flight")):
        store.pulse(run, in_flight=in_flight, judging=16, eta_s=0.0)
        row = store.manager.reader.run_by_id(run)
        assert "".join(text for text, _ in pulse_parts(row, 80)).startswith(said)
        assert "".join(text for text, _ in state_parts(row, 0.0)).endswith("eta     –")


async def test_a_finished_run_of_several_epochs_says_how_often_one_and_all_tries_pass(
    store: StoreMaker, make_app: MakeApp
) -> None:
    config = RunConfig(model=ModelSpec(model="openai/gpt-5"), epochs=2)
    tries = [sample("math", 1, number, "passed", epoch=epoch) for number in (1, 2) for epoch in (1, 2)]
    tries[0].status, tries[0].score = "failed", 0.0
    store.run("r", samples=tries, config=config)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert all(rate in seen(app) for rate in ("pass@1 75.0 %", "pass@2 100.0 %", "pass^2 50.0 %"))
        assert "1/2 math/1/math_1_1" in seen(app)
