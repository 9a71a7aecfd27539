"""A part as lines of a label and a text: what plain output and exports print. The screens draw the same parts in colour."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.answers.found import Compared, Extracted
from modex.core.verdict.folding import fold, shown
from modex.core.verdict.official import official_words
from modex.core.verdict.parts import (
    Call,
    CallOutcome,
    Calls,
    Cases,
    Extra,
    Instance,
    Instructions,
    InstructionVerdict,
    Keywords,
    Likelihood,
    LikelihoodOption,
    Official,
    Part,
    Result,
    Rows,
    Rubric,
    Votes,
    Weighted,
    Workspace,
)
from modex.core.verdict.pass2 import pass2_words

_SHORT = 24
_SHOWN_ROWS = 10


@dataclass(frozen=True, slots=True)
class Line:
    """One labelled text; `depth` is how deep it stands within a verdict of several."""

    label: str
    text: str
    depth: int = 0


def lines_of(parts: Sequence[Part]) -> Iterator[Line]:
    """Everything the parts hold, long values folded."""
    for part in parts:
        for line in _lines(part):
            yield Line(line.label, fold(line.text), line.depth)


def _lines(part: Part) -> Iterator[Line]:
    match part:
        case Compared():
            return _compared(part)
        case Extracted():
            return _extracted(part)
        case Rows():
            return _rows(part)
        case Calls():
            return _calls(part)
        case Keywords():
            return _keywords(part)
        case Rubric():
            return _rubric(part)
        case Cases():
            return _cases(part)
        case Workspace():
            return _workspace(part)
        case Votes():
            return _votes(part)
        case Instructions():
            return _instructions(part)
        case Likelihood():
            return _likelihood(part)
        case Weighted():
            return _weighted(part)
        case Official():
            return iter((Line("official", official_words(part)),))
        case Extra():
            return _facts(part.facts, part.title)


def _compared(part: Compared) -> Iterator[Line]:
    yield Line("expected", shown(part.expected) if part.expected is not None else "nothing")
    if part.aliases:
        yield Line("also right", ", ".join(shown(alias) for alias in part.aliases))
    yield Line("got", shown(part.got) if part.got is not None else "no answer")
    if part.difference:
        share = f" ({part.difference_percent:.3g} %)" if part.difference_percent is not None else ""
        yield Line("off by", f"{number(part.difference)}{share}")
    if part.type:
        yield Line("type", part.type)
    if part.tolerance:
        yield Line("tolerance", number(part.tolerance))
    if part.why:
        yield Line("why", part.why)
    yield from _facts(part.facts)


def _likelihood(part: Likelihood) -> Iterator[Line]:
    for one in part.options:
        yield Line(one.name, option_words(one, part))
    yield Line("likelihood", f"of each option's {part.way}")


def option_words(one: LikelihoodOption, part: Likelihood) -> str:
    """`-1.234 (-0.247 a character) Paris: right, chosen`: its log-probability, text and what it is."""
    if one.logprob is None:
        told = "not told, less likely"
    elif part.way == "continuation" and one.length:
        told = f"{one.logprob:.3f} ({one.logprob / one.length:.3f} a character)"
    else:
        told = f"{one.logprob:.3f}"
    notes = ["right"] if one.right else []
    notes += ["chosen"] if one.name == part.chosen else []
    notes += ["chosen by length"] if one.name == part.by_length and part.by_length != part.chosen else []
    text = "" if one.text == one.name else f" {shown(one.text)}"
    return told + text + (f": {', '.join(notes)}" if notes else "")


def _extracted(part: Extracted) -> Iterator[Line]:
    place = f", characters {part.span[0]} to {part.span[1]}" if len(part.span) == 2 else ""
    how = f", {part.source or part.form}" if part.source or part.form else ""
    yield Line("extraction", part.state.replace("_", " ") + how + place)
    if words := pass2_words(part):
        yield Line("pass 2", words)
    elif part.offered:
        yield Line("not in it", part.offered)


def _rows(part: Rows) -> Iterator[Line]:
    yield Line("query", part.query)
    if part.gold_query:
        yield Line("gold query", part.gold_query)
    if part.pieces:
        yield Line("parts", pieces(part.pieces))
    if part.instances:
        instance = telling(part)
        if len(part.instances) > 1:
            wrong = sum(not one.equal for one in part.instances)
            yield Line("instances", f"{len(part.instances)}, {wrong} of them wrong; this is number {instance.number}")
        for name, result in (("expected", instance.expected), ("got", instance.got)):
            if result.count is not None:
                yield Line(name, _result(result))
        if instance.why not in part.why:
            yield Line("differs", instance.why)
    if part.weak_evidence:
        yield Line("weak", part.weak_evidence)
    if part.why:
        yield Line("why", part.why)


def telling(part: Rows) -> Instance:
    """The instance that shows why: the first that differs, else the first."""
    return next((one for one in part.instances if not one.equal), part.instances[0])


def pieces(found: Mapping[str, bool]) -> str:
    """The pieces of a query that were asked for, each with whether it is there."""
    return ", ".join(f"{name} {'there' if there else 'missing'}" for name, there in found.items())


def _result(result: Result) -> str:
    count = result.count or 0
    head = f"{count} row{'' if count == 1 else 's'}"
    rows = result.rows[:_SHOWN_ROWS]
    more = f", the first {len(rows)} shown" if len(rows) < count else ""
    titles = (result.columns,) if any(result.columns) else ()
    return "\n".join([head + more, *(" | ".join(map(cell, row)) for row in (*titles, *rows))])


def cell(value: Any) -> str:
    """One value of a row, on one line."""
    if value is None:
        return "NULL"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text.replace("\n", "⏎")


def _calls(part: Calls) -> Iterator[Line]:
    for outcome in part.expected:
        optional = "  (optional)" if outcome.optional else ""
        state = "" if outcome.right else "  ✗"
        if not outcome.right:
            yield from (Line("wrong", words) for words in wrong_in(outcome))
        yield Line("expected", f"{outcome.name}({arguments(outcome.args)}){optional}{state}")
        if not outcome.right:
            yield Line("got", "not called" if outcome.got is None else call(outcome.got))
    for extra in part.extras:
        yield Line("extra", call(extra))
    for failed in part.retried:
        yield Line("retried", call(failed))
    yield from _short(call_facts(part))
    if part.why:
        yield Line("why", part.why)


def wrong_in(outcome: CallOutcome) -> Iterator[str]:
    """What is wrong with a call that was expected, a sentence each, which stands before the values themselves."""
    return (f"{outcome.name}: {f'{name}: ' if name else ''}{reason}" for name, reason in outcome.wrong.items())


def call_facts(part: Calls) -> dict[str, Any]:
    """The figures of a verdict on calls that are worth saying."""
    facts: dict[str, Any] = {"calls made": part.made, "names": part.name_share, "arguments": part.argument_share}
    if part.order_wanted != "any" or part.order != "right":
        facts |= {"order": part.order}
    if part.extra_calls:
        facts["extra calls"] = part.extra_calls
        if part.allowed_extras:
            facts["allowed"] = part.allowed_extras
    if part.score is not None:
        facts |= {"calls alone": part.score}
    return facts


def call(made: Call) -> str:
    """A call as its name and arguments."""
    return f"{made.name}({arguments(made.args)})" + (f"  ({made.fault})" if made.fault else "")


def arguments(value: Any) -> str:
    """A call's arguments as `name=value`; a text that is no JSON object as it is."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={json.dumps(item, ensure_ascii=False, default=str)}" for name, item in value.items())
    return "" if value is None else shown(value)


