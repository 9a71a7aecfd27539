"""The benchmark that lays our widgets beside Textual's: both show the same rows, and both show what changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.widget_screens import SCREENS, UPDATED, OurTree, Prototype, TheirTree, fill, made_row
from modex.tui.app import At, ModexApp
from tests.tui.idle import exact

_ROWS = 40


def _painted(screen: Prototype) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in screen._compositor.render_strips())


async def _seen(name: str, folder: Path) -> tuple[str, str]:
    """What stands on the screen before and after a change of its rows."""
    screen = SCREENS[name](_ROWS, folder / "rows.db")
    with exact():
        async with ModexApp(folder / "none.db", start=At(lambda: screen)).run_test(size=(100, 20)) as pilot:
            await pilot.pause()
            if isinstance(screen, OurTree | TheirTree):
                screen.action_other()
                await pilot.pause()
            before = _painted(screen)
            screen._beat()
            await pilot.pause()
            return before, _painted(screen)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))


async def test_lists_show_the_same_rows_and_their_changes(tmp_path: Path) -> None:
    fill(tmp_path / "rows.db", _ROWS)
    for name in ("list: ours", "list: DataTable", "list: OptionList"):
        before, after = await _seen(name, tmp_path)
        for number in range(UPDATED):
            assert made_row(number)[2] in before, name
        assert "0.11" not in before, name
        assert after.count("0.11") == UPDATED, name


async def test_trees_unfold_to_the_same_tests_and_choose_the_first(tmp_path: Path) -> None:
    for name in ("tree: ours", "tree: Tree"):
        before, after = await _seen(name, tmp_path)
        for text in ("math", "level 1", "test_000000"):
            assert text in before, name
        assert "■" not in before, name
        assert "■" in after, name
