from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from modex.core.config.configuration import configuration, options_of
from modex.core.config.runconfig import RunConfig
from modex.core.engine.budget import with_sample
from modex.core.pipeline.assembly import checked_tests
from modex.core.store.location import draft_file
from modex.tui.app import ModexApp
from modex.tui.features.race.screen import RaceScreen
from modex.tui.frame import Draft
from modex.tui.planning.drafts import kept
from modex.tui.planning.offers import Offer
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.new_run_columns import PickColumnsScreen
from modex.tui.screens.new_run_model import PickModelScreen
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from tests.core.suite.datasets.test_presets import SHAPES, written
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.stores import StoreMaker
from tests.tui.suites import small_suite

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
    pilot.app.post_message(events.Paste(model))
    await pilot.press("enter")
    await settle(pilot)


def go_to(screen: NewRunScreen, name: str) -> None:
    """Select the row of an option."""
    rows = screen.plan.rows(all_of_them=True)
    screen._all_rows = True
    screen._list_rows()
    screen.settings.select([option.name for option in rows].index(name))


async def test_the_address_is_that_of_the_models_entry_before_the_plan_is_worked_out(
    store: StoreMaker, make_app: MakeApp, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.toml").write_text('[models.large]\nmodel = "openai/l"\napi_base = "http://127.0.0.1:9/v1"\n')
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = NewRunScreen(store.path, {"model": ["large"]})
        await app.push_screen(screen)
        (address,) = [cells for cells in map(screen._cells, screen.plan.rows()) if cells[0] == ("address", "text")]
        assert (address[1], screen._worked_out) == (("http://127.0.0.1:9/v1", "faint"), 0)
        await settle(pilot)
        assert "http://127.0.0.1:9/v1" in seen(app)


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


async def test_the_command_names_the_database_that_the_form_writes_to(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = make_app()
    monkeypatch.setenv("MODEX_DB", str(tmp_path / "usual.db"))
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        assert screen.plan.command() == f"modex run --model demo --suite {suite} --db {store.path}"


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
        go_to(screen, "epochs")
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
        assert any("must be a number of at least 0" in notice.message for notice in app._notifications)
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
        picker = app.screen
        assert isinstance(picker, PickModelScreen)
        picker._unread = True  # as while the names are read from a slow disk
        assert not picker.reading
        await pilot.press("down", "enter")
        await settle(pilot)
        assert screen.plan.model == "demo"


async def test_only_a_typed_name_waits_for_the_names_of_all_models(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await planned(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        picker = app.screen
        assert isinstance(picker, PickModelScreen)
        picker._unread = True
        await pilot.press("g")
        assert picker.reading
        await pilot.press("tab")
        assert (len(picker.marked), picker.reading) == (1, False)


async def test_names_that_come_while_the_list_of_models_closes_are_not_listed(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        picker = app.screen
        assert isinstance(picker, PickModelScreen)
        app.pop_screen()
        await picker.query_one(Listing).remove()  # widgets of a screen go one after another
        picker._found()
        await settle(pilot)
        assert app.screen is screen


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


@pytest.mark.long
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
            screen.refresh_now()
            await settle(pilot)
        assert screen.panel.run.state == "completed"
    [run] = store.manager.reader.runs()
    assert run.exp_id == screen.panel.exp_id
    config = RunConfig.model_validate(run.config)
    assert (config.model.model, config.selection.suite, config.selection.tests) == ("demo", str(suite), ())


async def test_several_models_become_a_run_each(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("tab", "tab", "enter")
        await settle(pilot)
        assert len(screen.plan.models) == 2
        first, second = screen.plan.models
        assert screen.plan.command().startswith(f"modex run --model {first} --model {second} ")


async def test_an_address_that_was_typed_stays_when_a_model_is_chosen(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await pilot.press("j", "enter", *"http://127.0.0.1:9/v1", "enter")
        await settle(pilot)
        screen.settings.select(0)
        await _type_model(pilot, "openai/local")
        assert (screen.plan.model, screen.plan.typed("api_base")) == ("openai/local", "http://127.0.0.1:9/v1")


async def test_an_address_that_came_with_a_model_goes_with_it(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        screen.take_models([Offer("openai/here", "http://127.0.0.1:8/v1")])
        assert screen.plan.typed("api_base") == "http://127.0.0.1:8/v1"
        screen.take_models([Offer("openai/there", None)])
        assert screen.plan.typed("api_base") == ""


async def test_models_of_two_servers_have_their_addresses_in_their_order(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        screen.take_models([Offer("openai/a", "http://127.0.0.1:8/v1"), Offer("openai/b", "http://127.0.0.1:9/v1")])
        assert screen.plan.values["api_base"] == ["http://127.0.0.1:8/v1", "http://127.0.0.1:9/v1"]
        screen.take_models([Offer("openai/a", "http://127.0.0.1:8/v1"), Offer("openai/b", "http://127.0.0.1:8/v1")])
        assert screen.plan.values["api_base"] == ["http://127.0.0.1:8/v1"]
        screen.take_models([Offer("small"), Offer("large")])
        assert "api_base" not in screen.plan.values
        screen.take_models([Offer("small"), Offer("openai/b", "http://127.0.0.1:9/v1")])
        assert (screen.plan.models, screen.plan.values.get("api_base")) == (("small",), None)


async def test_what_the_last_run_used_is_there_again(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    given = {"temperature": 0.5, "epochs": 3, "judge_model": ["a", "b"], "max_iterations": 7, "limit": 1}
    store.run("r", "demo", config=configuration("demo", given))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        kept = {name: value for name, value in given.items() if name != "limit"}
        assert screen.plan.values == {"model": ["demo"], **kept, "suite": str(suite)}


async def test_a_run_can_be_planned_again_with_its_tests(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    given = {"suite": str(suite), "exclude_level": ["2"], "filter": ["id~sum"], "exp_id": "x"}
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = NewRunScreen(store.path, options_of(configuration("demo", given)))
        await app.push_screen(screen)
        await settle(pilot)
        assert {screen.tests.leaves[number].name for number in screen.tests.chosen} == {
            "math/1/sum_1_1",
            "math/1/sum_1_2",
        }
        assert screen.plan.values["filter"] == ["id~sum"]
        assert "--level 1" in screen.plan.command()


async def test_filter_and_limit_are_counted(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        screen.plan.set("filter", "level=1")
        screen.changed()
        await settle(pilot)
        assert (screen.summary.tests, screen.summary.problem) == (2, "")
        screen.plan.set("limit", "1")
        screen.changed()
        await settle(pilot)
        assert screen.summary.tests == 1
        screen.plan.set("filter", "level")
        screen.changed()
        await settle(pilot)
        assert "'level' is not understood" in screen.summary.problem


async def test_a_budget_that_is_planned_for_shows_its_sample_in_the_words_of_the_command_line(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        assert screen.summary.sample == ""
        screen.plan.set("max_calls", "5")
        screen.changed()
        await settle(pilot)
        said: list[str] = []
        config = configuration("demo", screen.plan.options())
        with_sample(store.path, None, checked_tests(config), said.append)
        assert screen.summary.sample == said[0]
        assert "plan    --max-calls 5: " in seen(app)
        screen.plan.set("max_calls", "1")
        screen.changed()
        await settle(pilot)
        assert "cannot ask one test in each cell" in screen.summary.problem
        assert not screen.summary.ready


async def test_one_missing_judge_key_holds_back_only_what_needs_it(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    test = {"id": "why", "prompt": "Why?", "expected": "because", "evaluator_id": "llm_judge"}
    (suite / "test_definitions/math/level_1/test_why.json").write_text(json.dumps(test))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        await _type_model(pilot, "demo")
        screen.plan.set("judge_model", "openai/x")
        screen.changed()
        await settle(pilot)
        assert (screen.summary.ready, screen.summary.without_judge, screen.summary.judged_tests) == (False, True, 1)
        assert screen.check_action("start", ()) is True
        await pilot.press("tab", "s")
        await settle(pilot)
        assert isinstance(app.screen, AskScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert screen.plan.values.get("no_judge") is None
        screen.plan.set("no_judge", "yes")
        screen.changed()
        await settle(pilot)
        assert (screen.summary.ready, screen.summary.tests) == (True, 3)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text(
        '{"q_text": "Capital of Kenya?", "gold_ans": "Nairobi", "hardness": "easy"}\n'
        '{"q_text": "Capital of Peru?", "gold_ans": "Lima", "hardness": "hard"}\n'
    )
    return path


@pytest.mark.long
async def test_a_datasets_columns_are_chosen_with_its_first_rows_in_sight(
    store: StoreMaker, make_app: MakeApp, suite: Path, rows: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        screen = await planned(app, store, pilot)
        screen.plan.set("suite", "")
        await _type_model(pilot, "demo")
        go_to(screen, "dataset")
        await pilot.press("enter", *str(rows), "enter")
        await settle(pilot)
        asked = app.screen
        assert isinstance(asked, PickColumnsScreen)
        assert "no column looks like a question" in asked.seen.problem
        assert [column.name for column in asked.seen.columns] == ["q_text", "gold_ans", "hardness"]
        assert asked.seen.columns[0].values == ("Capital of Kenya?", "Capital of Peru?")
        await pilot.press("q", "j", "g", "j", "l")
        await settle(pilot)
        assert asked.seen.problem == ""
        await pilot.press("enter")
        await settle(pilot)
        values = screen.plan.values
        assert (values["question_field"], values["answer_field"], values["level_field"]) == (
            "q_text",
            "gold_ans",
            "hardness",
        )
        assert [leaf.test.level for leaf in screen.tests.leaves] == [1, 5]
        assert screen.summary.tests == 2
        assert screen.plan.command().endswith(
            f"--dataset {rows} --question-field q_text --answer-field gold_ans --level-field hardness"
        )


async def test_the_plan_says_the_form_that_rows_are_asked_for_as_a_run_says_it(
    store: StoreMaker, make_app: MakeApp, suite: Path, rows: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        screen = await planned(app, store, pilot)
        given = {
            "dataset": [str(rows)],
            "question_field": "q_text",
            "answer_field": "gold_ans",
            "level_field": "hardness",
        }
        screen.plan.values = {"model": ["demo"], **given}
        screen.read_suite()
        await settle(pilot)
        (form,) = [one for one in checked_tests(configuration("demo", given)).selected.guesses if ": form: " in one]
        assert f"rows {form}" in " ".join(seen(app).split())
        screen.tests.chosen = set()
        screen.changed()
        await settle(pilot)
        assert screen.summary.forms == ()
        screen.tests.chosen = {0}
        screen.plan.set("form", "no")
        screen.changed()
        await settle(pilot)
        assert (screen.summary.tests, screen.summary.forms) == (1, ())


async def test_the_list_of_runs_plans_one_again(store: StoreMaker, make_app: MakeApp, suite: Path) -> None:
    store.run("r", "demo", config=configuration("demo", {"suite": str(suite), "epochs": 2}))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot)
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.plan.typed("epochs") == "2"


@pytest.mark.long
async def test_forty_rows_of_known_benchmarks_are_planned_as_by_flags(
    store: StoreMaker, make_app: MakeApp, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await planned(app, store, pilot)
        screen.plan.set("suite", "")
        screen.plan.set("model", "demo")
        for preset, rollout, judged in (
            ("gaia", "reasoning", 0),
            ("webwalkerqa", "agentic", 40),
            ("caia", "agentic", 120),
        ):
            written(tmp_path, [SHAPES[preset](number) for number in range(40)], f"{preset}.jsonl")
            given = {"dataset": [f"{preset}.jsonl"], "preset": preset, "rollout": rollout}
            for name in ("preset", "rollout", "dataset"):
                screen.plan.set(name, f"{preset}.jsonl" if name == "dataset" else str(given[name]))
            screen.read_suite()
            screen.changed()
            await settle(pilot)
            assert screen.summary.tests == 40
            assert screen.summary.estimate is not None
            assert screen.summary.estimate.judged == judged
            command = f"modex run --model demo --rollout {rollout} --dataset {preset}.jsonl --preset {preset}"
            assert screen.plan.command() == command
            assert configuration("demo", screen.plan.options()) == configuration("demo", given)


@pytest.mark.long
async def test_rows_of_a_known_benchmark_run_to_the_end_from_the_form(
    store: StoreMaker, make_app: MakeApp, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    path = written(tmp_path, [SHAPES["caia"](number) for number in range(40)])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        screen.plan.set("suite", "")
        for name, value in (("model", "demo"), ("preset", "caia"), ("dataset", str(path)), ("rollout", "agentic")):
            screen.plan.set(name, value)
        screen.read_suite()
        screen.changed()
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot)
        live = app.screen
        assert isinstance(live, LiveScreen)
        while live.panel.run is None or live.panel.run.state in ("starting", "running"):
            live.refresh_now()
            await settle(pilot)
        assert live.panel.run.state == "completed"
    [run] = store.manager.reader.runs()
    metrics = (run.metrics or {})["caia"]
    assert sum(group["n"] for group in metrics["by_level"].values()) == 40


async def test_a_race_of_several_models_is_started_from_the_form_and_watched(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        screen.plan.values["model"] = ["demo", "demo/weak"]
        screen.plan.set("exp_id", "derby")
        screen.changed()
        await settle(pilot)
        assert "r race" in seen(app)
        await pilot.press("r")
        await settle(pilot)
        race = app.screen
        assert isinstance(race, RaceScreen)
        while race.view is None or race.view.race.alive:
            race.refresh_now()
            await settle(pilot)
        assert (race.view.race.exp_id, race.view.race.status) == ("derby", "completed")
        assert [one.model for one in race.view.runners if one.asked] == ["demo", "demo/weak"]


@pytest.mark.long
async def test_the_equal_command_of_a_race_stands_below_that_of_the_runs_and_is_copied(
    store: StoreMaker, make_app: MakeApp, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("modex.tui.terminal.clipboard.send", lambda app, text, **_: sent.append(text) or "sent")  # type: ignore[func-returns-value]
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await planned(app, store, pilot)
        await pilot.press("Y")
        await settle(pilot)
        assert "a race needs several models" in seen(app)
        screen.plan.values |= {"model": ["demo", "demo/weak"], "suite": "s"}
        screen.changed()
        await settle(pilot)
        app.clear_notifications()
        await settle(pilot)
        rows = [row.strip() for row in seen(app).splitlines()]
        assert rows.index("$ modex race --model demo --model demo/weak --suite s") == 1 + rows.index(
            "$ modex run --model demo --model demo/weak --suite s"
        )
        await pilot.press("Y", "y")
        await settle(pilot)
    assert sent == [
        "modex race --model demo --model demo/weak --suite s",
        "modex run --model demo --model demo/weak --suite s",
    ]


@pytest.mark.parametrize("width", [30, 99])
async def test_an_opened_list_of_models_leaves_no_letters_of_the_form_at_its_sides(
    store: StoreMaker, make_app: MakeApp, suite: Path, width: int
) -> None:
    app = make_app()
    async with app.run_test(size=(width, 24)) as pilot:
        await planned(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        box = app.screen.children[0].region
        assert (box.x, box.width) == (0, width)
        rows = seen(app).splitlines()[box.y : box.bottom]
        assert {(row[0], row[-1]) for row in rows} == {("╭", "╮"), ("│", "│"), ("╰", "╯")}


async def test_what_is_no_race_is_refused_in_words_and_the_plan_stays(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        screen = await planned(app, store, pilot)
        screen.plan.values["model"] = ["demo"]
        screen.changed()
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert "a race needs several models" in seen(app)
        screen.plan.values["model"] = ["demo", "demo/weak"]
        screen.plan.set("limit", "1")
        screen.changed()
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert "a race draws them" in seen(app)
        assert app.screen is screen
        assert screen.check_action("race", ()) is True
    assert store.manager.reader.runs() == []


async def test_bulk_keys_act_on_what_the_filter_shows_and_the_header_counts_it(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await planned(app, store, pilot)
        tests = screen.tests
        every = set(tests.chosen)
        await pilot.press("tab", "a")
        await settle(pilot)
        assert tests.chosen == set()
        await pilot.press("slash", *"level<=1", "enter", "a")
        await settle(pilot)
        easy = {number for number in every if tests.leaves[number].test.level <= 1}
        assert 0 < len(easy) < len(every)
        assert tests.chosen == easy, "a took what the filter shows"
        assert tests.found is not None
        assert f"{len(easy)} of {len(tests.found)} shown" in seen(app)
        await pilot.press("g", "space")
        await settle(pilot)
        first = tests.item(0)
        assert first is not None
        shown = set(tests.members(first))
        assert tests.chosen == easy - shown, "space on a domain acts on its tests that are shown"
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert tests.chosen == easy - shown, "what was hidden stayed as it was"
        await pilot.press("a")
        await settle(pilot)
        assert tests.chosen == every


@pytest.mark.long
async def test_a_plan_that_is_left_is_there_again_and_begins_anew_with_its_key(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.frame.draft is None, "what nobody touched is no draft"
        await pilot.press("n")
        await settle(pilot)
        await _type_model(pilot, "demo")
        await pilot.press("tab", "a", "tab")
        await settle(pilot)
        for leave in ("escape", "q"):
            await pilot.press(leave)
            await settle(pilot)
            assert not isinstance(app.screen, NewRunScreen)
            await pilot.press("n")
            await settle(pilot)
            assert isinstance(app.screen, NewRunScreen)
            assert (app.screen.plan.model, app.screen.tests.chosen) == ("demo", set())
        await pilot.press("X")
        await settle(pilot)
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.plan.model == ""
        assert app.screen.tests.chosen
        await pilot.press("escape")
        await settle(pilot)
        assert app.frame.draft is None


@pytest.mark.long
@pytest.mark.parametrize("left", [False, True], ids=["on the plan", "after it was left"])
@pytest.mark.parametrize("safe", [True, False], ids=["kept", "the disk takes nothing"])
async def test_leaving_the_program_asks_before_a_plan_goes_out_of_sight(
    left: bool, safe: bool, store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    if not safe:
        draft_file(store.path).mkdir()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        await _type_model(pilot, "demo")
        if left:
            await pilot.press("escape")
        await pilot.press("ctrl+q")
        if not (left and safe):
            await settle(pilot)
            assert isinstance(app.screen, AskScreen)
            assert ("the plan is kept" if safe else "the plan is lost") in seen(app)
            await pilot.press("escape")
            await settle(pilot)
            assert app.is_running
            await pilot.press("ctrl+q", "l")
    assert app.return_value == 0


@pytest.mark.long
@pytest.mark.parametrize("leave", ["escape", "quit", "signal"])
async def test_a_plan_is_there_in_the_next_session_until_it_is_given_up(
    leave: str, store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        await _type_model(pilot, "demo")
        await pilot.press("tab", "G", "space")
        await settle(pilot)
        assert isinstance(app.screen, NewRunScreen)
        chosen, every = set(app.screen.tests.chosen), len(app.screen.tests.leaves)
        assert len(chosen) == every, "the domain that is off unless named is taken"
        if leave == "quit":
            await pilot.press("ctrl+q", "l")
        elif leave == "signal":
            app.exit(143)
        else:
            await pilot.press("escape", "q")
    for again in (True, False):
        app = make_app()
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            await pilot.press("n")
            await settle(pilot)
            assert isinstance(app.screen, NewRunScreen)
            assert (app.screen.plan.model == "demo") == again
            assert (app.screen.tests.chosen == chosen) == again
            await pilot.press("X")
            await settle(pilot)
    assert not draft_file(store.path).exists()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        "[]",
        '{"options": 3}',
        "[" * 100_000,
        '{"options": {"model": 7, "nonsense": 1, "temperature": "x"}, "tests": {}}',
    ],
    ids=["empty", "torn", "a list", "no options", "deep", "wrong values"],
)
def test_a_kept_plan_that_is_none_is_no_plan(content: str, store: StoreMaker) -> None:
    draft_file(store.path).write_text(content)
    found = kept(store.path)
    assert found is None or found == Draft({}, None)


async def test_leaving_the_program_asks_while_something_is_written(store: StoreMaker, make_app: MakeApp) -> None:
    app, written = make_app(), threading.Event()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModexScreen)
        screen.do(lambda: written.wait(60))
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert isinstance(app.screen, AskScreen)
        assert "still being written" in seen(app)
        await pilot.press("escape")
        written.set()
        await settle(pilot)
        await pilot.press("ctrl+q")
    assert app.return_value == 0


async def test_leaving_the_program_asks_nothing_without_a_plan(
    store: StoreMaker, make_app: MakeApp, suite: Path
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+q")
    assert app.return_value == 0
