"""Whether a clause says the opposite of what a question compares by: `is smaller than` where the larger is asked."""

from __future__ import annotations

import re

from modex.core.answers.assertion.items import items_of
from modex.core.foundation.lazy_regex import deferred

_PAIRS = (
    ("larger bigger greater", "smaller littler lesser"),
    ("heavier", "lighter"),
    ("older elder", "younger newer"),
    ("faster quicker", "slower"),
    ("higher taller", "lower shorter"),
    ("longer", "shorter briefer"),
    ("hotter warmer", "colder cooler"),
    ("earlier sooner", "later"),
    ("richer wealthier", "poorer"),
    ("stronger", "weaker"),
    ("closer nearer", "farther further"),
    ("wider broader", "narrower"),
    ("deeper", "shallower"),
    ("thicker", "thinner"),
    ("harder", "softer easier"),
    ("brighter", "dimmer darker"),
    ("louder", "quieter"),
    ("better", "worse"),
    ("cheaper", "dearer costlier"),
    ("more", "less fewer"),
)
_OPPOSITE: dict[str, set[str]] = {}
for _one, _other in _PAIRS:
    for _words, _others in ((_one, _other), (_other, _one)):
        for _word in _words.split():
            _OPPOSITE.setdefault(_word, set()).update(_others.split())
_COMPARATIVE = deferred(
    rf"\b(?:(?P<share>more|less)\s(?P<of>[a-z]{{3,20}})|(?P<word>{'|'.join(_OPPOSITE)}))\b", re.IGNORECASE
)
_SAYS = deferred(
    rf"[\"'*_)]{{0,3}}(?:\s[^\W\d_]{{1,20}}){{0,2}}?\s(?:is|are|was|were|has|have|had|weighs?|costs?|runs?|moves?|travels?)"
    r"\s(?:(?:actually|in|fact|much|far|slightly|somewhat|significantly|considerably|a|bit|little|lot|even|also|the)\s){0,3}"
    rf"[\"'*_]{{0,3}}(?:(?P<share>more|less)\s(?P<of>[a-z]{{3,20}})|(?P<word>{'|'.join(_OPPOSITE)}))\b",
    re.IGNORECASE,
)
_THAN = deferred(
    rf"\b(?:(?P<share>more|less)\s(?P<of>[a-z]{{3,20}})|(?P<word>{'|'.join(_OPPOSITE)}))\sthan\s(?:the\s)?[\"'*_]{{0,3}}$",
    re.IGNORECASE,
)
_STEM = 3
"""First letters that an adjective and its comparative share (`heavy`, `heavier`)."""


def says_opposite(text: str, end: int, stop: int, question: str) -> bool:
    """Whether what stands at `end` of `text` says of it the opposite of the one comparison that `question` asks by."""
    match = _SAYS.match(text, end, stop)
    return match is not None and _is_opposite(match, question)


def says_opposite_of_another(text: str, begin: int, start: int, question: str) -> bool:
    """Whether another is said to be the opposite beside what stands at `start`: `Brazil is less populous than India`."""
    match = _THAN.search(text, max(begin, start - 60), start)
    return match is not None and _is_opposite(match, question)


def _is_opposite(said: re.Match[str], question: str) -> bool:
    asked = list(_COMPARATIVE.finditer(question))
    if len(asked) != 1:
        return False
    one, other = _parts(asked[0]), _parts(said)
    if one[0] not in _SHARES and other[0] not in _SHARES:
        return other[0] in _OPPOSITE[one[0]]
    if one[0] in _SHARES and other[0] in _SHARES:
        return one[0] != other[0] and one[1][:_STEM] == other[1][:_STEM]
    share, whole = (one, other) if one[0] in _SHARES else (other, one)
    return share[0] == "less" and share[1][:_STEM] == whole[0][:_STEM]


_SHARES = frozenset(["more", "less", "fewer"])


def _parts(match: re.Match[str]) -> tuple[str, str]:
    return (match["share"] or match["word"] or "").casefold(), (match["of"] or "").casefold()


def compares_otherwise(claim: str, clause: str) -> tuple[bool, str] | None:
    """Whether a clause compares the two things of a claim the other way round, and the claim's comparative, folded.

    `There are fewer cats than dogs` and `There are more dogs than cats` turn `more cats than dogs`; None where one of them
    compares nothing, or by something else.
    """
    asked, said = _compared(claim), _compared(clause)
    if asked is None or said is None:
        return None
    (one, left, right), (other, _, behind) = asked, said
    if one in _SHARES and other in _SHARES:
        opposite = (one == "more") is not (other == "more")
    elif one == other or other in _OPPOSITE[one]:
        opposite = one != other
    else:
        return None
    swapped = bool(behind & (left - right)) and not behind & (right - left)
    return opposite is not swapped, one


def _compared(text: str) -> tuple[str, set[str], set[str]] | None:
    """The one comparative of a text that goes on with `than`, and the keys of the words before and behind that."""
    found = list(_COMPARATIVE.finditer(text))
    than = _THAN_BEHIND.search(text, found[0].start()) if len(found) == 1 else None
    if than is None:
        return None
    left, right = ({item.key for item in items_of(piece)} for piece in (text[: than.start()], text[than.end() :]))
    return _parts(found[0])[0], left, right


_THAN_BEHIND = deferred(r"\bthan\b", re.IGNORECASE)
