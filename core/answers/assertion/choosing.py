"""Which one option a text chooses: the letter that it gives as its answer, else the option's text that it asserts.

Of several answers the last counts where the text corrects itself, concludes or repeats it; a text that only lists them chooses
none. What is marked as the answer counts before what is called right, and that before a conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modex.core.answers.assertion import cues, lettering
from modex.core.answers.assertion.letters import GivenLetters, denied, letters_given, masked, option_list
from modex.core.answers.assertion.reading import read_text
from modex.core.answers.text.text import word_spans
from modex.core.foundation.lazy_regex import deferred


@dataclass(frozen=True, slots=True)
class Chosen:
    """The option's letter, where the text names it, and how that was found."""

    letter: str
    start: int
    end: int
    how: str


_DECIDES = deferred(
    r"(?<![\w'’])(?:however|but|wait|actually|correction|(?:the )?(?:correct|right|best) (?:answer|option|choice)"
    r"|therefore|thus|so|hence|final(?:ly)?|conclu\w+|overall|instead|to sum up"
    r"|in (?:short|summary|total)|no[,:;.]|sorry|on second thought|after all|jadi|namun|tetapi|maka|also"
    r"|daher|aber|donc|mais|pero|por"
    r"|quindi|ma|portanto|mas)(?![\w'’])|因此|所以|但",
    re.IGNORECASE,
)
_NEAR_CHARS = 160
_ACTUALLY = deferred(r"(?<![\w'’])(?:hmm|uh|oh|er|no|sorry|well)[,. …]{1,3}actually,?\s{0,3}$", re.IGNORECASE)
_TAKES_BACK = deferred(
    r"\s*+(?:(?:is|was)\s*+)?(?:(?:actually|clearly|also)\s++)?(?:wrong|incorrect|false|not\s++(?:correct|right|the\s++"
    r"(?:(?:correct|right)\s++)?(?:answer|option|choice))|ruled\s++out|salah|falsch|faux)\b",
    re.IGNORECASE,
)
_ENDS = deferred(r"(?<![.!?])[.!?]++[\"'”’)\]}*$]{0,4}(?=\s|$)|[。！？]|\n")
_CLOSING = deferred(
    r"\W{0,9}(?:(?:i )?hope (?:this|that|it)|let me know|feel free|if you (?:have|need|would)|please let|good luck|thank)",
    re.IGNORECASE,
)
_UNDECIDED = deferred(
    r"(?<![\w'’])(?:if|suppose|assum\w+|whether|consider|next|check|let|which (?:of|one)|when)(?![\w'’])|\?\s*$",
    re.IGNORECASE,
)
_LONGEST = 3
"""Sentences of an answer in which an option's text counts wherever it is asserted; of a longer one only the end does."""
_CUT_OFF_CHARS = 200
"""Characters from which one sentence without an end was rather cut off than left without its full stop."""
_TURNS_DOWN = deferred(
    r"(?<![\w'’])(?:not?|n['’]t|never|neither|nor|cannot|without|except|nicht|kein\w*|bukan|tidak|pas|jamais"
    r"|non|não)(?![\w])|n['’]t\b",
    re.IGNORECASE,
)


_STATES = deferred(
    r"(?:(?:so|thus|therefore|hence|overall),?\s)?(?:the|this makes the)\s[^\n,;:]{0,80}?(?<=\s)(?:is|are|was|were)\s"
    r"[^\n,;:]{1,80}$",
    re.IGNORECASE,
)
"""A last sentence that states what is asked, behind the options one by one: `The largest is Jupiter.`"""
_ASKS_ITSELF = deferred(
    r"(?<![\w'’])[(]?(?P<one>[A-Z])[)]?\s?\?\s{1,3}(?:no|nope)[,.:;]\s{1,3}(?:it(?:['’]s|\sis)\s)?[(]?(?P<other>[A-Z])[)]?[.!\s]{0,3}$",
    re.IGNORECASE,
)
"""`A? No, B.`"""


