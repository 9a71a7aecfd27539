"""The formats in which runs are exported, each once: the command, the screens, the page and the tests read them here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from modex.core.foundation.by_name import by_name

if TYPE_CHECKING:
    from modex.core.store.reader import Reader, SampleQuery
    from modex.core.store.rows import RunRow

Format = Literal["json", "csv", "md", "html", "junit", "inspect", "eee", "github", "caia"]
Together = Literal["json", "csv", "md", "html", "github"]
"""Formats in which several runs can stand together."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format."""

    name: Format
    writer: str
    """The function that writes a run, as `module:name`; it takes a reader, the run and which of its samples."""
    suffix: str
    """Of its file, without the first dot."""
    key: str
    """What chooses it in a screen's list."""
    title: str
    """Its line in that list."""
    holds: str
    """What the page says that it holds."""
    samples: bool = True
    """Whether it holds samples, so that a few of them can be written."""
    together: bool = False
    """Whether several runs can be compared in it."""
    reads: int = 1
    """How often it reads each sample."""

    def load(self) -> Callable[[Reader, RunRow, SampleQuery], Iterator[str]]:
        """The function that writes a run in pieces."""
        found: Callable[[Reader, RunRow, SampleQuery], Iterator[str]] = by_name(self.writer)
        return found


FORMATS: dict[Format, ExportFormat] = {
    one.name: one
    for one in (
        ExportFormat("json", "modex.core.features.export.export:json_of", "json", "j", "JSON: everything, transcripts included",
                     "everything that is stored, a list of samples with their transcripts", together=True),
        ExportFormat("csv", "modex.core.features.export.export:csv_of", "csv", "c", "CSV: a row a test, for a spreadsheet",
                     "a row a sample, safe for a spreadsheet", together=True),
        ExportFormat("md", "modex.core.features.export.export:markdown_of", "md", "m", "Markdown: the matrix and every test",
                     "the matrix, every test with its reason, and the transcripts of few", together=True, reads=2),
        ExportFormat("html", "modex.core.features.export.export:page_of", "html", "h", "HTML: one page to read and to send",
                     "one page without any other file: matrix, charts, reasons, every test", together=True),
        ExportFormat("junit", "modex.core.features.export.export:junit_of", "xml", "u", "JUnit XML: for a CI",
                     "a case a test, for a CI"),
        ExportFormat("inspect", "modex.core.edge.foreign.inspect_log:inspect_log", "json", "i",
                     "inspect_ai: a log for its viewer",
                     "a log of inspect_ai: its reader and viewer open it, with ids, epochs, scores, transcripts and tokens"),
        ExportFormat("eee", "modex.core.edge.foreign.every_eval:every_eval_record", "eee.json", "e",
                     "Every Eval Ever: the scores", "a record of Every Eval Ever 0.3.0: scores, no answers", samples=False),
        ExportFormat("github", "modex.core.edge.foreign.github:github_table", "md", "g", "GitHub: a table for a pull request",
                     "one table with the first failures for a pull request or `$GITHUB_STEP_SUMMARY`", samples=False,
                     together=True),
        ExportFormat("caia", "modex.core.edge.foreign.caia:caia_scores", "caia.json", "a", "CAIA: its score file",
                     "CAIA's score file: the points of each task, for answer, reasoning and tool use"),
    )
}  # fmt: skip
"""By name, in the order in which they are listed."""


def together() -> str:
    """The formats in which several runs can stand together, in words."""
    *names, last = [name for name, one in FORMATS.items() if one.together]
    return f"{', '.join(names)} or {last}"
