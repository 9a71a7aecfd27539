"""The generated documents are those that the code gives now."""

from __future__ import annotations

import pytest

from docs.generate import FOLDER, PAGES
from tui.cli import COMMANDS


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_current(name: str) -> None:
    stored = (FOLDER / name).read_text(encoding="utf-8")
    assert stored == PAGES[name](), f"docs/{name} is behind the code: run `python -m docs.generate`"


def test_every_command_has_a_section() -> None:
    page = PAGES["cli.md"]()
    assert [line for line in page.splitlines() if line.startswith("## `modex ")] == [
        f"## `modex {name}`" for name in COMMANDS
    ]


def test_every_setting_is_in_the_table() -> None:
    from core.settings import Settings

    page = PAGES["cli.md"]()
    for name in Settings.model_fields:
        if name != "tui":
            assert f"`MODEX_{name.upper()}`" in page
