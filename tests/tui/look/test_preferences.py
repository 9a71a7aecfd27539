"""What screens read of the settings."""

from __future__ import annotations

from pathlib import Path

from modex.core.config.settings import load_settings
from modex.tui.look.preferences import Preferences, load


def test_without_settings_everything_has_a_default(tmp_path: Path) -> None:
    assert load(load_settings(tmp_path / "none.toml", {})) == Preferences()


def test_the_file_is_read_and_variables_go_before_it(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "light"\nrefresh_hz = 2\nmodel = ["demo"]\n[keys]\npause = "space"\n')
    found = load(load_settings(path, {"MODEX_REFRESH_HZ": "1.5", "MODEX_MOUSE": "false"}))
    assert found == Preferences(theme="light", refresh_hz=1.5, mouse=False, keys={"pause": "space"})
