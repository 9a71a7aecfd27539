"""A dataset's columns before a run, read by a known benchmark's preset where one is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.tui.planning.columns import preview
from tests.core.suite.datasets.test_presets import SHAPES, written


@pytest.mark.parametrize(
    ("preset", "level"), [("gaia", "Level"), ("webwalkerqa", "info.difficulty_level"), ("caia", "level")]
)
def test_the_columns_of_a_known_benchmark_are_its_presets(preset: str, level: str, tmp_path: Path) -> None:
    path = written(tmp_path, [SHAPES[preset](number) for number in range(3)])
    seen = preview(str(path), {}, None, preset)
    assert seen.problem == ""
    assert any(f"preset {preset}" in guess for guess in seen.guesses)
    assert seen.roles["level_field"] == level
    assert len(seen.columns[0].values) == 3
