"""Which `models.toml` counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.config.entries.places import entries, files, find_entry, origin_words
from modex.core.foundation.errors import ConfigurationError


def own_file(text: str) -> Path:
    path = files(None)[0][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_suite_comes_before_the_settings_and_says_what_it_hides(tmp_path: Path) -> None:
    own = own_file('[models.a]\nmodel = "x/own"\n[models.b]\nmodel = "x/b"\n')
    (tmp_path / "models.toml").write_text('[models.a]\nmodel = "x/suite"\n')
    found = entries(tmp_path)
    assert {name: one.model for name, one in found.items()} == {
        "a": "x/suite",
        "b": "x/b",
        "demo": "demo",
        "smollm2": "smollm2",
    }
    assert origin_words(found["a"]) == f"{tmp_path / 'models.toml'}:1 (the suite's); before {own}:1"
    assert origin_words(found["b"]) == f"{own}:3 (your settings')"
    assert entries(None)["a"].model == "x/own"


def test_a_variable_names_another_file_instead_of_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_file('[models.a]\nmodel = "x/own"\n')
    (tmp_path / "models.toml").write_text('[models.a]\nmodel = "x/suite"\n')
    other = tmp_path / "other.toml"
    monkeypatch.setenv("MODEX_MODELS", str(other))
    with pytest.raises(ConfigurationError, match="which is not there"):
        entries(tmp_path)
    other.write_text('[models.c]\nmodel = "x/c"\n')
    assert list(entries(tmp_path)) == ["c", "demo", "smollm2"]


def test_the_built_in_can_be_overridden_and_a_changed_file_is_read_again() -> None:
    assert (entry := find_entry("demo")) is not None
    assert entry.where == "built in"
    path = own_file('[models.demo]\nmodel = "x/demo"\n')
    assert (entry := find_entry("demo")) is not None
    assert entry.model == "x/demo"
    path.write_text('[models.demo]\nmodel = "x/another"\n')
    os.utime(path, ns=(1, 1))
    assert (entry := find_entry("demo")) is not None
    assert entry.model == "x/another"


def test_a_name_with_a_slash_or_a_colon_is_never_an_entry() -> None:
    own_file("this is no TOML")
    assert find_entry("openai/gpt-5-mini") is None
    assert find_entry("gguf:file") is None
    with pytest.raises(ConfigurationError):
        find_entry("small")
