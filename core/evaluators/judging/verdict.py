"""A judge's reply read as a verdict. What is quoted, negated or contradictory is no verdict.

Every reading here errs on the side of none: the caller asks once more, and then reports a judge error. A line that the text
under judgement holds too may be an echo of it or the judge's own, and the text's author chose it; `authorship.py` decides, so
that planting a verdict neither wins nor takes a "fail" away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.judging.authorship import StatedVerdict, UnderJudgement, settled_json, settled_lines
from modex.core.evaluators.judging.scale import Scale
from modex.core.evaluators.text.patterns import matches
from modex.core.jsonvalues.jsonargs import MAX_DEPTH, too_deep
from modex.core.store.sample import PASS_SCORE

_MAX_REPLY = 50_000
_POSITIVE = frozenset(["yes", "pass", "passed", "passes", "correct", "true", "right", "ya", "benar", "ja", "oui", "sí"])
_NEGATIVE = frozenset(["no", "fail", "failed", "fails", "incorrect", "false", "wrong", "tidak", "salah", "nein", "non"])
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|neither|nor|cannot|hardly|isn't|doesn't|don't|didn't|can't|won't|wasn't|nicht|kein|tidak|bukan|pas)"
    r"|n't)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[ \t>*_#`-]*+(?:(?:my|the|final|here is(?: the| my)?)\s+)*+"
    r"(?:verdict|score|output|answer|json|result)?[ \t*_]*+:?[ \t*_`]*+",
    re.I,
)


_NUMERAL = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")
_TEXT = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')
_FLAT_OBJECT = re.compile(rf"\{{(?:[^{{}}\"]|{_TEXT}|\{{(?:[^{{}}\"]|{_TEXT})*\}})*\}}")
"""An object with at most one level of objects in it, as verdicts are."""
_SPARE_COMMA = re.compile(rf"(?P<kept>{_TEXT})|,(?=\s*[}}\]])")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rating on the scale that was asked for, with the judge's own reason where it gave one."""

    rating: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What a judge said of each entry of a rubric, by its id, with its own reason where it gave one."""

    items: dict[str, bool]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """What a judge granted of each item's points, 0 to 1 by its id, with its own reason where it gave one."""

    shares: dict[str, float]
    reason: str | None = None


class NoVerdictError(ValueError):
    """The reply holds no single valid verdict; the message says why."""


def read_json_verdict(reply: str, scale: Scale, judged: str = "", delimiter: str = "") -> Verdict:
    """The verdict of a reply that was asked for `{"reason": …, "score": …}`.

    Raises:
        NoVerdictError: there is none, there are several that differ, or its score is not on the scale.
    """

    def passes(value: dict[str, Any]) -> bool:
        score = _plain_number(value["score"])
        return scale.problem(score) is None and scale.normalised(score) >= PASS_SCORE

    verdict = _one_object(reply, "score", judged, delimiter, passes)
    score = _plain_number(verdict["score"])
    if problem := scale.problem(score):
        raise NoVerdictError(problem)
    return Verdict(float(score), _reason(verdict))


def read_items(
    reply: str, ids: Collection[str], judged: str = "", delimiter: str = "", gates: Collection[str] = ()
) -> Checked:
    """The verdict of a reply that was asked for `{"reason": …, "items": {id: true or false, …}}`, one for each of `ids`.

    `gates` are those of `ids` that count against the answer where they are true.

    Raises:
        NoVerdictError: there is none, there are several that differ, or an id is missing or neither true nor false.
    """

    def earns(value: dict[str, Any]) -> bool:
        given = value["items"]
        true = {name for name in ids if given.get(name) is True} if isinstance(given, dict) else set()
        return bool(true - set(gates)) and not true & set(gates)

    verdict = _one_object(reply, "items", judged, delimiter, earns)
    given = verdict["items"]
    if not isinstance(given, dict):
        raise NoVerdictError("`items` is not an object with true or false for every id")
    if wrong := [name for name in ids if not isinstance(given.get(name), bool)]:
        raise NoVerdictError(f"`items` says neither true nor false for {', '.join(wrong)}")
    return Checked({name: given[name] for name in ids}, _reason(verdict))


def read_points(reply: str, points: Mapping[str, float], judged: str = "", delimiter: str = "") -> Granted:
    """The verdict of a reply that was asked for `{"reason": …, "items": {id: points, …}}`, one for each item of `points`.

    An item is given true (all its points), false (none) or a number from 0 to its points.

    Raises:
        NoVerdictError: there is none, there are several that differ, or an item is missing or given what it cannot be.
    """

    def earns(value: dict[str, Any]) -> bool:
        given = value["items"]
        return isinstance(given, dict) and any(_share_of(given.get(name), most) for name, most in points.items())

    verdict = _one_object(reply, "items", judged, delimiter, earns)
    given = verdict["items"]
    if not isinstance(given, dict):
        raise NoVerdictError("`items` is not an object with points for every id")
    shares = {name: _share_of(given.get(name), most) for name, most in points.items()}
    if wrong := [f"{name} (0 to {points[name]:g})" for name, share in shares.items() if share is None]:
        raise NoVerdictError(f"`items` gives neither true, false nor points within the range for {', '.join(wrong)}")
    return Granted({name: share for name, share in shares.items() if share is not None}, _reason(verdict))


