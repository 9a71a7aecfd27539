from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from core.runconfig import RunConfig
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import StoreMaker
from tests.tui.suites import small_suite
from tui.app import ModexApp
from tui.screens.live import LiveScreen
from tui.screens.new_run import NewRunScreen
from tui.screens.new_run_model import PickModelScreen
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing

SIZE = (80, 24)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = small_suite(tmp_path / "s")
    monkeypatch.setenv("MODEX_SUITE", str(root))
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MODEX_MODEL"):
        monkeypatch.delenv(name, raising=False)
    return root


async def planned(app: ModexApp, store: StoreMaker, pilot: Pilot[int]) -> NewRunScreen:
    screen = NewRunScreen(store.path)
    await app.push_screen(screen)
    await settle(pilot)
    return screen


async def _type_model(pilot: Pilot[int], model: str) -> None:
    await pilot.press("enter")
    await pilot.pause()
    await pilot.press(*model, "enter")
    await settle(pilot)


async def test_without_a_model_nothing_can_start(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        assert screen.summary.problem == "choose a model"
        assert screen.check_action("start", ()) is False


async def test_a_key_that_is_not_set_is_named_and_holds_the_start(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "openai/x")
        assert [(key.variable, key.present) for key in screen.summary.keys] == [("OPENAI_API_KEY", False)]
        assert screen.check_action("start", ()) is False
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-canary-value")
        screen.changed()
        await settle(pilot)
        assert screen.check_action("start", ()) is True
        assert "canary" not in app.export_screenshot()


async def test_every_choice_shows_the_equal_command_line(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        assert screen.plan.command() == f"modex run --model demo --suite {suite}"
        await pilot.press("j", "j", "enter", *"0.5", "enter")
        await settle(pilot)
        await pilot.press("tab", "enter", "j", "space")
        await settle(pilot)
        assert screen.plan.command().endswith("--temperature 0.5 " + f"--suite {suite} --level 2")
        await pilot.press("tab", "backspace")
        await settle(pilot)
        assert "--temperature" not in screen.plan.command()


async def test_boxes_have_three_states(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        math = screen.tests.item(0)
        weather = screen.tests.item(1)
        assert math is not None
        assert weather is not None
        assert (screen.tests.tick(math), screen.tests.tick(weather)) == ("all", "none")
        await pilot.press("tab", "enter", "j", "space")
        await settle(pilot)
        assert screen.tests.tick(math) == "some"
        assert len(screen.tests.chosen) == 1
        await pilot.press("k", "space")
        assert screen.tests.tick(math) == "all"
        await pilot.press("space")
        await settle(pilot)
        assert screen.summary.ready is False


async def test_the_summary_counts_calls(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        for _ in range(6):
            await pilot.press("j")
        await pilot.press("enter", "4", "enter")
        await settle(pilot)
        guess = screen.summary.estimate
        assert guess is not None
        assert (guess.tests, guess.asked, guess.pass2, guess.judged, guess.cost_usd) == (12, 12, 12, 0, 0.0)


async def test_a_wrong_value_is_refused_and_esc_leaves_it(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await planned(app, store, pilot)
        await pilot.press("j", "j", "enter", *"hot", "enter")
        await settle(pilot)
        assert any("a number from 0 to 2" in notice.message for notice in app._notifications)
        await pilot.press("enter", "1", "escape")
        await settle(pilot)
        assert screen.plan.values.get("temperature") is None
        assert app.screen is screen


async def test_models_of_earlier_runs_come_first(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    store.run("r", "openai/gpt-5-mini")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        assert screen.plan.model == "openai/gpt-5-mini"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PickModelScreen)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert screen.plan.model == "demo"


@pytest.mark.parametrize(
    ("runs", "chosen"),
    [
        ([("openai/old", "completed"), ("openai/new", "aborted")], "openai/old"),
        ([("openai/old", "completed"), ("openai/new", "completed")], "openai/new"),
        ([("openai/new", "stopped")], "demo"),
        ([], ""),
    ],
    ids=["the last was aborted", "the last was completed", "none was completed", "no run"],
)
async def test_the_plan_begins_with_the_latest_model_that_went_to_the_end(
    store: StoreMaker, make_app: MakeApp, suite: Path, runs: list[tuple[str, str]], chosen: str
) -> None:
    for day, (model, status) in enumerate(runs, 1):
        store.run(f"r{day}", model, status=status, started_at=f"2026-03-0{day}T10:00:00.000Z")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        assert screen.plan.model == chosen


async def test_the_list_of_models_names_variables_and_no_key(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-canary-value")
    store.run("r", "openai/gpt-5-mini")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await planned(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        listing = app.screen.query_one(Listing)
        shown = {offer.model: offer.key_words for index in range(8) if (offer := listing.item(index))}
        assert shown["openai/gpt-5-mini"] == "OPENAI_API_KEY is set"
        assert shown["demo/strong"] == "no key needed"
        await pilot.press(*"gemini/gemini-2.5-flash")
        await settle(pilot)
        assert listing.current is not None
        assert listing.current.key_words == "needs GEMINI_API_KEY"
        picture = app.export_screenshot()
    assert "GEMINI_API_KEY" in picture
    assert "canary" not in picture


async def test_two_missing_keys_and_what_to_do_fit_in_eighty_columns(
    store: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MODEX_SUITE", "MODEX_MODEL"):
        monkeypatch.delenv(name, raising=False)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "anthropic/claude-sonnet-4-5")
        lines = ["".join(text for text, _ in line) for line in screen.query_one("#summary", Lines)._painted]
        assert max(map(len, lines)) <= SIZE[0]
        for words in ("ANTHROPIC_API_KEY is not set", "GEMINI_API_KEY is not set", "export it, then open modex again"):
            assert any(words in line for line in lines)


async def test_start_stores_the_run_and_watches_it(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        await pilot.press("s")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LiveScreen)
        while screen.panel.run is None or screen.panel.run.state in ("starting", "running"):
            screen.look_now()
            await settle(pilot)
        assert screen.panel.run.state == "completed"
    [run] = store.manager.reader.runs()
    assert run.exp_id == screen.panel.exp_id
    config = RunConfig.model_validate(run.config)
    assert (config.model.model, config.selection.suite, config.selection.tests) == ("demo", str(suite), ())
