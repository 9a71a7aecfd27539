"""The verdict in detail: a diff where texts were compared, rows where SQL, calls where tools, the judges' words."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.store.sample import EvaluationSample
from tui.glyphs import Glyphs
from tui.paint import Part
from tui.text import fit, width_of
from tui.widgets.transcript_text import Block, Span, block, tidy

_LABEL = 11
_MOST_WORDS = 3000
_WIDEST_CELL = 28
_SAID = {
    "exchanges", "expected", "got", "why", "type", "tolerance", "difference", "difference_percent", "extraction",
    "extraction_span", "extraction_form", "judges", "scale", "agreement", "settled_by", "without_verdict",
    "expected_calls", "extras", "parts", "matched", "missing", "forbidden", "value", "gold",
    "query", "gold_query", "instances", "answer",
}  # fmt: skip


def plain(value: Any) -> str:
    """A JSON value for reading: a text as it is, a typed answer as its value, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("value"), str | int | float):
        also = value.get("aliases")
        rest = f"   also {', '.join(map(str, also))}" if isinstance(also, list) and also else ""
        return f"{value['value']}{rest}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else json.dumps(value, ensure_ascii=False, default=str, indent=1)


def verdict_blocks(sample: EvaluationSample, glyphs: Glyphs) -> list[Block]:
    """Expected against got in the form that suits the evaluator, then why, then what else is known."""
    return list(_details(sample.details, sample, glyphs))


def _details(details: Mapping[str, Any], sample: EvaluationSample, glyphs: Glyphs) -> Iterator[Block]:
    calls = details.get("expected_calls")
    if isinstance(calls, list):
        yield from _calls(details, calls, glyphs)
        if isinstance(answer := details.get("answer"), Mapping):
            yield block("the answer after the calls", "faint")
            yield from _answers(answer, sample, compared=True)
    elif isinstance(details.get("query"), str):
        yield from _sql(details)
    elif isinstance(parts := details.get("parts"), list):
        yield from _parts(parts, glyphs)
    elif "matched" in details and "missing" in details and isinstance(details["missing"], list):
        yield from _keywords(details, glyphs)
    else:
        yield from _answers(details, sample, compared="got" in details or sample.extracted_answer is not None)
    if isinstance(judges := details.get("judges"), list):
        yield from _judges(details, judges)
    elif isinstance(details.get("why"), str):
        yield _fact("why", details["why"], "muted")
    rest = {
        name.replace("_", " "): value
        for name, value in details.items()
        if name not in _SAID and value not in (None, [], {}, "")
    }
    short = {
        name: value for name, value in rest.items() if isinstance(value, int | float | str) and len(str(value)) < 24
    }
    if short:
        yield _fact("details", ", ".join(f"{name} {_short(value)}" for name, value in short.items()), "faint")
    for name, value in rest.items():
        if name not in short:
            yield _fact(name, plain(value), "faint")


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _fact(name: str, text: str, role: str = "text") -> Block:
    return block(text, role, lead=((fit(name, _LABEL - 1) + " ", "muted"),))


# texts and numbers


def _answers(details: Mapping[str, Any], sample: EvaluationSample, *, compared: bool) -> Iterator[Block]:
    gold = details.get("expected", sample.expected)
    expected = tidy(plain(gold)) if gold is not None else ""
    if not compared:
        if expected:
            yield _fact("expected", expected)
        return
    given = details.get("got", sample.extracted_answer)
    got = tidy(plain(given)) if given is not None else ""
    passed = sample.status == "passed"
    if got and expected and got != expected and (" " in got or " " in expected) and not passed:
        yield from _diff(expected, got)
    else:
        yield _fact("expected", expected or "nothing")
        yield _fact("got", got or "no answer", "text" if got else "muted")
    if off := _off(details):
        yield _fact("", off, "failed" if not passed else "muted")


def _off(details: Mapping[str, Any]) -> str:
    difference = details.get("difference")
    if not isinstance(difference, int | float) or not difference:
        return ""
    percent = details.get("difference_percent")
    share = _share(percent) if isinstance(percent, int | float) else ""
    return f"off by {difference:.6g}{share}"


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


def _sql(details: Mapping[str, Any]) -> Iterator[Block]:
    """The query, and the rows of the first instance that differs."""
    yield _fact("query", str(details["query"]))
    if isinstance(gold := details.get("gold_query"), str):
        yield _fact("gold query", gold)
    instances = [one for one in details.get("instances") or () if isinstance(one, Mapping)]
    if not instances:
        if isinstance(parts := details.get("parts"), Mapping):
            yield _fact(
                "parts", ", ".join(f"{name} {'there' if there else 'missing'}" for name, there in parts.items())
            )
        return
    one = next((instance for instance in instances if not instance.get("equal")), instances[0])
    if len(instances) > 1:
        wrong = sum(not instance.get("equal") for instance in instances)
        yield _fact(
            "instances", f"{len(instances)}, {wrong} of them wrong; this is number {one.get('instance')}", "muted"
        )
    wanted_rows, got_rows = _rows(one.get("expected_rows")), _rows(one.get("got_rows"))
    wanted = [_tuple(row) for row in wanted_rows]
    odd = set() if one.get("equal") else {n for n, row in enumerate(got_rows) if _tuple(row) not in wanted}
    for name, rows, marks in (("expected", wanted_rows, set[int]()), ("got", got_rows, odd)):
        count = one.get(f"{name}_count")
        if count is None:
            continue
        more = f", the first {len(rows)} shown" if len(rows) < count else ""
        yield block(f"{name}, {count} row{'s' if count != 1 else ''}{more}", "muted")
        if rows:
            yield table([str(title) for title in one.get(f"{name}_columns") or ()], rows, marks)


