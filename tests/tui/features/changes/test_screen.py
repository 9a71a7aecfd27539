"""What changed between two runs, as a screen and a command, and the score of a cell and a suite over all runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from modex.core.store.summary import Scores, replace_scores
from modex.tui.features.changes.screen import ChangesScreen
from modex.tui.features.compare.pair_screen import ComparePairScreen
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.history.screen import HistoryScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.scores import ScoresScreen
from tests.cli import call
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import StoreMaker, sample

SIZE = (80, 24)


def made(number: int, status: str = "passed", **fields: Any) -> EvaluationSample:
    layers = [{"scope": "domain", "mode": "overwrite", "text": "Be exact.", "file": "math/domain.json", "line": 3}]
    return sample("math", 1, number, status, **{"prompt_layers": layers, **fields})  # type: ignore[arg-type]


@pytest.fixture
def filled(store: StoreMaker) -> StoreMaker:
    """Three runs of one model; the last has another layer, and two of its tests are lost."""
    other = [{"scope": "domain", "mode": "overwrite", "text": "Be quick.", "file": "math/domain.json", "line": 3}]
    runs = {
        "r0": [made(1, "failed"), made(2), made(3)],
        "r1": [made(1), made(2), made(3)],
        "r2": [replace(made(number, status), prompt_layers=other) for number, status in
               ((1, "passed"), (2, "failed"), (3, "failed"))],
    }  # fmt: skip
    for number, (name, rows) in enumerate(runs.items()):
        score = sum(row.status == "passed" for row in rows) / 3
        store.run(name, samples=rows, started_at=f"2026-03-0{number + 1}T00:00:00.000Z", overall_score=score)
        cell = {"domain": "math", "level": 1, "average_score": score, "weight": 1.0, "total_tests": 3,
                "passed_tests": round(3 * score)}  # fmt: skip
        replace_scores(store.manager.database, store.run_id(name), Scores([cell], [], score, None, {}))
    return store


async def test_the_comparison_leads_to_what_changed_and_to_the_tests_that_were_lost(
    filled: StoreMaker, make_app: MakeApp
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(CompareScreen(filled.path, "r1", "r2"))
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ChangesScreen)
        assert [one.kind for one in screen.listed] == ["layer", "lost", "lost"]
        assert "Be quick." in seen(app)
        await pilot.press("n")
        await settle(pilot)
        assert (one := screen.listing.current) is not None
        assert one.name == "math/1/math_1_2"
        await pilot.press("enter")
        await settle(pilot)
        assert shows(app, ComparePairScreen)
        await pilot.press("escape", "H")
        await settle(pilot)
        assert shows(app, HistoryScreen)
        await pilot.press("escape", "g", "enter")
        await settle(pilot)
        assert isinstance(app.screen, ComparePairScreen)
        assert "1 of 3" in seen(app)


async def test_a_finished_run_says_in_one_key_what_changed_since_the_run_before(
    filled: StoreMaker, make_app: MakeApp
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(LiveScreen(("r2",)))
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ChangesScreen)
        assert screen.found is not None
        assert (screen.found.first.exp_id, screen.found.second.exp_id) == ("r1", "r2")
        await pilot.press("f")
        await settle(pilot)
        assert {one.kind for one in screen.listed} == {"layer"}


async def test_a_first_run_has_nothing_to_compare_with(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(LiveScreen(("r0",)))
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        assert shows(app, LiveScreen)
        assert any("no finished run" in note.message for note in app._notifications)


@pytest.mark.long
@pytest.mark.parametrize(("keys", "name"), [((), "math / 1"), (("h",), "bundled suite")])
async def test_scores_over_all_runs_show_where_a_model_fell(
    filled: StoreMaker, make_app: MakeApp, keys: tuple[str, ...], name: str
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(LiveScreen(("r0",)))
        await settle(pilot)
        await pilot.press(*keys, "H")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ScoresScreen)
        assert name in seen(app)
        assert screen.found is not None
        assert [(one.run.exp_id, one.change and round(one.change, 2)) for one in screen.found] == [
            ("r2", -0.67), ("r1", 0.33), ("r0", None),
        ]  # fmt: skip
        await pilot.press("c")
        await settle(pilot)
        assert shows(app, ChangesScreen)
        await pilot.press("escape", "enter")
        await settle(pilot)
        assert shows(app, LiveScreen)


async def test_the_next_fall_is_one_key_away(filled: StoreMaker, make_app: MakeApp) -> None:
    filled.run("r9", samples=[made(1)], started_at="2026-03-09T00:00:00.000Z", overall_score=1.0)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = ScoresScreen(suite=None)
        await app.push_screen(screen)
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert (one := screen.listing.current) is not None
        assert one.run.exp_id == "r2"
        await pilot.press("n")
        await settle(pilot)
        assert any("no older run fell" in note.message for note in app._notifications)


def test_the_commands_say_the_same(filled: StoreMaker) -> None:
    said = call("changes", "r2", "--db", filled.path)
    assert said.code == 0
    assert "r1 → r2" in said.out
    assert "domain layer, math/domain.json   3 tests" in said.out
    assert "- Be exact." in said.out
    assert "math/1/math_1_2   passed 1.00 → failed 0.00   (the question changed)" in said.out
    data = call("changes", "r1", "r2", "--json", "--db", filled.path).data
    assert data["counts"]["lost"] == 2
    assert "no finished run" in call("changes", "r0", "--db", filled.path).err
    cell = call("history", "math/1", "--json", "--db", filled.path).data
    suite = call("history", "--suite", "--json", "--db", filled.path).data
    assert [one["run"] for one in cell] == [one["run"] for one in suite] == ["r2", "r1", "r0"]
    assert cell[0]["change"] == pytest.approx(-2 / 3)
    assert "-66.7" in call("history", "math/1", "--db", filled.path).out
    assert "did you mean math/1" in call("history", "maths/1", "--db", filled.path).err
    assert call("history", "--db", filled.path).code == 2
    assert call("history", "t", "--suite", "--db", filled.path).code == 2
