"""Labels counted as a screen: shares with intervals, by group, whether reading on finds more, what the judge is worth."""

from __future__ import annotations

import json

import pytest

from modex.core.features.export.export import export
from modex.core.features.review.query import HumanVerdict, say
from modex.core.features.story.story import story_of
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.review.labels_screen import LabelsScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.samples import SamplesScreen
from tests.cli import call
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import StoreMaker, sample

SIZE = (80, 24)


@pytest.fixture
def filled(store: StoreMaker) -> StoreMaker:
    """A judged run of 60 answers: a person read 20, drawn evenly, and holds two that the judge passed to be wrong."""
    for name in ("r", "other"):
        rows = [
            sample(("math", "sql")[number % 2], 1 + number % 3, number, "failed" if number % 3 == 0 else "passed",
                   evaluator_id="llm_judge")
            for number in range(60)
        ]  # fmt: skip
        run = store.run(name, samples=rows)
        store.manager.update_run(run, judged_by={"llm_judge": {"models": ["j"], "model": "1", "prompt": "2"}})
    reader = store.manager.reader
    for number, one in enumerate(list(reader.samples(store.run_id("r")))[:20]):
        wrong = one.status == "failed" or number in (4, 8)
        kind = ("wrong unit" if number % 2 else "refused") if wrong else None
        say(reader, one, "ann", HumanVerdict("failed" if wrong else "passed", label=kind))
    return store


async def test_labels_are_counted_over_all_and_by_group_and_lead_to_their_answers(
    filled: StoreMaker, make_app: MakeApp
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(LiveScreen(("r",)))
        await settle(pilot)
        await pilot.press("C")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LabelsScreen)
        assert [(row.share.label, row.share.number, row.share.read) for row in screen.rows] == [
            ("refused", 6, 20), ("wrong unit", 3, 20),
        ]  # fmt: skip
        shown = seen(app)
        for words in ("20 answers read by 1", "2 kinds in 20 read", "14.0–51.9", "agree on 18 of 20",
                      "a constant answer on 11", "sensitivity 11/11", "specificity 7/9 (45–96 %)", "κ 0.79",
                      "pass rate 66.7 as judged", "20 labels)"):  # fmt: skip
            assert words in shown
        await pilot.press("f")
        await settle(pilot)
        assert {(row.value, row.share.label) for row in screen.rows} >= {("math", "refused"), ("sql", "wrong unit")}
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, SamplesScreen)
        assert len(app.screen._ids) == screen.rows[0].share.number


async def test_every_run_and_one_are_one_key_apart(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = LabelsScreen(filled.run_id("other"))
        await app.push_screen(screen)
        await settle(pilot)
        assert "Nobody has reviewed an answer here yet" in seen(app)
        await pilot.press("a")
        await settle(pilot)
        assert len(screen.rows) == 2
        await pilot.press("enter")
        await settle(pilot)
        assert shows(app, LabelsScreen)


async def test_the_corrected_rate_stands_beside_the_judged_one_wherever_a_run_is_shown(
    filled: StoreMaker, make_app: MakeApp
) -> None:
    words = "66.7 as judged"
    reader = filled.manager.reader
    run = reader.run("r")
    assert words in story_of(reader, run).judging[0]
    assert words in call("show", "r", "--db", filled.path).out
    assert words in call("compare", "r", "other", "--db", filled.path).out
    assert words in "".join(export(reader, run, "html"))
    assert words in "".join(export(reader, run, "md"))
    assert json.loads("".join(export(reader, run, "json")))["judging"][0]["corrected"]["labels"] == 20
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(LiveScreen(("r",)))
        await settle(pilot)
        assert words in seen(app)
        await app.push_screen(CompareScreen(filled.path, "r", "other"))
        await settle(pilot)
        assert words in seen(app)
