"""What can be pressed on a transcript: walk, search, fold, copy, write, edit, page."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from tui.actions import Action
from tui.frame import painter
from tui.look.note import note
from tui.widgets.prompt import Prompt
from tui.widgets.transcript_load import Loaded
from tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from core.store.manager import Redo

    _Base = Widget
else:
    _Base = object


class TranscriptActions(_Base):
    """The actions of the scope `transcript`; the pane gives `view` and `loaded`, and walks."""

    loaded: Loaded | None
    raw: bool

    @property
    def view(self) -> TranscriptView:
        """The transcript."""
        raise NotImplementedError

    def say(self, words: str, *, severity: str = "information") -> None:
        """A short note in the row of the keys."""
        note(self.app, words, severity=severity)

    def walk(self, step: int) -> None:
        """Show the next sample, or the one before."""
        raise NotImplementedError

    def walk_to_failure(self, step: int) -> None:
        """Show the next failure, or the one before."""
        raise NotImplementedError

    def toggle_raw(self) -> None:
        """Raw JSON, or the transcript again."""
        raise NotImplementedError

    def toggle_markdown(self) -> None:
        """Markdown, or as it is."""
        raise NotImplementedError

    def redo(self, kind: Redo) -> None:
        """Ask for the sample to be done again."""
        raise NotImplementedError

    def export(self) -> None:
        """Ask for the sample to be written to a file."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """While a search is shown, n and N go from match to match."""
        searching = self.is_mounted and bool(self.view.matches.words)
        if action in ("next_match", "previous_match", "end_search"):
            return searching
        if action in ("next_sample", "next_failure"):
            return not searching
        if action == "redo":
            return self.is_mounted and self.loaded is not None and not self._refusal
        if action in ("copy", "write", "pager", "edit", "raw", "export"):
            return self.is_mounted and self.loaded is not None
        return True

    @property
    def _refusal(self) -> str:
        """Why the sample cannot be done again now."""
        if self.loaded is None:
            return "the transcript is still being read"
        if not painter(self).store.writable:
            return "read-only store"
        return "the run is going on: stop it first" if self.loaded.run.going else ""

    def why_not(self, action: Action) -> str:
        """What is refused waits for the transcript, or for the run's end."""
        if action.name.startswith("redo") and self._refusal:
            return self._refusal
        return "the transcript is still being read"

    def action_redo(self, kind: Redo) -> None:
        """Ask the model again, or judge again."""
        self.redo(kind)

    def action_export(self) -> None:
        """Write the sample to a file."""
        self.export()

    def action_fold(self) -> None:
        """Fold or unfold the part under the selection."""
        self.view.fold()

    def action_fold_all(self) -> None:
        """Fold or unfold everything."""
        self.view.fold_all()

    def action_part(self, step: int) -> None:
        """Go to the next part, or the one before."""
        self.view.part(step)

    def action_next_sample(self) -> None:
        """Show the next test."""
        self.walk(1)

    def action_previous_sample(self) -> None:
        """Show the test before."""
        self.walk(-1)

    def action_next_failure(self) -> None:
        """Show the next failure."""
        self.walk_to_failure(1)

    def action_previous_failure(self) -> None:
        """Show the failure before."""
        self.walk_to_failure(-1)

    def action_search(self) -> None:
        """Ask for words."""
        self.query_one(Prompt).ask(self.view.matches.words)

    def action_next_match(self) -> None:
        """Go to the next match."""
        self.view.next_match(1)

    def action_previous_match(self) -> None:
        """Go to the match before."""
        self.view.next_match(-1)

    def action_markdown(self) -> None:
        """Markdown, or as it is."""
        self.toggle_markdown()

    def action_raw(self) -> None:
        """Raw JSON, or the transcript again."""
        self.toggle_raw()

    def action_end_search(self) -> None:
        """End the search."""
        self.view.search("")
        self.refresh_bindings()

    # taking it out

    def action_copy(self) -> None:
        """Send the part under the selection to the terminal's clipboard."""
        from tui.terminal.clipboard import send

        section = self.view.section
        if section is None or not section.source:
            self.say("nothing to copy here")
            return
        self.say(f"{section.title} {send(self.app, section.source)}")

    def _text(self) -> tuple[str, str]:
        """The whole transcript as text and the suffix of its file."""
        from core.safety import redact
        from tui.plain.transcript import sample_json, transcript_text

        if self.loaded is None:
            return "", ".txt"
        if self.raw:
            value = sample_json(self.loaded.sample, list(self.loaded.earlier))
            return redact(json.dumps(value, ensure_ascii=True, indent=2, default=str)), ".json"
        return redact(transcript_text(self.loaded.sample, list(self.loaded.earlier))), ".txt"

    def action_write(self) -> None:
        """Write the transcript to a file in the current folder."""
        if self.loaded is not None:
            self.run_worker(self._write(), group="write")

    async def _write(self) -> None:
        loaded = self.loaded
        if loaded is None:
            return
        stem = f"{loaded.run.exp_id}-{loaded.sample.domain}-{loaded.sample.level}-{loaded.sample.test_id}"

        def job() -> Path:
            from tui.terminal.programs import free_name

            text, suffix = self._text()
            path = free_name(Path.cwd(), stem, suffix)
            path.write_text(text, encoding="utf-8", errors="replace")
            return path

        try:
            path = await painter(self).store.work(job)
        except OSError as error:
            self.say(f"cannot write here: {error.strerror or error}", severity="error")
            return
        self.say(f"written to {path.name}")

    def action_pager(self) -> None:
        """Open the transcript in the pager."""
        from tui.terminal.programs import hand_over, pager_command

        text, suffix = self._text()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"transcript{suffix}")
            path.write_text(text, encoding="utf-8", errors="replace")
            command = pager_command(path)
            problem = hand_over(self.app, command) if command else "no pager: set $PAGER"
        if problem:
            self.say(problem, severity="warning")

    def action_edit(self) -> None:
        """Open the test's file in the editor."""
        if self.loaded is None:
            return
        from core.suite.bundled import bundled_root
        from tui.terminal.programs import editor_command, hand_over

        definition = self.loaded.sample.definition
        selection = self.loaded.run.config.get("selection") or {}
        root = Path(selection["suite"]).expanduser() if selection.get("suite") else bundled_root()
        if root.name == "test_definitions" and definition.file.startswith("test_definitions/"):
            root = root.parent
        path = root / definition.file
        if not definition.file or not path.is_file():
            self.say(f"the test's file is not there any more: {definition.file or 'it has none'}", severity="warning")
            return
        command = editor_command(path, definition.line)
        before = _content(path)
        problem = hand_over(self.app, command) if command else "no editor: set $EDITOR"
        if problem:
            self.say(problem, severity="warning")
        elif _content(path) == before:
            self.say("nothing was changed")
        elif self._refusal:
            self.say(f"edited; {self._refusal}")
        else:
            self.redo("changed")


def _content(path: Path) -> bytes:
    """What stands in the file; nothing where it is gone."""
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return b""