def _share_of(value: Any, most: float) -> float | None:
    """The share of `most` that true, false or a number of points is; None where it is neither."""
    number = _plain_number(value)
    if isinstance(number, bool):
        return float(number)
    return number / most if isinstance(number, int | float) and 0 <= number <= most else None


def _one_object(
    reply: str, key: str, judged: str, delimiter: str, earns: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The one JSON object with `key` in a judge's reply.

    It must be the whole reply, a fenced block, or begin a line, with nothing behind it but another sentence. One that the
    text under judgement (`judged`) holds too, letter for letter of its values, is an echo where it `earns` something.

    Raises:
        NoVerdictError: there is none, or there are several that differ in `key`.
    """
    text = _unquoted_lines(without_material(reply.strip()[-_MAX_REPLY:], delimiter))
    echoes = {_canonical(value) for value, _ in _objects(judged[-_MAX_REPLY:])} if judged else set()
    found = [(value, alone) for value, alone in _objects(text) if key in value]
    stated = [
        StatedVerdict(value, _canonical(_plain_number(value[key])), earns(value), _canonical(value) in echoes)
        for value, alone in found
        if alone
    ]
    if stated or not found:
        given = settled_json(stated)
        if isinstance(given, str):
            raise NoVerdictError(given or f"the reply holds no JSON object with {_KEYS[key]} of its own")
        return given
    if all(_canonical(value) in echoes for value, _ in found):
        raise NoVerdictError("the reply only repeats JSON of the text under judgement")
    raise NoVerdictError(f"the reply holds no JSON object with {_KEYS[key]} of its own")


_KEYS = {"score": "a score", "items": "items"}


def _plain_number(value: Any) -> Any:
    """A numeral written as a text (`"1"`) as its number; anything else as it is."""
    if isinstance(value, str) and _NUMERAL.fullmatch(value.strip()):
        return float(value) if "." in value else int(value)
    return value


def _canonical(value: Any) -> str:
    """JSON by which equal verdicts are equal, however their numbers and blanks are written (`"1"`, `1.0`, `1`)."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, str):
        number = _plain_number(value)
        return " ".join(value.split()).casefold() if number is value else _plain(number)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _reason(verdict: dict[str, Any]) -> str | None:
    reason = verdict.get("reason")
    return reason if isinstance(reason, str) else None


def read_pattern_verdict(reply: str, pattern: str, scale: Scale, delimiter: str = "", judged: str = "") -> Verdict:
    """The verdict of a reply by the declared `pattern`, its first group, outside quoted material.

    The last match that begins a line counts, else the last within one: a judge talks about a verdict in a sentence
    (`The response ended with SCORE: 3`) and gives its own on a line. A match that begins or ends inside a word
    (`incorrect: yes` for `correct: yes`, the 4 of `score 401`), or that is negated (`does not pass`), counts against the
    reply instead of being skipped. Bold and code marks around the verdict are not part of it.

    Raises:
        NoVerdictError: there is no match, the last is negated or cut out of a word, or its value is not on the scale.
        JudgeError: the pattern does not compile or takes too long.
    """
    text = _without_quotations(_unmarked(reply[-_MAX_REPLY:].strip()), delimiter)
    found = list(matches(pattern, text, ignore_case=True))
    if not found:
        text = re.sub(r"\*\*|__|`", "", text)
        found = list(matches(pattern, text, ignore_case=True))
    if not found:
        raise NoVerdictError("the pattern of the evaluator does not occur in the reply")
    of = UnderJudgement(judged, _without_quotations(judged, ""), delimiter)
    stated = []
    for match in found:
        span = _value_span(match)
        value = text[slice(*span)].strip()
        fault = _fault(text, match.span(), span, value)
        rating = _rating_or_fault(value, scale)
        passes = not fault and isinstance(rating, float) and scale.normalised(rating) >= PASS_SCORE
        one = StatedVerdict(
            rating, str(rating), passes, echoed=False, begins=_begins_a_line(text, match.start()), fault=fault
        )
        stated.append(of.placed(one, text, *match.span()))
    given = settled_lines(stated)
    if isinstance(given, str):
        raise NoVerdictError(given)
    if given.fault or isinstance(given.value, str):
        raise NoVerdictError(given.fault or str(given.value))
    return Verdict(given.value)


def _value_span(match: Any) -> tuple[int, int]:
    """Where the first group that took part stands, else the whole match."""
    group = next((index for index, value in enumerate(match.groups(), 1) if value is not None), 0)
    start, end = match.span(group)
    return start, end


def _fault(text: str, whole: tuple[int, int], value: tuple[int, int], words: str) -> str:
    """Why a match is no statement: cut out of a longer word or number, or negated. Empty where it is one."""
    if any(_joins(text, at) for span in (whole, value) for at in span):
        return f"{words!r} is only a part of a longer word or number"
    if any(_NEGATED.search(text[max(0, at - 80) : at].rpartition("\n")[2]) for at in {whole[0], value[0]}):
        return f"{words!r} is negated in the reply"
    return ""


def _begins_a_line(text: str, at: int) -> bool:
    return _LABEL.fullmatch(text, text.rfind("\n", 0, at) + 1, at) is not None


def _unmarked(text: str) -> str:
    """A reply whose verdict stands in a code span of its own line, or in a one-line fence at its end, without those marks."""
    text = re.sub(r"```\w*\n([^\n`]+)\n?```\s*\Z", r"\1", text)
    return re.sub(r"(?m)^([ \t]*[*_]*)`([^`\n]+)`([*_]*[ \t]*[.!]?[ \t]*)$", r"\1\2\3", text)


def _rating_or_fault(value: str, scale: Scale) -> float | str:
    """The rating that a text says, or why it is none on the scale."""
    word = value.strip("*_`\"'.,;:!() ").casefold()
    if word in scale.words:
        return scale.words[word]
    if _NUMERAL.fullmatch(word):
        rating = float(word)
        return scale.problem(rating) or rating
    if word in _POSITIVE:
        return scale.maximum
    if word in _NEGATIVE:
        return scale.minimum
    return f"{value[:60]!r} is neither a number nor a verdict word (config.verdicts names others)"


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


def without_material(text: str, delimiter: str) -> str:
    """A reply without what it copied together with both lines of the call's own random delimiter."""
    if not delimiter:
        return text
    return re.sub(rf"<<<{re.escape(delimiter)}.*?{re.escape(delimiter)}>>>", "\n", text, flags=re.DOTALL)


def _without_quotations(text: str, delimiter: str) -> str:
    """Copied material, block quotes, closed fences, code spans and quoted phrases taken out.

    What is opened and never closed stays: the text under judgement may have brought the opening mark, and what follows it
    would be lost with it.
    """
    text = _unquoted_lines(without_material(text, delimiter))
    if "```" in text and not _all_fenced(text):
        text = re.sub(r"(?m)^[ \t]*```(?:(?!```)[\s\S])*```", "\n", text)
        text = re.sub(r"```[^`\n]*```", " ", text)
    return re.sub(
        r"\"[^\"\n]{0,2000}\"|“[^”\n]{0,2000}”|«[^»\n]{0,2000}»|(?<!\w)'[^'\n]{1,2000}'(?!\w)|(?<!`)`[^`\n]{1,2000}`(?!`)",
        " ",
        text,
    )


def _all_fenced(text: str) -> bool:
    return re.fullmatch(r"\s*```[^\n]*\n.*?\n?```\s*", text, re.DOTALL) is not None


def _objects(text: str) -> Iterator[tuple[dict[str, Any], bool]]:
    """Every JSON object that is not nested in another, and whether it stands for itself.

    It does where it begins a line, a label and marks before it allowed, and what follows on the line is marks or a new
    sentence: an object in the middle of a sentence is talked about.
    """
    at = text.find("{")
    deep: set[int] = set()
    while at != -1:
        value, end = (None, at) if at in deep else _decoded(text, at, deep)
        if value is None:
            at = text.find("{", at + 1)
            continue
        line_start = text.rfind("\n", 0, at) + 1
        rest = text[end:].split("\n", 1)[0].strip(" \t`.*_,;!|/#)-–—")
        alone = _LABEL.fullmatch(text, line_start, at) is not None and not rest[:1].islower() and "{" not in rest
        if not too_deep(value):
            yield value, alone
        at = text.find("{", end)


def _decoded(text: str, at: int, deep: set[int]) -> tuple[dict[str, Any] | None, int]:
    """The JSON object at `at` and its end; a comma before a closing bracket is forgiven.

    Where it nests deeper than can be read, `deep` gets the places of the objects in it that do so too, which need not be tried.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    try:
        value, end = decoder.raw_decode(text, at)
        return (value if isinstance(value, dict) else None), end
    except RecursionError:
        deep.update(_too_deep_from(text, at))
        return None, at
    except ValueError:
        pass
    match = _FLAT_OBJECT.match(text, at)
    if match is None:
        return None, at
    try:
        value = decoder.decode(_SPARE_COMMA.sub(lambda found: found["kept"] or "", match[0]))
    except (ValueError, RecursionError):
        return None, at
    return (value if isinstance(value, dict) else None), match.end()


def _too_deep_from(text: str, at: int) -> list[int]:
    """Where those of the nested objects and lists from `at` on begin that hold more levels than a verdict may have."""
    opened: list[int] = []
    for token in _TOKEN.finditer(text, at):
        if token[0] in "[{":
            opened.append(token.start())
            if len(opened) == 4 * MAX_DEPTH:
                break
        elif token[0] in "]}" and opened:
            opened.pop()
    return opened[: max(0, len(opened) - MAX_DEPTH)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys occur once; a repeated one makes it unreadable."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key occurs twice")
    return value
