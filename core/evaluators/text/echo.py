"""Whether a reply only says the question again."""

from __future__ import annotations

from collections.abc import Iterable

from modex.core.answers.text.text import words

_RUN = 3
"""Words in a row that count as taken over."""
_MOST_OF_REPLY = 0.8
_MOST_OF_TURN = 0.6
_LONGEST = 3
"""A reply so many times as long as the turn holds too much else."""


def echoes(reply: str, turns: Iterable[str]) -> bool:
    """Whether most of `reply` is taken from one of `turns`, word for word, and most of that turn stands in it.

    So an answer that quotes a passage of a long text is none, and neither is one in a few words of the question.
    """
    near = [turn for turn in turns if len(reply) <= _LONGEST * len(turn)]
    said = words(reply) if near else []
    if len(said) < _RUN:
        return False
    runs = _runs(said)
    for turn in near:
        asked = _runs(words(turn))
        shared = len(runs & asked)
        if asked and shared >= _MOST_OF_REPLY * len(runs) and shared >= _MOST_OF_TURN * len(asked):
            return True
    return False


def _runs(found: list[str]) -> set[tuple[str, ...]]:
    return {tuple(found[at : at + _RUN]) for at in range(len(found) - _RUN + 1)}
