from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.suite.files import FileFaultError, inside, read_text


def test_a_reference_inside_the_suite_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "shared.sql").write_text("x")
    assert inside(tmp_path, tmp_path / "a", "../shared.sql").resolve() == tmp_path / "shared.sql"


@pytest.mark.parametrize(
    "reference", ["", "../../x", "/etc/passwd", "~/x", "missing.sql", "a\0b", "C:\\x", "\\\\host\\x"]
)
def test_other_references_are_refused(tmp_path: Path, reference: str) -> None:
    with pytest.raises(FileFaultError):
        inside(tmp_path, tmp_path, reference)


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x" * 2048)
    assert read_text(tmp_path / "x", 2048) == "x" * 2048
    with pytest.raises(FileFaultError, match="larger"):
        read_text(tmp_path / "x", 2047)


def test_an_encoding_fault_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\nb\n\xff")
    with pytest.raises(FileFaultError) as caught:
        read_text(tmp_path / "x")
    assert caught.value.line == 3
