"""What a program prints, as an answer: compared as it stands, in case and inner spacing too.

A test says so by `exact`, else the question does: it shows or names code and asks for its output. Of the response the last place
counts that gives an output: a mark, a label such as `Output:`, a fence that holds no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modex.core.answers.assertion import Reading, read_text
from modex.core.answers.comparison import compared
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.found import Extracted
from modex.core.answers.free_text import TextVerdict
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.text.output import plain_output, same_output
from modex.core.foundation.lazy_regex import deferred

_LONGEST_CHARS = 20_000
_SHORT_CHARS = 600
"""Characters of a response in which an output may stand anywhere."""
_LABEL = deferred(
    r"(?:^|\n)[ \t>*_#`-]{0,8}(?:(?:the|final|program|expected)\s){0,2}"
    r"(?:outputs?|stdout|printed|keluaran|hasil|ausgabe|sortie|salida|saída|result|输出|出力)(?:nya)?"
    r"(?:[ \t-](?:of|dari|kode|program|is|nya|akhir(?:nya)?|adalah)[^:\n]{0,60})?[*_` \t]{0,4}[:：][*_ \t]{0,4}\n?",
    re.IGNORECASE,
)
_SAYS = deferred(
    r"(?<![^\W_])(?:(?:output|keluaran|hasil|jawaban)(?:nya)?(?:\sakhir(?:nya)?)?\s(?:adalah|ialah|yaitu|is)"
    r"|jawabannya(?!\s(?:bukan|tidak|salah|benar|adalah|akhir))|(?:the\s)?output\swill\sbe"
    r"|(?:it|this|program|code|snippet|script|function|kode|programnya|kodenya)\s(?:will\s|akan\s)?(?:prints?|outputs?|mencetak)"
    r"|gibt|imprime|affiche|stampa)[ \t]?:?[ \t]",
    re.IGNORECASE,
)
_FENCE = deferred(r"```(?P<kind>[\w+#-]{0,20})[^\n]{0,40}\n(?P<body>.*?)\n?[ \t]{0,8}```", re.DOTALL)
_NO_SOURCE = frozenset(
    ["", "text", "txt", "plaintext", "plain", "console", "output", "bash", "sh", "shell", "stdout", "none"]
)
_WHOLE = frozenset(["fence", "boxed", "tag"])
"""Marks that end where the output ends."""
_VALUE_BEFORE = deferred(r"(?:\d|\b(?:True|False|None|true|false|null))[ \t]?[,;|]?[ \t]?$|[-.]$")
_VALUE_AFTER = deferred(r"[ \t]?[,;|]?[ \t]?(?:[-+]?\d|(?:True|False|None|true|false|null)\b)")
_ENDS = deferred(
    r"[`*_\"'“”’]{0,4}(?:\s*\Z|\.?\s*\n|\.(?:\s|\Z)|[ \t]{1,3}[(—–]"
    r"|,?[ \t](?:because|since|karena|sebab|weil|parce que|porque|yang)\b)",
    re.IGNORECASE,
)
"""What may stand behind an output in its sentence."""


@dataclass(frozen=True, slots=True)
class _Given:
    """Where a response gives an output, and by what."""

    start: int
    end: int
    how: str


def judge_output(
    response: str, expected: ExpectedAnswer, prompt: str = "", quoted: tuple[int, int] | None = None
) -> TextVerdict:
    """Whether the response gives the gold as the output, letter for letter; `quoted` is what PASS 2 took of it."""
    golds = [plain_output(gold) for gold in expected.golds]
    text = response[:_LONGEST_CHARS]
    if not text.strip():
        return TextVerdict(
            False, "", compared(expected, None, {"why": "the response is empty"}), Extracted("no_answer")
        )
    reading = read_text(text, prompt)
    given = max(_given(text, golds), key=lambda one: one.start, default=None)
    if given is None and same_output(text, expected.golds) is not None:
        given = _Given(text.index(text.strip()), len(text.rstrip()), "whole")
    if given is not None:
        right = _right(text, given, golds, reading)
        if right is not None:
            return _verdict(right, expected, text, "equal")
    if quoted is not None and (given is None or given.start < quoted[0]) and _stands(text, quoted, golds, reading):
        return _verdict(_Given(*quoted, "asserted"), expected, text, "equal")
    if given is None and (place := _asserted(text, golds, reading)) is not None:
        return _verdict(place, expected, text, "equal")
    if given is None:
        given = _Given(*quoted, "asserted") if quoted else _last_line(text)
    return _verdict(given, expected, text, None)


def _given(text: str, golds: Sequence[str]) -> Iterator[_Given]:
    """The places where the response says or shows an output."""
    lines = max(gold.count("\n") for gold in golds) + 1
    marked = find_final_answer(text)
    if marked is not None and marked.how != "last_line":
        whole = (
            marked.start + len(marked.text) if marked.how in ("boxed", "tag") else _lines_end(text, marked.start, lines)
        )
        yield _Given(marked.start, whole, marked.how)
    fences = [
        _Given(found.start("body"), found.end("body"), "fence")
        for found in _FENCE.finditer(text)
        if found["kind"].casefold() in _NO_SOURCE or (found.start() == 0 and found.end() == len(text.rstrip()))
    ]
    yield from fences[-1:]
    sources = [found.span() for found in _FENCE.finditer(text)]
    for pattern in (_LABEL, _SAYS):
        for found in pattern.finditer(text):
            at = found.end()
            if any(start <= at < end for start, end in sources) or text.startswith("```", at) or not text[at:].strip():
                continue
            yield _Given(at, _lines_end(text, at, lines), "label")


def _lines_end(text: str, start: int, lines: int) -> int:
    """Where so many lines from `start` end."""
    at = start
    for _ in range(lines):
        at = text.find("\n", at + 1)
        if at < 0:
            return len(text)
    return at


def _right(text: str, given: _Given, golds: Sequence[str], reading: Reading) -> _Given | None:
    """The gold at the head of what is given, asserted and with nothing behind it that belongs to it."""
    piece = text[given.start : given.end]
    lead = len(piece) - len(piece.lstrip(" \t\n`*_\"'“"))
    for gold in golds:
        for skip in dict.fromkeys((lead, len(piece) - len(piece.lstrip()))):
            at = given.start + skip
            if not text.startswith(gold, at):
                continue
            end = at + len(gold)
            behind = text[end : min(len(text), end + 40)]
            if given.how in _WHOLE:
                ended = not text[end : given.end].strip()
            else:
                ended = _ENDS.match(behind) is not None or (behind[:1] == "." and _ENDS.match(behind[1:]) is not None)
            if ended and _holds(reading, at, end):
                return _Given(at, end, given.how)
    if same_output(piece, golds) is not None and _holds(reading, given.start, given.end):
        return given
    return None


def _stands(text: str, span: tuple[int, int], golds: Sequence[str], reading: Reading) -> bool:
    """Whether what PASS 2 quotes is the gold as it stands, and no part of a longer value."""
    return same_output(text[slice(*span)], golds) is not None and not _within(text, *span) and _holds(reading, *span)


def _asserted(text: str, golds: Sequence[str], reading: Reading) -> _Given | None:
    """The last place of a gold in a short response, or in the last lines of a long one, where it is asserted."""
    low = 0 if len(text) <= _SHORT_CHARS else len(text) - _SHORT_CHARS
    sources = [found.span() for found in _FENCE.finditer(text)]
    for gold in golds:
        at = text.rfind(gold)
        while at >= low:
            end = at + len(gold)
            shown = any(start <= at < until for start, until in sources)
            if not shown and not _within(text, at, end) and _holds(reading, at, end):
                return _Given(at, end, "asserted")
            at = text.rfind(gold, 0, at)
    return None


def _within(text: str, start: int, end: int) -> bool:
    """Whether a piece is cut out of a longer word or row of values."""
    before, after = text[max(0, start - 9) : start], text[end : end + 9]
    if (before[-1:].isalnum() and text[start].isalnum()) or (after[:1].isalnum() and text[end - 1].isalnum()):
        return True
    return _VALUE_AFTER.match(after) is not None or _VALUE_BEFORE.search(before) is not None


def _holds(reading: Reading, start: int, end: int) -> bool:
    """Whether the text gives it as what it holds."""
    return reading.stance(start, end).asserted and not reading.takes_back(end)


def _last_line(text: str) -> _Given:
    line = text.rstrip().rpartition("\n")[2]
    start = text.rindex(line)
    return _Given(start, start + len(line), "last_line")


def _verdict(given: _Given, expected: ExpectedAnswer, text: str, matched: str | None) -> TextVerdict:
    answer = plain_output(text[given.start : given.end])
    why = matched or _why_not(answer, expected)
    part = compared(expected, answer, {"why": why})
    return TextVerdict(
        matched is not None, answer, part, Extracted("found", (given.start, given.end), source=given.how)
    )


def _why_not(answer: str, expected: ExpectedAnswer) -> str:
    """That only case or spacing differ, where it is so."""
    folded = "".join(answer.split()).casefold()
    if any("".join(gold.split()).casefold() == folded for gold in expected.golds):
        return "the output is in another case or spacing"
    return "another output"
