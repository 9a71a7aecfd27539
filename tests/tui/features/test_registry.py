"""The registry of features names what there is, imports none of it, and puts each in its place."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import click

from modex.tui import features
from modex.tui.actions import scope
from modex.tui.cli import COMMANDS
from modex.tui.features import FEATURES
from modex.tui.screens.base import ModexScreen

SOURCE = Path(features.__file__)


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


def test_each_scope_of_a_row_is_there() -> None:
    for row in FEATURES.values():
        for name in row.scopes:
            assert scope(name).actions


def test_what_the_palette_opens_is_a_screen_of_its_feature() -> None:
    places = features.places()
    assert set(places) == {name for row in FEATURES.values() for name in row.palette}
    for name, place in places.items():
        module, _, kind = place.partition(":")
        assert kind == name
        assert issubclass(getattr(importlib.import_module(module), kind), ModexScreen)


def test_nothing_is_imported_when_the_registry_is() -> None:
    modules = [
        node.module or "" for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    assert not [module for module in modules if module.startswith("modex")]


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
        "NewRunScreen", "LeaderboardScreen", "ModelsScreen", "SuiteScreen", "SuiteFaultsScreen", "LabelsScreen", "SearchScreen",
        "SettingsScreen",
    ]  # fmt: skip
    assert shown["SearchScreen"] == "search everything"
