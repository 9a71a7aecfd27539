"""Verdicts of version 0.1.0, whose `details` held keys beside each other, read as the parts that later versions store.

Used by the migration that rewrites them and by the views through which an older file is read, and by nothing else: what keys
mean is known of rows that one of our own evaluators wrote before parts were stored, and of no others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from modex.core.answers.found import Compared, Extracted
from modex.core.store.exact import decode_json, encode_json
from modex.core.verdict.parts import (
    Call,
    CallOutcome,
    Calls,
    Extra,
    Instance,
    Keywords,
    Part,
    Result,
    Rows,
    Vote,
    Votes,
    Weighted,
    WeightedPart,
)
from modex.core.verdict.stored import details_of

_BESIDE = ("exchanges", "reason")
"""Keys that stand beside the parts in every version."""
_EMPTY: tuple[Any, ...] = (None, "", [], {}, ())
_BUILT_IN = frozenset(
    ("keyword", "two_pass", "sql_executor", "tool_call", "regex", "custom", "hybrid", "llm_judge", "match")
)
"""The evaluators of 0.1.0 that no plugin could replace."""
_BUNDLED = frozenset(
    ("conversation_quality", "facts_and_tone", "final_line", "final_line_number", "format_pattern", "must_mention",
     "option_letter", "rubric_check")
)  # fmt: skip
"""Those that the bundled suite configured; in another suite the name may be a plugin's."""
TABLES = ("individual_test_results", "earlier_verdicts")
"""The tables that hold `details`."""
FIRST_WITH_PARTS = "0002_reviews_timing_and_kinds"
"""The migration of the first version that stored parts: what was judged before a file had it, 0.1.0 judged."""
_FUNCTION = "parts_of_details_of_010"
REWRITTEN = f'{_FUNCTION}("details")'
"""The SQL expression of a row's `details` with parts; `add_function` comes first."""


