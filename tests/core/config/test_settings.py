"""Settings: variables before the file, and words for what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.config.settings import load_settings, save_setting, settings_path
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.labels import KnownLabel, labels_path, load_labels, save_labels
from tests.core.foundation.test_atomic_write import NULL, device


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "folder" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("MODEX_CONFIG", str(path))
    return path


def test_without_file_or_variables_nothing_is_set(file: Path) -> None:
    settings = load_settings()
    assert (settings.db, settings.run) == (None, {})


def test_the_platforms_folder_is_where_the_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("MODEX_CONFIG", raising=False)
    assert settings_path().name == "config.toml"
    assert settings_path().parent.name == "modex"


def test_variables_come_before_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('concurrency = 3\nextractor_model = "a"\n')
    monkeypatch.setenv("MODEX_CONCURRENCY", "9")
    settings = load_settings()
    assert (settings.run["concurrency"], settings.run["extractor_model"]) == (9, "a")


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
    assert (settings.run.get("model", []), settings.run.get("judge_model", [])) == (expected, expected)


def test_one_model_in_the_file_may_be_a_text(file: Path) -> None:
    file.write_text('model = "demo"\n')
    assert load_settings().run["model"] == ["demo"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concurrency = 0\n", "concurrency"),
        ("concurency = 4\n", "concurency"),
        ("concurrency = [\n", "config.toml"),
        ("timeout = -1\n", "timeout"),
        ("model = 5\n", "model"),
        ("concurency = 4\n", "did you mean concurrency"),
        ("timeout = 1e300\n", r"timeout = 1e\+300: must be a number above 0, at most 604800"),
        ("timeout = nan\n", "timeout = nan: must be a number above 0"),
        ("concurrency = true\n", "must be a whole number of at least 1 and at most 1024"),
        ('theme = "pink"\n', "theme = 'pink': must be one of dark, light"),
        ("refresh_hz = 0\n", "refresh_hz = 0: must be a number above 0, at most 30; correct it"),
        ("mouse = 3\n", "mouse = 3: must be true or false"),
        ('glyphs = "runes"\n', "glyphs = 'runes': must be one of auto"),
        ("keys = 3\n", "keys = 3: must be a table"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=said) as caught:
        load_settings()
    assert "config.toml" in str(caught.value)


def test_every_wrong_setting_is_named_at_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("concurrency = 0\ncolour = 1\n")
    monkeypatch.setenv("MODEX_REFRESH_HZ", "fast")
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    lines = str(caught.value).splitlines()
    assert [line.startswith(str(file)) for line in lines] == [True, True, False]
    assert lines[2] == "MODEX_REFRESH_HZ: refresh_hz = 'fast': must be a number above 0, at most 30; correct it"


def test_an_empty_variable_is_none(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_CONCURRENCY", "")
    assert "concurrency" not in load_settings().run


def test_what_the_screens_change_is_read_by_every_command(file: Path) -> None:
    for name, value in (("theme", "light"), ("glyphs", "ascii"), ("refresh_hz", 2.0), ("mouse", False)):
        save_setting(name, value)
    settings = load_settings()
    assert (settings.theme, settings.glyphs, settings.refresh_hz, settings.mouse) == ("light", "ascii", 2.0, False)


def test_a_file_that_cannot_be_read_as_toml_is_not_written_over(file: Path) -> None:
    file.write_text("theme = ")
    with pytest.raises(ConfigurationError, match=r"config\.toml"):
        save_setting("theme", "light")
    assert file.read_text() == "theme = "


def test_variables_that_are_no_settings_are_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_SOMETHING_ELSE", "1")
    load_settings()


def test_a_saved_setting_keeps_the_others(file: Path) -> None:
    file.write_text('concurrency = 3\n\n[keys]\npause = "space"\n')
    assert save_setting("timeout", 9.5) == file
    settings = load_settings()
    assert (settings.run["concurrency"], settings.run["timeout"], settings.keys) == (3, 9.5, {"pause": "space"})


def test_a_first_setting_makes_folder_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "new" / "config.toml"))
    save_setting("concurrency", 4)
    assert load_settings().run["concurrency"] == 4


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


@pytest.mark.parametrize("linked", [False, True])
def test_settings_go_into_a_device_and_nothing_is_made_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: bool
) -> None:
    null, link = device(tmp_path, NULL), tmp_path / "link"
    link.symlink_to(null)
    monkeypatch.setenv("MODEX_CONFIG", str(link if linked else null))
    save_setting("theme", "light")
    save_labels(labels_path(None), [KnownLabel("wrong unit")])
    assert null.is_char_device()
    assert link.is_symlink()
    assert set(tmp_path.iterdir()) == {null, link}
    assert (load_settings().theme, load_labels(labels_path(None))) == (None, [])


def test_what_is_far_too_large_is_not_read_as_settings(file: Path) -> None:
    with file.open("wb") as large:
        large.truncate(2 << 20)
    with pytest.raises(ConfigurationError, match="name another file"):
        load_settings()


def test_a_pipe_without_a_writer_is_said_and_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(ConfigurationError, match="is no regular file"):
        load_settings()


def test_settings_behind_a_link_stay_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "modex.toml"
    real.write_text("concurrency = 3\n")
    real.chmod(0o640)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    monkeypatch.setenv("MODEX_CONFIG", str(link))
    save_setting("theme", "light")
    assert link.is_symlink()
    assert real.read_text() == 'concurrency = 3\ntheme = "light"\n'
    assert real.stat().st_mode & 0o777 == 0o640
