"""What the stored runs say of a suite's tests, as a screen and a command: each finding leads to the test's history."""

from __future__ import annotations

import pytest

from modex.core.features.suite_faults.finding import TITLES
from modex.core.store.manager import DBDataManager
from modex.tui.features.history.screen import HistoryScreen
from modex.tui.features.suite_faults.screen import SuiteFaultsScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.cli import call
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def filled(store: StoreMaker) -> StoreMaker:
    """Three models: one test that all pass, one that none does, two that ask the same."""
    for number in range(3):
        rows = [
            sample("math", 1, 1, "passed"),
            sample("math", 1, 2, "failed"),
            sample("math", 2, 3, "passed" if number else "failed", prompt="Twice?"),
            sample("math", 2, 4, "passed" if number else "failed", prompt="Twice?"),
        ]
        store.run(f"r{number}", f"openai/m{number}", rows, started_at=f"2026-03-0{number + 1}T00:00:00.000Z")
    return store


async def test_a_finding_says_its_numbers_and_leads_to_the_test_in_every_run(
    filled: StoreMaker, make_app: MakeApp
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(SuiteScreen(filled.path))
        await settle(pilot)
        await pilot.press("W")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, SuiteFaultsScreen)
        assert [(line.finding.kind, line.key[3]) for line in screen.lines] == [
            ("same_question", "math_2_3"), ("same_question", "math_2_4"), ("all_fail", "math_1_2"), ("all_pass", "math_1_1"),
        ]  # fmt: skip
        assert "too few runs to tell" in seen(app)
        await pilot.press("G")
        await settle(pilot)
        assert "passed by all 3 models" in seen(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, HistoryScreen)
        assert [one.run.exp_id for row in range(3) if (one := app.screen.listing.item(row))] == ["r2", "r1", "r0"]
        await pilot.press("escape", "o")
        await settle(pilot)
        assert shows(app, TranscriptScreen)


async def test_kinds_are_shown_one_after_the_other_and_words_narrow_them(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = SuiteFaultsScreen(None)
        await app.push_screen(screen)
        await settle(pilot)
        shown = []
        for _ in range(4):
            await pilot.press("f")
            await settle(pilot)
            shown.append({line.finding.kind for line in screen.lines})
        assert shown == [{"same_question"}, {"all_fail"}, {"all_pass"}, {"same_question", "all_fail", "all_pass"}]
        await pilot.press("slash", *"2_4")
        await settle(pilot)
        assert [line.key[3] for line in screen.lines] == ["math_2_4"]


async def test_a_suite_without_runs_says_so(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(SuiteFaultsScreen("/tmp/mine"))
        await settle(pilot)
        assert "No run of this suite is stored yet" in seen(app)
        await pilot.press("o", "enter", "f")
        assert shows(app, SuiteFaultsScreen)


def test_the_command_prints_each_finding_with_its_tests_and_numbers(filled: StoreMaker) -> None:
    said = call("doctor", "--suite", "--db", filled.path)
    assert said.code == 0
    assert "bundled suite: 4 tests, 3 runs of 3 models" in said.out
    assert "too few runs to tell, 3 of 12" in said.out
    assert "asked twice: 1" in said.out
    assert "math/2/math_2_3, math/2/math_2_4" in said.out
    (found,) = call("doctor", "--suite", "--json", "--db", filled.path).data
    assert set(found["counts"]) == set(TITLES)
    assert found["counts"]["all_fail"] == 1
    (one,) = call("doctor", "--suite", "r0", "--json", "--db", filled.path).data
    assert one["runs"] == 1


def test_what_belongs_to_other_forms_of_the_command_is_refused(filled: StoreMaker) -> None:
    for arguments in (
        ["doctor", "r0"],
        ["doctor", "--all"],
        ["doctor", "--content"],
        ["doctor", "--suite", "--content"],
    ):
        assert call(*arguments, "--db", filled.path).code == 2


def test_a_store_without_runs_has_no_findings(store: StoreMaker) -> None:
    DBDataManager(store.path).close()
    assert "no run is stored yet" in call("doctor", "--suite", "--db", store.path).out


async def test_sixty_columns_name_the_suite_whole(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await app.push_screen(SuiteScreen(filled.path))
        await settle(pilot)
        await pilot.press("W")
        await settle(pilot)
        top = seen(app).splitlines()[0]
        assert "faults  bundled suite" in top
        assert "findings" in top
