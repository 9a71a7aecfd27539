"""The number that a response gives as its answer: what it marks, what its last lines conclude, what it corrects itself to.

A number that the text denies, leaves open (`42 or 43`) or writes as a part of a larger expression is never its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from modex.core.answers.assertion import cues
from modex.core.answers.assertion.figures import (
    Figure,
    candidates,
    counted_in,
    gives_no_answer,
    is_bound,
    is_offered_with_another,
)
from modex.core.answers.assertion.indexed import question_of
from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.reading import read_text
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.numbers.units import known_unit, same_unit
from modex.core.answers.text.text import strip_wrapping
from modex.core.foundation.lazy_regex import deferred

_WINDOW_CHARS = 20_000
_LINES = 12
_FIRST, _LAST = 20, 180
"""Numbers of one sentence that are looked at, from its beginning and its end."""
_BEFORE_CHARS = 120
"""Characters before a number that tell what it is."""
_CORRECTED_CHARS = 600
"""Characters behind a correction in which the corrected number stands."""
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
    "out\\ to equal\\ to that\\ is about adalah menjadi "
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
    rf"(?:=|≈|:|→|⇒|->|\bround(?:s|ed|ing)?(?: up| down| off)? to|\b(?:{_any_of(_VERBS)}))\s*"
    rf"(?:exactly |only |about |a total of |now )*{_OPENING}",
    re.IGNORECASE,
)
_BESIDE = deferred(
    rf"\b(?:{_any_of(_PREPOSITIONS)})\s*(?:the |all |its |his |her |their |those |these |los |las |les |den |die )?{_OPENING}",
    re.IGNORECASE,
)
_SUMS_UP = deferred(
    r"\s*+[^\W\d_]*\s*+(?:in all|in total|altogether|overall|remain(?:ing)?|left|seluruhnya|insgesamt|en total|au total)\b",
    re.I,
)
_OTHER_THINGS = deferred(
    r"\s(?!(?:are|is|were|was|will|in|left|remain\w*|altogether|overall)\b)[^\W\d_]{3,20}\s", re.IGNORECASE
)
"""A word right behind a number, which tells what it counts: `3 pears left`."""
_COMPARED = deferred(
    r"\s*(?:[^\W\d_]{1,16}\s)?(?:less|more|fewer|greater|higher|lower|older|younger|longer|shorter|larger|smaller)\sthan\b",
    re.I,
)
_WEIGHTS = {"sums up": 5, "leads": 4, "beside": -4, "given": -3, "bold": 5, "money": 2}
_EXPLAINS = deferred(
    r"\n[ \t>*_#-]{0,8}(?:explanation|reasoning|rationale|justification|working|details?|note|steps?|here(?:['’]s| is) why"
    r"|here(?:['’]s| is) (?:how|the)|because|this is because|penjelasan|alasan|erklärung|begründung|explication|explicación"
    r"|spiegazione"
    r"|explicação|解释|説明|理由)(?![^\W_])",
    re.IGNORECASE,
)
_ASIDE = deferred(r"[ \t]*\([^()\n]{1,400}\)[ \t.]*")
_ASIDE_PIECE = deferred(r"\s*[(\[][^()\[\]]{1,200}[)\]]?[.!?]*$")
_NEVER_WAS = deferred(r"(?<![^\W_])(?:would|could|might)(?:n['’]t)?(?: not)? have(?![^\W_])", re.IGNORECASE)
_ASKS = deferred(r"[?？][\s\"'”’*_)]{0,6}$")
_REMARK = deferred(
    r"\W{0,9}(?:(?:double-?check|quick check|check|verification|proof|probe|cek|vérification|comprobación)\s?:"
    r"|(?:i )?hope (?:this|that|it)|let me know|feel free|if you (?:have|need|would)"
    r"|please let|good luck|thank|confidence)",
    re.IGNORECASE,
)
_CORRECTS = deferred(
    r"(?<![^\W_])actually,?\s(?:it|that|this|the answer)\s(?:should|must|has to|would)(?![^\W_])", re.IGNORECASE
)
_DIGIT = deferred(r"\d")
_FORMULA = deferred(r"\$([^$\n]{1,80}\\frac[^$\n]{1,80})\$(?=[\s,;(.]|$)")
"""A mixed number or a fraction between the signs of LaTeX at the head of a marked answer: its first digit is no money."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as the text writes it, where, and how it was found; `open` where the text leaves it open or knows none."""

    text: str
    start: int
    how: str
    open: bool = False


