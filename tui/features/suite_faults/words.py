"""What stored runs say of a suite's tests, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.features.suite_faults.finding import MEANINGS, TITLES, SuiteFaults, name_of
from modex.core.safety import clean_line
from modex.tui.reading.suite import suite_name

_NAMED = 6
"""Tests of one finding that are named."""


def fault_lines(found: SuiteFaults, *, most: int | None) -> Iterator[str]:
    """The findings under the names of their kinds, `most` of each; the numbers stand under each test."""
    runs, models = found.runs, len(found.models)
    left = f"; {found.otherwise} answers to older forms of tests left out" if found.otherwise else ""
    yield (
        f"{clean_line(suite_name(found.suite), 60)}: {found.tests} tests, {runs} run{'s' if runs != 1 else ''} of"
        f" {models} model{'s' if models != 1 else ''}{left}"
    )
    for words in found.notes:
        yield f"  {clean_line(words, 200)}"
    for kind, title in TITLES.items():
        listed = found.of(kind)
        if not listed:
            continue
        yield ""
        yield f"{title}: {len(listed)}   ({MEANINGS[kind]})"
        for one in listed[:most]:
            names = ", ".join(name_of(key) for key in one.tests[:_NAMED])
            more = f" and {len(one.tests) - _NAMED} more" if len(one.tests) > _NAMED else ""
            yield f"  {clean_line(names + more, 160)}"
            sentence = "".join(f"; {name}: {clean_line(text, 60)}" for name, text in one.written.items())
            yield f"    {one.words}{sentence}"
        if most is not None and len(listed) > most:
            yield f"  (+{len(listed) - most} more: --all)"
    if not found.findings:
        yield ""
        yield "nothing found"