def judged_by_010(applied: str | None) -> str:
    """The SQL condition of a row that an evaluator of 0.1.0 itself judged.

    `applied` says when the file had `FIRST_WITH_PARTS`; None where it had not. The runs are asked first, by their index: a
    file that 0.1.0 never wrote is not read through.
    """

    def before(moment: str) -> str:
        return "1" if applied is None else f'"{moment}" < {_quoted(applied)}'

    def one_of(names: Iterable[str]) -> str:
        return f'"evaluator_id" IN ({", ".join(map(_quoted, sorted(names)))})'

    def of_runs(condition: str) -> str:
        return f'"run_id" IN (SELECT "id" FROM main."evaluation_runs" WHERE {condition})'

    bundled = of_runs('instr("config", \'"suite":null\') > 0')
    return (
        f"{of_runs(before('started_at'))} AND {before('completed_at')} AND \"details\" <> '{{}}'"
        f" AND \"judge_fingerprint\" IS NOT 'imported' AND ({one_of(_BUILT_IN)} OR {one_of(_BUNDLED)} AND {bundled})"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def add_function(connection: sqlite3.Connection) -> None:
    """Let statements of this connection use `REWRITTEN`."""
    connection.create_function(_FUNCTION, 1, _rewritten, deterministic=True)


def _rewritten(stored: Any) -> Any:
    """A `details` column with parts; what is damaged stays, and is damage of that row wherever it is read."""
    try:
        details = decode_json(stored)
    except (ValueError, TypeError, RecursionError):
        return stored
    return encode_json(with_parts(details)) if isinstance(details, dict) else stored


def with_parts(details: Mapping[str, Any]) -> dict[str, Any]:
    """What a later version would have stored of the verdict."""
    return details_of(parts_of_keys(details), {name: details[name] for name in _BESIDE if name in details})


class _Keys:
    """A `details` dict that remembers which keys were understood."""

    def __init__(self, details: Mapping[str, Any]) -> None:
        self.rest = {str(name): value for name, value in details.items()}

    def has(self, name: str, *kinds: type) -> bool:
        return isinstance(self.rest.get(name), kinds) and not isinstance(self.rest.get(name), bool)

    def take(self, name: str, *kinds: type, default: Any = None) -> Any:
        """The value under `name` where it is of one of `kinds`; it stays among the rest otherwise."""
        if not isinstance(self.rest.get(name), kinds):
            return default
        return self.rest.pop(name)

    def text(self, name: str) -> str:
        return str(self.take(name, str, default=""))

    def number(self, name: str) -> Any:
        return self.take(name, int, float) if self.has(name, int, float) else None

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(map(str, self.take(name, list, tuple, default=())))


def parts_of_keys(details: Mapping[str, Any]) -> tuple[Part, ...]:
    """The parts that the keys describe; a key that none of them knows is in an `Extra`."""
    keys = _Keys(details)
    for name in _BESIDE:
        keys.rest.pop(name, None)
    found: list[Part] = []
    extracted = _extracted(keys)
    if keys.has("expected_calls", list):
        found += _calls(keys)
    elif keys.has("query", str):
        found.append(_rows(keys))
    elif keys.has("judges", list):
        found.append(_votes(keys))
    elif keys.has("parts", list):
        found.append(_weighted(keys))
    elif keys.has("matched", list) and keys.has("missing", list):
        found.append(_keywords(keys))
    elif "got" in keys.rest:
        found.append(_compared(keys))
    if extracted is not None:
        found.append(extracted)
    rest = {name: value for name, value in keys.rest.items() if not any(value is e or value == e for e in _EMPTY)}
    if rest:
        found.append(Extra(rest))
    return tuple(found)


def _extracted(keys: _Keys) -> Extracted | None:
    if not keys.has("extraction", str):
        return None
    span = keys.rest.get("extraction_span")
    whole = isinstance(span, list) and all(isinstance(at, int) for at in span)
    return Extracted(
        keys.text("extraction"),
        tuple(keys.rest.pop("extraction_span")) if whole else (),
        keys.text("extraction_form"),
        keys.text("answer_from"),
    )


def _compared(keys: _Keys) -> Compared:
    expected, got = keys.rest.pop("expected", None), keys.rest.pop("got", None)
    return Compared(
        expected=expected,
        got=got,
        type=keys.text("type") or keys.text("comparison"),
        why=keys.text("why"),
        tolerance=keys.number("tolerance"),
        difference=keys.number("difference"),
        difference_percent=keys.number("difference_percent"),
        facts={name: value for name in ("value", "gold") if (value := keys.rest.pop(name, None)) is not None},
    )


def _rows(keys: _Keys) -> Rows:
    query, gold = keys.text("query"), keys.take("gold_query", str)
    instances = tuple(_instance(one) for one in keys.take("instances", list, default=()) if isinstance(one, Mapping))
    pieces = {str(name): bool(there) for name, there in keys.take("parts", dict, default={}).items()}
    return Rows(query, gold, instances, pieces, keys.text("weak_evidence"), keys.text("why"))


def _instance(one: Mapping[str, Any]) -> Instance:
    def result(side: str) -> Result:
        columns, rows, count = (one.get(f"{side}_{name}") for name in ("columns", "rows", "count"))
        listed = rows if isinstance(rows, list) else []
        return Result(
            tuple(map(str, columns)) if isinstance(columns, list) else (),
            tuple(tuple(row) if isinstance(row, list | tuple) else (row,) for row in listed),
            count if isinstance(count, int) else None,
        )

    number = one.get("instance")
    return Instance(
        number=number if isinstance(number, int) else 1,
        equal=bool(one.get("equal")),
        ordered=bool(one.get("ordered")),
        expected=result("expected"),
        got=result("got"),
        why=str(one.get("why") or ""),
        fault=str(one.get("fault") or ""),
        truncated=bool(one.get("got_truncated")),
    )


def _calls(keys: _Keys) -> Iterable[Part]:
    expected = tuple(_outcome(one) for one in keys.take("expected_calls", list) if isinstance(one, Mapping))
    answer = keys.take("answer", dict)
    keys.rest.pop("answer_score", None)
    order, score = keys.text("order"), keys.number("calls_score")
    yield Calls(
        expected=expected,
        extras=tuple(_call(one) for one in keys.take("extras", list, default=())),
        made=keys.number("calls_made") or 0,
        extra_calls=keys.number("extra_calls") or 0,
        extra_penalty=keys.number("extra_penalty") or 0.0,
        forbidden=keys.texts("forbidden_called"),
        order=order or "right",
        order_wanted=keys.text("order_wanted") or "any",
        name_share=1.0 if (share := keys.number("name")) is None else share,
        argument_share=1.0 if (share := keys.number("arguments")) is None else share,
        score=score,
        why=keys.text("why"),
    )
    if answer is not None:
        yield from parts_of_keys(answer)


def _outcome(one: Mapping[str, Any]) -> CallOutcome:
    got, wrong, score, share = one.get("got"), one.get("wrong"), one.get("score"), one.get("arguments")
    call = one.get("call")
    return CallOutcome(
        name=str(one.get("name") or ""),
        args=one.get("args"),
        optional=bool(one.get("optional")),
        right=bool(one.get("right")),
        call=call if isinstance(call, int) else None,
        got=None if got is None else _call(got),
        score=score if isinstance(score, int | float) else 0.0,
        arguments=share if isinstance(share, int | float) else 0.0,
        wrong={str(name): str(why) for name, why in wrong.items()} if isinstance(wrong, Mapping) else {},
    )


def _call(one: Any) -> Call:
    if not isinstance(one, Mapping):
        return Call(str(one))
    return Call(str(one.get("name") or ""), one.get("args", one.get("arguments")), str(one.get("fault") or ""))


def _votes(keys: _Keys) -> Votes:
    def number(value: Any) -> Any:
        return value if isinstance(value, int | float) else None

    votes = tuple(
        Vote(
            str(one.get("model") or ""),
            number(one.get("score")),
            number(one.get("rating")),
            None if one.get("reason") is None else str(one["reason"]),
            bool(one.get("repaired")),
        )
        for one in keys.take("judges", list)
        if isinstance(one, Mapping)
    )
    scale = keys.take("scale", list, tuple, default=())
    return Votes(
        votes,
        tuple(scale) if all(isinstance(end, int | float) for end in scale) else (),
        keys.take("expected", str),
        keys.number("agreement"),
        keys.text("settled_by"),
        keys.texts("without_verdict"),
        keys.text("why"),
    )


def _weighted(keys: _Keys) -> Weighted:
    items = []
    for one in keys.take("parts", list):
        if not isinstance(one, Mapping):
            items.append(WeightedPart(str(one)))
            continue
        details, weight, score = one.get("details"), one.get("weight"), one.get("score")
        inner = details if isinstance(details, Mapping) else {}
        ours = one.get("evaluator") in _BUILT_IN | _BUNDLED
        items.append(
            WeightedPart(
                str(one.get("evaluator") or ""),
                weight if isinstance(weight, int | float) else 1.0,
                score if isinstance(score, int | float) else None,
                str(inner.get("why") or ""),
                parts_of_keys(inner) if ours else (Extra(inner),) if inner else (),
            )
        )
    return Weighted(tuple(items), why=keys.text("why"))


def _keywords(keys: _Keys) -> Keywords:
    language = keys.take("language", dict, default={})
    shares = {
        name: value for name in ("relevance", "correctness", "fluency") if (value := keys.number(name)) is not None
    }
    weights = keys.take("weights", dict, default={})
    return Keywords(
        matched=keys.texts("matched"),
        missing=keys.texts("missing"),
        forbidden=keys.texts("forbidden"),
        shares=shares,
        weights={name: value for name, value in weights.items() if isinstance(value, int | float)},
        language=language.get("declared"),
        detected=language.get("detected"),
        facts=keys.take("fluency_parts", dict, default={}),
        why=keys.text("why"),
    )
