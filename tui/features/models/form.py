"""The form that gives a model a name: a value a line, the entry as it will stand, and the command that does the same."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.config.entries.editing import add_entry, assigned, entry_text, own_file
from modex.core.config.entries.keys import BY_KEY, NAME
from modex.core.foundation.errors import ConfigurationError
from modex.core.safety import as_words, clean_line
from modex.tui.actions import Action, bindings
from modex.tui.look.paint import Line
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.edit import Edit
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

_LACKS = "give it a name, and a model or a file of weights"
_COLUMNS = (ListColumn("", 14), ListColumn("", 20, grow=2), ListColumn("", 16, grow=1, from_width=70))


@dataclass(frozen=True, slots=True)
class FormLine:
    """One line of the form: a key of an entry, or what has no key (`name`, `file`, `more`)."""

    key: str
    title: str
    help: str


FIELDS = (
    FormLine("name", "name", "one word, for --model"),
    FormLine("model", "model", "as provider/name"),
    FormLine("api_base", "address", "of an OpenAI-compatible server"),
    FormLine("api_key_env", "key's variable", "its name, never the key"),
    FormLine("gguf", "GGUF file", "instead of a model"),
    FormLine("params.temperature", "temperature", ""),
    FormLine("params.max_tokens", "most tokens", "of one answer"),
    FormLine("prices.input", "input price", "USD per million tokens"),
    FormLine("prices.output", "output price", "USD per million tokens"),
    FormLine("concurrency", "calls at once", ""),
    FormLine("timeout", "deadline", "seconds of one call"),
    FormLine("more", "more", "KEY=VALUE, with ; between"),
    FormLine("file", "written to", "enter: the other file"),
)


class ModelFormScreen(ModexScreen[str]):
    """Gives back the name of the entry that was written; nothing where it was left."""

    SCOPES = ("model_form", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("model_form")]
    DEFAULT_CSS = """
    ModelFormScreen #fields { margin-top: 1; height: 14; min-height: 5; }
    ModelFormScreen #entry { height: auto; margin: 1 1 0 1; }
    ModelFormScreen.-short #fields { height: 9; }
    """

    def __init__(self, suite: str | None, name: str = "", given: Mapping[str, str] | None = None) -> None:
        """`suite` may be written to as well; `name` and what is `given` stand in the form from the start."""
        super().__init__()
        self._suite = suite
        self._into_suite = False
        self.values: dict[str, Any] = {"name": name, **(given or {})}
        self._begun_with = dict(self.values)
        self._writing = False

    def body(self) -> Iterable[Widget]:
        """The values, and what they come to."""
        yield Listing(_COLUMNS, self._cells, titles=False, id="fields")
        yield Lines(id="entry")
        yield Edit()

    def on_mount(self) -> None:
        """Show the form."""
        super().on_mount()
        listing: Listing[FormLine] = self.query_one("#fields", Listing)
        fields = [one for one in FIELDS if one.key != "file" or self._suite is not None]
        listing.set_count(len(fields))
        listing.put(0, fields)
        self.set_focus(listing)
        self.identity([("modex", "title"), ("  a model by name", "muted")])
        self._told()

    def on_resize(self) -> None:
        """Leave the entry its lines on a short terminal."""
        self.set_class(self.size.height < 24, "-short")
        self._told()

    # what was typed

    @property
    def given(self) -> dict[str, Any]:
        """The keys of the entry, and what was typed for each; `more` read as `--set` is.

        Raises:
            ConfigurationError: `more` cannot be read.
        """
        found = {key: value for key, value in self.values.items() if key in BY_KEY}
        return found | assigned([word.strip() for word in str(self.values.get("more", "")).split(";") if word.strip()])

    def _cells(self, field: FormLine) -> list[Cell]:
        if field.key == "file":
            return [(field.title, "text"), (str(self._path), "accent"), (field.help, "muted")]
        value = str(self.values.get(field.key, ""))
        return [
            (field.title, "text"),
            (clean_line(value, 300), "accent") if value else ("-", "faint"),
            (field.help, "muted"),
        ]

    @property
    def _is_whole(self) -> bool:
        return bool(self.values.get("name")) and ("model" in self.values or "gguf" in self.values)

    @property
    def _path(self) -> Path:
        return own_file(self._suite if self._into_suite else None)

    def _told(self) -> None:
        """The entry and the command, as they stand now."""
        if not self.is_mounted:
            return
        try:
            given = self.given
        except ConfigurationError as error:
            self.query_one("#entry", Lines).show([[(clean_line(str(error), 300), "error")]])
            return
        name = str(self.values.get("name") or "NAME")
        width = max(30, self.size.width - 4)
        lines: list[Line] = [[(clean_line(line, 300), "text")] for line in entry_text(name, given).splitlines()]
        words = textwrap.wrap(self._command(name, given), width, subsequent_indent="  ", break_on_hyphens=False)
        lacks: list[Line] = [] if self._is_whole else [[(_LACKS, "accent")]]
        self.query_one("#entry", Lines).show(
            [*lines, *lacks, (), *([(clean_line(line, 300), "faint")] for line in words)]
        )

    def _command(self, name: str, given: Mapping[str, Any]) -> str:
        flags: list[str] = []
        for key, value in given.items():
            if key in ("model", "api_base", "api_key_env", "gguf"):
                flags += [f"--{key.replace('_', '-')}", str(value)]
            else:
                flags += ["--set", f"{key}={_toml(value)}"]
        suite = ["--suite", str(self._suite)] if self._into_suite and self._suite else []
        return as_words("modex", "models", "add", name, *flags, *suite)

    @on(Listing.Opened)
    def _edit(self, event: Listing.Opened) -> None:
        field = event.listing.current
        if not isinstance(field, FormLine):
            return
        if field.key == "file":
            self._into_suite = not self._into_suite
            event.listing.repaint()
            self._told()
            return
        self._ask(field.key, str(self.values.get(field.key, "")))

    def _ask(self, name: str, value: str) -> None:
        """Open the line in which the value is typed."""
        field = next(one for one in FIELDS if one.key == name)
        key = BY_KEY.get(name)
        help = f"{key.help}, as {key.example}" if key is not None else field.help
        self.query_one(Edit).ask_for(name, field.title, value, help)

    @on(Edit.Done)
    def _done(self, event: Edit.Done) -> None:
        listing = self.query_one("#fields", Listing)
        self.set_focus(listing)
        if event.value is None:
            return
        typed = event.value.strip()
        try:
            value: Any = self._read(event.name, typed) if typed else ""
        except ConfigurationError as error:
            self.say(str(error), severity="error")
            self._ask(event.name, typed)
            return
        if typed:
            self.values[event.name] = value
            listing.action_move(1)
        else:
            self.values.pop(event.name, None)
        listing.repaint()
        self._told()
        self.keys_changed()

    def _read(self, name: str, typed: str) -> Any:
        """What was typed, as it stands in the file."""
        if name == "name":
            if not NAME.fullmatch(typed):
                raise ConfigurationError(f"{typed[:60]!r} is no name: use letters, digits, - _ and .")
            return typed
        if name == "more":
            assigned([word.strip() for word in typed.split(";") if word.strip()])
            return typed
        if name in ("model", "api_base", "api_key_env", "gguf"):
            try:
                BY_KEY[name].read(typed)
            except (TypeError, ValueError) as error:
                raise ConfigurationError(f"{error}; correct it") from None
            return typed
        return assigned([f"{name}={typed}"])[name]

    # writing

    def action_write(self) -> None:
        """Write the entry and go back to the list."""
        if not self._writing:
            self._writing = True
            self.run_worker(self._write(), group="write")

    async def _write(self) -> None:
        def write() -> str:
            given = self.given
            if not self.values.get("name"):
                raise ConfigurationError("give it a name first")
            if "gguf" in given:
                given["gguf"] = str(Path(given["gguf"]).expanduser().absolute())
            return add_entry(self._path, str(self.values["name"]), given).where

        try:
            where = await asyncio.to_thread(write)
        except ConfigurationError as error:
            self.say(str(error).splitlines()[0], severity="error")
            return
        finally:
            self._writing = False
        self.dismiss(str(self.values["name"]))
        self.say(f"written: {where}")

    def action_leave_form(self) -> None:
        """Leave the form; asks where something was typed."""

        def leave(answer: str | None) -> None:
            if answer:
                self.dismiss("")

        if self.values == self._begun_with:
            leave("leave")
            return
        self.app.push_screen(
            AskScreen("leave the form?", [Answer("y", "leave", "yes; nothing is written")], "w writes the entry"), leave
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """An entry can be written once it has a name and says a model or a file."""
        return self._is_whole if action == "write" else True

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """By what is missing."""
        return _LACKS


def _toml(value: Any) -> str:
    """A value as `--set` reads it."""
    import json

    return json.dumps(value) if isinstance(value, str | bool | list) else str(value)