def choose(text: str, options: Mapping[str, str]) -> Chosen | None:
    """The option of `options` (upper-case letter to text, which may be empty) that `text` chooses; None for none or several."""
    if (asks := _ASKS_ITSELF.search(masked(text)[-_NEAR_CHARS:])) is not None:
        letter, at = asks["other"].upper(), max(0, len(text) - _NEAR_CHARS)
        if letter in options and letter != asks["one"].upper():
            return Chosen(letter, at + asks.start("other"), at + asks.end("other"), "last_line")
    given = letters_given(text, options)
    marked = next((one for one in given if one.rank == 3 and len(one.letters) == 1), None)
    if marked is not None and (end := option_list(text, marked.end)) is not None:
        given = [one for one in given if one.end <= end]
        text = text[:end]
    ruled_out = denied(text, options)
    for rank in (3, 2, 1):
        top = [one for one in given if one.rank == rank]
        if rank < 3:
            out = {letter for letter, _ in ruled_out}
            top = [one for one in top if not one.letters <= out]
        if rank == 1:
            top = _concluding(text, top)
        if top:
            return _decided(text, top, given, ruled_out)
    return _in_brackets(text, options, {letter for letter, _ in ruled_out}) or _by_text(text, options)


def _decided(
    text: str, top: Sequence[GivenLetters], given: Sequence[GivenLetters], ruled_out: Sequence[tuple[str, int]]
) -> Chosen | None:
    """The last of them, unless they only list letters, or the text takes it back."""
    final = top[-1]
    others = [one for one in top[:-1] if one.letters != final.letters]
    if others and not _decides(text, others[-1].end, final):
        return None
    for later in given:
        if later.start < final.end:
            continue
        narrows = later.letters < final.letters and _DECIDES.search(text, final.end, later.start) is not None
        if narrows or _ACTUALLY.search(text, final.end, later.start) or _corrected(text, final.end, later.start):
            final = later
    if len(final.letters) != 1:
        return None
    letter = next(iter(final.letters))
    plain = masked(text)
    if any(name == letter and at >= final.end and _taken_back(plain, at, letter) for name, at in ruled_out):
        return None
    return Chosen(letter, final.start, final.end, final.how)


def _decides(text: str, after: int, final: GivenLetters) -> bool:
    """Whether the text turns to its last answer, rather than add it to the others."""
    start = max(after, final.start - _NEAR_CHARS)
    return (
        final.how == "boxed"
        or _DECIDES.search(text, start, final.start) is not None
        or _corrected(text, after, final.start)
    )


def _corrected(text: str, start: int, end: int) -> bool:
    return cues.CORRECTION.search(text, max(0, start - 1), end) is not None


def _taken_back(plain: str, at: int, letter: str) -> bool:
    match = re.compile(rf"[(\[]?\s?{letter}\s?[)\]]?", re.IGNORECASE).match(plain, at)
    return match is not None and _TAKES_BACK.match(plain, match.end()) is not None


def _spans(text: str) -> list[tuple[int, int]]:
    """The sentences of `text`, without closing remarks."""
    ends = [match.end() for match in _ENDS.finditer(text)]
    found: list[tuple[int, int]] = []
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        piece = text[start:end]
        if len(piece) > 1 and any(char.isalnum() for char in piece):
            found.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
    while found and _CLOSING.match(text, found[-1][0]):
        found.pop()
    return found


def _concluding(text: str, given: Sequence[GivenLetters]) -> list[GivenLetters]:
    """Conclusions of the last two sentences or the first; anywhere else it is a step."""
    spans = _spans(text)
    if not spans:
        return []
    begins, first = spans[-2:][0][0], spans[0][1]
    return [one for one in given if one.start >= begins or one.start < first]