def _keywords(part: Keywords) -> Iterator[Line]:
    for label, words in keyword_lists(part):
        yield Line(label, ", ".join(words))
    yield from _short(keyword_facts(part))
    if part.why:
        yield Line("why", part.why)
    yield from _facts(part.facts)


def keyword_lists(part: Keywords) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lists of words that are not empty, by name."""
    for label, words in (("matched", part.matched), ("missing", part.missing), ("denied", part.negated),
                         ("forbidden", part.forbidden)):  # fmt: skip
        if words:
            yield label, words


def keyword_facts(part: Keywords) -> dict[str, Any]:
    """The measures, and the languages where one was declared."""
    languages = {"language": part.detected or "unknown", "asked for": part.language} if part.language else {}
    return {**part.shares, **languages}


def _rubric(part: Rubric) -> Iterator[Line]:
    yield Line("points", f"{part.points:g} of {part.max_points:g}")
    for item in part.items:
        sign = "✓" if item.passed else "✗"
        yield Line(item.id or "item", f"{sign} {item.points:g}/{item.max_points:g}  {item.text}")
        if item.reason:
            yield Line("", item.reason, 1)
    if part.why:
        yield Line("why", part.why)


def _cases(part: Cases) -> Iterator[Line]:
    yield Line("cases", f"{part.passed} of {part.total} hold" + (f" (run in {part.sandbox})" if part.sandbox else ""))
    if part.seconds is not None and part.memory_mb is not None:
        yield Line("most of a case", f"{part.seconds:g} s, {part.memory_mb:g} MB")
    for failure in part.failures:
        yield Line("call", failure.call)
        yield Line("expected", failure.expected, 1)
        yield Line("got", failure.got, 1)
    if part.why:
        yield Line("why", part.why)


def _workspace(part: Workspace) -> Iterator[Line]:
    if part.checks:
        yield Line("checks", f"{sum(one.passed for one in part.checks)} of {len(part.checks)} hold")
    for one in part.checks:
        yield Line("✓" if one.passed else "✗", one.name + (f": {one.why}" if one.why else ""))
        if one.output and not one.passed:
            yield Line("output", one.output, 1)
    if part.diff:
        yield Line("changed", f"{part.files} {'file' if part.files == 1 else 'files'}")
        yield Line("diff", part.diff)
    else:
        yield Line("changed", "nothing")
    if part.left_out:
        yield Line("not shown", part.left_out)
    if part.why:
        yield Line("why", part.why)


def _instructions(part: Instructions) -> Iterator[Line]:
    for one in part.items:
        yield Line("✓" if one.strict else "✗", f"{one.id}: {one.found}{instruction_note(one)}")


def instruction_note(one: InstructionVerdict) -> str:
    """What is added where the loose verdict differs."""
    return " (followed loosely)" if one.loose and not one.strict else ""


def _votes(part: Votes) -> Iterator[Line]:
    if part.reference is not None:
        yield Line("expected", part.reference)
    for vote in part.votes:
        said = rating(vote.rating, part.scale)
        again = " (asked twice)" if vote.repaired else ""
        yield Line("judge", f"{said}  {vote.model}{again}: {vote.reason or 'gave no reason'}")
    for failure in part.without_verdict:
        yield Line("no verdict", failure)
    if part.agreement is not None:
        yield Line("agreement", f"{100 * part.agreement:.0f} %, settled by {part.settled_by.replace('_', ' ')}")


def rating(value: float | None, scale: Sequence[float]) -> str:
    """`3 of 5`; without the top on a scale that ends at 1."""
    top = f" of {scale[1]:g}" if len(scale) == 2 and scale[1] != 1 else ""
    return f"{value:g}{top}" if value is not None else "?"


def _weighted(part: Weighted) -> Iterator[Line]:
    for item in part.items:
        score = "–" if item.score is None else f"{item.score:.2f}"
        why = f"  {item.reason}" if item.reason else ""
        yield Line(item.evaluator, f"{score}  weight {item.weight:g}{why}")
        for line in (line for inner in item.parts for line in _lines(inner)):
            yield Line(line.label, line.text, line.depth + 1)


def _facts(facts: Mapping[str, Any], title: str = "") -> Iterator[Line]:
    if title:
        yield Line(title.replace("_", " "), "")
    short, long = split_facts(facts)
    yield from _short(short)
    for name, value in long.items():
        yield Line(name.replace("_", " "), shown(value))


def _short(facts: Mapping[str, Any]) -> Iterator[Line]:
    if facts:
        yield Line("details", ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in facts.items()))


def split_facts(facts: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts that fit on one line together, and those that need one of their own; empty ones are in neither."""
    filled = {name: value for name, value in facts.items() if value is not None and value not in ("", [], {}, ())}
    short = {
        name: value
        for name, value in filled.items()
        if name != "why"
        and isinstance(value, int | float | str)
        and len(str(value)) < _SHORT
        and "\n" not in str(value)
    }
    return short, {name: value for name, value in filled.items() if name not in short}


def number(value: Any) -> str:
    """A value in a line of facts: floats to four places that count."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