def _rows(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _tuple(row: Any) -> tuple[str, ...]:
    return tuple(map(_cell, row)) if isinstance(row, list | tuple) else (_cell(row),)


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def table(titles: Sequence[str], rows: Sequence[Any], odd: set[int] | frozenset[int] = frozenset()) -> Block:
    """Rows in aligned columns; those numbered in `odd` are marked as wrong."""
    cells = [[tidy(cell).replace("\n", "⏎") for cell in _tuple(row)] for row in rows]
    count = max([len(titles), *(len(row) for row in cells)], default=0)
    heads = [tidy(title) for title in titles] + [""] * (count - len(titles))
    sizes = [
        min(_WIDEST_CELL, max([width_of(heads[n]), *(width_of(row[n]) for row in cells if n < len(row))]))
        for n in range(count)
    ]
    numeric = [
        all(n >= len(row) or isinstance(row[n], int | float) for row in rows if isinstance(row, list | tuple))
        for n in range(count)
    ]

    def line(row: Sequence[str]) -> str:
        padded = [fit(cell, sizes[n], "right" if numeric[n] else "left") for n, cell in enumerate(row)]
        return "  ".join(padded)

    lines: list[str] = []
    spans: list[Span] = []
    at = 0
    if any(heads):
        lines.append(line(heads))
        spans.append((0, len(lines[0]), "faint"))
        at = len(lines[0]) + 1
    for number, row in enumerate(cells):
        text = line(row)
        lines.append(text)
        if number in odd:
            spans.append((at, at + len(text), "failed"))
        at += len(text) + 1
    return Block("\n".join(lines), "text", 4, (), tuple(spans), wraps=False)


# calls


def _calls(details: Mapping[str, Any], calls: Sequence[Any], glyphs: Glyphs) -> Iterator[Block]:
    for entry in calls:
        if not isinstance(entry, Mapping):
            continue
        right = bool(entry.get("right"))
        sign, role = (glyphs.passed, "passed") if right else (glyphs.failed, "failed")
        optional = "  (optional)" if entry.get("optional") else ""
        wanted = f"{entry.get('name')}({_arguments(entry.get('args'))}){optional}"
        yield block(wanted, lead=((f"{sign} ", role), (f"{'expected':<9}", "muted")))
        if right:
            continue
        got = entry.get("got")
        yield block(_got(got), "text" if got else "failed", lead=(("  ", "text"), (f"{'got':<9}", "muted")))
        wrong = entry.get("wrong")
        for name, reason in wrong.items() if isinstance(wrong, Mapping) else ():
            yield block(f"{name or 'arguments'}: {reason}", "failed", indent=13)
    extras = details.get("extras")
    for extra in extras if isinstance(extras, list) else ():
        yield block(_got(extra), lead=((f"{glyphs.error} ", "accent"), (f"{'extra':<9}", "muted")))


def _got(value: Any) -> str:
    if isinstance(value, Mapping):
        arguments = value.get("arguments", value.get("args"))
        return f"{value.get('name')}({_arguments(arguments)})"
    return "not called" if value is None else plain(value)


def _arguments(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={json.dumps(item, ensure_ascii=False, default=str)}" for name, item in value.items())
    return "" if value is None else plain(value)


# judges, keywords, parts


def _judges(details: Mapping[str, Any], judges: Sequence[Any]) -> Iterator[Block]:
    scale = details.get("scale")
    top = f" of {scale[1]:g}" if isinstance(scale, list) and len(scale) == 2 and scale[1] != 1 else ""
    for judge in judges:
        if not isinstance(judge, Mapping):
            continue
        rating = judge.get("rating")
        said = f"{rating:g}{top}" if isinstance(rating, int | float) else "?"
        right = isinstance(judge.get("score"), int | float) and judge["score"] >= 0.7
        lead: tuple[Part, ...] = ((f"{said:<8} ", "passed" if right else "failed"), (f"{judge.get('model')}", "muted"))
        again = "asked twice" if judge.get("repaired") else ""
        yield Block(tidy(again), "faint", 2, (*lead, ("  ", "text")))
        yield block(str(judge.get("reason") or "gave no reason"), indent=11)
    for failure in details.get("without_verdict") or ():
        yield _fact("no verdict", str(failure), "error")
    if isinstance(details.get("agreement"), int | float):
        yield _fact("agreement", f"{100 * details['agreement']:.0f} %, settled by {details.get('settled_by')}", "muted")


def _keywords(details: Mapping[str, Any], glyphs: Glyphs) -> Iterator[Block]:
    for name, sign, role in (("matched", glyphs.passed, "passed"), ("missing", glyphs.failed, "failed"),
                             ("forbidden", glyphs.error, "error")):  # fmt: skip
        words = details.get(name)
        if isinstance(words, list) and words:
            label: Part = (f"{name:<10}", "muted")
            yield block(", ".join(map(str, words)), lead=((f"{sign} ", role), label))


def _parts(parts: Sequence[Any], glyphs: Glyphs) -> Iterator[Block]:
    for part in parts:
        if not isinstance(part, Mapping):
            continue
        score, details = part.get("score"), part.get("details")
        right = isinstance(score, int | float) and score >= 0.7
        figure = f"{score:.2f}" if isinstance(score, int | float) else glyphs.dash
        why = details.get("why") if isinstance(details, Mapping) else None
        sign = (f"{glyphs.passed if right else glyphs.failed} ", "passed" if right else "failed")
        head = f"{part.get('evaluator')}  weight {part.get('weight')}"
        yield block(f"{head}{f'  {why}' if why else ''}", lead=(sign, (f"{figure}  ", "text")))
