"""One test over all runs, and changed rules tried on stored answers."""

from __future__ import annotations

from pathlib import Path

from modex.core.store.sample import SampleStatus
from modex.tui.features.dry_run.screen import DryRunScreen
from modex.tui.features.history.screen import HistoryScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.cli import call, write_suite
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import StoreMaker, sample

SIZE = (80, 24)


async def test_a_test_is_shown_in_every_run_and_a_regression_is_one_key_away(
    store: StoreMaker, make_app: MakeApp
) -> None:
    went: tuple[SampleStatus, ...] = ("passed", "passed", "failed", "failed")
    for number, status in enumerate(went):
        store.run(
            f"r{number}", samples=[sample("math", 1, 1, status)], started_at=f"2026-03-0{number + 1}T00:00:00.000Z"
        )
    run = store.run_id("r3")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(TranscriptScreen(store.path, run, store.manager.reader.head_ids(run)))
        await settle(pilot)
        await pilot.press("H")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, HistoryScreen)
        shown = [screen.listing.item(row) for row in range(screen.listing.count)]
        assert [one.run.exp_id for one in shown if one] == ["r3", "r2", "r1", "r0"]
        await pilot.press("n")
        await settle(pilot)
        current = screen.listing.current
        assert current is not None
        assert current.run.exp_id == "r1"
        await pilot.press("n")
        assert screen.listing.cursor == 2


async def test_rules_are_tried_and_stored_only_when_it_is_said(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    test: dict[str, object] = {"id": "t", "prompt": "Say a word.", "expected": {"keywords": ["zzz"]}}
    suite = write_suite(tmp_path / "suite", [test])
    call("run", "--model", "demo", "--suite", suite, "--exp-id", "r", "--headless", "--db", store.path)
    reader = store.manager.reader
    run = reader.run("r")
    (answered,) = reader.samples(run.id)
    assert answered.status == "passed"  # the scripted model plays the gold
    write_suite(tmp_path / "suite", [{**test, "expected": {"keywords": ["another"]}}])
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(TranscriptScreen(store.path, run.id, [answered.id or 0]))
        await settle(pilot)
        await pilot.press("T")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, DryRunScreen)
        assert screen.result is not None
        assert [change.after.status for change in screen.result.flips] == ["failed"]
        assert reader.sample(answered.id or 0).status == "passed"
        await pilot.press("s", "s")
        await settle(pilot)
        assert screen.result.changes == []
    assert reader.sample(answered.id or 0).status == "failed"
