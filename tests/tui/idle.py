"""Tests of screens on a machine of any speed: what a pilot waits for is that nothing is left to do, and a frame is painted then.

Textual's pilot waits until the process used no time for 20 ms, three times a key, while frames that nobody sees are painted by
the clock. A test is told here when the last message had its effect, and what is dirty is painted once for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.base_events import BaseEventLoop
from collections.abc import Iterator
from typing import Any

import pytest
import textual.app
import textual.pilot
from textual._context import active_app
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerCancelled

from modex.tui.app import ModexApp
from tests.tui.once import once

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
        once(patch)
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
