from __future__ import annotations

import re
from pathlib import Path

import pytest

from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader
from modex.tui import app
from modex.tui import opening as launch


def test_the_first_look_makes_an_empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.ModexApp, "run", lambda self, **_: 0)
    database = tmp_path / "new" / "modex.db"
    assert launch.open_home(database) == 0
    reader = Reader(database)
    assert reader.runs() == []
    reader.close()


def test_a_folder_that_cannot_be_made_does_not_keep_the_screen_from_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.ModexApp, "run", lambda self, **_: 0)
    (tmp_path / "file").write_text("")
    assert launch.open_home(tmp_path / "file" / "modex.db") == 0


def test_what_is_no_database_is_said_where_the_command_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.ModexApp, "run", lambda *_, **__: pytest.fail("a screen was opened"))
    file = tmp_path / "my notes.txt"
    file.write_text("words " * 200)
    with pytest.raises(StoreError, match=re.escape(f"`sqlite3 '{file}' .recover")):
        launch.open_home(file)
    assert file.read_text() == "words " * 200
