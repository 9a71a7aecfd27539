"""Markdown as a comment on a pull request: short enough for GitHub, and found again by its first line.

That line is a comment that is the same for every run of a model over a suite, wherever that is checked out, so that a
step that posts comments finds the earlier one and replaces it (`docs/examples/gate/comment.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from modex.core.store.rows import RunRow

MOST_CHARACTERS = 65_000
"""GitHub refuses a comment of more than 65,536."""


def as_comment(run: RunRow, pieces: Iterable[str]) -> Iterator[str]:
    """Markdown behind the line that `run` is found by, ended before it is too long for a comment."""
    said = marker_line(run)
    yield said
    length, folded = len(said), False
    for piece in pieces:
        length += len(piece)
        if length > MOST_CHARACTERS:
            yield "\n</details>\n\n" if folded else "\n\n"
            yield "More than a comment holds: `modex export --format md`\n"
            return
        folded = piece.startswith("<details>") or (folded and "</details>" not in piece)
        yield piece


def marker_line(run: RunRow) -> str:
    """The comment that says which model was asked what: the same text for each such run."""
    chosen = run.config.get("selection")
    selection = chosen if isinstance(chosen, dict) else {}
    datasets = [str(one.get("path")) for one in selection.get("datasets") or () if isinstance(one, dict)]
    asked = datasets or [str(selection["suite"])] if datasets or selection.get("suite") else []
    told = f"{run.model} over {', '.join(map(_in_repository, asked)) or 'bundled suite'}"
    harmless = re.sub(r"-{2,}", "-", re.sub(r"[^\w ./:,-]+", "_", told, flags=re.ASCII))
    return f"<!-- modex: {harmless} -->\n"


def _in_repository(path: str) -> str:
    """The path from the root of its repository, else its name: the same in every checkout, and no folder of this machine."""
    whole = Path(path)
    for above in whole.parents:
        if (above / ".git").exists():
            return str(whole.relative_to(above))
    return whole.name
