"""The ways that people go through the screens, from end to end, key by key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from modex.core.store.reader import Reader
from modex.tui.app import ModexApp, Watch
from modex.tui.features.compare.pair_screen import ComparePairScreen
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.stores import SKETCH, StoreMaker, cells
from tests.tui.suites import small_suite

SIZE = (80, 24)
Hold = Callable[[str], None]


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys as a person does: each after the screen answered the one before."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def on_top(app: ModexApp, kind: type[Screen[Any]]) -> Any:
    """The screen on top, which is of this kind."""
    assert isinstance(app.screen, kind), app.screen
    return app.screen


def shown_test(app: ModexApp) -> str:
    """The test whose transcript is shown."""
    screen = on_top(app, TranscriptScreen)
    assert screen.sample is not None
    return str(screen.sample.test_id)


async def test_watch_cell_transcript_next_failure_and_back_to_the_same_cell(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    run_id = store.run("r", samples=cells(SKETCH), status="running")
    store.pulse(run_id)
    hold("r")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "j", "j", "l")
        assert on_top(app, LiveScreen).panel.view.selection == ("reasoning", 2)
        await press(pilot, "enter")
        assert on_top(app, SamplesScreen).listing.count == 4
        await press(pilot, "enter")
        assert shown_test(app) == "reasoning_2_1"
        await press(pilot, "N")
        assert shown_test(app) == "reasoning_2_3"
        await press(pilot, "escape", "escape")
        assert on_top(app, LiveScreen).panel.view.selection == ("reasoning", 2)


async def test_f_goes_through_every_failure_of_a_run(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    failures = [f"{line.split()[0]}_{level}_{number}" for line in SKETCH.strip().splitlines()
                for level, signs in enumerate(line.split()[1:], 1)
                for number, sign in enumerate(signs, 1) if sign in "○!"]  # fmt: skip
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f")
        seen = [shown_test(app)]
        for _ in failures[1:]:
            await press(pilot, "N")
            seen.append(shown_test(app))
        assert seen == failures
        await press(pilot, "escape")
        assert shows(app, LiveScreen)


async def test_a_filtered_list_of_runs_opens_the_run_that_is_left_and_keeps_the_filter(
    store: StoreMaker, make_app: MakeApp
) -> None:
    for exp_id, model in (("alpha", "openai/gpt-5"), ("beta", "qwen/qwen3"), ("gamma", "openai/gpt-5-mini")):
        store.run(exp_id, model, cells("math ●●○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"model:qwen", "enter", "enter")
        assert on_top(app, LiveScreen).panel.exp_id == "beta"
        await press(pilot, "q")
        assert on_top(app, RunsScreen).listing.count == 1


async def test_two_marked_runs_are_compared_down_to_both_transcripts_and_back(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("one", "openai/gpt-5", cells("math ●●○\nsql ●○○"))
    store.run("two", "openai/gpt-5-mini", cells("math ●○○\nsql ●●○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "space", "space", "c")
        assert on_top(app, CompareScreen).flips.count == 2
        await press(pilot, "enter")
        assert shows(app, ComparePairScreen)
        await press(pilot, "escape", "escape")
        assert shows(app, RunsScreen)


@pytest.mark.long
async def test_a_run_that_goes_on_is_on_top_and_attached_to_from_the_list(
    store: StoreMaker, make_app: MakeApp, hold: Hold
) -> None:
    store.run("newer", samples=cells("math ●●○"), started_at="2026-03-06T10:00:00.000Z")
    run_id = store.run("going", samples=cells(SKETCH), status="running")
    store.pulse(run_id)
    hold("going")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        screen = on_top(app, LiveScreen)
        assert screen.panel.exp_id == "going"
        store.finish(run_id, "math_4_1", "passed", completed_at="2026-03-05T14:29:58.000Z")
        screen.refresh_now()
        await settle(pilot)
        while screen.panel.matrix.rows[1].marks[3] != "P...":
            # The matrix is not counted again at once where the first count took long.
            screen.refresh_now()
            await settle(pilot)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = small_suite(tmp_path / "s")
    monkeypatch.setenv("MODEX_SUITE", str(root))
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    monkeypatch.delenv("MODEX_MODEL", raising=False)
    return root


@pytest.mark.long
async def test_a_planned_run_is_started_watched_and_read(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "n", "enter")
        await press(pilot, *"demo", "enter")
        assert on_top(app, NewRunScreen).summary.problem == ""
        await press(pilot, "s")
        screen = on_top(app, LiveScreen)
        reader = Reader(store.path)
        try:
            exp_id = screen.panel.exp_id
            while reader.run(exp_id).alive or screen.panel.run is None or screen.panel.run.alive:
                screen.refresh_now()
                await settle(pilot)
            # The number of tests is known only once the run has been planned.
            assert reader.run(exp_id).total_tests == 3
        finally:
            reader.close()
        assert screen.panel.run.state == "completed"
        while screen.panel.matrix.total != 3:
            screen.refresh_now()
            await settle(pilot)
        await press(pilot, "enter", "enter")
        assert on_top(app, TranscriptScreen).sample.response
