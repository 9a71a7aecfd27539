"""The one registry of what can be done: it feeds key bindings, the key line, help, the palette and the docs.

Each module in this folder is one scope (`everywhere`, `lists`, `runs`, …) and holds `TITLE` and `ACTIONS`; the scopes of features
stand beside their screens and in the rows of `modex.tui.features`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from textual.binding import Binding, BindingType

from modex.tui import features

_FORMER_SCOPES = {"beside": "side_pane", "trial": "dry_run"}
"""Names that users' `[keys]` may still have."""
_OF_FEATURES = features.scopes()


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do in a scope."""

    name: str
    """What Textual runs: the method is `action_<name>`; may carry arguments, `concurrency(1)`."""
    keys: str
    """Keys as Textual names them, separated by commas; the first is the one shown."""
    label: str
    """One or two words for the key line."""
    help: str
    """A sentence for help, palette and docs."""
    shown: bool = True
    """Whether the key line may show it, in the order of the registry."""
    id: str = ""
    """Name in the user's `[keys]` table after the scope; empty is `name` without arguments."""
    priority: bool = False
    """Whether it goes before the focused widget's own use of the key."""

    @property
    def key_id(self) -> str:
        """The name without the scope."""
        return self.id or self.name.partition("(")[0]


@dataclass(frozen=True, slots=True)
class Scope:
    """A named set of actions: a screen's, or what all lists share."""

    name: str
    title: str
    actions: tuple[Action, ...]


@cache
def scope(name: str) -> Scope:
    """The scope with this name; imports its module."""
    module = importlib.import_module(_OF_FEATURES.get(name, f"{__name__}.{name}"))
    return Scope(name, module.TITLE, module.ACTIONS)


def scopes() -> list[Scope]:
    """Every scope, `everywhere` first: for docs and for checking the user's keys."""
    names = sorted((*(module.name for module in pkgutil.iter_modules(__path__)), *_OF_FEATURES))
    names.sort(key=lambda name: name != "everywhere")
    return [scope(name) for name in names]


def bindings(name: str) -> list[BindingType]:
    """A scope's actions as Textual bindings; ids let the user's settings change their keys."""
    return [
        Binding(
            action.keys,
            action.name,
            action.label,
            show=action.shown,
            tooltip=action.help,
            id=f"{name}.{action.key_id}",
            priority=action.priority,
        )
        for action in scope(name).actions
    ]


@cache
def by_id() -> dict[str, Action]:
    """Every action by `<scope>.<id>`, the names of the user's `[keys]` table."""
    return {f"{found.name}.{action.key_id}": action for found in scopes() for action in found.actions}


def bound_to(key: str, scope_names: Sequence[str], wanted: Mapping[str, str]) -> Action | None:
    """The first action of these scopes that `key` is for, whether it can be done now or not."""
    mapped = keymap(wanted)
    for name in scope_names:
        for action in scope(name).actions:
            if key in mapped.get(f"{name}.{action.key_id}", action.keys).split(","):
                return action
    return None


def keymap(wanted: Mapping[str, str]) -> dict[str, str]:
    """The user's keys by full id; a name without a scope means that action in every scope. Unknown names are left out."""
    known = by_id()
    found: dict[str, str] = {}
    for given, keys in wanted.items():
        scope_name, dot, action = given.partition(".")
        name = f"{_FORMER_SCOPES.get(scope_name, scope_name)}{dot}{action}"
        found.update({id_: keys for id_ in known if id_ == name or id_.partition(".")[2] == name})
    return found
