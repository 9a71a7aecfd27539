"""The screen of runs that are on their way, as far as no process is needed."""

from __future__ import annotations

from pathlib import Path

from modex.tui.app import Launch, ModexApp
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.starting import StartingScreen
from modex.tui.start.fork import Starting
from tests.tui.conftest import settle, shows


async def test_a_list_that_is_covered_from_the_start_does_not_look_for_a_store_that_is_not_there_yet(
    on_their_way: Starting, tmp_path: Path
) -> None:
    app = ModexApp(tmp_path / "none.db", start=Launch(on_their_way))
    async with app.run_test(notifications=True) as pilot:
        await settle(pilot)
        assert shows(app, StartingScreen)
        assert list(app._notifications) == []
        await pilot.press("escape")
        await settle(pilot)
        assert shows(app, RunsScreen)
        assert "no database here yet" in "".join(note.message for note in app._notifications)
