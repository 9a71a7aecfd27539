"""Whether what PASS 2 quotes is what the response itself gives: the reading of `match`, held against the extractor's."""

from __future__ import annotations

import re
from dataclasses import replace

from modex.core.answers.asked import asked_answer, option_of, stated_otherwise
from modex.core.answers.assertion import Stance, read_text
from modex.core.answers.assertion.figures import Figure, candidates, is_bound, is_offered_with_another
from modex.core.answers.assertion.letters import letters_given
from modex.core.answers.comparison import compare
from modex.core.answers.free_text import (
    TextVerdict,
    is_free_text,
    judge_text,
    refuses,
)
from modex.core.answers.golds import type_of
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.locate import asserts, locate
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.numbers.units import same_unit
from modex.core.answers.own import OwnAnswer, read_own
from modex.core.answers.set_aside import BETWEEN_CHARS, CONCEDED, is_set_aside
from modex.core.answers.text.boolean import read_boolean, says_both
from modex.core.answers.text.choice import known_options, letters_named, read_choice
from modex.core.answers.text.text import words
from modex.core.evaluators.answers.extraction import Extraction, Fault
from modex.core.foundation.errors import JudgeError
from modex.core.foundation.lazy_regex import deferred


def refused_text(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> TextVerdict | None:
    """The reading of a free-text gold that the response names and does not hold (hedged, denied, taken back); else None.

    A response that marks another answer (`Answer: Chile. It is south of Peru.`) does not hold what stands outside the mark.
    """
    typed = typed_gold(expected, prompt)
    if not is_free_text(typed or expected, prompt):
        return None
    verdict = judge_text(response, typed or expected, prompt)
    if refuses(verdict):
        return verdict if verdict.extracted.source != "echoed" else None
    marked, quoted = verdict.extracted, found.span
    if verdict.right or quoted is None or marked.source not in _MARKS or not marked.span:
        return None
    end = min(marked.span[1], read_text(response, prompt).sentence_at(marked.span[0]).end)
    return verdict if quoted[1] <= marked.span[0] or end <= quoted[0] else None


_MARKS = frozenset(["boxed", "hash", "tag", "label", "sentence"])


def _said(found: Extraction) -> str:
    """What PASS 2 quotes: nothing is asked here of an extraction without an answer."""
    assert found.answer is not None
    return found.answer


def contradicted(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> Extraction | None:
    """The rules' reading where it goes against the extractor's right answer; None where the extraction stands.

    Only a number, an option and a truth value are read so. A number that is offered with another is no answer.
    """
    typed = typed_gold(expected, prompt)
    if typed is None or is_free_text(typed, prompt):
        return None
    if typed.type == "boolean" and says_both(response):
        return _none(found, "doubted")
    own = read_own(response, typed, prompt)
    if own is None and typed.type == "choice":
        stance = _unchosen(response, typed, prompt)
        return _none(found, stance) if stance else None
    if own is None and not locate(_said(found), response, typed, prompt).found:
        return _none(found, "", "not_in_response")
    if typed.type == "numeric":
        if _offered_with_another(found, response, typed, prompt):
            return _none(found, "doubted")
        if stated_otherwise(response, typed, prompt, own) is not None:
            return None
        if own is None and _is_part(found, response, typed, prompt):
            return _none(found, "part")
        if own is None or not _gives_way(found, own, response, typed, prompt):
            return None
    if (
        own is None
        or compare(own.answer, typed)[0]
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
        number = parse_number(_said(found), expected.locale, expected.unit)
        read = [*number_spans(response, expected.locale), *word_spans(response, expected.locale)]
        return number is not None and all(other.value != number.value for _, _, other in read)
    start, end = found.span
    if start < own.start + len(own.text) and own.start < end:  # it is cut out of a larger number (`31` of `31/2`)
        return True
    if own.how == "statement":
        return own.start < start
    if own.how not in ("last_line", "first_line"):
        return True
    piece, at, spans = _around(start, response, expected.locale, prompt)
    quoted = [span for span in spans if span[0] + at < end and start < span[1] + at]
    if quoted and not any(span in candidates(piece, spans, expected.locale, prompt) for span in quoted):
        return True
    if own.start < start:
        return is_set_aside(response, own.start + len(own.text), start, end)
    between = response[end : own.start][-BETWEEN_CHARS:]
    if _GOES_ON.search(between) or (
        _SUMS_UP.match(response, own.start + len(own.text)) and not _SUMS_UP.match(response, end)
    ):
        return True
    return CONCEDED.search(response, at, start) is not None and _CLAUSE.search(between) is not None


def _is_part(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether the quoted number is a part of a larger expression or a time (`√31`, `31:00`), or names something."""
    if found.span is None:
        return False
    start, end = found.span
    piece, at, spans = _around(start, response, expected.locale, prompt)
    quoted = [span for span in spans if span[0] + at < end and start < span[1] + at]
    return bool(quoted) and not any(span in candidates(piece, spans, expected.locale, prompt) for span in quoted)


def _around(start: int, response: str, locale: str, prompt: str) -> tuple[str, int, list[Figure]]:
    """The sentence around a place, where it starts, and its numbers."""
    sentence = read_text(response, prompt).sentence_at(start)
    spans = [
        (one - sentence.start, two - sentence.start, number)
        for one, two, number in number_spans(response, locale)
        if sentence.start <= one < sentence.end
    ]
    return response[sentence.start : sentence.end], sentence.start, spans


_GOES_ON = deferred(
    r"\b(?:then|but|now|today|wait|mistake|instead|so|leaving|leaves|dann|aber|mais|pero|lalu|tetapi)\b", re.IGNORECASE
)
"""Words by which a text goes on from a number to the one that it leads to."""
_SUMS_UP = deferred(r"\s(?:[^\W\d_]{1,16}\s){0,2}(?:left|remain(?:ing)?|in all|in total|altogether)\b", re.IGNORECASE)
"""What follows a number that a text ends up with."""
_CLAUSE = deferred(r"[,;:]\s")


def _instead(found: Extraction, own: OwnAnswer) -> Extraction:
    span = (own.start, own.start + len(own.text))
    return replace(
        found, answer=own.answer, status="by_rules", span=span, source=own.how, offered=_said(found),
        fault="contradicted",
    )  # fmt: skip


def _none(found: Extraction, stance: str, fault: Fault = "not_asserted") -> Extraction:
    return replace(
        found,
        answer=None,
        status="no_answer",
        span=None,
        offered=_said(found),
        fault=fault,
        stance=stance,
    )


def _unchosen(response: str, expected: ExpectedAnswer, prompt: str) -> Stance | None:
    """How a response that chooses no option names the gold's: beside or after another, or in the question said again."""
    options = known_options(expected.options)
    given = [one.letters for one in letters_given(response[:_LONGEST], options) if expected.golds[0] in one.letters]
    if given and all(len(letters) > 1 for letters in given):
        return "doubted"
    opening = read_text(response[:_LONGEST]).sentence_at(0)
    if read_choice(response[opening.start : opening.end], expected.options) not in (None, expected.golds[0]):
        return "doubted"
    listed = letters_named(response[:_LONGEST], options)
    return "echoed" if len(listed) > 2 and set(words(response)) <= set(words(prompt)) else None


_LONGEST = 200_000


def is_quoted(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether PASS 2 quotes a sentence, or a piece or a remark of the value that the response gives, and no value."""
    answer = _said(found)
    if expected.type == "choice":
        return not _names_option(answer, expected)
    if expected.type == "boolean":
        return read_boolean(answer) is None or len(words(answer)) > _SHORT
    if expected.type == "math":
        return len(_WORD.findall(answer)) > _SHORT
    if expected.type == "date":
        return len(words(answer)) > _LONGEST_DATE
    if expected.type != "numeric":
        whole = len(words(answer)) > _SHORT and answer.rstrip(" *_\"'”)").endswith((".", "!", "?"))
        return whole or _LISTS.search(expected.golds[0]) is not None
    unit = expected.unit or (expected.number.unit if expected.number else None)
    number = parse_number(answer, expected.locale, unit)
    if number is None or _offered_with_another(found, response, expected, prompt):
        return True
    own = read_own(response, expected, prompt)
    if own is None or found.span is None:
        return False
    start, end = found.span
    within = own.start <= start and end <= own.start + len(own.text) and end - start < len(own.text)
    between = response[own.start + len(own.text) : start]
    aside = own.start < start and 0 <= between.rfind("(") > between.rfind(")")
    return within or aside or (unit is not None and _without_unit(start, own, response, expected, unit))


def _without_unit(start: int, own: OwnAnswer, response: str, expected: ExpectedAnswer, unit: str) -> bool:
    """Whether the number at `start` has no unit, while the one that the rules read has the unit that is asked for."""
    piece = next((end for begin, end, _ in number_spans(response, expected.locale) if begin <= start < end), None)
    read = parse_number(own.text, expected.locale, unit)
    measured = read is not None and read.unit is not None and same_unit(unit, read.unit)
    return measured and piece is not None and _UNIT_BEHIND.match(response, piece) is None


_UNIT_BEHIND = deferred(r"\s?[°%$€£]|\s?[^\W\d_]+(?:/[^\W\d_]+)?")
_SHORT = 3
_LONGEST_DATE = 7
"""Words of an answer of a type beyond which it is a sentence."""
_WORD = deferred(r"(?<![\\^\W\d_])[^\W\d_]{3,}")
_LISTS = deferred(r"[,;]\s*\S")
_CHOOSING = frozenset(["option", "choice", "answer", "the", "is", "correct", "right", "it", "letter"])


def _names_option(answer: str, expected: ExpectedAnswer) -> bool:
    """Whether an answer is an option's letter or text, and nothing else."""
    letter = read_choice(answer, expected.options or None)
    if letter is None:
        return False
    text = set(words(expected.options.get(letter, "")))
    return all(word in text or word in _CHOOSING or word.upper() == letter for word in words(answer))


def typed_gold(expected: ExpectedAnswer, prompt: str) -> ExpectedAnswer | None:
    """The gold by the type that `match` gives it; None where that is no number, option or truth value."""
    if expected.parts:
        return None
    if expected.type in ("numeric", "choice", "boolean"):
        return expected
    if expected.type != "exact_match" or expected.as_written or expected.exact:
        return None
    if (option := option_of(expected, prompt)) is not None:
        return option
    kinds = {type_of(gold, expected.locale) for gold in expected.golds}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        return None
    try:
        return asked_answer({"value": list(expected.golds), "locale": expected.locale}, kind, prompt)
    except JudgeError:
        return None


def _offered_with_another(found: Extraction, response: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether the number that PASS 2 quotes stands in a choice or a range (`30 or 31`), or only bounds the answer."""
    if found.span is None:
        return False
    spans = list(number_spans(response, expected.locale)) or list(word_spans(response, expected.locale))
    own = next((span for span in spans if span[0] < found.span[1] and found.span[0] < span[1]), None)
    return own is not None and (is_offered_with_another(response, own, spans) or is_bound(response, own, prompt))
