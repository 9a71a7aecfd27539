"""Settings: variables before the file, and words for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.settings import load_settings, save_setting, settings_path


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "folder" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("MODEX_CONFIG", str(path))
    return path


def test_without_file_or_variables_nothing_is_set(file: Path) -> None:
    settings = load_settings()
    assert (settings.db, settings.model, settings.concurrency) == (None, [], None)


def test_the_platforms_folder_is_where_the_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("MODEX_CONFIG", raising=False)
    assert settings_path().name == "config.toml"
    assert settings_path().parent.name == "modex"


def test_variables_come_before_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('concurrency = 3\nextractor_model = "a"\n')
    monkeypatch.setenv("MODEX_CONCURRENCY", "9")
    settings = load_settings()
    assert (settings.concurrency, settings.extractor_model) == (9, "a")


@pytest.mark.parametrize(
    ("given", "expected"),
    [("demo", ["demo"]), ("openai/a, demo", ["openai/a", "demo"]), ('["openai/a"]', ["openai/a"]), ("", [])],
)
def test_models_in_a_variable_are_names_between_commas(
    file: Path, monkeypatch: pytest.MonkeyPatch, given: str, expected: list[str]
) -> None:
    monkeypatch.setenv("MODEX_MODEL", given)
    monkeypatch.setenv("MODEX_JUDGE_MODEL", given)
    settings = load_settings()
    assert (settings.model, settings.judge_model) == (expected, expected)


def test_one_model_in_the_file_may_be_a_text(file: Path) -> None:
    file.write_text('model = "demo"\n')
    assert load_settings().model == ["demo"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concurrency = 0\n", "concurrency"),
        ("concurency = 4\n", "concurency"),
        ("concurrency = [\n", "config.toml"),
        ("timeout = -1\n", "timeout"),
        ("model = 5\n", "model"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=said) as caught:
        load_settings()
    assert "config.toml" in str(caught.value)


def test_a_wrong_variable_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_CONCURRENCY", "many")
    with pytest.raises(ConfigurationError, match="concurrency"):
        load_settings()


def test_variables_that_are_no_settings_are_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_SOMETHING_ELSE", "1")
    load_settings()


def test_a_saved_setting_keeps_the_others(file: Path) -> None:
    file.write_text('concurrency = 3\n\n[tui]\ntheme = "dark"\n')
    assert save_setting("timeout", 9.5) == file
    settings = load_settings()
    assert (settings.concurrency, settings.timeout, settings.tui) == (3, 9.5, {"theme": "dark"})


def test_a_first_setting_makes_folder_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "new" / "config.toml"))
    save_setting("concurrency", 4)
    assert load_settings().concurrency == 4


def test_a_file_that_cannot_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "file" / "config.toml"))
    with pytest.raises(ConfigurationError, match=r"config\.toml"):
        save_setting("concurrency", 4)


def test_a_setting_that_is_taken_out_has_its_default_again(file: Path) -> None:
    save_setting("theme", "light")
    save_setting("glyphs", "ascii")
    save_setting("theme", None)
    save_setting("refresh_hz", None)
    assert file.read_text() == 'glyphs = "ascii"\n'
