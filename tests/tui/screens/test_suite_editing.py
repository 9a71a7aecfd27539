"""A suite changed on its screen: the files say what was done, the tree stands on it, and `u` takes it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from modex.tui.screens.ask import AskScreen
from modex.tui.screens.suite import SuiteScreen
from tests.tui.conftest import MakeApp, settle
from tests.tui.screens.test_suite import NARROW, WIDE, opened
from tests.tui.stores import StoreMaker
from tests.tui.suites import small_suite

SUM = "test_definitions/math/level_1/test_sum_1.json"


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


async def at(pilot: Pilot[int], screen: SuiteScreen, name: str) -> None:
    """Stand on the test `name`."""
    screen.tests.go_to(name)
    await settle(pilot)
    assert screen.tests.leaf is not None
    assert screen.tests.leaf.name == name


async def test_a_copy_a_move_a_switch_and_a_deletion_are_files_and_are_taken_back(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    root = small_suite(tmp_path / "s")
    held = contents(root)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, root)
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("d", "enter")
        await settle(pilot)
        assert (
            json.loads((root / "test_definitions/math/level_1/test_sum_1_1_copy.json").read_text())["id"]
            == "sum_1_1_copy"
        )
        assert screen.tests.leaf is not None
        assert screen.tests.leaf.name == "math/1/sum_1_1_copy"
        await pilot.press("m", "ctrl+u", *"3", "enter")
        await settle(pilot)
        assert screen.tests.leaf.name == "math/3/sum_1_1_copy"
        assert (root / "test_definitions/math/level_3/test_sum_1_1_copy.json").is_file()
        await pilot.press("o")
        await settle(pilot)
        assert screen.tests.leaf.test.disabled_by == "test"
        await pilot.press("D")
        await pilot.pause()
        assert isinstance(app.screen, AskScreen)
        await pilot.press("d")
        await settle(pilot)
        assert contents(root) == held
        await pilot.press("u")
        await settle(pilot)
        moved = root / "test_definitions/math/level_3/test_sum_1_1_copy.json"
        assert json.loads(moved.read_text())["enabled"] is False
        await pilot.press("u", "u", "u", "u")
        await settle(pilot)
        assert contents(root) == held
        assert not screen.editing.done


@pytest.mark.parametrize(
    ("keys", "path", "name"),
    [
        ("t5", "test_definitions/math/level_1/test_new_tool.json", "math/1/new_tool"),
        ("d3", "test_definitions/new_domain/level_1/test_first.json", "new_domain/1/first"),
        ("e1", "test_definitions/evaluators/my_custom.json", "math/1/sum_1_1"),
    ],
)
async def test_what_is_new_begins_from_a_pattern(
    keys: str, path: str, name: str, store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    root = small_suite(tmp_path / "s")
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, root)
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("n", *keys, "enter")
        await settle(pilot)
        assert (root / path).is_file()
        assert screen.tests.leaf is not None
        assert screen.tests.leaf.name == name
        assert screen.seen is not None
        assert not screen.seen.problems


async def test_keys_typed_at_once_behind_a_change_wait_for_it(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    root = small_suite(tmp_path / "s")
    held = contents(root)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, root)
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("d", "ctrl+u", *"mine", "enter", "D", "d", "o", "u")
        await settle(pilot)
        left = contents(root)
        assert {name for name in left if "mine" in name} == set()
        assert left == held


async def test_a_tool_is_tried_with_arguments_of_ones_own(store: StoreMaker, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot, small_suite(tmp_path / "s"))
        await at(pilot, screen, "weather/1/oslo")
        await pilot.press("t", "enter")
        await settle(pilot)
        assert screen.detail.sections[0].title == "get_weather, tried"
        assert json.loads(screen.detail.sections[0].source) == {"temperature_c": -3}
        await pilot.press("t", "ctrl+u", *'{"city": 4}', "enter")
        await settle(pilot)
        assert "is not of type" in screen.detail.sections[0].source
        await pilot.press("escape")
        await at(pilot, screen, "math/1/sum_1_1")
        assert screen.detail.sections[0].key == "test"


async def test_a_change_that_cannot_be_is_said_and_changes_nothing(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    root = small_suite(tmp_path / "s")
    held = contents(root)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, root)
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("m", "ctrl+u", *"nowhere/2", "enter")
        await settle(pilot)
        assert contents(root) == held
        assert not screen.editing.done
        await pilot.press("m", "escape")
        await settle(pilot)
        assert contents(root) == held
        assert screen.tests.has_focus


async def test_the_bundled_suite_is_copied_before_it_is_changed(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_suite(tmp_path / "bundled")
    held = contents(root)
    for module in ("modex.core.suite.editing.places", "modex.tui.screens.suite_editing"):
        monkeypatch.setattr(f"{module}.bundled_root", root.resolve)
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, root)
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(app.screen, AskScreen)
        await pilot.press("c", "enter")
        await settle(pilot)
        assert screen.path == "my-suite"
        await at(pilot, screen, "math/1/sum_1_1")
        await pilot.press("o")
        await settle(pilot)
    assert json.loads((tmp_path / "my-suite" / SUM).read_text())["enabled"] is False
    assert contents(root) == held
