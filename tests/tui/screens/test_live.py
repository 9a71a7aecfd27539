from __future__ import annotations

import json
from collections.abc import Callable

from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.stores import SKETCH, StoreMaker, cells
from tui.app import ModexApp, Watch
from tui.screens.ask import AskScreen
from tui.screens.base import READ_ONLY
from tui.screens.live import LiveScreen
from tui.screens.samples import SamplesScreen
from tui.widgets.keyline import KeyLine
from tui.widgets.log import LogPane
from tui.widgets.pulse import elapsed

SIZE = (80, 24)
Hold = Callable[[str], None]


def _screen(app: ModexApp) -> LiveScreen:
    assert isinstance(app.screen, LiveScreen)
    return app.screen


def _wishes(store: StoreMaker) -> list[tuple[str, object]]:
    rows = store.manager.database.rows("SELECT command, argument FROM run_commands ORDER BY id")
    return [(command, json.loads(argument) if argument else None) for command, argument in rows]


def _running(store: StoreMaker, hold: Hold, exp_id: str = "r") -> int:
    run_id = store.run(exp_id, samples=cells(SKETCH), status="running")
    store.pulse(run_id)
    hold(exp_id)
    return run_id


async def test_what_finishes_is_seen_in_matrix_and_log(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        store.finish(run_id, "math_4_1", "passed", completed_at="2026-03-05T14:29:58.000Z")
        _screen(app).look_now()
        await settle(pilot)
        while _screen(app).panel.matrix.rows[1].marks[3] != "P...":
            # The matrix is not counted again at once where the first count took long.
            _screen(app).look_now()
            await settle(pilot)
        last = _screen(app).query_one(LogPane)._shown[-1]
        assert last.head is not None
        assert last.head.test_id == "math_4_1"


async def test_pause_resume_and_concurrency_reach_the_runner(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    run_id = _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p", "plus", "minus")
        await settle(pilot)
        assert _wishes(store) == [("pause", None), ("concurrency", 18), ("concurrency", 14)]
        store.manager.update_run(run_id, status="paused")
        _screen(app).look_now()
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert _wishes(store)[-1] == ("resume", None)


async def test_stopping_asks_first(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    _running(store, hold)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s")
        assert isinstance(app.screen, AskScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert _wishes(store) == []
        await pilot.press("s", "s")
        await settle(pilot)
        assert _wishes(store) == [("stop", None)]


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
        [(command, ids)] = _wishes(store)
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
    assert _wishes(store) == []


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
        _screen(app).look_now()
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
        assert [note.message for note in app._notifications] == [READ_ONLY]
        await pilot.press("enter", "K")
        await settle(pilot)
        assert shows(app, SamplesScreen)
        await pilot.press("escape", "escape", "n", "r", "D")
        await settle(pilot)
        assert len(app.screen_stack) == 1
    assert _wishes(store) == []


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
        _screen(app).look_now()
        await settle(pilot)
        moment += 60
        assert shown() == 134.0
        store.manager.update_run(run_id, status="running")
        _screen(app).look_now()
        await settle(pilot)
        assert shown() == 134.0
        moment += 5
        assert shown() == 139.0
