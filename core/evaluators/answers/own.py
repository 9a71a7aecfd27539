"""A response's own answer of a type, by rules and without a model: what is marked as final, else what the last lines conclude."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.deferred import deferred
from core.evaluators.answers.assertion.turns import turns_of
from core.evaluators.answers.final_answer import find_final_answer
from core.evaluators.answers.kinds import ExpectedAnswer
from core.evaluators.numbers.reading import Number, parse_number
from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.numbers.units import known_unit
from core.evaluators.text.boolean import read_boolean
from core.evaluators.text.choice import choice_in
from core.evaluators.text.dates import dates_in

_WINDOW = 20_000
_LINES = 12
_LONGEST = 200_000
_CONCLUDES = deferred(
    r"\b(?:so|therefore|thus|hence|altogether|in total|total|finally|answer|overall|conclusion|jadi|maka|"
    r"total(?:nya)?|daher|somit|"
    r"insgesamt|donc|ainsi|por (?:lo )?tanto|entonces|en total|così|quindi|portanto)\b|所以|因此|总共|よって",
    re.IGNORECASE,
)
_VERBS = (
    "is are was were be equals? totals? (?:total|sum)\\ of makes? made gets? got earn(?:s|ed)? has have had needs? "
    "costs? pays? paid spends? spent "
    "takes? receives? gives? becomes? leaves? left\\ with weighs? comes\\ to amounts\\ to adds\\ up\\ to works\\ "
    "out\\ to about adalah menjadi "
    "sebesar sebanyak ist sind beträgt ergibt kostet est sont font es son cuesta gana hay è sono"
)
_PREPOSITIONS = (
    "in for after every per from with within each over between than during out\\ of at by on to among across first "
    "next last these those dalam "
    "selama setelah untuk dari nach für mit von pro aus en pour dans avec después\\ de por para tras durante su dopo"
)
_OPENING = r"[\"'(*_$€£\\]*$"


def _any_of(words: str) -> str:
    return "|".join(re.split(r"(?<!\\) ", words))


_LEADS_TO = deferred(
    rf"(?:=|≈|:|\b(?:{_any_of(_VERBS)}))\s*(?:exactly |only |about |a total of |now )*{_OPENING}", re.IGNORECASE
)
_BESIDE = deferred(
    rf"\b(?:{_any_of(_PREPOSITIONS)})\s*(?:the |all |its |his |her |their |those |these |los |las |les |den |die )?{_OPENING}",
    re.IGNORECASE,
)
_SUMS_UP = deferred(
    r"\s*[^\W\d_]*\s*(?:in all|in total|altogether|overall|remain(?:ing)?|left|seluruhnya|insgesamt|en total|au total)\b",
    re.I,
)
_STEP = deferred(r"\b(?:step|part|question|problem|case|schritt|langkah|étape|paso)\s*#?$", re.IGNORECASE)
_WEIGHTS = {"sums up": 5, "leads": 4, "beside": -4, "given": -3, "bold": 5, "money": 2}


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """The text that is compared, where it starts in the response, and how it was found."""

    text: str
    start: int
    how: str


def read_own(response: str, expected: ExpectedAnswer, prompt: str = "") -> OwnAnswer | None:
    """The answer that `response` itself gives, in the form that its type needs; None where the rules find none.

    A marked answer counts before any other. Among several numbers of a sentence the one that it leads to is taken, not
    one that the question gave. Where the response begins a question of its own, what follows its answer is not read.
    """
    kind = "list" if expected.parts else expected.type
    if kind == "choice":
        return _choice(response, expected, prompt)
    marked = find_final_answer(response)
    if marked is None:
        return None
    if marked.how != "last_line":
        found = _narrowed(OwnAnswer(marked.text, marked.start, marked.how), kind, expected, prompt)
        return found or OwnAnswer(marked.text, marked.start, marked.how)
    if kind in ("exact_match", "text", "math", "list"):
        return OwnAnswer(marked.text, marked.start, marked.how)
    if kind == "boolean" and (truth := read_boolean(response[-_WINDOW:])) is not None:
        return _boolean(response, truth) or OwnAnswer(response.strip(), response.index(response.strip()), "last_line")
    for start, line in _last_lines(response):
        found = _narrowed(OwnAnswer(line, start, "last_line"), kind, expected, prompt)
        if found is not None:
            return found
    return None


def _choice(response: str, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    """The option that the first piece with an answer chooses."""
    window = response[:_LONGEST]
    for turn in turns_of(window, prompt):
        chosen = choice_in(window[turn.start : turn.end], expected.options or None)
        if chosen is not None:
            start, end = turn.start + chosen.start, turn.start + chosen.end
            return OwnAnswer(response[start:end], start, chosen.how)
    return None


def _narrowed(own: OwnAnswer, kind: str, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    """The part of a found text that is an answer of the type."""
    text, start, how = own.text, own.start, own.how
    if kind == "numeric":
        return _number(own, expected, prompt)
    if kind == "boolean":
        return OwnAnswer(text, start, how) if read_boolean(text) is not None else None
    if kind == "date":
        days = dates_in(text, expected.locale if expected.locale_given else None)
        return OwnAnswer(text[days[-1][0] : days[-1][1]], start + days[-1][0], how) if days else None
    return OwnAnswer(text, start, how)


def _boolean(response: str, truth: bool) -> OwnAnswer | None:
    """The last sentence that says so."""
    pieces = list(re.finditer(r"[^.!?。！？\n]*[^\s.!?。！？][^.!?。！？\n]*[.!?。！？]?", response[-_WINDOW:]))
    base = max(0, len(response) - _WINDOW)
    said = [piece for piece in pieces if read_boolean(piece[0]) is truth]
    if not said:
        return None
    text = said[0][0]
    lead = len(text) - len(text.lstrip())
    return OwnAnswer(text.strip(), base + said[0].start() + lead, "last_line")


def _last_lines(response: str) -> Iterator[tuple[int, str]]:
    """The last lines with text, backwards, as (start, line)."""
    base = max(0, len(response) - _WINDOW)
    lines = [(base + match.start(), match[0]) for match in re.finditer(r"[^\n]*\S[^\n]*", response[base:])]
    yield from reversed(lines[-_LINES:])


def _number(own: OwnAnswer, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    text, start, how = own.text, own.start, own.how
    gold = expected.number
    unit = expected.unit or (gold.unit if gold else None)
    if parse_number(text, expected.locale, unit):
        return OwnAnswer(text, start, how)
    if how == "last_line":
        offset, sentence = _concluding(text, expected.locale)
    else:
        offset, sentence = 0, text
    after = sentence.rfind("=") + 1
    spans = list(number_spans(sentence[after:], expected.locale))
    if not spans and after:
        after = 0
        spans = list(number_spans(sentence, expected.locale))
    if not spans:
        spans = list(word_spans(sentence[after:], expected.locale))
    spans = [span for span in spans if not _STEP.search(sentence[: after + span[0]])]
    if not spans:
        return None
    chosen = spans[0] if after else _likeliest(sentence, spans, how, _given(prompt, expected.locale))
    begin, end = after + chosen[0], _with_unit(sentence, after + chosen[1], unit)
    return OwnAnswer(sentence[begin:end], start + offset + begin, how)


def _with_unit(sentence: str, end: int, unit: str | None) -> int:
    """The end of a number together with the unit that the test asks for or must not be another."""
    if unit is None:
        return end
    match = deferred(r"\s?(?:°\s?)?[^\W\d_]+(?:/[^\W\d_]+)?[²³]?|\s?[%°€$]").match(sentence, end)
    if match is None:
        return end
    return match.end() if known_unit(match[0]) else end


def _concluding(line: str, locale: str) -> tuple[int, str]:
    """The sentence of a line that concludes: the last with a number that says so, else the last with a number."""
    pieces = list(re.finditer(r"(?:[^.!?。]|(?<=\d)\.(?=\d)|\.(?=\S))+[.!?。]*", line))
    numbered = [piece for piece in pieces if any(True for _ in number_spans(piece[0], locale))]
    if not numbered:
        numbered = [piece for piece in pieces if any(True for _ in word_spans(piece[0], locale))]
    concluding = [piece for piece in numbered if _CONCLUDES.search(piece[0])]
    chosen = (concluding or numbered or pieces)[-1:]
    return (chosen[0].start(), chosen[0][0]) if chosen else (0, line)


def _given(prompt: str, locale: str) -> frozenset[object]:
    """The values that the question names."""
    spans = [*number_spans(prompt, locale), *word_spans(prompt, locale)]
    return frozenset(number.value for _, _, number in spans)


def _likeliest(
    sentence: str, spans: Iterable[tuple[int, int, Number]], how: str, given: frozenset[object]
) -> tuple[int, int, Number]:
    """The number that a sentence is about; of equals the last one of prose, the first one behind a label."""
    found = list(spans)
    money = [span for span in found if re.match(r"[-−]?\s?(?:US|R)?[$€£¥₹]|Rp", sentence[span[0] : span[1]])]

    def weight(span: tuple[int, int, Number]) -> int:
        before = sentence[: span[0]]
        total = _WEIGHTS["bold"] if before.endswith("**") and sentence[span[1] :].lstrip(" %").find("**") >= 0 else 0
        total += _WEIGHTS["money"] if span in money and len(money) < len(found) else 0
        total += _WEIGHTS["given"] if span[2].value in given else 0
        total += _WEIGHTS["sums up"] if _SUMS_UP.match(sentence, span[1]) else 0
        if _LEADS_TO.search(before):
            return total + _WEIGHTS["leads"]
        return total + (_WEIGHTS["beside"] if _BESIDE.search(before) else 0)

    best = max(weight(span) for span in found)
    likely = [span for span in found if weight(span) == best]
    return likely[-1] if how == "last_line" else likely[0]
