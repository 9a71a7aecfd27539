"""The main screens on databases that version 0.1.0 wrote."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.fixtures.old_databases import NAMES, unpack
from tests.tui.conftest import settle
from tui.app import Home, ModexApp


@pytest.mark.parametrize("name", NAMES)
async def test_runs_live_tests_and_transcript_open_on_an_older_file(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    app = ModexApp(path, start=Home())
    seen: list[str] = []
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for key in ("enter", "enter", "enter", "enter"):
            seen.append(type(app.screen).__name__)
            await pilot.press(key)
            await settle(pilot)
        for _ in seen:
            await pilot.press("escape")
            await settle(pilot)
    assert app.return_code in (0, None)
    assert seen[0] == "RunsScreen"
    assert len(set(seen)) >= 3, seen
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
