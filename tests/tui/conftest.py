"""A store with runs as the engine leaves them, and an application whose clocks stand still."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from modex.core.store.lock import RunLock
from modex.tui.app import HOME, ModexApp, StartScreen
from modex.tui.look.preferences import Preferences
from modex.tui.start.fork import Starting
from tests.tui.idle import exact, settle
from tests.tui.stores import StoreMaker

__all__ = ["NOW", "MakeApp", "seen", "settle", "shows"]

NOW = datetime(2026, 3, 5, 14, 30, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same terminal and settings on every machine."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "COLORFGBG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))


@pytest.fixture(autouse=True)
def no_guessing() -> Iterator[None]:
    """Keys and pauses of a pilot end when nothing is left to do, on a busy machine as on a quiet one."""
    with exact():
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    """An empty store, and what fills it."""
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


MakeApp = Callable[..., ModexApp]


@pytest.fixture
def make_app(store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> MakeApp:
    """An application over the store, which is the usual one, with still clocks; signs are Unicode unless asked otherwise."""
    monkeypatch.setenv("MODEX_DB", str(store.path))

    def make(start: StartScreen = HOME, **preferences: object) -> ModexApp:
        wishes: dict[str, object] = {"glyphs": "unicode", **preferences}
        return ModexApp(
            store.path,
            start=start,
            wall=lambda: NOW,
            preferences=Preferences(**wishes),  # type: ignore[arg-type]
        )

    return make


@pytest.fixture
def hold(store: StoreMaker) -> Iterator[Callable[[str], None]]:
    """Hold runs as a living runner does."""
    locks: list[RunLock] = []

    def take(exp_id: str) -> None:
        locks.append(RunLock(store.path, store.run_id(exp_id), exp_id))

    yield take
    for lock in locks:
        lock.release()


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database on a file system that takes no writing, whoever asks."""
    real = os.access

    def access(path: Any, mode: int, **options: Any) -> bool:
        return not mode & os.W_OK and real(path, mode, **options)

    monkeypatch.setattr(os, "access", access)


@pytest.fixture
def on_their_way() -> Iterator[Starting]:
    """Two runs that a process is starting, for as long as the test takes."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        ends = (os.dup(child.stdout.fileno()), os.dup(child.stderr.fileno()))
        starting = Starting(child.pid, *ends, exp_id="tuesday", models=("openai/gpt-5-mini", "demo"))
        yield starting
        starting.cancel()
        starting.outcome.result(timeout=20)


def shows(app: ModexApp, kind: type[Screen[Any]]) -> bool:
    """Whether a screen of this kind is on top."""
    return isinstance(app.screen, kind)


def seen(app: ModexApp) -> str:
    """What stands on the screen, a line a line."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())
