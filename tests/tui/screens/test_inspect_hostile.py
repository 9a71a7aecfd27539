"""Text that tries to steer a terminal, on the screens that show suites, plans and comparisons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modex.core.store.sample import SampleStatus
from modex.tui.app import ModexApp
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.suite import SuiteScreen
from tests.tui.conftest import MakeApp, settle
from tests.tui.hostile import HOSTILE, is_harmless
from tests.tui.stores import StoreMaker, sample
from tests.tui.suites import small_suite

HOSTILE_TEXT = " ".join(HOSTILE).encode("utf-8", "replace").decode()


def _harmless(app: ModexApp) -> bool:
    strips = app.screen._compositor.render_strips()
    return all(is_harmless(strip.text) for strip in strips)


@pytest.fixture
def hostile_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = small_suite(tmp_path / "s")
    path = root / "test_definitions/math/level_1/test_sum_1.json"
    data = json.loads(path.read_text())
    for name in ("name", "description", "prompt", "system_prompt"):
        data[name] = HOSTILE_TEXT
    path.write_text(json.dumps({**data, "expected": HOSTILE_TEXT, "evaluator_id": "match"}))
    (root / "test_definitions/math/level_1/test_bad.json").write_text(json.dumps({"id": HOSTILE_TEXT, "x": 1}))
    monkeypatch.setenv("MODEX_SUITE", str(root))
    return root


async def test_a_hostile_suite(store: StoreMaker, make_app: MakeApp, hostile_suite: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await app.push_screen(SuiteScreen(store.path, str(hostile_suite)))
        await settle(pilot)
        await pilot.press("enter", "j", "enter")
        for _ in range(4):
            await pilot.press("j")
            await settle(pilot)
            assert _harmless(app)
        await app.push_screen(NewRunScreen(store.path))
        await settle(pilot)
        await pilot.press("tab", "enter", "j", "enter", "j", "space")
        await settle(pilot)
        assert _harmless(app)


@pytest.mark.long
async def test_hostile_names_of_runs_models_and_tests(store: StoreMaker, make_app: MakeApp) -> None:
    outcomes: tuple[tuple[str, SampleStatus], ...] = (("a", "passed"), ("b", "failed"))
    for name, status in outcomes:
        test = sample("[@click=app.exit]\x1b[2J", 1, 1, status, test_id=HOSTILE_TEXT)
        store.run(f"{name}\x1b[31m{HOSTILE[4]}", HOSTILE_TEXT, [test])
    names = [run.exp_id for run in store.manager.reader.runs()]
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(CompareScreen(store.path, names[0], names[1]))
        await settle(pilot)
        assert _harmless(app)
        await pilot.press("enter")
        await settle(pilot)
        assert _harmless(app)
        await pilot.press("escape", "escape", "n")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert _harmless(app)
