"""The plan of a new run that was left, kept beside its database until it is started or given up."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from modex.core.store.location import draft_file
from modex.tui.frame import Draft, Frame

_MOST = 4 << 20
"""Bytes of such a file: a suite of 50,000 chosen tests needs two million."""


def kept(database: Path) -> Draft | None:
    """The plan that was kept for this database; None where there is none or the file is none of ours."""
    place = draft_file(database)
    if not place.is_file():
        return None
    from modex.core.suite.files import FileFaultError, read_text

    try:
        found = json.loads(read_text(place, _MOST))
    except (FileFaultError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("options"), dict):
        return None
    tests = found.get("tests")
    names = frozenset(name for name in tests if isinstance(name, str)) if isinstance(tests, list) else None
    return Draft(_read(found["options"]), names)


def _read(options: dict[str, Any]) -> dict[str, Any]:
    """The options that this version knows, each a value that it may have."""
    from modex.core.config.options import BY_NAME

    known: dict[str, Any] = {}
    for name, value in options.items():
        if name in BY_NAME and BY_NAME[name].title:
            with contextlib.suppress(ValueError, TypeError):
                known[name] = BY_NAME[name].read(value)
    return known


def remember(frame: Frame, draft: Draft | None) -> None:
    """What a new run begins with from now on, in the next session too where the disk takes it."""
    if draft != frame.draft or not frame.draft_is_safe:
        frame.draft, frame.draft_is_safe = draft, _keep(frame.database, draft)


def _keep(database: Path, draft: Draft | None) -> bool:
    """Keep a plan in place of an earlier one, or none; whether that could be done."""
    from modex.core.foundation.atomic_write import PRIVATE, write_whole

    place = draft_file(database)
    try:
        if draft is None:
            place.unlink(missing_ok=True)
        else:
            tests = None if draft.tests is None else sorted(draft.tests)
            content = json.dumps({"options": draft.options, "tests": tests}, ensure_ascii=False, indent=1)
            write_whole(place, content + "\n", mode=PRIVATE)
    except OSError:
        return False
    return True
