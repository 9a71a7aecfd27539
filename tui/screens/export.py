"""Writing a run to a file of the current folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

from core.errors import ConfigurationError, ModexError
from core.store.reader import Reader
from core.store.rows import RunRow
from tui.screens.ask import Answer, AskScreen
from tui.screens.base import ModexScreen

if TYPE_CHECKING:
    from core.reports.export import Format

_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]+")
_ENDINGS = {"json": "json", "csv": "csv", "md": "md", "html": "html", "junit": "xml"}


def ask_and_export(screen: ModexScreen[None], run: RunRow) -> None:
    """Ask for the format, write the file off the UI thread, and say where it is."""

    async def write(kind: Format) -> None:
        try:
            path = await screen.frame.store.ask(lambda reader: export_to(reader, run, kind, Path.cwd()))
        except ModexError as error:
            screen.say(str(error), severity="error")
        else:
            screen.say(f"written: {path.name} in {path.parent}")

    def decided(answer: str | None) -> None:
        if answer:
            screen.run_worker(write(cast("Format", answer)), group="do")

    screen.app.push_screen(
        AskScreen(
            f"Write {run.exp_id} to a file, as",
            [
                Answer("h", "html", "HTML: one page to read and to send"),
                Answer("m", "md", "Markdown: the matrix and the failures"),
                Answer("c", "csv", "CSV: a row a test, for a spreadsheet"),
                Answer("j", "json", "JSON: everything, transcripts included"),
                Answer("u", "junit", "JUnit XML: for a CI"),
            ],
            "into the current folder",
        ),
        decided,
    )


def export_to(reader: Reader, run: RunRow, kind: Format, folder: Path) -> Path:
    """Write the run into `folder` under a name that is free; the file.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    from core.reports.export import export

    stem = _UNSAFE.sub("-", run.exp_id).strip(".-") or "run"
    number = 1
    while True:
        path = folder / f"{stem}{f'-{number}' if number > 1 else ''}.{_ENDINGS[kind]}"
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.writelines(export(reader, run, kind))
        except FileExistsError:
            number += 1
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be written ({error.strerror})") from error
        else:
            return path
