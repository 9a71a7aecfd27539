"""Writing a run to a file of the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from modex.core.foundation.errors import ModexError
from modex.core.reports.formats import FORMATS
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.terminal.programs import free_name

if TYPE_CHECKING:
    from modex.core.reports.formats import Format

FAILURES = SampleQuery(statuses=("failed", "error"))
_OF_FAILURES = Answer("f", "failures", "Markdown: the failures alone, with their transcripts")


def _answers(*, of_tests: bool) -> list[Answer]:
    """Every format that fits; of whole runs the failures alone too."""
    fitting = [one for one in FORMATS.values() if one.samples or not of_tests]
    return [*(Answer(one.key, one.name, one.title) for one in fitting), *([] if of_tests else [_OF_FAILURES])]


def ask_and_export(screen: ModexScreen[Any], runs: Sequence[RunRow], ids: Sequence[int]) -> None:
    """Ask for the format, write a file a run off the UI thread, say where they are; `ids` are some samples of one run."""
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
    answers = _answers(of_tests=bool(ids))
    screen.app.push_screen(
        AskScreen(f"Write {what} to {'a file' if len(runs) == 1 else 'files'}, as", answers, "into the current folder"),
        decided,
    )


def export_to(reader: Reader, run: RunRow, kind: Format, folder: Path, query: SampleQuery | None = None) -> Path:
    """Write the run, or what of it matches `query`, for its owner alone, into `folder` under a name that is free; the file.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    from modex.core.features.export.export import export, file_name
    from modex.core.features.export.writing import write_export

    suffix = f".{FORMATS[kind].suffix}"
    path = free_name(folder, file_name([run], kind).removesuffix(suffix), suffix)
    with reader.as_of_now():
        write_export(path, export(reader, run, kind, query), database=reader.path)
    return path
