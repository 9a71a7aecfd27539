"""The version is the one of the project, installed or not."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

import pytest

from modex.core.foundation.version import version


def test_the_installed_version_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"9.9 of {name}")
    assert version() == "9.9 of modex"


def test_a_bare_checkout_says_what_its_project_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert version() == project["project"]["version"]
