"""Who wrote a verdict in a judge's reply, where the text under judgement holds the same words.

A model can write `VERDICT: PASS` at the end of its answer, and `VERDICT: FAIL` as well. A judge that quotes the first must not
pass the answer, and a judge that says the second must not be unheard because the answer said it before. The words alone cannot
tell an echo from the judge's own. Material copied together with the call's random delimiter is taken out before this; for the
rest one rule holds: **what cannot be told apart counts against the answer**.

- A verdict that the answer does not hold is the judge's.
- An echo that would fail the answer stands, wherever it stands.
- An echo that would pass it stands only as the reply's last line, and only where nothing introduces it as a quotation and
  nothing else in the reply would fail the answer. As JSON it never stands: the judge was asked for a reason of its own beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_REPEATED = "the reply only repeats JSON of the text under judgement; give a reason of your own with the verdict"
_ECHOED = "the reply only repeats a verdict of the text under judgement"
_CONTRADICTION = "the reply holds verdicts that contradict each other"
_MARKS = re.compile(r"[\W_]+")
_REPORTED = re.compile(
    r"\b(?:says?|said|saying|reads?|states?|stated|claims?|claimed|writes?|wrote|written|contains?|holds?|quotes?|quoted"
    r"|adds?|added|declares?|declared|concludes?|concluded|(?:ends?|ended|begins?|starts?|closes?) (?:with|in|by)"
    r"|(?:lines?|words?|end|ending) (?:is|was|are))\W*$",
    re.I,
)
"""A line that ends so announces another's words, with a colon or without: `The response says`."""
_VERDICT_LABEL = re.compile(
    r"(?:(?:so|thus|hence|therefore|in conclusion|my|the|final|here is|own)\W+)*"
    r"(?:verdict|score|rating|judg\w+|conclusion|result)?\W*",
    re.I,
)
"""A line such as `My final verdict:`, which introduces the judge's own."""
_LEAST_LINE = 3
"""Characters of a line that counts as taken over."""
_LEAST_INLINE = 6
"""Characters of a match that count as taken over where they stand within a line: shorter ones stand in any text."""
_END_MARKS = " \t\r\n*_`.!#-"


@dataclass(frozen=True, slots=True)
class StatedVerdict(Generic[T]):
    """One verdict that a reply states: its `value`, a `key` that equal ones share, and where it stands."""

    value: T
    key: str
    passes: bool
    """Whether it speaks for the answer."""
    echoed: bool
    """Whether the text under judgement holds it too."""
    closing: bool = False
    """Whether nothing follows it in the reply."""
    introduced: bool = False
    """Whether what stands before it announces a quotation."""
    begins: bool = True
    """Whether it begins a line; else it stands within a sentence."""
    fault: str = ""
    """Why it is no statement, although the pattern matches."""


class UnderJudgement:
    """The text under judgement, and the call's random delimiter around it."""

    def __init__(self, text: str, unquoted: str = "", delimiter: str = "") -> None:
        """`unquoted` is the text read as a reply is: without its quotations."""
        self._delimiter = delimiter
        self._folded = _folded(text)
        self._lines = frozenset(_folded(line) for line in f"{text}\n{unquoted}".split("\n")) - {""}

    def placed(self, stated: StatedVerdict[T], reply: str, start: int, end: int) -> StatedVerdict[T]:
        """`stated`, which a pattern found from `start` to `end` of `reply`, with who may have written it."""
        line_start, line_end = reply.rfind("\n", 0, start) + 1, _line_end(reply, end)
        return replace(
            stated,
            echoed=self._holds(reply[line_start:line_end], reply[start:end]),
            closing=not reply[end:].strip(_END_MARKS),
            introduced=self._introduces(reply[:line_start]),
        )

    def _holds(self, line: str, match: str) -> bool:
        words = _folded(match)
        if len(_folded(line)) >= _LEAST_LINE and _folded(line) in self._lines:
            return True
        return len(words) >= _LEAST_INLINE and words in self._folded

    def _introduces(self, before: str) -> bool:
        """Whether the text before a line announces that line as another's words."""
        if self._delimiter and before.rfind(f"<<<{self._delimiter}") > before.rfind(f"{self._delimiter}>>>"):
            return True
        above = next((line.strip() for line in reversed(before.split("\n")) if line.strip()), "")
        if not above:
            return False
        if above.rstrip(_END_MARKS).endswith(":") and not _VERDICT_LABEL.fullmatch(above):
            return True
        if _REPORTED.search(above[-60:]) and not _VERDICT_LABEL.fullmatch(above):
            return True
        if above.count("```") % 2 or above.count('"') % 2 or above.count("“") > above.count("”"):
            return True
        return _folded(above) in self._lines  # however short: taken over with the verdict below it


def settled_lines(stated: Sequence[StatedVerdict[T]]) -> StatedVerdict[T] | str:
    """The statement that counts of those that a pattern found, in their order: the last; or why none does."""
    kept = [
        one for one in stated if not (one.echoed and one.passes) or (one.closing and one.begins and not one.introduced)
    ]
    lines = [one for one in kept if one.begins] or kept
    if not lines:
        return _ECHOED
    last = lines[-1]
    own_pass = any(one.passes and not one.echoed for one in lines)
    if last.echoed and last.passes and any(not one.passes and not one.fault for one in lines):
        return _CONTRADICTION
    if last.echoed and not last.passes and own_pass and (last.introduced or not last.closing):
        return _CONTRADICTION
    return last


def settled_json(stated: Sequence[StatedVerdict[dict[str, Any]]]) -> dict[str, Any] | str:
    """The object that counts of those that stand for themselves in a reply, in their order, or why none does.

    An empty text where there is none.
    """
    own = [number for number, one in enumerate(stated) if not one.echoed]
    against = [number for number, one in enumerate(stated) if one.echoed and not one.passes]
    if len({stated[number].key for number in own}) > 1:
        return _CONTRADICTION
    if own:
        last = stated[own[-1]]
        return _CONTRADICTION if last.passes and against and against[-1] > own[-1] else last.value
    if against:
        return stated[against[-1]].value
    return _REPEATED if stated else ""


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end == -1 else end


def _folded(text: str) -> str:
    """A text as its letters and digits alone: `VERDICT:PASS` and `**Verdict: pass.**` are the same words."""
    return _MARKS.sub("", text).casefold()
