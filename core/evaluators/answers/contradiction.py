"""Whether what PASS 2 quotes is what the response itself gives: the reading of `match`, held against the extractor's."""

from __future__ import annotations

import re
from dataclasses import replace

from core.deferred import deferred
from core.errors import JudgeError
from core.evaluators.answers.assertion import Stance, read_text
from core.evaluators.answers.assertion.figures import candidates, is_offered_with_another
from core.evaluators.answers.assertion.letters import letters_given
from core.evaluators.answers.comparison import compare
from core.evaluators.answers.extraction import Extraction
from core.evaluators.answers.free_text import (
    TextVerdict,
    is_free_text,
    judge_quantity,
    judge_stated_number,
    judge_text,
    refuses,
)
from core.evaluators.answers.golds import type_of
from core.evaluators.answers.kinds import ExpectedAnswer, expected_answer
from core.evaluators.answers.locate import asserts
from core.evaluators.answers.own import OwnAnswer, read_own
from core.evaluators.numbers.reading import parse_number
from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.text.choice import known_options, letters_named
from core.evaluators.text.text import words


def refused_text(response: str, expected: ExpectedAnswer, prompt: str) -> TextVerdict | None:
    """The reading of a free-text gold that the response names and does not hold (hedged, denied, taken back); else None."""
    typed = _typed(expected)
    if not is_free_text(typed or expected, prompt):
        return None
    verdict = judge_text(response, typed or expected, prompt)
    return verdict if refuses(verdict) and verdict.extracted.source != "echoed" else None


def contradicted(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> Extraction | None:
    """The rules' reading where it goes against the extractor's right answer; None where the extraction stands.

    Only a number, an option and a truth value are read so. A number that is offered with another is no answer.
    """
    typed = _typed(expected)
    if typed is None or is_free_text(typed, prompt):
        return None
    own = read_own(response, typed, prompt)
    if typed.type == "choice" and own is None:
        stance = _unchosen(response, typed, prompt)
        return _none(found, stance) if stance else None
    if typed.type == "numeric":
        if _offered_with_another(found, response, typed):
            return _none(found, "doubted")
        start = own.start if own is not None else None
        if judge_stated_number(response, typed, prompt, start) or judge_quantity(response, typed, prompt, start):
            return None
        if own is None or not _gives_way(found, own, response, typed, prompt):
            return None
    if (
        own is None
        or compare(own.text, typed)[0]
        or not asserts(response, own.start, own.start + len(own.text), prompt)
    ):
        return None
    return _instead(found, own)


def _gives_way(found: Extraction, own: OwnAnswer, response: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether the number that PASS 2 quotes is a step, a remark or a part of the one that the rules read at `own`.

    Of two numbers of a sentence the rules alone do not know which is meant: the extractor's counts, unless what stands
    around it says that it is not.
    """
    if found.span is None:  # found by its words: by its value it must be there too
        number = parse_number(found.answer or "", expected.locale, expected.unit)
        read = [*number_spans(response, expected.locale), *word_spans(response, expected.locale)]
        return number is not None and all(other.value != number.value for _, _, other in read)
    start, end = found.span
    if start < own.start + len(own.text) and own.start < end:
        first = next(number_spans(own.text, expected.locale), None)
        return first is not None and own.start + first[1] <= start and own.text[first[1] :].lstrip().startswith("(")
    if own.how not in ("last_line", "first_line", "sentence"):
        return True
    sentence = read_text(response, prompt).sentence_at(start)
    piece = response[sentence.start : sentence.end]
    spans = [
        (one - sentence.start, two - sentence.start, number)
        for one, two, number in number_spans(response, expected.locale)
        if sentence.start <= one < sentence.end
    ]
    quoted = [span for span in spans if span[0] + sentence.start < end and start < span[1] + sentence.start]
    if quoted and not any(span in candidates(piece, spans, expected.locale, prompt) for span in quoted):
        return True
    if not sentence.start <= own.start < sentence.end:
        return False
    if own.start < start:
        aside = response.rfind("(", own.start, start) > response.rfind(")", own.start, start)
        return aside or _PART_OF.match(response, end) is not None
    return _GOES_ON.search(response, end, own.start) is not None


_PART_OF = deferred(r"\s(?:of (?:which|them|these|those)|davon|d['’]entre eux|de ellos)\b", re.IGNORECASE)
_GOES_ON = deferred(
    r"\b(?:then|but|now|today|wait|mistake|instead|so|leaving|leaves|dann|aber|mais|pero|lalu|tetapi)\b", re.IGNORECASE
)
"""Words by which a sentence goes on from a number to the one that it leads to."""


def _instead(found: Extraction, own: OwnAnswer) -> Extraction:
    span = (own.start, own.start + len(own.text))
    return replace(
        found, answer=own.text, status="by_rules", span=span, source=own.how, offered=found.answer or "",
        fault="contradicted",
    )  # fmt: skip


def _none(found: Extraction, stance: Stance) -> Extraction:
    return replace(
        found,
        answer=None,
        status="no_answer",
        span=None,
        offered=found.answer or "",
        fault="not_asserted",
        stance=stance,
    )


def _unchosen(response: str, expected: ExpectedAnswer, prompt: str) -> Stance | None:
    """How a response that chooses no option names the gold's: beside another (`A or B`), or in the question said again."""
    options = known_options(expected.options)
    given = [one.letters for one in letters_given(response[:_LONGEST], options) if expected.golds[0] in one.letters]
    if given and all(len(letters) > 1 for letters in given):
        return "doubted"
    listed = letters_named(response[:_LONGEST], options)
    return "echoed" if len(listed) > 2 and set(words(response)) <= set(words(prompt)) else None


_LONGEST = 200_000


def _typed(expected: ExpectedAnswer) -> ExpectedAnswer | None:
    """The gold by the type that `match` gives it; None where that is no number, option or truth value."""
    if expected.parts:
        return None
    if expected.type in ("numeric", "choice", "boolean"):
        return expected
    kinds = {type_of(gold, expected.locale) for gold in expected.golds}
    kind = kinds.pop() if len(kinds) == 1 else None
    if expected.type != "exact_match" or expected.as_written or kind is None:
        return None
    try:
        return expected_answer({"value": list(expected.golds), "locale": expected.locale}, kind)
    except JudgeError:
        return None


def _offered_with_another(found: Extraction, response: str, expected: ExpectedAnswer) -> bool:
    """Whether the number that PASS 2 quotes stands in a choice or a range (`30 or 31`)."""
    if found.span is None:
        return False
    spans = list(number_spans(response, expected.locale)) or list(word_spans(response, expected.locale))
    own = next((span for span in spans if span[0] < found.span[1] and found.span[0] < span[1]), None)
    return own is not None and is_offered_with_another(response, own, spans)
