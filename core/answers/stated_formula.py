"""The one formula or number that an answer's last sentence states, where that sentence as a whole is no formula."""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.answers.assertion import read_text
from modex.core.answers.numbers.units import known_unit
from modex.core.foundation.lazy_regex import deferred

_LONGEST_CHARS = 4_000
_FORMULA = deferred(
    r"\$\$([^$]+)\$\$|(?<!\\)\$((?:[^$\\\n]|\\.)+)\$|\\\(((?:(?!\\\)).){1,800})\\\)|\\\[((?:(?!\\\]).){1,800})\\\]"
)
_NUMBER = deferred(r"(?<![\w.,/])[-−]?[$€£]?\d+(?:[.,]\d+)*(?:\s?/\s?\d+)?(?:\s?[%€£°])?(?![\w/])")
_SENTENCE = deferred(r"(?<=[.!?])\s+(?=[A-Z])|\s(?=(?:So|Thus|Hence|Therefore),? )")
_CLOSING = deferred(
    r"(?:I hope (?:it|this) is correct|<\|im_(?:start|end)\|>)(?:\.|user|\s++|<\|im_(?:start|end)\|>){0,8}+\Z"
)
_NAME = deferred(r"\s*(?:[A-Za-z]{1,8}(?:_\w)?(?:\([a-z]\))?|\\[a-z]{2,8}|\([a-z](?:,\s?[a-z])+\))\s*")
"""A formula that only names something: `$n$`, `$f(x)$`, `$ABCD$`, `$(x, y)$`."""

_OTHERWISE = deferred(
    r"(?<!\w)(?:not|no|never|neither|nor|none|without|cannot|\w+n['’]t|less|fewer|more|greater|larger|smaller|higher|lower"
    r"|least|most|than|under|over|above|below|between|or|either|maybe|perhaps|possibly|probably|might|may|could|would"
    r"|should|about|around|approximately|roughly|almost|nearly|except|besides|instead|unless|if|whether|wrong|incorrect"
    r"|suppose|assume|let|lets|need|want|try|guess|check|consider|since|because|given|unknown|undefined|impossible|unclear"
    r"|sure|times|plus|minus|negative|half|twice|double|squared|cubed|root|power|divided?|multipl(?:y|ied)|subtract|add"
    r"|modulo|mod|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundreds?|thousands?|millions?|billions?"
    r"|dozens?|pi|sqrt|nicht|kein\w*|oder|bukan|tidak|atau|pas|ou|non|não|sin|aber|mais|pero|but|не|или)(?!\w)"
    r"|[不非没或]|ない|じゃ|[?？]",
    re.IGNORECASE,
)
"""Words by which the sentence denies, bounds, doubts or plans what stands in it, or says a part of it in words."""

_OPERATED = deferred(r"[√∛^*+×·÷<>≤≥≠±≈~|{}\[\]\\πθ∞]|[-−(/%]\s*\Z|=[^=]*+=|=(?!\s*\Z)")
_OPERATES = deferred(r"\A\s*+[-−(/!=%^*]|[√∛^*+×·÷<>≤≥≠±≈~|{}\[\]\\πθ∞]")
"""Signs before and behind, by which what stands there is a piece of a longer formula that no delimiters enclose."""

_AFTER = deferred(
    r"\s*+(?:(?:is|are)\s+(?:the|our|my)\s+(?:final\s+|correct\s+)?(?:answers?|solutions?|result|values?)"
    r"|(?:(?!(?:is|are|was|were|has|have|had|and|as|gives?|equals?)\b)[A-Za-z-]{2,}+\s*+){0,4}+)[\s.!*_`]*+",
    re.IGNORECASE,
)
"""What may follow: that it is the answer, or the few words of what is counted (`12 distinct sequences`)."""


@dataclass(frozen=True, slots=True)
class StatedFormula:
    """The formula or number with its unit, and where it starts in the response."""

    text: str
    start: int


def stated_formula(response: str, start: int, end: int) -> StatedFormula | None:
    r"""What the last sentence of `response` from `start` to `end` states; a display on lines of its own that ends there is one.

    None where the sentence holds none or several, denies or bounds it, or says more behind it.
    """
    start = max(start, end - _LONGEST_CHARS)
    if (closing := _CLOSING.search(response, start, end)) is not None:
        end = closing.start()
    if response[start:end].strip().rstrip(".") in ("\\]", "$$"):
        base = max(0, end - _LONGEST_CHARS)
        found = _display(response[base:end].rstrip(". \t\n"), base)
    else:
        found = _in_sentence(response, start, end)
    if found is None:
        return None
    return found if read_text(response, "").stance(found.start, found.start + len(found.text)).asserted else None


def _in_sentence(response: str, start: int, end: int) -> StatedFormula | None:
    pieces = _SENTENCE.split(response[start:end].rstrip())
    sentence = pieces[-1]
    at = response.rindex(sentence, start, end)
    found = list(_FORMULA.finditer(sentence))
    if len(found) > 1:
        found = [each for each in found if not _NAME.fullmatch(_inner(each))]
    bare = _FORMULA.sub(lambda match: " " * len(match[0]), sentence).replace("**", "  ")
    numbers = list(_NUMBER.finditer(bare))
    if len(found) == 1 and not re.search(r"\d", bare):
        first, last = found[0].span()
    elif (
        len(numbers) == 1
        and len(re.findall(r"\d+(?:[.,/\s]+\d+)*", bare)) == 1
        and all(_NAME.fullmatch(_inner(each)) for each in _FORMULA.finditer(sentence))
    ):
        first, last = numbers[0].span()
    else:
        return None
    if (unit := re.match(r"\s?([^\W\d_]+[²³]?)", sentence[last:])) is not None and known_unit(unit[1]):
        last += unit.end()
    before, after = bare[:first], bare[last:]
    if _OPERATED.search(before) or _OPERATES.search(after.rstrip(" *_`")):
        return None
    if _OTHERWISE.search(before) or _OTHERWISE.search(after) or not _AFTER.fullmatch(after):
        return None
    return StatedFormula(sentence[first:last], at + first)


def _inner(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _display(text: str, base: int) -> StatedFormula | None:
    """The formula of the display that ends `text`, which begins at `base`; the sentence before it may not deny it."""
    opened = text.rfind("\\[" if text.endswith("\\]") else "$$", 0, len(text) - 2)
    inner = text[opened + 2 : -2]
    if opened < 0 or not inner.strip() or "$" in inner or "\\]" in inner:
        return None
    lead = [piece for piece in re.split(r"\n|(?<=[.!?])\s+(?=[A-Z])", text[:opened]) if piece.strip()]
    if lead and _OTHERWISE.search(_FORMULA.sub(" ", lead[-1])):
        return None
    return StatedFormula(inner.strip(), base + opened + 2 + len(inner) - len(inner.lstrip()))
