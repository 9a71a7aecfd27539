from __future__ import annotations

import json
from typing import Any

from modex.core.verdict import (
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
    FailedCase,
    Keywords,
    Part,
    Rubric,
    RubricItem,
    Votes,
    Weighted,
    WeightedPart,
    details_of,
    fold,
    fold_line,
    lines_of,
    part_as_json,
    part_from_json,
    parts_of,
    reason_in,
    reason_of,
)
from modex.core.verdict.parts import PART_TYPES
from tests.core.verdict.examples import CALLS, COMPARED, EXAMPLES, ROWS
from tests.rows import each_row


def test_there_is_an_example_of_every_part() -> None:
    assert [type(part) for part in EXAMPLES] == list(PART_TYPES)


@each_row("part", EXAMPLES, ids=lambda part: part.kind)
def test_a_part_is_read_as_it_was_written(part: Part) -> None:
    assert part_from_json(json.loads(json.dumps(part_as_json(part)))) == part


def test_defaults_are_not_stored() -> None:
    assert part_as_json(Compared("a", "b")) == {"kind": "compared", "expected": "a", "got": "b"}


def test_an_unknown_kind_keeps_its_facts() -> None:
    assert part_from_json({"kind": "melody", "notes": [1, 2]}) == Extra({"notes": [1, 2]}, "melody")


@each_row("broken", [{"kind": "calls", "expected": 3}, {"kind": "votes", "tempo": 3}, {"kind": []}])
def test_a_part_that_does_not_fit_its_kind_is_shown_as_facts(broken: dict[str, Any]) -> None:
    part = part_from_json(broken)
    assert isinstance(part, Extra)
    assert part.facts == {name: value for name, value in broken.items() if name != "kind"}


def test_what_is_no_object_is_shown_too() -> None:
    assert part_from_json(7) == Extra({"value": 7})


def test_details_beside_the_parts_are_kept_and_shown() -> None:
    stored = details_of([COMPARED], {"tempo": "slow", "exchanges": [{"role": "judge"}]}, "too slow")
    assert parts_of(stored) == (COMPARED, Extra({"tempo": "slow"}))
    assert stored["exchanges"] == [{"role": "judge"}]
    assert reason_in(stored, passed=False) == "too slow"


@each_row("part", EXAMPLES, ids=lambda part: part.kind)
def test_every_part_says_all_its_facts_in_lines(part: Part) -> None:
    text = "\n".join(f"{line.label} {line.text}" for line in lines_of([part]))
    for fact in _facts(part_as_json(part)):
        assert fact in text, fact


@each_row("passed", [True, False])
@each_row("part", EXAMPLES, ids=lambda part: part.kind)
def test_every_part_can_be_asked_for_its_reason(part: Part, passed: bool) -> None:
    assert reason_of([part], passed=passed) == fold_line(reason_of([part], passed=passed))


def _facts(document: Any) -> list[str]:
    """The texts of a part that must be seen."""
    if isinstance(document, dict):
        quiet = {"kind", "name_share", "form", "settled_by", "order_wanted", "state"}
        found = [fact for name, value in document.items() if name not in quiet for fact in _facts(value)]
        return [] if document.get("equal") is True else found
    if isinstance(document, list):
        return [fact for value in document for fact in _facts(value)]
    return [document] if isinstance(document, str) and document not in ("delete", "numeric") else []


# reasons


@each_row(
    ("parts", "passed", "reason"),
    [
        ([COMPARED], False, "expected 15, got 12.5"),
        ([Compared("15", "15", why="equal")], True, "got 15 as expected"),
        ([Compared("15", "15.01", why="within tolerance")], True, "expected 15, got 15.01, within tolerance"),
        ([Compared("5 m", "5 s", why="unit 's' where 'm' is expected")], False,
         "expected 5 m, got 5 s: unit 's' where 'm' is expected"),
        ([Compared("15", None, why="the response gives no answer")], False, "the response gives no answer"),
        ([Extracted("found"), ROWS], False, "expected (2,), got (1,)"),
        ([CALLS], False, "get_weather was not called"),
        ([Calls(score=1.0, why="every call as expected"), COMPARED], False, "expected 15, got 12.5"),
        ([Keywords(("a",), ("b",))], False, "does not mention b"),
        ([Keywords(("a",), ("b",), required=("b",))], False, "does not mention b, which is required"),
        ([Keywords(forbidden=("x",), missing=("b",))], False, "mentions x, which is forbidden"),
        ([Keywords(("a",))], True, "mentions everything asked for"),
        ([Rubric((RubricItem("a", "is kind", 0, 2), RubricItem("b", "is true", 3, 3, True)))], False,
         "3 of 5 points; not met: is kind"),
        ([Votes(why="Too short.")], False, "Too short."),
        ([Weighted((WeightedPart("match", 2, 0.0, parts=(COMPARED,)), WeightedPart("regex", 1, 1.0)))], False,
         "match 0.00 × 2, regex 1.00 × 1: expected 15, got 12.5"),
        ([Cases("f", 1, 2, (FailedCase("f(1)", "2", "3"),), "f(1) gave 3, expected 2")], False, "f(1) gave 3, expected 2"),
        ([Cases("f", 2, 2)], True, "all 2 cases hold"),
        ([Extra({"why": "1 line fits"})], False, "1 line fits"),
        ([Extra({"lines": 2})], False, ""),
        ([], False, ""),
    ],
)  # fmt: skip
def test_a_reason_is_one_plain_sentence(parts: list[Part], passed: bool, reason: str) -> None:
    assert reason_of(parts, passed=passed) == reason


def test_a_reason_stays_on_one_short_line() -> None:
    reason = reason_of([Compared("a\nb" * 500, "c\nd" * 500)], passed=False)
    assert "\n" not in reason
    assert len(reason) <= 300


# folding


def test_long_values_fold_in_the_middle_and_say_how_much_is_left_out() -> None:
    text = "a" * 6000 + "end"
    folded = fold(text)
    assert folded.startswith("aaa")
    assert folded.endswith("end")
    assert "more characters" in folded
    assert len(folded) < 4000
    assert fold("short") == "short"
    assert fold_line("a  b\nc", 4) == "a b…"


def test_lines_fold_long_values() -> None:
    assert all(len(line.text) < 5000 for line in lines_of([Compared("x" * 100_000, "y" * 100_000)]))
