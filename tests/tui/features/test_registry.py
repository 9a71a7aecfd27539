"""The registry of features names what there is, imports none of it, and puts each in its place."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import click
import pytest

from modex.tui import features
from modex.tui.actions import scope
from modex.tui.cli import COMMANDS
from modex.tui.features import FEATURES
from modex.tui.screens.base import ModexScreen

SOURCE = Path(features.__file__)


def imported(tree: ast.AST) -> list[tuple[str, str]]:
    """Module and name of each `from … import …`."""
    return [
        (node.module or "", one.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    ]


def test_each_folder_has_a_row_and_each_row_a_folder() -> None:
    assert sorted(FEATURES) == sorted(one.parent.name for one in SOURCE.parent.glob("*/__init__.py"))


def test_each_command_of_a_row_is_there_under_the_name_that_is_typed() -> None:
    for row in FEATURES.values():
        for name, command in row.commands.items():
            module, _, function = COMMANDS[name][0].partition(":")
            found = getattr(importlib.import_module(module), function)
            assert isinstance(found, click.Command)
            assert found.name == name
            assert COMMANDS[name][1] == command.help


def test_each_scope_and_each_offer_of_a_row_is_there() -> None:
    for row in FEATURES.values():
        for name in row.scopes:
            assert scope(name).actions
        for name in row.offers:
            assert getattr(features, name).__name__ == name


def test_what_the_palette_opens_is_a_screen_that_its_feature_offers() -> None:
    for row in FEATURES.values():
        for name in row.palette:
            assert name in row.offers
            assert issubclass(getattr(features, name), ModexScreen)


def test_the_type_checker_is_told_of_every_offer_and_nothing_is_imported_when_the_registry_is() -> None:
    tree = ast.parse(SOURCE.read_text())
    told = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(told.test) == "TYPE_CHECKING"
    assert set(imported(told)) == {
        (f"modex.tui.features.{feature}.{module}", name)
        for feature, row in FEATURES.items()
        for name, module in row.offers.items()
    }
    tree.body.remove(told)
    assert not [module for module, _ in imported(tree) if module.startswith("modex")]


def test_a_command_stands_behind_the_one_that_it_follows() -> None:
    frame = {"show": ("frame:show", "Show."), "delete": ("frame:delete", "Delete.")}
    assert list(features.commands(frame))[:3] == ["show", "compare", "changes"]
    assert list(features.commands(frame))[-3:] == ["delete", "note", "summarize"]
    assert features.commands(frame)["compare"][0] == "modex.tui.features.compare.command:compare"
    assert features.commands(frame)["show"] == frame["show"]


def test_a_command_stands_below_one_that_stands_below_none() -> None:
    found = features.below({"rename": "runs"})
    assert found["rename"] == "runs"
    assert found["gate"] == "compare"
    assert not set(found.values()) & set(found)


def test_every_command_and_every_screen_of_the_palette_finds_its_place() -> None:
    assert {name for row in FEATURES.values() for name in row.commands} <= set(COMMANDS)
    shown = features.palette(("NewRunScreen", "SuiteScreen", "SettingsScreen"))
    assert list(shown) == [
        "NewRunScreen", "LeaderboardScreen", "SuiteScreen", "SuiteFaultsScreen", "LabelsScreen", "SearchScreen",
        "SettingsScreen",
    ]  # fmt: skip
    assert shown["SearchScreen"] == "search everything"


def test_what_no_feature_offers_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="'NowhereScreen'"):
        importlib.import_module("modex.tui.features").__getattr__("NowhereScreen")
