"""Defaults are not stored, so another default would change what stored verdicts say."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from modex.core.verdict import part_from_json
from modex.core.verdict.parts import PART_TYPES, CallOutcome, Instance, RubricItem, Vote, WeightedPart, WorkspaceCheck
from tests.rows import each_row

_DEFAULTS: dict[str, dict[str, Any]] = {
    "compared": {"expected": None, "got": None, "tolerance": None, "difference": None, "difference_percent": None},
    "extracted": {"span": ()},
    "rows": {"gold_query": None, "instances": ()},
    "calls": {
        "expected": (), "made": 0, "extra_calls": 0, "allowed_extras": 0, "extra_penalty": 0.0, "no_call": False,
        "order": "right", "order_wanted": "any", "name_share": 1.0, "argument_share": 1.0, "score": None,
    },
    "keywords": {"shares": {}, "weights": {}, "language": None},
    "rubric": {"items": ()},
    "votes": {"scale": (), "reference": None, "agreement": None},
    "cases": {"passed": 0, "total": 0},
    "workspace": {"checks": (), "files": 0, "calls": 0},
    "instructions": {"items": ()},
    "likelihood": {"options": (), "way": "", "chosen": "", "by_length": None, "by_bytes": None},
    "weighted": {"items": ()},
    "official": {"read": None, "right": False, "ours": None},
    "extra": {"facts": {}},
}  # fmt: skip


def test_every_part_is_among_them() -> None:
    assert list(_DEFAULTS) == [kind.kind for kind in PART_TYPES]


@each_row("kind", _DEFAULTS)
def test_a_part_of_which_nothing_is_stored_holds_the_defaults(kind: str) -> None:
    part = asdict(part_from_json({"kind": kind}))
    assert {name: part[name] for name in _DEFAULTS[kind]} == _DEFAULTS[kind]


@each_row(
    ("piece", "defaults"),
    [
        (Instance(), {"number": 1, "equal": False, "ordered": False, "truncated": False}),
        (CallOutcome(), {"optional": False, "right": False, "call": None, "got": None, "score": 0.0, "arguments": 0.0}),
        (RubricItem(), {"points": 0.0, "max_points": 1.0, "passed": False}),
        (Vote(), {"score": None, "rating": None, "reason": None, "repaired": False}),
        (WeightedPart(), {"weight": 1.0, "score": None}),
        (WorkspaceCheck(), {"passed": False, "code": None, "seconds": None}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_so_does_a_piece_of_one(piece: Any, defaults: dict[str, Any]) -> None:
    assert {name: getattr(piece, name) for name in defaults} == defaults
