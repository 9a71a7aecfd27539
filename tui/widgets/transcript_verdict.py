"""The verdict in detail, each part drawn by its type: a diff where texts were compared, rows where SQL, calls where tools."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.verdict import (
    SHOWS_GOLD,
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
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
    find,
    fold,
    pass2_words,
)
from modex.core.verdict import lines as said
from modex.core.verdict.folding import shown
from modex.core.verdict.official import official_words
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Part as Painted
from modex.tui.look.text import fit
from modex.tui.widgets.transcript_text import Block, Span, block, tidy
from modex.tui.widgets.verdict_table import cells_of, table

_LABEL = 11
_MOST_WORDS = 3000
_MOST_BEFORE_WHY = 400
"""Characters of a comparison that may stand before the sentence that explains it: five lines of 80 columns."""
_LONGEST_LINE = 600
"""Characters of a value without a newline that are shown; the response and PASS 2 have the whole."""
_MOST_DIFF_LINES = 1000
_DIFF_ROLES = {"+": "passed", "-": "failed", " ": "text"}
_HEADS = ("+++", "---")
plain = shown
"""A JSON value for reading."""


def verdict_blocks(sample: EvaluationSample, glyphs: Glyphs) -> list[Block]:
    """Expected and got, why, and every part in the form that suits its type.

    Why stands behind parts that compare two values, whose difference it explains, and before all that are longer: it is what
    one looks for, and has to be in sight when the verdict is.
    """
    parts = sample.parts
    passed = sample.status == "passed"
    blocks: list[Block] = []
    compared = find(parts, Compared)
    if compared is None:
        blocks += _asked(sample, parts)
    # Expected and got stand above already, so that only what they do not say is added to them.
    why = compared.why if compared is not None and sample.details.get("reason") is None else sample.why
    said_why = [_fact("why", why, "muted" if passed else "text")] if why and find(parts, Votes) is None else []
    drawn = [piece for part in parts for piece in _drawn(part, glyphs, passed=passed)]
    if passed or (compared is not None and sum(len(one.text) for one in drawn) <= _MOST_BEFORE_WHY):
        return [*blocks, *drawn, *said_why]
    return [*blocks, *said_why, *drawn]


def _asked(sample: EvaluationSample, parts: Sequence[Part]) -> Iterator[Block]:
    """Expected and got as the sample holds them, where no part compares them and none shows them better."""
    if any(isinstance(part, SHOWS_GOLD) for part in parts):
        return
    votes = find(parts, Votes)
    if sample.expected is not None and (votes is None or votes.reference is None):
        yield _fact("expected", _folded(plain(sample.expected)))
    if sample.extracted_answer is not None:
        yield _fact("got", _folded(sample.extracted_answer))


def _drawn(part: Part, glyphs: Glyphs, *, passed: bool) -> Iterator[Block]:
    match part:
        case Compared():
            yield from _compared(part, passed=passed)
        case Extracted():
            # Where PASS 2 was asked, its own section says the rest; in the response the answer is marked.
            yield from _facts({"answer_from": part.source, "pass_2": pass2_words(part)})
        case Rows():
            yield from _rows(part)
        case Calls():
            yield from _calls(part, glyphs)
        case Keywords():
            yield from _keywords(part, glyphs)
        case Rubric():
            yield from _rubric(part, glyphs)
        case Cases():
            yield from _cases(part, glyphs)
        case Workspace():
            yield from _workspace(part, glyphs)
        case Instructions():
            yield from _instructions(part, glyphs)
        case Likelihood():
            yield from _likelihood(part, glyphs)
        case Votes():
            yield from _votes(part)
        case Weighted():
            yield from _weighted(part, glyphs)
        case Official():
            yield _fact("official", official_words(part), "text" if part.ours is not None else "muted")
        case Extra():
            yield from _facts(part.facts, part.title)
        case _:
            assert_never(part)


def _fact(name: str, text: str, role: str = "text") -> Block:
    return block(text, role, lead=((fit(name, _LABEL - 1) + " ", "muted"),))


def _folded(text: str) -> str:
    """A value as far as a person reads it: of an endless line only its ends."""
    return fold(text) if "\n" in text else fold(text, _LONGEST_LINE)


def _short(facts: Mapping[str, Any]) -> Iterator[Block]:
    if facts:
        words = ", ".join(f"{name.replace('_', ' ')} {said.number(value)}" for name, value in facts.items())
        yield _fact("details", words, "faint")


def _facts(facts: Mapping[str, Any], title: str = "") -> Iterator[Block]:
    """Named facts: the short ones on one line, each long one on its own."""
    if title:
        yield block(title.replace("_", " "), "faint")
    short, long = said.split_facts({name: value for name, value in facts.items() if name != "why"})
    yield from _short(short)
    for name, value in long.items():
        yield _fact(name.replace("_", " "), plain(value), "faint")


# texts and numbers


def _compared(part: Compared, *, passed: bool) -> Iterator[Block]:
    expected = tidy(_folded(plain(part.expected))) if part.expected is not None else ""
    got = tidy(_folded(plain(part.got))) if part.got is not None else ""
    if got and expected and got != expected and (" " in got or " " in expected) and not passed:
        yield from _diff(expected, got)
    else:
        yield _fact("expected", expected or "nothing")
        yield _fact("got", got or "no answer", "text" if got else "muted")
    if part.aliases:
        yield _fact("also right", ", ".join(map(plain, part.aliases)), "muted")
    if isinstance(part.difference, int | float) and part.difference:
        share = _share(part.difference_percent) if part.difference_percent is not None else ""
        yield _fact("", f"off by {part.difference:.6g}{share}", "failed" if not passed else "muted")
    yield from _facts({name: value for name, value in part.facts.items() if name not in ("value", "gold")})


def _share(percent: float) -> str:
    """How far off in percent; beyond a million it says nothing more."""
    if abs(percent) < 999.5:
        return f" ({percent:.3g} %)"
    return f" ({percent:,.0f} %)" if abs(percent) < 1e6 else ""


def _diff(expected: str, got: str) -> Iterator[Block]:
    """Both texts, the words that differ marked."""
    wanted, given = _words(expected), _words(got)
    if len(wanted) + len(given) > _MOST_WORDS:
        yield _fact("expected", expected)
        yield _fact("got", got)
        return
    matcher = difflib.SequenceMatcher(None, wanted, given, autojunk=False)
    one: list[Span] = []
    two: list[Span] = []
    for tag, left, left_end, right, right_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for words, start, end, spans, role in (
            (wanted, left, left_end, one, "passed"),
            (given, right, right_end, two, "failed"),
        ):
            if start < end:
                at = sum(map(len, words[:start]))
                spans.append((at, at + len("".join(words[start:end]).rstrip()), role))
    for name, text, spans in (("expected", expected, one), ("got", got, two)):
        yield Block(text, "text", 2, ((fit(name, _LABEL - 1) + " ", "muted"),), tuple(spans))


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+\s*|[^\w\s]\s*", text)


# rows


def _rows(part: Rows) -> Iterator[Block]:
    """The query, and the rows of the first instance that differs."""
    yield _fact("query", part.query)
    if part.gold_query is not None:
        yield _fact("gold query", part.gold_query)
    if part.pieces:
        yield _fact("parts", said.pieces(part.pieces))
    if part.instances:
        one = said.telling(part)
        if len(part.instances) > 1:
            wrong = sum(not instance.equal for instance in part.instances)
            yield _fact(
                "instances", f"{len(part.instances)}, {wrong} of them wrong; this is number {one.number}", "muted"
            )
        wanted = [cells_of(row) for row in one.expected.rows]
        odd = set() if one.equal else {n for n, row in enumerate(one.got.rows) if cells_of(row) not in wanted}
        for name, result, marks in (("expected", one.expected, set[int]()), ("got", one.got, odd)):
            if result.count is None:
                continue
            more = f", the first {len(result.rows)} shown" if len(result.rows) < result.count else ""
            yield block(f"{name}, {result.count} row{'s' if result.count != 1 else ''}{more}", "muted")
            if result.rows:
                yield table(result.columns, result.rows, marks)
    if part.weak_evidence:
        yield _fact("weak", part.weak_evidence, "muted")


# calls


def _calls(part: Calls, glyphs: Glyphs) -> Iterator[Block]:
    for outcome in part.expected:
        sign, role = (glyphs.passed, "passed") if outcome.right else (glyphs.failed, "failed")
        optional = "  (optional)" if outcome.optional else ""
        wanted = f"{outcome.name}({said.arguments(outcome.args)}){optional}"
        wrong = [] if outcome.right else list(said.wrong_in(outcome))
        for number, words in enumerate(wrong):
            yield block(words, "failed", lead=(("  " if number else f"{sign} ", role), (f"{'wrong':<9}", "muted")))
        yield block(wanted, lead=(("  " if wrong else f"{sign} ", role), (f"{'expected':<9}", "muted")))
        if not outcome.right:
            got = "not called" if outcome.got is None else said.call(outcome.got)
            yield block(got, "text" if outcome.got else "failed", lead=(("  ", "text"), (f"{'got':<9}", "muted")))
    for label, calls in (("extra", part.extras), ("retried", part.retried)):
        for call in calls:
            yield block(said.call(call), lead=((f"{glyphs.error} ", "accent"), (f"{label:<9}", "muted")))
    yield from _short(said.call_facts(part))


# judges, keywords, rubrics, verdicts of several


def _votes(part: Votes) -> Iterator[Block]:
    if part.reference is not None:
        yield _fact("expected", fold(part.reference))
    for vote in part.votes:
        right = vote.score is not None and vote.score >= PASS_SCORE
        rating = said.rating(vote.rating, part.scale)
        lead: tuple[Painted, ...] = ((f"{rating:<8} ", "passed" if right else "failed"), (vote.model, "muted"))
        again = "asked twice" if vote.repaired else ""
        yield Block(tidy(again), "faint", 2, (*lead, ("  ", "text")))
        yield block(fold(vote.reason or "gave no reason"), indent=11)
    for failure in part.without_verdict:
        yield _fact("no verdict", failure, "error")
    if part.agreement is not None:
        yield _fact("agreement", f"{100 * part.agreement:.0f} %, settled by {part.settled_by}", "muted")


def _keywords(part: Keywords, glyphs: Glyphs) -> Iterator[Block]:
    signs = {"matched": (glyphs.passed, "passed"), "forbidden": (glyphs.error, "error")}
    for name, words in said.keyword_lists(part):
        sign, role = signs.get(name, (glyphs.failed, "failed"))
        label: Painted = (f"{name:<10}", "muted")
        yield block(fold(", ".join(words)), lead=((f"{sign} ", role), label))
    yield from _short(said.keyword_facts(part))
    yield from _facts(part.facts)


def _rubric(part: Rubric, glyphs: Glyphs) -> Iterator[Block]:
    yield _fact("points", f"{part.points:g} of {part.max_points:g}")
    for item in part.items:
        sign = (f"{glyphs.passed if item.passed else glyphs.failed} ", "passed" if item.passed else "failed")
        yield block(fold(item.text or item.id), lead=(sign, (f"{item.points:g}/{item.max_points:g}  ", "muted")))
        if item.reason:
            yield block(fold(item.reason), "muted", indent=6)


def _cases(part: Cases, glyphs: Glyphs) -> Iterator[Block]:
    yield _fact("cases", f"{part.passed} of {part.total} hold")
    if part.seconds is not None and part.memory_mb is not None:
        yield _fact("most of a case", f"{part.seconds:g} s, {part.memory_mb:g} MB")
    for failure in part.failures:
        yield block(fold(failure.call), lead=((f"{glyphs.failed} ", "failed"),))
        for name, text, role in (("expected", failure.expected, "text"), ("got", failure.got, "failed")):
            yield block(fold(text), role, lead=((f"{name:<{_LABEL}}", "muted"),), indent=4)


def _workspace(part: Workspace, glyphs: Glyphs) -> Iterator[Block]:
    if part.checks:
        yield _fact("checks", f"{sum(one.passed for one in part.checks)} of {len(part.checks)} hold")
    for one in part.checks:
        sign = (f"{glyphs.passed if one.passed else glyphs.failed} ", "passed" if one.passed else "failed")
        yield block(fold(one.name), lead=(sign,))
        if one.why:
            yield block(fold(one.why), "failed", indent=4)
        if one.output and not one.passed:
            yield block(fold(one.output), "muted", indent=4)
    yield _fact("changed", f"{part.files} {'file' if part.files == 1 else 'files'}" if part.files else "nothing")
    lines = part.diff.splitlines()
    for line in lines[:_MOST_DIFF_LINES]:
        yield block(
            fold(line, _LONGEST_LINE), _DIFF_ROLES.get(line[:1], "muted") if line[:3] not in _HEADS else "muted"
        )
    if len(lines) > _MOST_DIFF_LINES:
        yield block(f"{len(lines) - _MOST_DIFF_LINES:,} more lines; `modex show` prints them all", "faint")
    if part.left_out:
        yield _fact("not shown", part.left_out)


def _instructions(part: Instructions, glyphs: Glyphs) -> Iterator[Block]:
    for one in part.items:
        sign = (f"{glyphs.passed if one.strict else glyphs.failed} ", "passed" if one.strict else "failed")
        yield block(fold(f"{one.found}{said.instruction_note(one)}"), lead=(sign, (f"{one.id}  ", "muted")))


def _likelihood(part: Likelihood, glyphs: Glyphs) -> Iterator[Block]:
    for one in part.options:
        chosen = one.name == part.chosen
        role = ("passed" if one.right else "failed") if chosen else "text" if one.right else "muted"
        sign = glyphs.passed if chosen and one.right else glyphs.failed if chosen else " "
        yield block(said.option_words(one, part), role, lead=((f"{sign} ", role), (f"{one.name}  ", "muted")))
    yield _fact("likelihood", f"of each option's {part.way}", "muted")


def _weighted(part: Weighted, glyphs: Glyphs) -> Iterator[Block]:
    for item in part.items:
        right = item.score is not None and item.score >= PASS_SCORE
        figure = f"{item.score:.2f}" if item.score is not None else glyphs.dash
        sign = (f"{glyphs.passed if right else glyphs.failed} ", "passed" if right else "failed")
        why = f"  {item.reason}" if item.reason else ""
        yield block(f"{item.evaluator}  weight {item.weight:g}{why}", lead=(sign, (f"{figure}  ", "text")))
        for inner in item.parts:
            for drawn in _drawn(inner, glyphs, passed=right):
                yield Block(drawn.text, drawn.role, drawn.indent + 4, drawn.lead, drawn.spans, drawn.wraps)
