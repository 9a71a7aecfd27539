"""A format of an export stands in one table, and the command, the screen, the page and the types agree with it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from modex.core.reports.formats import FORMATS, Format, Together, together
from modex.tui.features.export.command import export
from modex.tui.features.export.screen import _answers

PAGE = Path(__file__).parents[3] / "docs" / "results.md"


def test_the_table_holds_each_format_once_and_its_writer_is_there() -> None:
    assert set(FORMATS) == set(get_args(Format))
    assert {name for name, one in FORMATS.items() if one.together} == set(get_args(Together))
    assert all(callable(one.load()) for one in FORMATS.values())
    assert {name: one.reads for name, one in FORMATS.items() if one.reads != 1} == {"md": 2}
    assert together() == "json, csv, md, html or github"


def test_the_command_offers_what_the_table_holds() -> None:
    (option,) = (one for one in export.params if one.name == "kind")
    assert isinstance(option.type, click.Choice)
    assert list(option.type.choices) == list(FORMATS)


def test_the_screen_offers_every_format_by_a_key_of_its_own_and_of_single_tests_those_that_hold_samples() -> None:
    of_runs, of_tests = _answers(of_tests=False), _answers(of_tests=True)
    assert [answer.value for answer in of_runs] == [*FORMATS, "failures"]
    assert [answer.value for answer in of_tests] == [name for name, one in FORMATS.items() if one.samples]
    assert len({answer.key for answer in of_runs}) == len(of_runs)


def test_the_page_has_a_row_for_each_with_the_words_of_the_table() -> None:
    page = PAGE.read_text()
    for one in FORMATS.values():
        assert f"| `{one.name}` | `.{one.suffix}` | {one.holds} |\n" in page
