"""The main screens on databases that version 0.1.0 wrote."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.tui.app import Home, ModexApp, StoreNotices
from tests.fixtures.old_databases import NAMES, unpack
from tests.tui.conftest import settle


@pytest.mark.long
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


async def test_the_first_change_of_an_older_file_says_that_it_was_brought_up_to_date_and_where_the_backup_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unpack("finished", tmp_path)
    app = ModexApp(path, start=Home())
    later: list[Callable[[], object]] = []
    set_timer = app.set_timer

    def hold(delay: float, callback: Callable[[], object], **named: Any) -> object:
        if delay != StoreNotices.after_s:
            return set_timer(delay, callback, **named)
        later.append(callback)
        return None

    monkeypatch.setattr(app, "set_timer", hold)

    def said() -> str:
        return "".join(note.message for note in app._notifications)

    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert said() == ""
        await pilot.press("A")
        await settle(pilot)
        assert "brought up to date" not in said(), "the note of the archived run would hide it"
        (say,) = later
        say()
        await settle(pilot)
        (backup,) = tmp_path.glob("*.backup")
        assert "brought up to date" in said()
        assert str(backup) in said()
    handlers = logging.getLogger("modex.store").handlers
    assert not any(isinstance(handler, StoreNotices) for handler in handlers), "the next application would say it twice"
