"""Tools written in Python, by handler id; what is heavy is imported only when first called."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from modex.core.foundation.errors import ConfigurationError
from modex.core.tools.base import ToolHandler

_ID = re.compile(r"[a-z][a-z0-9_]*:[A-Za-z0-9_.-]+")
_H = TypeVar("_H", bound=ToolHandler)
_handlers: dict[str, ToolHandler] = {}
_presents: list[tuple[str, frozenset[str], str]] = []
_lock = threading.Lock()


def register_handler(handler_id: str) -> Callable[[_H], _H]:
    """Decorate a `ToolHandler` to make it answer tools whose `handler` is `handler_id` (`python:my_tool`).

    Raises:
        ConfigurationError: the id has another form.
    """
    if not _ID.fullmatch(handler_id):
        raise ConfigurationError(f"a handler's id must read 'python:<name>', not {handler_id!r}")

    def register(handler: _H) -> _H:
        with _lock:
            _handlers[handler_id] = handler
        return handler

    return register


def register_present(day: str, *, handlers: str, sources: Sequence[str] = ()) -> None:
    """Say that tools whose `handler` begins with `handlers`, and questions of `sources`, speak of `day` as the present.

    The day (`2026-06-30`) becomes `{snapshot_date}` in the prompts of such tests.
    """
    entry = (handlers, frozenset(sources), day)
    with _lock:
        if entry not in _presents:
            _presents.append(entry)


def present_of(handler_ids: Collection[str], source: str) -> str | None:
    """The day that a test's tools or its source take for the present, or None."""
    with _lock:
        known = list(_presents)
    for prefix, sources, day in known:
        if source in sources or any(handler.startswith(prefix) for handler in handler_ids):
            return day
    return None


def find_handler(handler_id: str) -> ToolHandler | None:
    """The handler of that id: a registered one, or `python:code_workspace`; None where there is none."""
    with _lock:
        registered = _handlers.get(handler_id)
    if registered is not None:
        return registered
    if handler_id == "python:code_workspace":
        from modex.core.tools.workspace import code_workspace

        return code_workspace
    if handler_id.startswith("live:"):
        from modex.core.tools.live import live_handler

        return live_handler(handler_id)
    if handler_id.startswith("workspace:"):
        from modex.core.tools.shell_tools import workspace_handler

        return workspace_handler(handler_id)
    return None


def handler_unavailable(handler_id: str) -> str | None:
    """Why this machine cannot run the handler, or None."""
    with _lock:
        if handler_id in _handlers:
            return None
    if handler_id == "python:code_workspace":
        from modex.core.sandbox.python import python_unavailable

        return python_unavailable()
    if handler_id.startswith("live:"):
        from modex.core.tools.live import live_handler, live_unavailable

        if live_handler(handler_id) is not None:
            return live_unavailable(handler_id)
    if handler_id.startswith("workspace:"):
        from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable

        return bubblewrap_unavailable()
    if find_handler(handler_id) is None:
        return f"there is no handler '{handler_id}'; a plugin registers one with modex.register_handler"
    return None
