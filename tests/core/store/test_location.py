"""Where the database is, and what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.store.location import database_path, draft_file, runner_log


def test_what_is_given_goes_before_the_environment_and_that_before_the_platforms_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("MODEX_DB", "~/from-environment.db")
    assert database_path("~/given.db") == tmp_path / "given.db"
    assert database_path(Path("here.db")) == Path("here.db")
    assert database_path() == database_path("") == tmp_path / "from-environment.db"
    monkeypatch.setenv("MODEX_DB", "")
    assert database_path() == tmp_path / "data" / "modex" / "modex.db"
    assert list(tmp_path.iterdir()) == []


def test_logs_and_drafts_stand_beside_their_database() -> None:
    database = Path("/data/my.db")
    assert (runner_log(database), draft_file(database)) == (
        Path("/data/my.db.runner.log"),
        Path("/data/my.db.draft.json"),
    )
