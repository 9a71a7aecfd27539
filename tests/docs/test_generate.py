"""The generated documents are those that the code gives now."""

from __future__ import annotations

from dataclasses import fields

import pytest

from docs.generate import FOLDER, PAGES
from modex.core.config.settings import Settings
from modex.tui.cli import COMMANDS, full_name


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_current(name: str) -> None:
    stored = (FOLDER / name).read_text(encoding="utf-8")
    assert stored == PAGES[name](), f"docs/{name} is behind the code: run `python -m docs.generate`"


def test_every_command_has_a_section() -> None:
    page = PAGES["cli.md"]()
    assert [line for line in page.splitlines() if line.startswith("## `modex ")] == [
        f"## `modex {full_name(name)}`" for name in COMMANDS
    ]


def test_every_setting_is_in_the_table() -> None:
    page = PAGES["cli.md"]()
    for setting in fields(Settings):
        if setting.name == "run":  # the options' own table: tests/core/config/test_options.py
            continue
        assert (f"`MODEX_{setting.name.upper()}`" if setting.metadata["variable"] else f"`[{setting.name}]`") in page
