"""The frame of every screen: who and what on top, keys at the bottom, and a regular look at the store."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, ClassVar, Self, TypeVar

from textual import events
from textual._styles_cache import StylesCache
from textual.app import ComposeResult
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from modex.core.foundation.errors import ModexError
from modex.tui.actions import Action, bound_to
from modex.tui.frame import Frame, painter
from modex.tui.look.note import note
from modex.tui.look.paint import Line, Part
from modex.tui.widgets.identity import IdentityLine
from modex.tui.widgets.keyline import KeyLine

ResultT = TypeVar("ResultT")
_EARLY_REFRESHES = 20
READ_ONLY = "read-only store: look, compare, export; to run, name another --db"
IDLE_S = 2.0
"""How often a screen looks while nothing moves, in seconds."""


class ModexScreen(Screen[ResultT]):
    """A full screen. Subclasses name their scopes, compose a body, and may look at the store regularly.

    `refresh_data` runs in a worker of its own: it asks the store with `await self.frame.store.ask(...)` and shows what it
    learned; it returns whether things are moving, which decides how soon it is called again.
    """

    SCOPES: ClassVar[tuple[str, ...]] = ()
    """Scopes of the registry that belong to this screen, its own first."""
    ALLOW_SELECT = False
    ASIDE: ClassVar[bool] = False
    """Whether this is help or settings, which other screens open and which open nothing like themselves."""
    REFRESHES: ClassVar[bool] = False
    """Whether `refresh_data` is called regularly."""
    PERIOD_S: ClassVar[float] = 0.0
    """How often at most while things move; 0 is the user's refresh rate."""

    def __init__(self) -> None:
        super().__init__()
        self._moving = True
        self._refreshing = False
        self._next_refresh = float("inf")
        self._early = 0
        self._store_error = ""
        self._told_problem = ""
        self._read_once = False
        self._fetching = 0

    @classmethod
    def over(cls, below: Screen[Any]) -> Self:  # noqa: ARG003
        """The screen as the palette opens it over the screen `below`; one that is about something says what."""
        return cls()

    @property
    def reading(self) -> bool:
        """Whether what the keys are about was not read yet: they wait for it."""
        return self._fetching > 0 or (self.REFRESHES and not self._read_once)

    def fetch_then(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what a key asked for and what asks the store first; keys typed behind it wait until it has had its effect."""

        async def counted() -> None:
            try:
                await work
            except ModexError as error:
                self.say(str(error), severity="error")
            finally:
                self._fetching -= 1

        self._fetching += 1
        self.run_worker(counted(), group="fetch")

    def do(self, job: Callable[[], object], done: str = "", after: Callable[[], None] | None = None) -> None:
        """Run a job off the UI thread; say how it ended, or why it could not be done, and read the store again."""

        async def doing() -> None:
            try:
                await self.frame.store.work(job)
            except ModexError as error:
                self.say(str(error), severity="error")
                return
            if done:
                self.say(done)
            if after:
                after()
            self.refresh_now()

        self.run_worker(doing(), group="do")

    def say_reading(self) -> None:
        """Tell that keys wait."""
        self.say("still reading; keys wait, esc lets go of them")

    @property
    def frame(self) -> Frame:
        """The application's shared things."""
        return painter(self)

    @property
    def scopes(self) -> tuple[str, ...]:
        """Scopes that help shows as the screen stands now."""
        return self.SCOPES

    @property
    def about_run(self) -> int | None:
        """The id of the run that this screen shows, where it shows one: the palette finds its tests."""
        return None

    @property
    def about_sample(self) -> int | None:
        """The id of the sample that this screen shows or has selected, where it has one."""
        return None

    @property
    def about_cell(self) -> tuple[str, int] | None:
        """The domain and level that are selected, where one cell of a matrix is."""
        return None

    def compose(self) -> ComposeResult:
        """Identity, body, keys."""
        yield IdentityLine()
        yield from self.body()
        yield KeyLine()

    def body(self) -> Iterable[Widget]:
        """The widgets between the top and the bottom line."""
        return ()

    def identity(self, left: Line, right: Line = ()) -> None:
        """Show who and what this is on the top line, how it stands at its right end."""
        self.query_one(IdentityLine).set(left, right)

    def store_state(self) -> list[Part]:
        """What the right end of the top line begins with: that nothing can be written, where that is so."""
        return [] if self.frame.store.writable else [("read-only store   ", "accent")]

    def keys_changed(self) -> None:
        """What can be pressed changed: ask `check_action` again and repaint the key line."""
        self.refresh_bindings()

    # keys that cannot be used now

    def on_key(self, event: events.Key) -> None:
        """Say why a key of this screen does nothing now: in silence it would look broken."""
        if isinstance(self.focused, Input) or event.key in self.active_bindings:
            return
        own = bound_to(event.key, self.scopes, self.frame.preferences.keys)
        action = own or bound_to(event.key, ("everywhere",), self.frame.preferences.keys)
        if action is not None:
            self.say((own and self.why_not(own)) or f"{action.label}: not possible here")

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """Why `action`, which `check_action` refuses now, cannot be done, in a few words."""
        return ""

    # looking

    def on_mount(self) -> None:
        """Look regularly, the first time when this screen is on top: it may be covered from the start."""
        if self.REFRESHES:
            self.set_interval(1 / self.frame.preferences.refresh_hz, self._tick)

    def on_unmount(self) -> None:
        """Let go of what was painted here: Textual remembers two colours for each widget, and by them all its lines."""
        StylesCache.get_inner_outer.cache_clear()

    def on_screen_resume(self) -> None:
        """Look at once when this screen is on top, at first or again, and at what can be pressed."""
        for keys in self.query(KeyLine):
            keys.changed()
        if self.REFRESHES and self.app.screen is self:
            self.refresh_now()

    @property
    def in_sight(self) -> bool:
        """Whether it is on top, or only questions and lists to choose from lie over it, beside which it is seen."""
        stack = self.app.screen_stack
        return self in stack and all(screen.is_modal for screen in stack[stack.index(self) + 1 :])

    def refresh_now(self) -> None:
        """Look as soon as the look under way is done."""
        self._next_refresh = 0.0
        self._tick()

    def _tick(self) -> None:
        now = self.frame.clock()
        if self._refreshing or now < self._next_refresh or not (self.in_sight or self._next_refresh == 0.0):
            return
        self._refreshing = True
        self._next_refresh = now + IDLE_S
        self.run_worker(self._refresh_data(), group="look")

    async def _refresh_data(self) -> None:
        try:
            self._moving = await self.refresh_data()
        except ModexError as error:
            self._moving = False
            self._read_once = True
            self.store_error(str(error))
        except NoMatches:
            # The answer came before the last widget was there, or after the first was gone.
            self._early += 1
            if self.is_running and self._early > _EARLY_REFRESHES:
                raise
        else:
            self._read_once = True
            self._early = 0
            if self._store_error:
                self._store_error = ""
                self.store_error_over()
        finally:
            self._refreshing = False
        if self._next_refresh == 0.0:
            self._tick()  # asked for while this look was under way: it may have read the store before the change
        elif self._moving:
            self._next_refresh = min(self._next_refresh, self.frame.clock() + self.PERIOD_S)

    async def refresh_data(self) -> bool:
        """Ask the store and show what changed; whether things are moving."""
        return False

    def store_error(self, words: str) -> None:
        """The store cannot be read: say so once; screens with a place for it override this."""
        if words != self._store_error:
            self._store_error = words
            self.say(words, severity="error")

    def store_error_over(self) -> None:
        """The store can be read again."""

    def tell_problem(self, words: str) -> None:
        """Say what is wrong with a filter, once for the same words: it is read again at every key."""
        if words and words != self._told_problem:
            self.say(words, severity="warning")
        self._told_problem = words

    def say(self, words: str, *, severity: str = "information") -> None:
        """A short note in the row of the keys, in place of any before it; the words are cleaned."""
        note(self.app, words, severity=severity)