_OPEN = Stated("", 0, "", open=True)


def stated_number(response: str, expected: ExpectedAnswer, prompt: str = "") -> Stated | None:
    """The number that `response` gives as its answer; None where the rules find none, or it leaves open which.

    A marked answer counts before any other, unless the text corrects it afterwards.
    """
    found = _stated(response, expected, prompt, corrected=False)
    return None if found is None or found.open else found


def _stated(response: str, expected: ExpectedAnswer, prompt: str, *, corrected: bool) -> Stated | None:
    marked = find_final_answer(response)
    if marked is None:
        return None
    if marked.how == "last_line":
        return _unmarked(response, expected, prompt)
    if (
        not corrected
        and (later := _correction(response, marked.start + len(marked.text), expected, prompt)) is not None
    ):
        return later
    found = _number(Stated(marked.text, marked.start, marked.how), expected, prompt)
    return found or Stated(marked.text, marked.start, marked.how)


def _correction(response: str, end: int, expected: ExpectedAnswer, prompt: str) -> Stated | None:
    """What the text behind its answer corrects it to; open where it only calls it wrong."""
    tail = response[max(0, end - 1) :]
    turns = [match for pattern in (cues.CORRECTION, _CORRECTS) for match in pattern.finditer(tail)]
    turns = [turn for turn in turns if turn.start() and not cues.AFFIRMS_AGAIN.match(tail, turn.end())]
    if not turns:
        return None
    last = max(turn.end() for turn in turns)
    said = tail[last : last + _CORRECTED_CHARS]
    found = _stated(said, expected, prompt, corrected=True)
    if found is not None and (found.open or _DIGIT.search(found.text) or parse_number(found.text, expected.locale)):
        return found if found.open else Stated(found.text, max(0, end - 1) + last + found.start, found.how)
    return _OPEN if cues.CALLED_WRONG.search(said[:100]) else None


def _unmarked(response: str, expected: ExpectedAnswer, prompt: str) -> Stated | None:
    """What the first line says by itself, or the last lines conclude."""
    cut = _EXPLAINS.search(response, len(response) - len(response.lstrip()))
    if cut is not None and not _concludes(response[cut.start() :]):
        own = _unmarked(response[: cut.start()], expected, prompt)
        if own is not None:
            return own
    first = (
        _first_line(response, expected) or _head(response, expected, prompt) or _in_place(response, expected, prompt)
    )
    if first is not None:
        return first
    for start, line in _last_lines(response):
        if _REMARK.match(line) or _ASIDE.fullmatch(line):
            continue
        found = _number(Stated(line, start, "last_line"), expected, prompt)
        if found is not None:
            return found
    return None


def _concludes(text: str) -> bool:
    """Whether the last line of a text draws a conclusion or ends with a sum."""
    last = next((line for _, line in _last_lines(text) if not _REMARK.match(line)), "")
    return _CONCLUDES.search(last) is not None or "=" in last or find_marked(text)


def find_marked(text: str) -> bool:
    """Whether a text marks an answer."""
    marked = find_final_answer(text)
    return marked is not None and marked.how != "last_line"


def _first_line(response: str, expected: ExpectedAnswer) -> Stated | None:
    """The first line, where it is a number and nothing else, a blank line follows, and the end draws no conclusion."""
    lead = len(response) - len(response.lstrip())
    line, blank, rest = response[lead:].partition("\n\n")
    if not blank or "\n" in line or not rest.strip() or len(line) > 200 or _concludes(rest):
        return None
    bare = strip_wrapping(line)
    unit = expected.unit or (expected.number.unit if expected.number else None)
    if not bare or parse_number(bare, expected.locale, unit) is None:
        return None
    return Stated(bare, lead + line.index(bare), "first_line")


_ALSO_OFFERED = deferred(r"\W{0,3}(?:or|oder|ou|atau|o|oppure|maybe|perhaps|possibly|to|not)(?![^\W_])", re.IGNORECASE)
_HEAD = deferred(
    r"\s{0,20}[*_]{0,3}([^\s.;,(—–:][^.;(—–:\n=]{0,40}?)[*_]{0,3}(?:\.(?=\s)|;|\s[—–](?=\s[^\W\d])|\s\()\s{0,3}(?=\S)"
)


