"""What Textual works out again and again is worked out once a process: each test opens an application of the same screens.

Everything here gives what Textual gives (`test_once.py` compares them), and takes the same from every application.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import pytest
import textual._callback
from textual.cache import FIFOCache
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.reactive import Reactive
from textual.strip import Strip

_parse = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}
_colours: tuple[dict[str, str], frozenset[tuple[str, str]]] = {}, frozenset()
"""The variables of the stylesheet that was parsed last, and what tells them from others."""


def _parse_once(
    sheet: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    """The rules of a widget for these colours: another application of the same process reads the same."""
    global _colours  # noqa: PLW0603
    if _colours[0] is not sheet._variables:
        _colours = sheet._variables, frozenset(sheet._variables.items())
    key = (css, read_from, is_default_rules, tie_breaker, scope, _colours[1])
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]


_count = textual._callback._count_parameters


def _count_by_code(function: Callable[..., Any]) -> int:
    """How many parameters a function or a bound method has: a signature is made for it at each call otherwise."""
    plain = getattr(function, "__func__", function)
    if type(plain) is not FunctionType or "__wrapped__" in plain.__dict__ or "__signature__" in plain.__dict__:
        return _count(function)
    code = plain.__code__
    collecting = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + collecting - (plain is not function)


_Handlers = tuple[type, list[tuple[Any, Any]], Any]
_handled: dict[tuple[type, type, str], list[_Handlers]] = {}


def _handlers_of(kind: type, message: type[Message], name: str) -> list[_Handlers]:
    """What Textual looks for in each class of a widget at every message: decorated handlers with selectors, and the named one."""
    key = (kind, message, name)
    if key not in _handled:
        kinds = [one for one in message.__mro__ if issubclass(one, Message)]
        found: list[_Handlers] = []
        for cls in kind.__mro__:
            decorated = cls.__dict__.get("_decorated_handlers") or {}
            chosen = [handler for one in kinds for handler in decorated.get(one, [])]
            named = cls.__dict__.get(f"_{name}") or cls.__dict__.get(name)
            if named is not None and getattr(named, "_textual_on", None):
                named = None
            if chosen or named is not None:
                found.append((cls, chosen, named))
        _handled[key] = found
    return _handled[key]


_look_for = MessagePump._get_dispatch_methods


def _look_once(pump: MessagePump, name: str, message: Message) -> Iterator[tuple[type, Callable[..., Any]]]:
    """A widget's handlers as Textual finds them; where selectors choose, by Textual itself."""
    found = _handlers_of(type(pump), type(message), name)
    if any(selectors for _, chosen, _ in found for _, selectors in chosen):
        yield from _look_for(pump, name, message)
        return
    given = set()
    for cls, chosen, named in found:
        if message._no_default_action:
            return
        for method, _ in chosen:
            if method not in given:
                yield cls, method.__get__(pump, cls)
                given.add(method)
        if named is not None:
            yield cls, named.__get__(pump, cls)


_apply = Stylesheet.apply
replace_all = Stylesheet.replace_rules
_ORDER = frozenset({"first-of-type", "last-of-type", "first-child", "last-child", "empty"})


class _Rules:
    """The rules that may hold for nodes of one kind, and what they gave for each path of nodes."""

    def __init__(self, rules: tuple[RuleSet, ...]) -> None:
        self.rules = rules
        """Kept, so that no other rule gets the place in memory of one of them."""
        self.pseudo = tuple(sorted(set().union(*[rule.pseudo_classes for rule in rules])))
        self.hover = "hover" in self.pseudo
        self.within = "focus-within" in self.pseudo
        self.order = not _ORDER.isdisjoint(self.pseudo)
        self.odd_or_even = "odd" in self.pseudo or "even" in self.pseudo
        self.found: dict[object, RulesMap | None] = {}


_of_rules: dict[tuple[int, ...], _Rules] = {}
_of_sheet: WeakKeyDictionary[Stylesheet, tuple[list[RuleSet], dict[object, _Rules]]] = WeakKeyDictionary()