def _in_brackets(text: str, options: Mapping[str, str], out: set[str]) -> Chosen | None:
    """The one capital in brackets of the last sentence (`Only (J) hydrogen fits.`), where the sentence is whole and decides."""
    spans = _spans(text)
    if not spans:
        return None
    start, end = spans[-1]
    plain = masked(text)
    if _UNDECIDED.search(plain, start, end) or not _is_whole(text, end):
        return None
    found = [
        match
        for match in re.compile(r"(?:^|(?<=[\s,:;是选選为為はが]))\(([A-Z])\)|\[([A-Z])\]").finditer(plain, start, end)
        if (match[1] or match[2]) in options
    ]
    letters = {match[1] or match[2] for match in found} - out
    if len(letters) != 1:
        return None
    match = next(match for match in found if (match[1] or match[2]) in letters)
    if re.compile(r"\s*+[=+*/^<>]").match(plain, match.end()) or re.search(
        r"[=+*/^<>]\s*$", plain[max(0, match.start() - 3) : match.start()]
    ):
        return None
    return Chosen(letters.pop(), match.start(), match.end(), "last_line")


def _is_whole(text: str, end: int) -> bool:
    """Whether a text that ends here was not cut off: it ends as a sentence, or with a bracket."""
    return text[:end].rstrip("*_`$ \n")[-1:] in ".!?。！？)]}\"'”’"


def _by_text(text: str, options: Mapping[str, str]) -> Chosen | None:
    """The one option whose text is asserted: anywhere in a short answer, else at the very end of the last sentence."""
    if not any(options.values()):
        return None
    spans = _spans(text)
    if not spans:
        return None
    begin, end = spans[-1]
    last = " ".join(text[begin:end].split())
    if len(spans) > _LONGEST and sum(" ".join(text[start:stop].split()) == last for start, stop in spans) > 2:
        return None
    lists = len({match[1] for match in lettering.LISTED.finditer(text, max(0, begin - _NEAR_CHARS), end)}) > 2
    if lists and _STATES.match(text, begin, end) is None:
        return None
    short = len(spans) <= _LONGEST
    area = 0 if short else begin
    found = _mentions(text, area, spans[-1][1], options)
    reading = read_text(text[area:])
    asserted = [
        (letter, start, stop) for letter, start, stop in found if reading.stance(start - area, stop - area).asserted
    ]
    letters = {letter for letter, _, _ in asserted}
    if len(letters) != 1 or (len({letter for letter, _, _ in found}) > 1 and not short):
        return None
    letter, start, stop = asserted[-1]
    if not text[stop:end].strip(" .!*_\"'`$)}]°"):
        sentence = next((span for span in spans if span[0] <= start < span[1]), spans[-1])
        if _UNDECIDED.search(text, *sentence) or (not short and _TURNS_DOWN.search(text, *sentence)):
            return None
        return Chosen(letter, start, stop, "last_line")
    worded = re.search(r"(?<!\\)\b[^\W\d_]{3}", options[letter]) is not None
    sentence = next((span for span in spans if span[0] <= start < span[1]), spans[-1])
    if (
        not short
        or not worded
        or _UNDECIDED.search(text, *sentence)
        or (not _is_whole(text, end) and (len(spans) > 1 or len(text) > _CUT_OFF_CHARS))
    ):
        return None
    return Chosen(letter, start, stop, "last_line")


def _mentions(text: str, begin: int, end: int, options: Mapping[str, str]) -> list[tuple[str, int, int]]:
    """Where options' texts stand, in whole words; one within a longer one does not count."""
    area = text[begin:end]
    spans = [
        (letter, begin + start, begin + stop)
        for letter, option in options.items()
        if option and not re.fullmatch(r"\w", option.strip())
        for start, stop in word_spans(area, option.strip().rstrip("."))
    ]
    return sorted(
        (one for one in spans if not any(s <= one[1] and one[2] <= e and e - s > one[2] - one[1] for _, s, e in spans)),
        key=lambda one: one[1],
    )
