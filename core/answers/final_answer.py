"""A response's own final answer: what it marks as such, else its last line. No model is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from modex.core.answers.numbers.reading import boxes_together, last_boxed
from modex.core.answers.text.text import strip_wrapping
from modex.core.foundation.lazy_regex import deferred

How = Literal["boxed", "hash", "label", "sentence", "tag", "last_line"]
_WINDOW_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The text of the answer, how it was marked, and where it starts in the response."""

    text: str
    how: How
    start: int


_EDGE = r"(?:^|(?<=[\n.!?:;]))[ \t>*_#-]*"
_LABEL_WORDS = (
    r"(?:(?:final|exact)\s+answer|the\s+answer|answer|jawaban(?:\s+akhir)?|antwort|réponse(?:\s+finale)?|respuesta(?:\s+final)?"
    r"|risposta(?:\s+finale)?|resposta(?:\s+final)?|ответ|(?:最终|最終|正确)?答案|(?:最終)?(?:答え|回答)|正解)"
)
# How it is marked, of what one stands in every such mark (to look for that alone costs a tenth), and where the answer is.
_PATTERNS: tuple[tuple[How, tuple[str, ...], re.Pattern[str]], ...] = (
    ("tag", ("</",), deferred(r"<answer>\s*(.*?)\s*</answer>", re.IGNORECASE | re.DOTALL)),
    ("hash", ("####",), deferred(r"^[ \t]*####[ \t]+(\S[^\n]*)$", re.MULTILINE)),
    ("label", ("A",), deferred(r"^[ \t>*_#-]*A[ \t*_]*:[ \t*_]*(\S[^\n]*)$", re.MULTILINE)),
    (
        "label",
        ("answer", "jawaban", "antwort", "ponse", "respuesta", "risposta", "resposta", "ответ", "答", "正解"),
        deferred(_EDGE + _LABEL_WORDS + r"[*_ \t]*[:：=][*_ \t]*\n?[*_ \t]*(\S[^\n]*)", re.IGNORECASE),
    ),
    (
        "sentence",
        ("answer", "choice", "option"),
        deferred(
            r"\b(?:the|my|our|final|correct)\s+(?:final\s+|correct\s+)?(?:answer|choice|option)\s+"
            r"(?:is(?!n['’]t)|must\s+be|should\s+be|will\s+be|would\s+be)\s*:?\s*([^\n]+)",
            re.IGNORECASE,
        ),
    ),
    (
        "sentence",
        ("jawaban", "antwort", "ponse", "respuesta", "risposta", "resposta"),
        deferred(
            r"\b(?:jawaban(?:nya)?(?:\s+akhir)?\s+adalah|(?:die\s+)?antwort\s+(?:lautet|ist)|la\s+r[ée]ponse(?:\s+finale)?\s+est"
            r"|la\s+respuesta(?:\s+final)?\s+es|la\s+risposta(?:\s+finale)?\s+è|a\s+resposta(?:\s+final)?\s+é)\s*:?\s*([^\n]+)",
            re.IGNORECASE,
        ),
    ),
)


def find_final_answer(response: str, *, several: bool = False) -> FinalAnswer | None:
    """The last answer that `response` marks (`\\boxed{}`, `#### 18`, `A: 18`, `The answer is …`), else its last line.

    None for a response without any text. What follows the first full stop of an answer in a sentence is left out.
    With `several`, boxes that only commas, `and`, `or` or blanks separate are one answer, from the first to the last.
    """
    base = max(0, len(response) - _WINDOW_CHARS)
    tail = response[base:]
    found: list[FinalAnswer] = []
    lowered = tail.lower()
    for how, needed, pattern in _PATTERNS:
        if not any(mark in lowered or mark in tail for mark in needed):
            continue
        matches = list(pattern.finditer(tail))
        if matches and (text := _tidy(matches[-1][1], how)):
            found.append(FinalAnswer(text, how, base + matches[-1].start(1)))
    boxed = last_boxed(tail)
    group = boxes_together(tail) if several else None
    if group is not None:
        found.append(FinalAnswer(tail[group[0] : group[1]], "boxed", base + group[0]))
    elif boxed is not None and boxed.strip():
        found.append(FinalAnswer(boxed.strip(), "boxed", base + tail.rindex(boxed)))
    if found:
        return _innermost(found)
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]+", tail) if match[0].strip().strip("`~ \t\r")]
    if not lines:
        return None
    start, line = lines[-1]
    return FinalAnswer(strip_wrapping(line) or line.strip(), "last_line", base + start)


def _innermost(found: list[FinalAnswer]) -> FinalAnswer:
    """The last one; a mark that starts before it and encloses it (`The answer is \\boxed{18}`) gives way."""
    return max(found, key=lambda answer: (answer.start, answer.how == "boxed"))


_CONFIDENCE = deferred(r"(?:confidence|置信度|keyakinan)\**+\s*+[:：=].*$", re.IGNORECASE)


def _tidy(text: str, how: How) -> str:
    if sure := _CONFIDENCE.search(text):
        text = text[: sure.start()].rstrip("*").rstrip().rstrip("/|,;(").rstrip() + text[sure.end() :]
    if how == "sentence":
        text = re.split(
            r"(?<=[^\s.\d])\.(?:\s|$)|(?<=\d)\.(?:\s+[A-Z(]|\s*$)|(?<!\w)(?:because|since|weil|karena)\b", text
        )[0]
    return strip_wrapping(text)
