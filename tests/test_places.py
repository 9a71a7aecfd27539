"""Where tests write is quick, and left as it was found."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests import places


@pytest.fixture(autouse=True)
def as_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session may write in memory itself."""
    monkeypatch.setattr(places, "_before", {})
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_temporary_files_go_to_a_folder_of_their_own_until_it_is_forgotten(tmp_path: Path) -> None:
    before = {name: os.environ.get(name) for name in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT")}
    usual = tempfile.gettempdir()
    folder = places.write_in_memory(tmp_path, room=0)
    assert folder is not None
    assert folder.parent == tmp_path
    assert tempfile.gettempdir() == os.environ["TMPDIR"] == os.environ["PYTEST_DEBUG_TEMPROOT"] == str(folder)
    assert folder.stat().st_mode & 0o7777 == 0o1777
    (folder / "left").write_text("behind")
    places.forget()
    assert not folder.exists()
    assert tempfile.gettempdir() == usual
    assert {name: os.environ.get(name) for name in before} == before
    places.forget()
    assert {name: os.environ.get(name) for name in before} == before


def test_without_room_all_stays_where_it_is(tmp_path: Path) -> None:
    assert places.write_in_memory(tmp_path, room=1 << 62) is None
    assert places.write_in_memory(tmp_path / "nothing", room=0) is None
    assert list(tmp_path.iterdir()) == []
