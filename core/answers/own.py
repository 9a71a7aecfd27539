"""A response's own answer of a type, by rules and without a model: what is marked as final, else what the last lines conclude."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from modex.core.answers.assertion.reading import read_text
from modex.core.answers.assertion.turns import turns_of
from modex.core.answers.final_answer import FinalAnswer, find_final_answer
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.numbers.reading import joined_boxes
from modex.core.answers.stated_formula import stated_formula
from modex.core.answers.stated_number import stated_number
from modex.core.answers.stated_truth import stated_truth
from modex.core.answers.text.boolean import answers_outright, read_boolean
from modex.core.answers.text.choice import choice_in
from modex.core.answers.text.dates import dates_in

_WINDOW_CHARS = 20_000
_LINES = 12
_LONGEST_CHARS = 200_000
_FORMULA_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """The text that is compared, where it starts in the response, and how it was found."""

    text: str
    start: int
    how: str
    means: str = ""
    """What the text says in other words than an answer's (`no`: `It is not visible`); empty where it is the answer itself."""

    @property
    def answer(self) -> str:
        """What is compared."""
        return self.means or self.text


def read_own(response: str, expected: ExpectedAnswer, prompt: str = "") -> OwnAnswer | None:
    """The answer that `response` itself gives, in the form that its type needs; None where the rules find none.

    A marked answer counts before any other. Among several numbers of a sentence the one that it leads to is taken, not
    one that the question gave. Where the response begins a question of its own, what follows its answer is not read.
    """
    kind = "list" if expected.parts else expected.type
    if kind == "choice":
        return _choice(response, expected, prompt)
    if kind == "numeric":
        return _number(response, expected, prompt)
    if kind == "boolean":
        for turn in turns_of(response, prompt):
            found = _truth(response[turn.start : turn.end], expected, prompt)
            if found is not None:
                return replace(found, start=turn.start + found.start)
        return None
    return _read(response, kind, expected)


def _read(response: str, kind: str, expected: ExpectedAnswer) -> OwnAnswer | None:
    """What is marked as final, else what the last lines say."""
    marked = find_final_answer(response, several=kind == "math")
    if marked is None:
        return None
    if marked.how == "boxed" and kind == "math" and (joined := joined_boxes(marked.text)) is not None:
        return OwnAnswer(marked.text, marked.start, marked.how, joined)
    if marked.how != "last_line":
        if kind == "math" and marked.how in ("label", "sentence") and (stated := _formula(response, marked, expected)):
            return stated
        found = _narrowed(OwnAnswer(marked.text, marked.start, marked.how), kind, expected)
        return found or OwnAnswer(marked.text, marked.start, marked.how)
    if kind == "math" and (stated := _formula(response, marked, expected)) is not None:
        return stated
    if kind in ("exact_match", "text", "math", "list"):
        return OwnAnswer(marked.text, marked.start, marked.how)
    if kind == "boolean" and (truth := read_boolean(response[-_WINDOW_CHARS:])) is not None:
        return _boolean(response, truth) or OwnAnswer(response.strip(), response.index(response.strip()), "last_line")
    for start, line in _last_lines(response):
        found = _narrowed(OwnAnswer(line, start, "last_line"), kind, expected)
        if found is not None:
            return found
    return None


def _formula(response: str, marked: FinalAnswer, expected: ExpectedAnswer) -> OwnAnswer | None:
    """The one formula of the last sentence that is read, where what is read as a whole is none."""
    from modex.core.answers.formulas.statements import Words, read_statement  # its grammar takes 40 ms

    until = response.find("\n", marked.start)
    end = len(response) if until < 0 or marked.how == "last_line" else until
    if len(marked.text) <= _FORMULA_CHARS and not isinstance(read_statement(marked.text, expected.locale), Words):
        return None
    if (stated := stated_formula(response, marked.start, end)) is None:
        return None
    return OwnAnswer(stated.text, stated.start, marked.how)


def _truth(piece: str, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    """A yes or no that is marked or begins a sentence, else the question said as a statement, else what else says so."""
    found = _read(piece, "boolean", expected)
    if found is not None and (found.how != "last_line" or answers_outright(piece[-_WINDOW_CHARS:])):
        return found
    stated = stated_truth(piece, prompt)
    if stated is None:
        return found
    means = "yes" if stated.truth else "no"
    return OwnAnswer(piece[stated.start : stated.end], stated.start, "statement", means)


def _choice(response: str, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    """The option that the first piece with an answer chooses."""
    window = response[:_LONGEST_CHARS]
    for turn in turns_of(window, prompt):
        chosen = choice_in(window[turn.start : turn.end], expected.options or None)
        if chosen is not None:
            start, end = turn.start + chosen.start, turn.start + chosen.end
            return OwnAnswer(response[start:end], start, chosen.how)
    return None


def _number(response: str, expected: ExpectedAnswer, prompt: str) -> OwnAnswer | None:
    """The number that the first piece with an answer states; one that is not marked gives way to the question restated."""
    turns = turns_of(response, prompt)
    for turn, following in zip_longest(turns, turns[1:]):
        stated = stated_number(response[turn.start : turn.end], expected, prompt)
        restated = following is not None and following.restates
        if stated is not None and not (restated and stated.how in ("last_line", "first_line")):
            return OwnAnswer(stated.text, turn.start + stated.start, stated.how)
    return None


def _narrowed(own: OwnAnswer, kind: str, expected: ExpectedAnswer) -> OwnAnswer | None:
    """The part of a found text that is an answer of the type."""
    text, start, how = own.text, own.start, own.how
    if kind == "boolean":
        return OwnAnswer(text, start, how) if read_boolean(text) is not None else None
    if kind == "date":
        reading = read_text(text)
        days = [
            day
            for day in dates_in(text, expected.locale if expected.locale_given else None)
            if reading.stance(day[0], day[1]).stance != "denied"
        ]
        return OwnAnswer(text[days[-1][0] : days[-1][1]], start + days[-1][0], how) if days else None
    return OwnAnswer(text, start, how)


def _boolean(response: str, truth: bool) -> OwnAnswer | None:
    """The last sentence that says so."""
    pieces = list(
        re.finditer(r"(?<![^\S\n])[^\S\n]*+[^\s.!?。！？][^.!?。！？\n]*[.!?。！？]?", response[-_WINDOW_CHARS:])
    )
    base = max(0, len(response) - _WINDOW_CHARS)
    stated = [piece for piece in pieces if read_boolean(piece[0]) is truth]
    if not stated:
        return None
    text = stated[0][0]
    lead = len(text) - len(text.lstrip())
    return OwnAnswer(text.strip(), base + stated[0].start() + lead, "last_line")


def _last_lines(response: str) -> Iterator[tuple[int, str]]:
    """The last lines with text, backwards, as (start, line)."""
    base = max(0, len(response) - _WINDOW_CHARS)
    lines = [(base + match.start(), match[0]) for match in re.finditer(r"(?<![^\n])[^\S\n]*+\S[^\n]*", response[base:])]
    yield from reversed(lines[-_LINES:])
