"""From expectations and calls to a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from modex.core.evaluators.tool_call.calls import MadeCall
from modex.core.evaluators.tool_call.expectations import read_expectations
from modex.core.evaluators.tool_call.scoring import score_calls
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.verdict import Calls
from tests.rows import each_row


def scored(expected: dict[str, Any], *names: str, penalty: float | None = None) -> tuple[float, Calls]:
    """The score of calls without arguments."""
    made = [MadeCall(name, {}, "{}", turn=turn) for turn, name in enumerate(names)]
    return score_calls(read_expectations(expected), made, {}, extra_call_penalty=penalty)


@each_row("before", [0, 1, 250])
def test_a_forbidden_call_makes_the_score_0_however_many_calls_were_made_before_it(before: int) -> None:
    expected = {"tool": "f", "forbidden": ["drop"], "max_extra_calls": 1000}
    allowed = ["f", *("g" for _ in range(before))]
    assert scored(expected, *allowed)[0] == 1.0
    score, part = scored(expected, *allowed, "drop")
    assert (score, part.forbidden) == (0.0, ("drop",))


def test_twenty_of_many_extra_calls_are_shown_and_all_are_counted() -> None:
    _, part = scored({"tool": "f"}, "f", *("g" for _ in range(254)))
    assert (part.made, part.extra_calls) == (255, 254)
    assert len(part.extras) == 20


@each_row(
    ("calls", "penalty", "score"),
    [
        (["f"], None, 1.0),
        (["f", "g"], None, 0.6),
        (["f", "g", "g", "g", "g", "g"], None, 0.5),
        (["f", *["g"] * 11], None, 0.0),
        (["f", "g"], 0.05, 0.95),
        (["f", *["g"] * 30], 0.05, 0.0),
        (["g"], 0.05, 0.0),
        ([], None, 0.0),
    ],
)
def test_each_extra_call_costs_and_caps_the_score_unless_its_cost_is_named(
    calls: list[str], penalty: float | None, score: float
) -> None:
    assert scored({"tool": "f"}, *calls, penalty=penalty)[0] == pytest.approx(score)


@each_row(("allowed", "score"), [(0, 0.6), (1, 0.6), (2, 1.0), (3, 1.0)])
def test_so_many_extra_calls_as_the_test_allows_are_free(allowed: int, score: float) -> None:
    assert scored({"tool": "f", "max_extra_calls": allowed}, "g", "f", "g")[0] == score


Made = tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], str]
"""Name and arguments of a call, and a fault."""
READ = ToolDefinition("look", "look", "", {}, Location("look.json"), read_only=True)


def judged(expected: dict[str, Any], *calls: Made, turns: Sequence[int] | None = None) -> tuple[float, Calls]:
    """The score of calls, each of a turn of its own unless said."""
    made = [
        MadeCall(call[0], call[1], "{}", call[2] if len(call) > 2 else None, turns[place] if turns else place)
        for place, call in enumerate(calls)
    ]
    return score_calls(read_expectations(expected), made, {"look": READ})


F1: Made = ("f", {"a": 1})
F2: Made = ("f", {"a": 2})
G: Made = ("g", {})
TWO = [{"name": "f", "args": {"a": 1}}, {"name": "f", "args": {"a": 2}}]


@each_row(
    ("expected", "calls", "score", "why"),
    [
        ({"tool": "f", "args": {"a": 1}}, [F1], 1.0, "every call as expected"),
        ({"tool": "f", "args": {"a": 1}}, [F2], 0.3, "f: a: expected 1, got 2"),
        ({"tool": "f", "args": {"a": 1, "b": 1}}, [F1], 0.45, "f: b: missing, expected 1"),
        ({"tool": "f", "args": {"a": 1}}, [("f", {"a": 1}, "broken")], 0.45, "f: broken"),
        ({"tool": "f"}, [], 0.0, "f was not called"),
        ({"calls": TWO}, [F2, F1], 1.0, "every call as expected"),
        ({"calls": TWO, "order": "strict"}, [F1, F2], 1.0, "every call as expected"),
        ({"calls": TWO, "order": "strict"}, [F2, F1], 0.54, "the calls came in another order"),
        ({"calls": TWO}, [F1], 0.5, "f was not called"),
        ({"tools": ["f", "g", "h"]}, [F1, G, ("h", {})], 1.0, "every call as expected"),
        ({"tools": ["f", "g", "h", "i"]}, [F1, G, ("h", {})], 0.6, "i was not called"),
        ({"calls": ["g", {"name": "f", "args": {"a": 1}, "optional": True}]}, [G], 1.0, "every call as expected"),
        ({"calls": ["g", {"name": "f", "args": {"a": 1}, "optional": True}]}, [G, F1], 1.0, "every call as expected"),
        ({"calls": ["g", {"name": "f", "args": {"a": 1}, "optional": True}]}, [G, F2], 0.6, "1 extra call (f)"),
        ({"calls": [{"name": "g", "optional": True}]}, [], 1.0, "every call as expected"),
        ({"tool": "g"}, [G, F1, F2, F1], 0.6, "3 extra calls (f)"),
        ({"tool": "g"}, [G, ("look", {})], 0.6, "1 extra call (look)"),
        ({"tool": "g", "extra_reads": True}, [G, ("look", {}), ("look", {})], 1.0, "every call as expected"),
        ({"tool": "g", "extra_reads": True}, [G, ("look", {}), F1], 0.6, "1 extra call (f)"),
        ({"tool": "f", "args": {"a": 1}}, [("f", {}, "broken"), F1], 1.0, "every call as expected"),
        ({"tool": "f", "args": {"a": 1}}, [F1, ("f", {}, "broken")], 0.6, "1 extra call (f)"),
        ({"tool": "f", "args": {"a": 1}}, [("g", {}, "broken"), F1], 0.6, "1 extra call (g)"),
        ({"no_call": True}, [], 1.0, "made no call"),
        ({"no_call": True}, [F1, G], 0.0, "made 2 calls where none is wanted"),
        ({"no_call": True}, [F1], 0.0, "made 1 call where none is wanted"),
        ({"any_call": True}, [], 0.0, "made no call"),
        ({"any_call": True}, [("f", {}, "broken")], 0.0, "f: broken"),
        ({"any_call": True}, [("f", {}, "broken"), G], 1.0, "made a call, as any was asked for"),
        ({"tool": "f", "args": {"a": 1}}, [F2, F1], 0.6, "1 extra call (f)"),
        ({"calls": TWO}, [F2, ("f", {}, "broken"), F1], 1.0, "every call as expected"),
        ({"calls": [*TWO, "g"]}, [F2, ("f", {}, "broken"), F1, ("f", {}, "broken"), G], 0.6, "1 extra call (f)"),
        ({"state": {"a": 1}}, [F1, G], 1.0, ""),
        ({"state": {"a": 1}, "forbidden": ["g"]}, [F1, G], 0.0, "called g, which is forbidden"),
    ],
)
def test_what_calls_are_worth(expected: dict[str, Any], calls: list[Made], score: float, why: str) -> None:
    found, part = judged(expected, *calls)
    assert found == pytest.approx(score)
    assert part.why == why


@each_row(
    ("turns", "score", "order"),
    [([0, 1], 1.0, "right"), ([0, 0], 0.54, "blind"), ([3, 4], 1.0, "right")],
)
def test_a_chain_is_made_in_later_turns(turns: list[int], score: float, order: str) -> None:
    found, part = judged({"chain": ["f", "g"]}, ("f", {}), G, turns=turns)
    assert found == pytest.approx(score)
    assert (part.order, part.order_wanted) == (order, "later turns")


def test_a_chain_the_other_way_round_is_in_another_order() -> None:
    found, part = judged({"chain": ["f", "g"]}, G, ("f", {}))
    assert found == pytest.approx(0.54)
    assert part.order == "wrong"


def test_shares_are_those_of_the_required_calls() -> None:
    _, part = judged({"calls": [*TWO, "h", {"name": "g", "optional": True}]}, F1, ("f", {"a": 3}), G)
    assert (part.name_share, part.argument_share) == (0.666667, 0.333333)
    assert [(one.call, one.right, one.score) for one in part.expected] == [
        (1, True, 1.0),
        (2, False, 0.3),
        (None, False, 0.0),
        (3, True, 1.0),
    ]
    _, failed = judged({"tool": "f", "args": {"a": 1}}, ("f", {}, "x"), ("f", {}, "y"), F1)
    assert (len(failed.retried), failed.extra_calls) == (2, 0)


def test_the_better_of_two_calls_is_taken_and_the_earlier_of_equals() -> None:
    assert judged({"tool": "f", "args": {"a": 1}}, F2, F1)[1].expected[0].call == 2
    assert judged({"tool": "f", "args": {"a": 1}}, F1, F1)[1].expected[0].call == 1
    assert judged({"tool": "f", "args": {"a": 1}}, F2, ("f", {"a": 3}))[1].expected[0].call == 1


def test_scores_and_shares_have_six_places() -> None:
    score, part = judged({"tool": "f", "args": dict.fromkeys("abcdefg", 1)}, F1)
    outcome = part.expected[0]
    assert (score, outcome.score, outcome.arguments) == (0.342857, 0.342857, 0.142857)
    assert (part.argument_share, part.name_share) == (0.142857, 1.0)
    score, part = scored({"tool": "f"}, "f", "g", penalty=1 / 3)
    assert (score, part.extra_penalty) == (0.666667, 0.333333)


def test_where_nothing_is_required_every_share_is_whole() -> None:
    score, part = judged({"calls": [{"name": "g", "optional": True}]})
    assert (score, part.name_share, part.argument_share) == (1.0, 1.0, 1.0)


def test_twenty_calls_are_shown_of_those_that_were_too_much_or_tried_again() -> None:
    failed: list[Made] = [("f", {}, "broken")] * 25
    assert len(judged({"tool": "f", "args": {"a": 1}}, *failed, F1)[1].retried) == 20
    assert len(judged({"any_call": True}, *failed)[1].extras) == 20
    assert len(judged({"tool": "f", "args": {"a": 1}}, F1, *failed)[1].extras) == 20


@each_row("order", ["any", "strict"])
def test_the_last_of_many_calls_meets_its_expectation(order: str) -> None:
    expected = {"calls": [{"name": "g"}, {"name": "f"}], "order": order, "max_extra_calls": 2000}
    score, part = scored(expected, *("g" for _ in range(1500)), "f")
    assert (score, part.order, [one.call for one in part.expected]) == (1.0, "right", [1, 1501])


def test_of_many_calls_a_later_one_that_fits_better_is_taken() -> None:
    _, part = judged(
        {"tool": "f", "args": {"a": 1, "b": 2}}, *[("f", {"a": 0, "b": 0})] * 1500, ("f", {"a": 1, "b": 0})
    )
    assert part.expected[0].call == 1501


def test_any_number_of_reads_is_allowed_where_the_test_says_so() -> None:
    made = [MadeCall("look", {}, "{}")] * 205 + [MadeCall("f", {}, "{}")]
    score, part = score_calls(read_expectations({"tool": "f", "extra_reads": True}), made, {"look": READ})
    assert (score, part.extra_calls, part.why) == (1.0, 0, "every call as expected")


def test_the_reason_has_a_thousand_characters_at_most() -> None:
    _, part = judged({"tool": "f", "args": {name * 30: "x" * 150 for name in "abcdefgh"}})
    assert part.why == "f was not called"
    _, part = judged({"tool": "f", "args": {name * 30: "x" * 150 for name in "abcdefgh"}}, ("f", {}))
    assert len(part.why) == 1000
