"""What every widget needs from the application it stands in: palette, glyphs, store, clocks, settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from textual.widget import Widget

from modex.tui.look.glyphs import Glyphs
from modex.tui.look.preferences import Preferences
from modex.tui.look.theme import Palette
from modex.tui.reading.store import StoreView


def local_now() -> datetime:
    """The present moment in the machine's time zone."""
    return datetime.now().astimezone()


@dataclass(frozen=True, slots=True)
class Draft:
    """The plan of a new run that was left before it was started."""

    options: dict[str, Any]
    """Its options by name, but for the choice of tests."""
    tests: frozenset[str] | None
    """The names of the tests that are chosen; None: those that are offered, since the suite was never read."""


@dataclass(slots=True)
class Frame:
    """The application's shared things; screens and widgets read them through `painter`."""

    database: Path
    store: StoreView
    preferences: Preferences
    glyphs: Glyphs
    palette: Palette
    clock: Callable[[], float] = time.monotonic
    """Seconds, for measuring."""
    wall: Callable[[], datetime] = field(default=local_now)
    """The time of day, aware; its zone is the one times are shown in."""
    folds: dict[str, bool] = field(default_factory=dict)
    """Which parts of transcripts a person folded or unfolded, by the part's key: they stay so in the next one."""
    draft: Draft | None = None
    """What a new run begins with, where one was planned and left."""
    draft_is_safe: bool = True
    """Whether `draft` stands on the disk too, for the next time that modex is opened."""


@runtime_checkable
class HasFrame(Protocol):
    """An application that carries a `Frame`."""

    frame: Frame


def painter(widget: Widget) -> Frame:
    """The frame of the application that `widget` lives in."""
    return cast("HasFrame", widget.app).frame
