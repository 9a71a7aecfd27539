"""One plain sentence why a verdict is as it is, from its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from modex.core.answers.found import Compared, Extracted
from modex.core.verdict.folding import fold_line, shown
from modex.core.verdict.official import official_words
from modex.core.verdict.parts import (
    Calls,
    Cases,
    Extra,
    Instructions,
    Keywords,
    Likelihood,
    Official,
    Part,
    Rows,
    Rubric,
    Votes,
    Weighted,
    Workspace,
)
from modex.core.verdict.pass2 import pass2_words

_SAID_BY_THE_VALUES = frozenset(
    [
        "",
        "equal",
        "the values differ",
        "the texts differ",
        "the opposite",
        "not similar enough",
        "no expected pattern occurs",
    ]
)
_EXTRACTED = {"no_answer": "the response gives no answer", "empty_response": "the response is empty"}
_VALUE = 120


def reason_of(parts: Sequence[Part], *, passed: bool) -> str:
    """The sentence; empty where the parts say nothing of a reason.

    Of several parts the first that has one speaks, and where the answer to a tool test fails after right calls, the answer.
    """
    calls = next((part for part in parts if isinstance(part, Calls)), None)
    if calls is not None and not passed and (calls.score or 0.0) >= 1.0:
        parts = [part for part in parts if part is not calls]
    said = next((text for part in parts if (text := reason_of_part(part, passed=passed))), "")
    words = next((text for part in parts if isinstance(part, Extracted) and (text := pass2_words(part))), "")
    return fold_line(f"{said}; {words}") if said and words and words not in said else said or words


def reason_of_part(part: Part, *, passed: bool) -> str:
    """What one part has to say; empty where it is nothing."""
    match part:
        case Compared():
            return _compared(part, passed)
        case Extracted():
            return _EXTRACTED.get(part.state, "")
        case Keywords():
            return _keywords(part)
        case Rubric():
            return _rubric(part)
        case Cases():
            return fold_line(part.why) or f"all {part.total} cases hold"
        case Workspace():
            return fold_line(part.why) or ("every check holds" if part.checks else "")
        case Instructions():
            return _instructions(part)
        case Likelihood():
            return _likelihood(part)
        case Weighted():
            return _weighted(part, passed)
        case Rows() | Calls() | Votes():
            return fold_line(part.why or "")
        case Official():
            return "" if part.ours is None else fold_line(official_words(part))
        case Extra():
            why = part.facts.get("why")
            return fold_line(why) if isinstance(why, str) else ""
        case _:
            assert_never(part)


def _compared(part: Compared, passed: bool) -> str:
    if part.got is None:
        return part.why
    got, expected = fold_line(shown(part.got), _VALUE), fold_line(shown(part.expected), _VALUE)
    if passed:
        why = "" if part.why in _SAID_BY_THE_VALUES else f", {part.why}"
        return f"got {got} as expected" if got == expected or not why else f"expected {expected}, got {got}{why}"
    words = "" if part.why in _SAID_BY_THE_VALUES else f": {part.why}"
    return fold_line(f"expected {expected}, got {got}{words}")


def _keywords(part: Keywords) -> str:
    if part.forbidden:
        return fold_line(f"mentions {_listed(part.forbidden)}, which is forbidden")
    said = [part.why] if part.why else []
    if part.required:
        said.append(f"does not mention {_listed(part.required)}, which is required")
    elif part.missing:
        said.append(f"does not mention {_listed(part.missing)}")
    if part.negated:
        said.append(f"denies {_listed(part.negated)}")
    return fold_line("; ".join(said) or "mentions everything asked for")


def _rubric(part: Rubric) -> str:
    if part.why:
        return fold_line(part.why)
    missed = [item.text or item.id for item in part.items if not item.passed]
    total = f"{part.points:g} of {part.max_points:g} points"
    return fold_line(f"{total}; not met: {_listed(missed)}" if missed else f"{total}, every demand met")


def _instructions(part: Instructions) -> str:
    missed = [one for one in part.items if not one.strict]
    if not missed:
        return f"all {len(part.items)} instructions followed" if len(part.items) > 1 else part.items[0].found
    told = "; ".join(f"{one.found}{' (followed loosely)' if one.loose else ''}" for one in missed)
    many = (
        f"{len(part.items) - len(missed)} of {len(part.items)} instructions followed: " if len(part.items) > 1 else ""
    )
    return fold_line(f"{many}{told}")


def _likelihood(part: Likelihood) -> str:
    right = ", ".join(one.name for one in part.options if one.right)
    how = " by its letter" if part.way == "letter" else ""
    said = f"{part.chosen} is likeliest{how}, {'right' if part.right(part.chosen) else f'right is {right}'}"
    if part.by_length is not None and part.by_length != part.chosen:
        said += f"; by length {part.by_length}, {'right' if part.right(part.by_length) else 'wrong'}"
    return fold_line(said)


def _weighted(part: Weighted, passed: bool) -> str:
    scored = [item for item in part.items if item.score is not None]
    total = ", ".join(f"{item.evaluator} {item.score:.2f} × {item.weight:g}" for item in scored)
    if part.why:
        return fold_line(f"{part.why} ({total})" if total else part.why)
    worst = min(scored, key=lambda item: item.score or 0.0, default=None)
    said = "" if passed or worst is None else worst.reason or reason_of(worst.parts, passed=False)
    return fold_line(f"{total}: {said}" if said else total)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
