"""Where an export may be written to."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from modex.core.features.export.writing import write_export
from modex.core.foundation.errors import ConfigurationError


def test_a_new_file_is_whole_and_its_owners_only(tmp_path: Path) -> None:
    out = tmp_path / "e.csv"
    write_export(out, ["a", "b"], database=tmp_path / "modex.db")
    assert out.read_text() == "ab"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "name",
    ["modex.db", "modex.db-wal", "modex.db-shm", "modex.db-journal", "modex.db.runner.log", "modex.db.runner.log.1",
     "modex.db.search", "modex.db.search-wal", "modex.db.search-shm"],
)  # fmt: skip
def test_the_database_and_what_belongs_to_it_are_refused_whether_they_are_there_or_not(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(ConfigurationError, match="belongs to it"):
        write_export(tmp_path / name, ["x"], database=tmp_path / "modex.db")
    assert list(tmp_path.iterdir()) == []


def test_another_name_of_the_database_is_refused_too(tmp_path: Path) -> None:
    database = tmp_path / "modex.db"
    database.write_bytes(b"rows")
    (tmp_path / "hard").hardlink_to(database)
    (tmp_path / "soft").symlink_to(database)
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in ("hard", "soft", "folder/modex.db", "folder/modex.db-wal"):
        with pytest.raises(ConfigurationError, match="belongs to it"):
            write_export(tmp_path / name, ["x"], database=database)
        with pytest.raises(ConfigurationError, match="belongs to it"):
            write_export(tmp_path / "modex.db", ["x"], database=tmp_path / "folder" / "modex.db")
    assert database.read_bytes() == b"rows"
    write_export(tmp_path / "other", ["x"], database=database)


def test_a_place_that_cannot_be_written_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="name another place"):
        write_export(tmp_path / "none" / "e.csv", ["x"], database=tmp_path / "modex.db")
