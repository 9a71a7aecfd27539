"""Verdicts of before that say nothing of an answer: it failed for what the sandbox of then did not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from modex.core.sandbox.lacks import lacking
from modex.core.sandbox.python import Ran
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Cases, Part, Weighted

WHOLE = "bubblewrap"
"""The sandbox that has all of Python."""
_ERROR = re.compile(r"(?:^|does not load: |an error: )(\w{1,60}(?:Error|Exception)): [^\n]{1,400}")


def lacked(sample: EvaluationSample) -> str | None:
    """What the sandbox lacked that failed this sample, by name; None where its verdict is one.

    Only a verdict that says so is taken: an answer that failed for a case of its own stays failed.
    """
    if sample.status != "failed":
        return None
    said = (text for part in _cases(sample.parts) for text in (part.why, *(one.got for one in part.failures)))
    code = sample.extracted_answer or ""
    for text in said:
        if (found := _ERROR.search(text)) is not None:
            line = found[0].removeprefix("does not load: ").removeprefix("an error: ")
            if (name := lacking(Ran(error=line, error_type=found[1]), code, partial=True)) is not None:
                return name
    return None


def _cases(parts: Iterable[Part]) -> Iterator[Cases]:
    """The verdicts of code among the parts that CPython itself did not reach."""
    for part in parts:
        if isinstance(part, Cases) and part.sandbox != WHOLE:
            yield part
        elif isinstance(part, Weighted):
            for item in part.items:
                yield from _cases(item.parts)
