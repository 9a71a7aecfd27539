"""What a person sees when the screen itself fails: what happened and where, that nothing is lost, and no secrets."""

from __future__ import annotations

import os
import traceback

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from modex.core.safety import clean, clean_line, redact

_FRAMES = 6


class Crash:
    """An unhandled exception, rendered without locals: they hold keys, prompts and answers."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    @property
    def text(self) -> str:
        """The report: the error, the innermost frames of our own code, what to do."""
        frames = traceback.extract_tb(self._error.__traceback__)[-_FRAMES:]
        where = [f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
        words = clean_line(redact(f"{type(self._error).__name__}: {self._error}"), 500)
        return "\n".join(
            [
                f"modex: the screen failed: {words}",
                *(clean(redact(line)) for line in where),
                "Runs go on in their own process and nothing stored was lost: `modex` shows them again.",
                "Please report the lines above; they hold no values.",
            ]
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.text)


def _short(path: str) -> str:
    return "/".join(path.replace(os.sep, "/").split("/")[-3:])
