"""Where a response stops being the answer: a question of its own, a turn of somebody else, a token that ends a turn.

Base models go on after their answer with the next question of the form that they were given. What stands there is no part of
the answer, however well it is marked as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.answers.text.text import words
from modex.core.foundation.lazy_regex import deferred

_TOKEN = r"<[|｜][^<>|｜\n]{2,40}[|｜]>|</?s>|<EOS_TOKEN>|<eos>|<(?:end|start)_of_turn>|\[/?INST\]"
"""Signs of chat templates that leak into a text."""
_HEADING = (
    r"^[ \t>*_#-]{0,8}(?:(?:(?:next|new|another|follow-?up|practice|example)[ \t])?(?:question|problem|exercise|puzzle)|q"
    r"|human|user"
    r"|instruction|pertanyaan|soal|frage|aufgabe|pregunta|problema|question suivante|domanda|pergunta|вопрос)"
    r"[ \t]?(?:no\.?[ \t]?|#)?\d{0,4}[ \t*_]{0,4}[:：)]"
    r"|^[ \t>*_#-]{0,8}(?:问题|問題|题目|題目|問|质問|質問)[ \t]?\d{0,4}[ \t*_]{0,4}[:：]"
    r"|^[ \t]{0,3}#{1,6}[ \t]*(?:(?:next|new)[ \t])?(?:question|instruction|problem|input|user|human)(?:[ \t]?#?\d{1,4})?[ \t*]*$"
)
_BEGINS = deferred(rf"(?P<token>{_TOKEN})|{_HEADING}", re.IGNORECASE | re.MULTILINE)
_PROMPTED = deferred(
    r"^[ \t>*_#-]{0,8}([^\W\d_][^\W_]{1,19})[ \t]?\d{0,4}[ \t*_]{0,4}[:：][ \t*_]{0,4}\S", re.MULTILINE
)
"""A line of the prompt's form: `Passage: …`, `Premise 2: …`."""
_OF_THE_ANSWER = frozenset(
    re.split(
        " ",
        "answer answers final reasoning reason explanation solution response result output conclusion confidence thought "
        "step note jawaban alasan penjelasan antwort begründung réponse explication respuesta explicación risposta "
        "spiegazione resposta assistant hint options choices example examples format",
    )
)
"""Labels that an answer to the prompt may have itself."""
_RESTATED = 0.7
_READ_CHARS = 400
_ASKED_CHARS = 4000
"""Characters of the question, from its end, that a restated one is compared with."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A piece of a response, as offsets."""

    start: int
    end: int
    restates: bool = False
    """Whether it begins with the question that was asked, so that the answer may well stand in it."""


def turns_of(response: str, question: str = "") -> list[Turn]:
    """`response` cut where it begins a question or a turn; the first piece that gives an answer holds the response's own.

    One piece where nothing of the kind begins. A heading right at the start (a question that is restated) cuts nothing off.
    """
    begins = [(match.start(), match.end(), match["token"] is None) for match in _BEGINS.finditer(response)]
    if labels := _labels(question):
        own = [match for match in _PROMPTED.finditer(response) if match[1].casefold() in labels]
        begins = sorted(begins + [(match.start(), match.end() - 1, True) for match in own])
    if not begins:
        return [Turn(0, len(response))] if response.strip() else []
    asked = frozenset(words(question[-_ASKED_CHARS:]))
    cuts = [(at, after, titled and _restates(response, after, asked)) for at, after, titled in begins]
    found: list[Turn] = []
    start, restates = 0, False
    for at, after, again in cuts:
        if at >= start:
            found.append(Turn(start, at, restates))
            start, restates = (after if response[at] in "<[" else at), again
    found.append(Turn(start, len(response), restates))
    return [turn for turn in found if response[turn.start : turn.end].strip()]


def _restates(response: str, at: int, asked: frozenset[str]) -> bool:
    """Whether what follows a heading is, in most of its words, the question that was asked."""
    line = response[at : at + _READ_CHARS].strip().partition("\n")[0]
    said = words(line)
    return len(said) > 2 and bool(asked) and sum(word in asked for word in said) >= _RESTATED * len(said)


def _labels(question: str) -> frozenset[str]:
    """The labels of the prompt's own form that no answer has."""
    return frozenset(match[1].casefold() for match in _PROMPTED.finditer(question)) - _OF_THE_ANSWER
