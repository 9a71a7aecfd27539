from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from tui.preferences import Preferences, load, settings_file


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {}) == Preferences()


def test_the_file_is_read_and_variables_go_before_it(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "light"\nrefresh_hz = 2\nmodel = ["demo"]\n[keys]\npause = "space"\n')
    found = load(path, {"MODEX_REFRESH_HZ": "1.5", "MODEX_MOUSE": "false"})
    assert found == Preferences(theme="light", refresh_hz=1.5, mouse=False, keys={"pause": "space"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('theme = "pink"', "theme = 'pink': must be one of dark, light"),
        ("refresh_hz = 0", "refresh_hz = 0: must be a number above 0"),
        ("mouse = 3", "mouse = 3: must be true or false"),
        ('glyphs = "runes"', "glyphs = 'runes': must be auto"),
        ("keys = 3", "keys = 3: must be a table"),
        ("theme = ", "config.toml"),
    ],
)
def test_a_wrong_value_says_where_and_what(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as raised:
        load(path, {})
    assert says in str(raised.value)
    assert "config.toml" in str(raised.value)


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="MODEX_REFRESH_HZ"):
        load(tmp_path / "none.toml", {"MODEX_REFRESH_HZ": "fast"})


def test_the_settings_file_can_be_named(tmp_path: Path) -> None:
    assert settings_file({"MODEX_CONFIG": str(tmp_path / "x.toml")}) == tmp_path / "x.toml"
