"""A transcript taken out of the screen: as text, to a file, to the pager; and its test's file in the editor."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App

from modex.tui.widgets.transcript_load import Loaded


def text_of(loaded: Loaded) -> tuple[str, str]:
    """The whole transcript as text, as it is shown (raw or not), and the suffix of its file."""
    from modex.core.safety import without_secrets
    from modex.tui.plain.transcript import sample_json, transcript_text

    if loaded.raw:
        value = sample_json(loaded.sample, list(loaded.earlier))
        return without_secrets(json.dumps(value, ensure_ascii=True, indent=2, default=str)), ".json"
    return without_secrets(transcript_text(loaded.sample, list(loaded.earlier), loaded.run)), ".txt"


def write_here(loaded: Loaded) -> Path:
    """Write the transcript to a new file in the current folder.

    Raises:
        OSError: that is not possible here.
    """
    from modex.core.foundation.atomic_write import write_whole
    from modex.tui.terminal.programs import free_name

    text, suffix = text_of(loaded)
    stem = f"{loaded.run.exp_id}-{loaded.sample.domain}-{loaded.sample.level}-{loaded.sample.test_id}"
    path = free_name(Path.cwd(), stem, suffix)
    write_whole(path, text)
    return path


def page(app: App[Any], loaded: Loaded) -> str | None:
    """Show the transcript in the pager; why that was not possible, or None."""
    from modex.tui.terminal.programs import hand_over, pager_command

    text, suffix = text_of(loaded)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"transcript{suffix}")
        path.write_text(text, encoding="utf-8", errors="replace")
        command = pager_command(path)
        return hand_over(app, command) if command else "no pager: set $PAGER"


def edit_test(app: App[Any], loaded: Loaded) -> tuple[bool, str | None]:
    """Open the test's file in the editor: whether it is another one now, and why that was not possible, or None."""
    from modex.core.suite.bundled import bundled_root
    from modex.tui.terminal.programs import editor_command, hand_over

    definition = loaded.sample.definition
    selection = loaded.run.config.get("selection") or {}
    root = Path(selection["suite"]).expanduser() if selection.get("suite") else bundled_root()
    if root.name == "test_definitions" and definition.file.startswith("test_definitions/"):
        root = root.parent
    path = root / definition.file
    if not definition.file or not path.is_file():
        return False, f"the test's file is not there any more: {definition.file or 'it has none'}"
    command = editor_command(path, definition.line)
    before = _content(path)
    problem = hand_over(app, command) if command else "no editor: set $EDITOR"
    return problem is None and _content(path) != before, problem


def _content(path: Path) -> bytes:
    """What stands in the file; nothing where it is gone."""
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return b""
