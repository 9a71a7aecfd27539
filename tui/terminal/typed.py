"""What is typed, one key at a time: a key goes out when the one before it has had its whole effect.

Textual hands a key to whoever has the focus when it arrives, and a key's effect (another focus, another screen) takes a few
turns of several queues. Typed at speed, or over a slow link in one packet, `/rat` would therefore filter by nothing and
resume a run. Here a key waits until every queue that the one before it went through is empty, and until the screen on top
has read what its keys are about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.widgets import Input

Key = events.Key | events.Paste
_ROUNDS = 3
"""How many times the queues are walked: a handler's message may have a handler that sends one more."""
_LOST_S = 0.5
"""A queue that has not answered by then belonged to a widget that is gone."""
_POLL_S = 0.02
_SAY_S = 0.6
_LEAVES = frozenset(["escape", "ctrl+c", "q"])
"""Keys that leave: nothing that is still being read may hold them."""


class Reads(Protocol):
    """A screen whose keys mean nothing before it has read what they are about."""

    @property
    def reading(self) -> bool:
        """Whether it has not read yet."""
        ...

    def say_reading(self) -> None:
        """Tell that keys wait."""
        ...


class TypedKeys:
    """The keys that were typed and not yet given to anybody."""

    def __init__(
        self, app: App[int], give: Callable[[Key], Awaitable[None]], *, free: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`give` hands a key to the application as it always did; `free` says which keys mean the same on every screen."""
        self._app = app
        self._give = give
        self._free = free
        self._waiting: deque[Key] = deque()
        self._busy = False
        self._turn = 0
        self._lost: Timer | None = None
        self._held_s = 0.0
        self._said = False

    @property
    def under_way(self) -> bool:
        """Whether a key has still to have its effect."""
        return self._busy

    async def typed(self, key: Key) -> None:
        """Take a key; it goes out at once where nothing is before it."""
        self._waiting.append(key)
        if not self._busy:
            self._busy = True
            await self._next()

    async def _next(self) -> None:
        if not self._waiting:
            self._busy = False
            return
        if self._held(self._waiting[0]):
            self._app.set_timer(_POLL_S, self._again)
            return
        if self._said:
            self._said = False
            self._app.clear_notifications()  # what it says is over
        self._held_s = 0.0
        await self._give(self._waiting.popleft())
        self._turn += 1
        self._lost = self._app.set_timer(_LOST_S, self._after(self._turn))
        self._walk(_ROUNDS, self._turn)

    async def _again(self) -> None:
        self._held_s += _POLL_S
        if self._held_s - _POLL_S < _SAY_S <= self._held_s and _reads(self._app.screen):
            self._app.screen.say_reading()  # type: ignore[attr-defined]
            self._said = True
        await self._next()

    def _held(self, key: Key) -> bool:
        """Whether the screen on top has still to read what this key is about; escape drops what waits behind it."""
        screen = self._app.screen
        if isinstance(key, events.Key) and (key.key in _LEAVES or self._free(key.key)):
            return False
        if any(isinstance(waiting, events.Key) and waiting.key == "escape" for waiting in self._waiting):
            while not (isinstance(self._waiting[0], events.Key) and self._waiting[0].key == "escape"):
                self._waiting.popleft()
            return False
        if not _reads(screen) or not screen.reading:  # type: ignore[attr-defined]
            return False
        # Letters belong to a box at once; what Enter takes from under it may still be read.
        return not isinstance(screen.focused, Input) or (isinstance(key, events.Key) and key.key == "enter")

    def _walk(self, rounds: int, turn: int) -> None:
        """Go through the queues from whoever has the keys up to the application, behind what stands in them."""
        if rounds == 0:
            self._app.call_later(self._after(turn))
            return
        start = self._app.focused or self._app.screen
        path: list[MessagePump] = [node for node in start.ancestors_with_self if isinstance(node, DOMNode)]
        self._step(deque([*path, self._app.screen, self._app]), rounds, turn)

    def _step(self, path: deque[MessagePump], rounds: int, turn: int) -> None:
        while path:
            node = path.popleft()
            if node.is_running and node.call_later(self._step, path, rounds, turn):
                return
        self._walk(rounds - 1, turn)

    def _after(self, turn: int) -> Callable[[], Awaitable[None]]:
        async def done() -> None:
            if turn != self._turn or not self._busy:
                return  # the other one of the two, the walk or the timer, was there before
            self._turn += 1
            if self._lost is not None:
                self._lost.stop()
                self._lost = None
            await self._next()

        return done


def _reads(screen: object) -> bool:
    return hasattr(screen, "reading") and hasattr(screen, "say_reading")
