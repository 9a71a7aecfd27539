"""Members of archives as inspect_ai writes them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from modex.core.edge.imports.archives import ZSTANDARD, Archive
from modex.core.foundation.errors import ConfigurationError

EVAL = Path(__file__).resolve().parents[3] / "fixtures" / "foreign" / "sums.eval"


def test_members_are_read_whatever_packed_them(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"plain")
        archive.writestr("b", b"packed" * 100, zipfile.ZIP_DEFLATED)
    with Archive(path) as archive:
        assert (archive.names, archive.read("a"), archive.read("b")) == (("a", "b"), b"plain", b"packed" * 100)
        with pytest.raises(ConfigurationError, match=r"x\.zip: c cannot be read"):
            archive.read("c")


def test_zstandard_is_unpacked_whole() -> None:
    pytest.importorskip("zstandard")
    with zipfile.ZipFile(EVAL) as plain:
        sizes = {one.filename: one.file_size for one in plain.infolist() if one.compress_type == ZSTANDARD}
    assert sizes
    with Archive(EVAL) as archive:
        assert {name: len(archive.read(name)) for name in sizes} == sizes


def test_a_member_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"12345678")
        archive.writestr("b", b"123456789")
    monkeypatch.setattr("modex.core.edge.imports.archives.MAX_MEMBER", 8)
    with Archive(path) as archive:
        assert archive.read("a") == b"12345678"
        with pytest.raises(ConfigurationError, match="b is larger than"):
            archive.read("b")


def test_what_is_no_archive_is_refused_and_a_closed_one_reads_no_more(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with pytest.raises(ConfigurationError, match=r"x\.zip"):
        Archive(path)
    path.write_text("text")
    with pytest.raises(ConfigurationError, match="this is no archive"):
        Archive(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"")
    with Archive(path) as opened:
        pass
    with pytest.raises(ValueError, match="closed"):
        opened.read("a")
