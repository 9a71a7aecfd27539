from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served.content import content_digest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    return tmp_path


def test_the_digest_is_that_of_the_content_wherever_it_lies(home: Path) -> None:
    for name in ("a", "b"):
        (home / name).write_bytes(b"weights")
    assert content_digest(home / "a") == content_digest(home / "b") == hashlib.sha256(b"weights").hexdigest()


def test_a_file_is_read_once_and_again_when_it_changed(home: Path) -> None:
    path = home / "a"
    path.write_bytes(b"one")
    found, when = content_digest(path), path.stat()
    with path.open("r+b") as file:  # the same file by all that is looked at: it is not read
        file.write(b"two")
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))
    assert content_digest(path) == found
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns + 1))
    assert content_digest(path) == hashlib.sha256(b"two").hexdigest()


def test_what_is_remembered_and_broken_is_read_again(home: Path) -> None:
    (home / "served").mkdir()
    (home / "served" / "digests.json").write_text('[{"of": 1}, 7')
    (home / "a").write_bytes(b"x")
    assert content_digest(home / "a") == hashlib.sha256(b"x").hexdigest()


def test_a_file_that_is_not_there_is_named(home: Path) -> None:
    with pytest.raises(ConfigurationError, match="none: cannot be read"):
        content_digest(home / "none")