def _head(response: str, expected: ExpectedAnswer, prompt: str) -> Stated | None:
    """A number by itself at the beginning, where the question gives none to calculate with and the text takes nothing back.

    `8,611 metres. K2 is 8,849 m.`; what follows then speaks of something else.
    """
    head = _HEAD.match(response)
    if head is None or not prompt or _given(prompt[-_WINDOW_CHARS:], expected.locale):
        return None
    rest = response[head.end() : head.end() + _CORRECTED_CHARS]
    if _ALSO_OFFERED.match(rest):
        return None
    unit = expected.unit or (expected.number.unit if expected.number else None)
    if parse_number(head[1], expected.locale, unit) is None or not _DIGIT.search(rest):
        return None
    if _CONCLUDES.search(rest) or "=" in rest or any(True for _ in cues.CORRECTION.finditer(response)):
        return None
    return Stated(head[1], head.start(1), "first_line")


_CALCULATES = deferred(r"[=×÷√^]|\d\s?[+*/]\s?\d|(?<![^\W_])(?:makes|leaves|altogether|sum)(?![^\W_])")
_PIECES = deferred(r"[;:()]|,\s|\s[—–-]\s|(?<![^\W_])(?:but|while|whereas|although|though)(?![^\W_])", re.IGNORECASE)
_POINTING = deferred(r"\W*(?:it|there|they|he|she|this|that|these)(?:['’]s)?\s", re.IGNORECASE)
_CHANGES = deferred(
    r"(?<![^\W_])(?:now|today|currently|jetzt|heute|maintenant|ahora|hoy|sekarang)(?![^\W_])", re.IGNORECASE
)
"""What was once so is other now: `There were 17 yesterday; today there are 16.`"""
_MOST_CLAUSES = 40


