"""Which numbers of a sentence can be its answer: none that is a part of a larger expression, a time, a label, or denied.

`√4`, `5²`, `2x`, `log10(100)` are not 4, 5, 2, 100; `12:30` is a time; `page 7` and `number 1 questions` name something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from modex.core.answers.assertion import cues
from modex.core.answers.assertion.reading import QUESTION_CHARS, read_text
from modex.core.answers.numbers.reading import Number, parse_number
from modex.core.answers.numbers.units import known_unit
from modex.core.foundation.lazy_regex import deferred

Figure = tuple[int, int, Number]
"""Where a number stands in its sentence, and the number."""

_PART_BEFORE = deferred(
    r"(?:[√∛∜]\s?|\\sqrt(?:\[\d{1,3}\])?\s?\{?\s?|[^\W_]\(\s?|\^\s?\{?-?|\d\*\*|[^\W\d_]_\{?|\d:|\d\s:\s"
    r"|(?:\d|[)}²³!]|(?<![^\W\d_])[a-zA-Z])\s?(?:[+×·÷^]|\*(?!\*)|\\(?:times|cdot|div)|(?<=\d )x|[-−–])\s?"
    r"|[\w)]\s(?:times|plus|minus|divided\sby|multiplied\sby|mod|modulo)\s|\|(?=[-−\d]))$",
    re.IGNORECASE,
)
_OPERAND = r"(?:\d|\(|\\|√|[b-hj-z](?![^\W_]))"
_PART_AFTER = deferred(
    rf"[⁰¹²³⁴⁵⁶⁷⁸⁹ⁿˣ]|\s?\^|\*\*\d|!(?=\s?[-+*/=)])|:\d|\s:\s\d|\s?(?:[+×·÷]|\\(?:times|cdot|div)|[-−–](?!-)|(?<!\*)\*(?!\*))\s?{_OPERAND}"
    r"|\sx\s?\d|\s?/\s?(?:\d|[xyzn](?![^\W_]))|\s?\\?(?:sqrt|pi|sin|cos|ln|log)\b|\s(?:times|plus|minus|divided\sby|multiplied\sby|mod|modulo)\s\w"
    r"|\(\w{1,2}\s?[-+*/^)]|\|",
    re.IGNORECASE,
)
_ABSOLUTE = deferred(r"(?<![^\s(=:])\|\s?$")
_ATTACHED = deferred(r"[^\W\d_]{1,20}")
_LABEL = deferred(
    r"(?<![^\W_])(step|part|question|problem|case|chapter|page|equation|eq\.|figure|fig\.|table|section|version|theorem|line|item"
    r"|exercise|example|no\.|nr\.|schritt|kapitel|seite|langkah|halaman|étape|paso|página|pagina)\s?[#(]?$",
    re.IGNORECASE,
)
_NUMBERED = deferred(r"(?<![^\W_])number\s$", re.IGNORECASE)
_NOUN_AFTER = deferred(r"\s(?!(?:is|was|are|equals?|makes?|gives?|because|since|as|and|or|in|of|which|that)\b)[a-z]{3}")
_BETWEEN = deferred(
    r"(?:,?\s(?:i (?:think|guess|believe|suppose)|ich glaube|je crois|creo|credo|acho)[,\s]{1,3})?"
    r"[\s,(*_]{0,4}(?:[^\W\d_]{1,16}[\s,(]{1,3})?(?:or|oder|atau|ou|o|oppure|или|または|to|bis|hingga|sampai|through|[-–—]|或)\s{0,3}"
    r"(?:(?:maybe|perhaps|possibly|even|about|at most)\s)?[$€£¥*_]{0,3}",
    re.IGNORECASE,
)
_WITHIN = deferred(r"(?<![^\W_])(?:between|zwischen|entre|antara|tra)\s[$€£¥*_]{0,3}$", re.IGNORECASE)
_AND = deferred(r"[\s*_]{0,3}(?:and|und|et|y|dan|e)[\s$€£¥*_]{1,4}", re.IGNORECASE)
_HEDGED = deferred(
    r"(?:maybe|perhaps|possibly|vielleicht|mungkin|peut-être|quizás?|forse|talvez)\s[$€£*_]{0,3}$", re.IGNORECASE
)
_NO_LONGER = deferred(r"(?<![^\W_])(?:no longer|nicht mehr|bukan lagi)\s[$€£*_]{0,3}$", re.IGNORECASE)
_NO_ANSWER = deferred(
    r"(?<![^\W_])(?:(?:not|n['’]t) (?:have )?enough (?:information|data|context)|insufficient (?:information|data)"
    r"|more (?:information|context|data)"
    r" (?:is )?needed|(?:cannot|can['’]t|can not|could not) be (?:determined|answered|known|calculated|computed)"
    r"|(?:cannot|can['’]t|unable to|not able to) (?:determine|answer|calculate|compute|say|tell|know))(?![^\W_])",
    re.IGNORECASE,
)
_NEAR_CHARS = 40


def gives_no_answer(sentence: str) -> bool:
    """Whether a sentence says that it does not know, or that it cannot be known."""
    return _NO_ANSWER.search(sentence) is not None or cues.REFUSAL.search(sentence) is not None


def candidates(sentence: str, spans: Sequence[Figure], locale: str, prompt: str = "") -> list[Figure]:
    """The numbers among `spans` that the sentence may give as its answer.

    One that belongs to a larger expression, a time of day or a ratio, names a step or a page (unless `prompt` asks for that),
    or is denied, is none; what is only reported (`you might think it is 8`) counts where nothing else is left.
    """
    whole = [span for span in spans if not _is_part(sentence, span, locale) and not _is_label(sentence, span, prompt)]
    if not whole:
        return []
    reading = read_text(sentence)
    stances = [(span, reading.stance(span[0], _with_unit(sentence, span[1])).stance) for span in whole]
    held = [
        span
        for span, stance in stances
        if stance != "denied" and not _NO_LONGER.search(sentence, max(0, span[0] - _NEAR_CHARS), span[0])
    ]
    kept = {span[0] for span in held}
    own = [span for span, stance in stances if span[0] in kept and stance not in ("reported", "corrected")]
    return own or held


_COUNTED = deferred(r"(?<![^\W_])how many\s([^\W\d_]{3,20})(?![^\W_])", re.IGNORECASE)
_ASKED_CHARS = 20_000


def counted_in(prompt: str) -> re.Pattern[str] | None:
    """What stands behind a number of the things that the question counts: `how many apples`."""
    asked = {match[1].casefold() for match in _COUNTED.finditer(prompt[-_ASKED_CHARS:])}
    return re.compile(rf"\s{{1,3}}{asked.pop()}(?![^\W_])", re.IGNORECASE) if len(asked) == 1 else None


_UNIT = deferred(r"\s?(?:°\s?)?[^\W\d_]{1,12}(?![^\W_])|\s?[%°]")


def _with_unit(sentence: str, end: int) -> int:
    """The end of a number with its unit, so that `100 °C is wrong` denies 100."""
    unit = _UNIT.match(sentence, end)
    return unit.end() if unit is not None and known_unit(unit[0]) else end


def is_offered_with_another(sentence: str, span: Figure, spans: Sequence[Figure]) -> bool:
    """Whether the sentence leaves a number open beside another: `42 or 43`, `between 7 and 9`, `possibly 7, possibly 8`."""
    at = next(index for index, other in enumerate(spans) if other[:2] == span[:2])
    for one, two in ((at - 1, at), (at, at + 1)):
        if one < 0 or two >= len(spans):
            continue
        first, second = spans[one], spans[two]
        if first[2].value == second[2].value:
            continue
        between = sentence[first[1] : second[0]][:_NEAR_CHARS]
        if _BETWEEN.fullmatch(between):
            return True
        if _AND.fullmatch(between) and _WITHIN.search(sentence, max(0, first[0] - _NEAR_CHARS), first[0]):
            return True
    hedged = [other for other in spans if _HEDGED.search(sentence, max(0, other[0] - _NEAR_CHARS), other[0])]
    return len(hedged) > 1 and span in hedged


_BOUND = deferred(
    r"(?<![^\W_])(?:is|are|was|were|be|it['’]s|has|have|stands|goes|travels|runs|weighs|costs)\s"
    r"(?:(?:slightly|somewhat|a (?:bit|little)|just|well|much|far|definitely|still)\s)?"
    r"(?:more|less|greater|fewer|higher|lower|faster|slower|larger|smaller|longer|shorter|older|younger)\sthan\s[$€£*_]{0,3}$",
    re.IGNORECASE,
)
_BOUND_ASKED = deferred(
    r"\b(?:more|less|greater|fewer|higher|lower|faster|slower|larger|smaller|longer|shorter|older|younger)\b"
    r"|\bat (?:least|most)\b|\b(?:minimum|maximum|limit|over|under|above|below|exceed\w*)\b",
    re.IGNORECASE,
)


def is_bound(sentence: str, span: Figure, prompt: str = "") -> bool:
    """Whether the sentence only says that it is more or less than a number, and the question does not ask that."""
    before = _BOUND.search(sentence, max(0, span[0] - 2 * _NEAR_CHARS), span[0])
    return before is not None and _BOUND_ASKED.search(prompt[-QUESTION_CHARS:]) is None


def _is_part(sentence: str, span: Figure, locale: str) -> bool:
    start, end, _ = span
    begin = max(0, start - _NEAR_CHARS)
    signed = sentence[start] in "-−–+"
    if signed and re.search(r"(?:\d|[)}²³]|(?<![^\W\d_])[a-zA-Z])\s?$", sentence[begin:start]):
        return True
    if _PART_BEFORE.search(sentence, begin, start):
        return True
    if sentence[end : end + 1] == "|" and not _ABSOLUTE.search(sentence, begin, start):
        after = None
    else:
        after = _PART_AFTER.match(sentence, end)
    if after is not None:
        return True
    word = _ATTACHED.match(sentence, end)
    return word is not None and parse_number(sentence[start : word.end()], locale) is None


def _is_label(sentence: str, span: Figure, prompt: str) -> bool:
    start, end, _ = span
    label = _LABEL.search(sentence, max(0, start - _NEAR_CHARS), start)
    if label is not None:
        name = label[1].rstrip(".").casefold()
        return name not in prompt.casefold() or name == "step"
    return (
        _NUMBERED.search(sentence, max(0, start - _NEAR_CHARS), start) is not None
        and _NOUN_AFTER.match(sentence, end) is not None
    )
