"""Writing a run to a file of the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from core.errors import ModexError
from core.store.reader import Reader, SampleQuery
from core.store.rows import RunRow
from tui.screens.ask import Answer, AskScreen
from tui.screens.base import ModexScreen
from tui.terminal.programs import free_name

if TYPE_CHECKING:
    from core.reports.export import Format

FAILURES = SampleQuery(statuses=("failed", "error"))
_ENDINGS = {"json": "json", "csv": "csv", "md": "md", "html": "html", "junit": "xml"}


_TESTS = [
    Answer("m", "md", "Markdown: with the whole transcript"),
    Answer("h", "html", "HTML: one page to read and to send"),
    Answer("c", "csv", "CSV: a row a test, for a spreadsheet"),
    Answer("j", "json", "JSON: everything, transcripts included"),
    Answer("u", "junit", "JUnit XML: for a CI"),
]
_RUNS = [
    Answer("h", "html", "HTML: one page to read and to send"),
    Answer("m", "md", "Markdown: the matrix and every test"),
    Answer("f", "failures", "Markdown: the failures alone, with their transcripts"),
    Answer("c", "csv", "CSV: a row a test, for a spreadsheet"),
    Answer("j", "json", "JSON: everything, transcripts included"),
    Answer("u", "junit", "JUnit XML: for a CI"),
]


def ask_and_export(screen: ModexScreen[Any], *runs: RunRow, ids: Sequence[int] = ()) -> None:
    """Ask for the format, write a file a run off the UI thread, and say where they are; `ids` are samples of one run."""
    only_these = SampleQuery(ids=tuple(ids)) if ids else None

    async def write(kind: Format, query: SampleQuery | None) -> None:
        try:
            paths = await screen.frame.store.ask(
                lambda reader: [export_to(reader, run, kind, Path.cwd(), query) for run in runs], lane="work"
            )
        except ModexError as error:
            screen.say(str(error), severity="error")
        else:
            named = paths[0].name if len(paths) == 1 else f"{len(paths)} files"
            screen.say(f"written: {named} in {paths[0].parent}")

    def decided(answer: str | None) -> None:
        if answer:
            only = answer == "failures"
            kind = cast("Format", "md" if only else answer)
            screen.run_worker(write(kind, FAILURES if only else only_these), group="do")

    if ids:
        what = "this test" if len(ids) == 1 else f"{len(ids):,} marked tests"
    else:
        what = runs[0].exp_id if len(runs) == 1 else f"{len(runs)} marked runs"
    answers = _TESTS if ids else _RUNS
    screen.app.push_screen(
        AskScreen(f"Write {what} to {'a file' if len(runs) == 1 else 'files'}, as", answers, "into the current folder"),
        decided,
    )


def export_to(reader: Reader, run: RunRow, kind: Format, folder: Path, query: SampleQuery | None = None) -> Path:
    """Write the run, or what of it matches `query`, for its owner alone, into `folder` under a name that is free; the file.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    from core.reports.export import export
    from core.reports.writing import write_export

    path = free_name(folder, run.exp_id, f".{_ENDINGS[kind]}")
    with reader.as_of_now():
        write_export(path, export(reader, run, kind, query), database=reader.path)
    return path