def _in_place(response: str, expected: ExpectedAnswer, prompt: str) -> Stated | None:
    """The one number of the first clause that says the question again, where later ones are said of something else.

    `There are 8 planets. The 9th …`, `K2 is 8,611 m high. Everest is 8,849 m.`; never where the question gives numbers to
    calculate with, the text calculates, corrects itself or concludes, or says the question again with another number.
    """
    if not prompt or len(response) > _WINDOW_CHARS or _given(prompt[-_WINDOW_CHARS:], expected.locale):
        return None
    if _CALCULATES.search(response) or _CONCLUDES.search(response) or _CHANGES.search(response):
        return None
    if any(True for _ in cues.CORRECTION.finditer(response)):
        return None
    question, asked = question_of(prompt[-_BEFORE_CHARS * 20 :])
    names = {item.key for item in question[1:] if item.capital and not item.small}
    first: tuple[int, list[Figure], set[str]] | None = None
    others = 0
    for start, piece in _clauses(response, prompt):
        spans = list(number_spans(piece, expected.locale)) or list(word_spans(piece, expected.locale))
        if not spans:
            continue
        stated = {item.key for item in items_of(piece)} & asked
        if first is not None:
            others += any(span[2].value != first[1][0][2].value for span in spans)
            if _says_again(piece, stated, first[2]):
                return None
            continue
        if names and names.isdisjoint(stated) and not _POINTING.match(piece):
            continue
        again = len(stated) >= max(2, len(asked) // 2)
        held = candidates(piece, spans, expected.locale, prompt)
        if not (again or _POINTING.match(piece)) or len(spans) != 1 or len(held) != 1 or _hedges(piece, held[0]):
            return None
        first = (start, held, stated)
    if first is None or not others:
        return None
    return _of_unit(first, response, expected, prompt)


def _clauses(response: str, prompt: str) -> list[tuple[int, str]]:
    """The clauses of a text, with where they start."""
    found = []
    for sentence in read_text(response, prompt).sentences:
        start = sentence.start
        for match in _PIECES.finditer(response, sentence.start, sentence.end):
            found.append((start, response[start : match.start()]))
            start = match.end()
        found.append((start, response[start : sentence.end]))
        if len(found) > _MOST_CLAUSES:
            break
    return found


_SUPPOSES = deferred(
    r"(?<![^\W_])(?:if|would|only|than|unless|used to|once|before|was once|under)(?![^\W_])", re.IGNORECASE
)


def _says_again(piece: str, stated: set[str], first: set[str]) -> bool:
    """Whether a later clause answers the question as well as the first one did, and supposes or compares nothing."""
    return len(stated) >= max(1, len(first)) and _SUPPOSES.search(piece) is None


def _hedges(piece: str, span: Figure) -> bool:
    return read_text(piece).stance(span[0], span[1]).stance != "asserted" or _ASKS.search(piece) is not None


def _of_unit(
    first: tuple[int, list[Figure], set[str]], response: str, expected: ExpectedAnswer, prompt: str
) -> Stated | None:
    """The number of the first clause, unless it has another unit than is asked for, or another number is offered with it."""
    start, (figure,), _ = first
    unit = expected.unit or (expected.number.unit if expected.number else None)
    begin = start + figure[0]
    end = _with_unit(response, start + figure[1], unit)
    if unit is not None and (own := response[start + figure[1] : end].strip()) and not same_unit(unit, own):
        return None
    sentence = read_text(response, prompt).sentence_at(begin)
    piece = response[sentence.start : sentence.end]
    every = list(number_spans(piece, expected.locale)) or list(word_spans(piece, expected.locale))
    here = next((span for span in every if span[0] + sentence.start <= begin < span[1] + sentence.start), None)
    if here is None or is_offered_with_another(piece, here, every) or is_bound(piece, here, prompt):
        return _OPEN if here is not None else None
    return Stated(response[begin:end], begin, "statement")


def _last_lines(response: str) -> Iterator[tuple[int, str]]:
    """The last lines with text, backwards, as (start, line)."""
    base = max(0, len(response) - _WINDOW_CHARS)
    at, lines = base, []
    for line in response[base:].split("\n"):
        if line.strip():
            lines.append((at, line))
        at += len(line) + 1
    yield from reversed(lines[-_LINES:])


def _number(own: Stated, expected: ExpectedAnswer, prompt: str) -> Stated | None:
    text, start, how = own.text, own.start, own.how
    gold, locale = expected.number, expected.locale
    unit = expected.unit or (gold.unit if gold else None)
    if how == "last_line" and _ASKS.search(text):
        return None
    whole = parse_number(text, locale, unit)
    if whole is not None and cues.CALLED_WRONG_AFTER.search(text) is None and not _goes_on(whole.unit, unit):
        return own
    if how != "last_line" and (formula := _FORMULA.match(text)) and parse_number(formula[1], locale, unit) is not None:
        return Stated(formula[1], start + formula.start(1), how)
    offset, sentence = _concluding(text, locale) if how == "last_line" else (0, text)
    if how == "last_line" and _ASKS.search(sentence):
        return _OPEN
    begins = _turned(sentence, locale)
    offset, sentence = offset + begins, sentence[begins:]
    every = list(number_spans(sentence, locale)) or list(word_spans(sentence, locale))
    every = every if len(every) <= _FIRST + _LAST else every[:_FIRST] + every[-_LAST:]
    if every and how == "last_line" and gives_no_answer(sentence):
        return _OPEN
    spans = candidates(sentence, every, locale, prompt)
    if not spans:
        return None
    if unit is not None:
        spans = _in_unit(sentence, spans, unit)
    after = sentence.rfind("=") + 1
    behind = [span for span in spans if span[0] >= after] if after else []
    chosen = behind[0] if behind else _likeliest(sentence, spans, how, _given(prompt, locale), counted_in(prompt))
    if is_offered_with_another(sentence, chosen, every) or is_bound(sentence, chosen, prompt):
        return _OPEN
    end = _with_unit(sentence, chosen[1], unit)
    return Stated(sentence[chosen[0] : end], start + offset + chosen[0], how)


def _goes_on(read: str | None, unit: str | None) -> bool:
    """Whether a sentence goes on behind the unit that is asked for: `euros are left` is no unit."""
    if read is None or unit is None or " " not in read or same_unit(unit, read):
        return False
    return same_unit(unit, read.split(" ", 1)[0])


def _turned(sentence: str, locale: str) -> int:
    """Where a sentence corrects itself before another number (`8, no, sorry, 7`), or its beginning."""
    turns = [match.end() for match in cues.CORRECTION.finditer(sentence) if match.start()]
    for at in reversed(turns[-8:]):
        rest = sentence[at:]
        if any(True for _ in number_spans(rest, locale)) or any(True for _ in word_spans(rest, locale)):
            return at
    return 0


def _in_unit(sentence: str, spans: list[Figure], unit: str) -> list[Figure]:
    """The numbers in the unit that is asked for, where some are: `8,849 m (29,032 ft)`; else all of them."""
    own = [span for span in spans if same_unit(unit, sentence[span[1] : _with_unit(sentence, span[1], unit)].strip())]
    return own or spans


def _with_unit(sentence: str, end: int, unit: str | None) -> int:
    """The end of a number together with the unit that the test asks for or must not be another."""
    if unit is None:
        return end
    match = deferred(r"\s?(?:°\s?)?[^\W\d_]+(?:/[^\W\d_]+)?[²³]?|\s?[%°€$]").match(sentence, end)
    if match is None or (match[0].strip() == "$" and not same_unit(unit, "$")):  # the end of a formula, and no dollars
        return end
    two = _TWO_WORDS.match(sentence, end)
    if two is not None and same_unit(unit, two[0].strip()):
        return two.end()
    if "/" in unit or " per " in unit:
        per = _PER.match(sentence, match.end())
        if per is not None and known_unit(sentence[end : per.end()]):
            return per.end()
    return match.end() if known_unit(match[0]) else end


_TWO_WORDS = deferred(r"\s[^\W\d_]{1,16}\s[^\W\d_]{1,16}")
_PER = deferred(r"\s(?:per|a|pro|par|por)\s[^\W\d_]{1,12}")


def _concluding(line: str, locale: str) -> tuple[int, str]:
    """The sentence of a line that concludes: the last with a number that says so, else the last with a number."""
    pieces = list(
        re.finditer(r"(?:[^.!?。]|(?<=\d)\.(?=\d)|\.(?=\S)|(?<=^No)\.(?=\s\d)|(?<=i\.e)\.|(?<=e\.g)\.)+[.!?。]*", line)
    )
    numbered = [piece for piece in pieces if any(True for _ in number_spans(piece[0], locale))]
    if not numbered:
        numbered = [piece for piece in pieces if any(True for _ in word_spans(piece[0], locale))]
    concluding = [piece for piece in numbered if _CONCLUDES.search(piece[0])]
    stated = [
        piece
        for piece in numbered
        if not (_ASIDE_PIECE.match(piece[0]) or _ASKS.search(piece[0]) or _NEVER_WAS.search(piece[0]))
    ]
    chosen = (concluding or stated or numbered or pieces)[-1:]
    return (chosen[0].start(), chosen[0][0]) if chosen else (0, line)


def _given(prompt: str, locale: str) -> frozenset[object]:
    """The values that the question names."""
    spans = [*number_spans(prompt, locale), *word_spans(prompt, locale)]
    return frozenset(number.value for _, _, number in spans)


def _likeliest(
    sentence: str, spans: Iterable[Figure], how: str, given: frozenset[object], counted: re.Pattern[str] | None
) -> Figure:
    """The number that a sentence is about; of equals the last one of prose, the first one behind a label."""
    found = list(spans)
    counts = [span for span in found if counted is not None and counted.match(sentence, span[1])]
    others = [span for span in found if counts and span not in counts and _OTHER_THINGS.match(sentence, span[1])]
    money = [span for span in found if re.match(r"[-−]?\s?(?:US|R)?[$€£¥₹]|Rp", sentence[span[0] : span[1]])]

    def weight(span: Figure) -> int:
        before = sentence[max(0, span[0] - _BEFORE_CHARS) : span[0]]
        total = _WEIGHTS["bold"] if before.endswith("**") and sentence[span[1] :].lstrip(" %").find("**") >= 0 else 0
        total += _WEIGHTS["money"] if span in money and len(money) < len(found) else 0
        total += _WEIGHTS["given"] if span[2].value in given else 0
        total += _WEIGHTS["sums up"] if span not in others and _SUMS_UP.match(sentence, span[1]) else 0
        if _COMPARED.match(sentence, span[1]):
            return total + _WEIGHTS["beside"]
        if _LEADS_TO.search(before):
            return total + _WEIGHTS["leads"]
        return total + (_WEIGHTS["beside"] if _BESIDE.search(before) else 0)

    best = max(weight(span) for span in found)
    likely = [span for span in found if weight(span) == best]
    return likely[-1] if how == "last_line" else likely[0]
