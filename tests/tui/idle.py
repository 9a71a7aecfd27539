"""Tests of screens on a machine of any speed: what a pilot waits for is that nothing is left to do, and a frame is painted then.

Textual's pilot waits until the process used no time for 20 ms, three times a key, while frames that nobody sees are painted by
the clock. A test is told here when the last message had its effect, and what is dirty is painted once for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable, Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Any

import pytest
import textual._callback
import textual.app
import textual.pilot
from textual._context import active_app
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerCancelled

from modex.tui.app import ModexApp

_HELD_S = 0.005
"""How long a key that waits for an answer is left alone."""
_FRAMES = 100
"""More frames in a row than a screen needs to come to rest: one that moves by itself is left to the clock."""

_paint = Screen._compositor_refresh
_threads_asked = 0


async def _no_turn_left() -> None:
    """Until the loop has nothing to call; its selector is asked for more twice."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    quiet = 0
    while quiet < 2:
        await asyncio.sleep(0)
        quiet = 0 if ready else quiet + 1


def _awaits_a_frame(screen: Screen[Any]) -> bool:
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )


async def _idle(app: App[Any]) -> None:
    for _ in range(_FRAMES):
        await _no_turn_left()
        if app._resize_timer is not None:
            app._check_resize()
            continue
        if not app.screen_stack or app._batch_count or not _awaits_a_frame(app.screen):
            return
        app.screen._on_timer_update()


async def after_key(min_sleep: float = 0.0, max_sleep: float = 0.0) -> None:
    """In place of Textual's guess after a key: every message had its effect."""
    await _idle(active_app.get())


async def after_pause(min_sleep: float = 0.0, max_sleep: float = 0.0) -> None:
    """In place of Textual's guess in a pause: so it is, and it is painted."""
    app = active_app.get()
    for _ in range(_FRAMES):
        await _idle(app)
        if not (app.is_headless and app.screen_stack and app.screen._compositor._dirty_regions) or app._exception:
            return
        _paint(app.screen)  # which may ask for rows that are not there yet


def _paint_later(screen: Screen[Any]) -> None:
    if not screen.app.is_headless or screen is not screen.app.screen:
        _paint(screen)
        return
    screen._dirty_widgets.clear()
    screen.app._update_mouse_over(screen)


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


@contextlib.contextmanager
def exact() -> Iterator[None]:
    """Applications under test come to rest exactly, and paint when they do."""
    real = BaseEventLoop.run_in_executor

    def run_in_executor(loop: BaseEventLoop, *given: Any) -> asyncio.Future[Any]:
        global _threads_asked  # noqa: PLW0603
        _threads_asked += 1
        return real(loop, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual.app, "wait_for_idle", after_key)
        patch.setattr(textual.pilot, "wait_for_idle", after_pause)
        patch.setattr(Screen, "_compositor_refresh", _paint_later)
        patch.setattr(Stylesheet, "_parse_rules", _parse_once)
        patch.setattr(textual._callback, "_count_parameters", _count_by_code)
        patch.setattr(MessagePump, "_get_dispatch_methods", _look_once)
        patch.setattr(BaseEventLoop, "run_in_executor", run_in_executor)
        yield


async def settle(pilot: Pilot[int]) -> None:
    """Wait until every key had its effect, and every question to the store is answered and shown."""
    app = pilot.app
    assert isinstance(app, ModexApp)
    while True:
        asked = _threads_asked
        await pilot.pause()
        if app.typed.under_way:
            await pilot.pause(_HELD_S)
            continue  # what came meanwhile is not laid out yet
        working = [worker for worker in app.workers if not worker.is_finished]
        if working:
            with contextlib.suppress(WorkerCancelled):  # a newer question took its place
                await app.workers.wait_for_complete(working)
        elif asked == _threads_asked:
            return
