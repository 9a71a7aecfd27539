"""A judge's reply read as a verdict. What is quoted, echoed, negated or contradictory is no verdict.

Every reading here errs on the side of none: the caller asks once more, and then reports a judge error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.evaluators.patterns import matches
from core.evaluators.scale import Scale

_MAX_REPLY = 50_000
_POSITIVE = frozenset(["yes", "pass", "passed", "passes", "correct", "true", "right", "ya", "benar", "ja", "oui", "sí"])
_NEGATIVE = frozenset(["no", "fail", "failed", "fails", "incorrect", "false", "wrong", "tidak", "salah", "nein", "non"])
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|neither|nor|cannot|hardly|isn't|doesn't|don't|didn't|can't|won't|wasn't|nicht|kein|tidak|bukan|pas)"
    r"|n't)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[ \t>*_#`-]*(?:(?:my|the|final|here is(?: the| my)?)\s+)*(?:verdict|score|output|answer|json|result)?[ \t*_]*:?[ \t*_]*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rating on the scale that was asked for, with the judge's own reason where it gave one."""

    rating: float
    reason: str | None = None


class NoVerdictError(ValueError):
    """The reply holds no single valid verdict; the message says why."""


def read_json_verdict(reply: str, scale: Scale, judged: str = "") -> Verdict:
    """The verdict of a reply that was asked for `{"reason": …, "score": …}`.

    The object must be the whole reply, a fenced block, or stand on lines of its own; one that occurs word for word in the
    text under judgement (`judged`) beside other words is an echo.

    Raises:
        NoVerdictError: there is none, there are several that differ, or its score is not on the scale.
    """
    text = reply.strip()[-_MAX_REPLY:]
    found = list(_objects(_unquoted_lines(text)))
    whole = len(found) == 1 and _bare(found[0][1], text)
    verdicts = [value for value, source in found if "score" in value and (whole or not judged or source not in judged)]
    if not verdicts:
        raise NoVerdictError("the reply holds no JSON object with a score of its own")
    if len({json.dumps(value["score"]) for value in verdicts}) > 1:
        raise NoVerdictError("the reply holds verdicts that contradict each other")
    rating = verdicts[-1]["score"]
    if problem := scale.problem(rating):
        raise NoVerdictError(problem)
    reason = verdicts[-1].get("reason")
    return Verdict(float(rating), reason if isinstance(reason, str) else None)


def read_pattern_verdict(reply: str, pattern: str, scale: Scale, delimiter: str = "", judged: str = "") -> Verdict:
    """The verdict of a reply by the declared `pattern`: the last match outside quoted material, its first group.

    A match that begins or ends inside a word (`incorrect: yes` for `correct: yes`, the 4 of `score 401`), or that is
    negated (`does not pass`), counts against the reply instead of being skipped.

    Raises:
        NoVerdictError: there is no match, the last is negated or cut out of a word, or its value is not on the scale.
        JudgeError: the pattern does not compile or takes too long.
    """
    text = _without_quotations(reply[-_MAX_REPLY:], delimiter, judged)
    last = None
    for last in matches(pattern, text, ignore_case=True):  # noqa: B007
        pass
    if last is None:
        raise NoVerdictError("the pattern of the evaluator does not occur in the reply")
    group = next((index for index, value in enumerate(last.groups(), 1) if value is not None), 0)
    value, (start, end) = str(last.group(group)).strip(), last.span(group)
    for left, right in ((last.start(), last.end()), (start, end)):
        if _joins(text, left) or _joins(text, right):
            raise NoVerdictError(f"{value!r} is only a part of a longer word or number")
    if any(_NEGATED.search(text[max(0, at - 80) : at].rpartition("\n")[2]) for at in {last.start(), start}):
        raise NoVerdictError(f"{value!r} is negated in the reply")
    return Verdict(_rating(value, scale))


def _rating(value: str, scale: Scale) -> float:
    word = value.strip("*_`\"'.,;:!() ").casefold()
    if word in scale.words:
        return scale.words[word]
    if re.fullmatch(r"[+-]?\d{1,9}(?:\.\d{1,9})?", word):
        rating = float(word)
        if problem := scale.problem(rating):
            raise NoVerdictError(problem)
        return rating
    if word in _POSITIVE:
        return scale.maximum
    if word in _NEGATIVE:
        return scale.minimum
    raise NoVerdictError(f"{value[:60]!r} is neither a number nor a verdict word (config.verdicts names others)")


def _joins(text: str, at: int) -> bool:
    """Whether a word or a number goes on across position `at`."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return True
    decimal = after in ".," and text[at + 1 : at + 2].isdigit() and before.isdigit()
    signed = before == "-" and after.isdigit() and not text[max(0, at - 2) : at - 1].isalnum()
    return decimal or signed or (before in "./" and after.isdigit() and text[max(0, at - 2) : at - 1].isdigit())


def _unquoted_lines(text: str) -> str:
    return "\n".join("" if line.lstrip().startswith(">") else line for line in text.split("\n"))


def _without_quotations(text: str, delimiter: str, judged: str) -> str:
    """Block quotes, code spans, quoted phrases, the fenced material and lines copied from it, taken out."""
    if delimiter:
        text = re.sub(rf"<<<{re.escape(delimiter)}.*?(?:{re.escape(delimiter)}>>>|\Z)", "\n", text, flags=re.DOTALL)
    text = _unquoted_lines(text)
    text = (
        re.sub(r"```.*?(?:```|\Z)", "\n", text, flags=re.DOTALL)
        if text.count("```") and not _all_fenced(text)
        else text
    )
    text = re.sub(
        r"\"[^\"\n]{0,2000}\"|“[^”\n]{0,2000}”|«[^»\n]{0,2000}»|(?<!\w)'[^'\n]{1,2000}'(?!\w)|`[^`\n]{0,2000}`",
        " ",
        text,
    )
    own = [line.strip() for line in text.split("\n") if line.strip()]
    echoed = {line.strip() for line in judged.split("\n") if len(line.strip()) >= 3}
    if len(own) > 1 and echoed:
        text = "\n".join(line for line in text.split("\n") if line.strip() not in echoed)
    return text


def _all_fenced(text: str) -> bool:
    return re.fullmatch(r"\s*```[^\n]*\n.*?\n?```\s*", text, re.DOTALL) is not None


def _bare(source: str, text: str) -> bool:
    """Whether the object is the whole reply, but for a code fence."""
    return re.sub(r"^```\w*\s*|\s*```$", "", text).strip() == source


def _objects(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Every JSON object that stands on lines of its own, with its source; nested ones are not looked for."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at = text.find("{")
    while at != -1:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        line_start = text.rfind("\n", 0, at) + 1
        line_rest = text[end:].split("\n", 1)[0]
        own_line = _LABEL.fullmatch(text, line_start, at) is not None and not line_rest.strip(" \t`.*")
        if isinstance(value, dict) and own_line:
            yield value, text[at:end]
        at = text.find("{", end)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys occur once; a repeated one makes it unreadable."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key occurs twice")
    return value