def _rules_for(sheet: Stylesheet, node: DOMNode) -> _Rules:
    rules = sheet.rules
    known = _of_sheet.get(sheet)
    if known is None or known[0] is not rules:
        known = _of_sheet[sheet] = rules, {}
    kind = type(node), node._id, frozenset(node._classes)
    if kind not in known[1]:
        places = sheet.rules_map
        limit = {rule for name in places.keys() & node._selector_names for rule in places[name]}
        chosen = tuple(filter(limit.__contains__, reversed(rules)))
        key = tuple(map(id, chosen))
        known[1][kind] = _of_rules[key] if key in _of_rules else _of_rules.setdefault(key, _Rules(chosen))
    return known[1][kind]


def worked_out(sheet: Stylesheet, node: DOMNode) -> RulesMap | None:
    """The rules that Textual finds for a node as it is now, which keeps what it has."""
    taken: list[RulesMap] = []
    instead = {
        "replace_rules": lambda _, rules, animate: taken.append(rules),
        "_process_component_classes": lambda _: None,
    }
    vars(sheet).update(instead)
    try:
        _apply(sheet, node)
    finally:
        for name in instead:
            del vars(sheet)[name]
    return taken[0] if taken else None


def found_once(sheet: Stylesheet, node: DOMNode) -> RulesMap | None:
    """The same by what selectors can ask of a node and of those above it: kind, id, classes and pseudo-classes."""
    own = _rules_for(sheet, node)
    key = tuple(
        (type(one), one._id, frozenset(one._classes), *map(one.has_pseudo_class, own.pseudo))
        for one in node.css_path_nodes
    )
    if key not in own.found:
        own.found[key] = worked_out(sheet, node)
    node._has_hover_style = own.hover
    node._has_focus_within = own.within
    node._has_order_style = own.order
    node._has_odd_or_even = own.odd_or_even
    return own.found[key]


def _apply_once(
    sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: dict[Any, RulesMap] | None = None
) -> None:
    rules = found_once(sheet, node)
    if rules is not None:
        sheet.replace_rules(node, rules, animate=animate)
    sheet._process_component_classes(node)


def _replace_changed(node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
    """Sets the rules that differ; Textual sets those that are there already once more."""
    if animate:
        replace_all(node, rules, animate)
        return
    base = node.styles.base
    there, wanted = base._rules, {**rules}
    for name in there.keys() | wanted.keys():
        value = wanted.get(name)
        if there.get(name) != value:
            setattr(base, name, value)
    node.notify_style_update()


_CACHES = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}
"""The caches of a line of a screen and their sizes: seven for each, of which one or two are ever asked."""


def _begin_strip(strip: Strip, segments: Any, cell_length: int | None = None) -> None:
    strip._segments = list(segments)
    strip._cell_length = cell_length
    strip._render_cache = strip._link_ids = strip._cell_count = None


def _cache_of_strip(strip: Strip, name: str) -> Any:
    if name not in _CACHES:
        raise AttributeError(name)
    made: FIFOCache[Any, Any] = FIFOCache(_CACHES[name])
    setattr(strip, name, made)
    return made


_read = Reactive.__get__
_computed: dict[tuple[type, str], bool] = {}


def _read_plain(reactive: Reactive[Any], node: Any, kind: type[Any]) -> Any:
    """A reactive attribute that was set and is not computed is an attribute."""
    if node is not None:
        key = type(node), reactive.compute_name
        if key not in _computed:
            _computed[key] = hasattr(type(node), reactive.compute_name)
        if not _computed[key]:
            there = node.__dict__
            if reactive.internal_name in there:
                return there[reactive.internal_name]
    return _read(reactive, node, kind)


def once(patch: pytest.MonkeyPatch) -> None:
    """Let applications do so as long as `patch` lasts."""
    patch.setattr(Stylesheet, "_parse_rules", _parse_once)
    patch.setattr(textual._callback, "_count_parameters", _count_by_code)
    patch.setattr(MessagePump, "_get_dispatch_methods", _look_once)
    patch.setattr(Stylesheet, "apply", _apply_once)
    patch.setattr(Stylesheet, "replace_rules", staticmethod(_replace_changed))
    patch.setattr(Strip, "__init__", _begin_strip)
    patch.setattr(Strip, "__getattr__", _cache_of_strip, raising=False)
    patch.setattr(Reactive, "__get__", _read_plain)
