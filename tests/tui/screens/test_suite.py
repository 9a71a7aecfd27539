from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from modex.core.store.reader import Reader
from modex.tui.app import ModexApp
from modex.tui.screens.suite import SuiteScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.tui.conftest import MakeApp, settle
from tests.tui.emulator import Terminal
from tests.tui.stores import StoreMaker
from tests.tui.suites import small_suite

NARROW, WIDE = (80, 24), (120, 40)


async def opened(app: ModexApp, store: StoreMaker, pilot: Pilot[int], root: Path) -> SuiteScreen:
    screen = SuiteScreen(store.path, str(root))
    await app.push_screen(screen)
    await settle(pilot)
    return screen


async def test_domains_unfold_to_levels_and_tests(store: StoreMaker, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, small_suite(tmp_path / "s"))
        assert screen.tests.count == 2
        await pilot.press("enter", "j", "l", "j")
        await settle(pilot)
        assert screen.tests.leaf is not None
        assert screen.tests.leaf.name == "math/1/sum_1_1"
        await pilot.press("h", "h", "h", "h")
        assert screen.tests.count == 2


async def test_a_test_shows_its_layers_its_gold_and_its_tools(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, store, pilot, small_suite(tmp_path / "s"))
        await pilot.press("slash", *"oslo", "enter", "G")
        await settle(pilot)
        titles = [section.title for section in screen.detail.sections]
        assert titles == [
            "weather / 1 / oslo", "system prompt", "prompt", "expected", "evaluator tool_call", "tool get_weather",
        ]  # fmt: skip
        mock = "\n".join(item.text for item in screen.detail.sections[-1].blocks)
        assert "temperature_c" in mock
        await pilot.press("slash", "ctrl+u", *"sum_1_2", "enter", "G")
        await settle(pilot)
        layers = [section for section in screen.detail.sections if section.key.startswith("layer")]
        assert "replaced by the test's layer" in layers[0].blocks[0].text


async def test_findings_of_check_stand_at_their_test(store: StoreMaker, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, small_suite(tmp_path / "s", mistake=True))
        assert screen.seen is not None
        assert len(screen.seen.problems) == 1
        await pilot.press("f", "G", "enter")
        await settle(pilot)
        assert screen.detail.has_focus
        assert screen.detail.sections[0].title == "1 finding of check"
        assert "test_sum_1.json" in screen.detail.sections[0].source
        await pilot.press("escape")
        assert screen.tests.has_focus
        await pilot.press("f")
        assert screen.tests.count > 3


async def test_the_filter_takes_the_conditions_of_the_command(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, small_suite(tmp_path / "s"))

        def listed() -> list[str]:
            nodes = [screen.tests.item(y) for y in range(screen.tests.count)]
            return [screen.tests.leaves[node.leaf].name for node in nodes if node is not None and node.leaf >= 0]

        await pilot.press("slash", *"evaluator:tool_call")
        await settle(pilot)
        assert listed() == ["weather/1/oslo"]
        await pilot.press("ctrl+u", *"id~sum level=1 1_2")
        await settle(pilot)
        assert listed() == ["math/1/sum_1_2"]
        await pilot.press("ctrl+u", *"levle:1")
        await settle(pilot)
        assert any("did you mean level?" in str(note.message) for note in app._notifications)


@pytest.mark.long
def test_an_edit_is_seen_when_the_editor_ends(store: StoreMaker, tmp_path: Path) -> None:
    root = small_suite(tmp_path / "s")
    editor, told = tmp_path / "vi", tmp_path / "told"
    editor.write_text(_EDITOR.format(python=sys.executable, told=str(told)))
    editor.chmod(0o755)
    terminal = Terminal.of_code(
        f"from modex.tui.opening import open_home; from pathlib import Path; open_home(Path({str(store.path)!r}))",
        MODEX_SUITE=str(root),
        VISUAL=str(editor),
    )
    try:
        terminal.wait_until(lambda lines: "No runs yet." in "\n".join(lines), "the list of runs")
        terminal.press("t")
        terminal.wait_until(lambda lines: "checked" in lines[0], "the suite, checked")
        terminal.press("/")
        terminal.wait_until(lambda lines: "words in id" in "\n".join(lines), "the filter")
        terminal.press("sum_1_1\r")
        terminal.wait_until(lambda lines: "esc back" in lines[-1], "the keys of the tree")
        terminal.press("G")
        terminal.wait_until(lambda lines: "run test" in lines[-1], "the test selected")
        terminal.press("\r")
        terminal.wait_until(lambda lines: "What is 1 + 1?" in "\n".join(lines), "the test")
        terminal.press("e")
        terminal.wait_until(lambda lines: "What is 40 + 2?" in "\n".join(lines), "the test as it was edited")
        assert terminal.close() == 0
    finally:
        terminal.end()
    assert json.loads(told.read_text()) == ["+1", str(root / "test_definitions/math/level_1/test_sum_1.json")]


_EDITOR = """#!{python}
import json, pathlib, sys
pathlib.Path({told!r}).write_text(json.dumps(sys.argv[1:]))
path = pathlib.Path(sys.argv[-1])
path.write_text(json.dumps({{**json.loads(path.read_text()), "prompt": "What is 40 + 2?", "expected": 42}}))
"""


async def test_a_folder_without_a_suite_says_what_to_do(store: StoreMaker, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await opened(app, store, pilot, tmp_path)
        assert screen.query_one("#empty").display


@pytest.mark.long
@pytest.mark.process
async def test_running_just_this_test_lands_in_its_transcript(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(app, store, pilot, small_suite(tmp_path / "s"))
        await pilot.press("slash", *"sum_1_1", "enter", "G", "r")
        await settle(pilot)
        await pilot.press("1")
        for _ in range(200):
            await pilot.pause()
            if isinstance(app.screen, TranscriptScreen):
                break
            await asyncio.sleep(0.1)
        screen = app.screen
        assert isinstance(screen, TranscriptScreen)
        for _ in range(200):
            if screen.sample is not None and screen.sample.stage == "judged":
                break
            screen.refresh_now()
            await asyncio.sleep(0.1)
            await settle(pilot)
        assert screen.sample is not None
        assert (screen.sample.test_id, screen.sample.stage) == ("sum_1_1", "judged")
    reader = Reader(store.path)
    assert [run.model for run in reader.runs()] == ["demo"]
    reader.close()
