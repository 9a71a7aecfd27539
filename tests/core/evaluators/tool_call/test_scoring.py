"""From expectations and calls to a score."""

from __future__ import annotations

from typing import Any

import pytest

from core.evaluators.tool_call.calls import MadeCall
from core.evaluators.tool_call.expectations import read_expectations
from core.evaluators.tool_call.scoring import MAX_CALLS, score_calls
from core.verdict import Calls


def scored(expected: dict[str, Any], *names: str, penalty: float | None = None) -> tuple[float, Calls]:
    """The score of calls without arguments."""
    made = [MadeCall(name, {}, "{}", turn=turn) for turn, name in enumerate(names)]
    return score_calls(read_expectations(expected), made, {}, extra_call_penalty=penalty)


@pytest.mark.parametrize("before", [0, 1, MAX_CALLS - 1, MAX_CALLS, MAX_CALLS + 50])
def test_a_forbidden_call_makes_the_score_0_however_many_calls_were_made_before_it(before: int) -> None:
    expected = {"tool": "f", "forbidden": ["drop"], "max_extra_calls": 1000}
    allowed = ["f", *("g" for _ in range(before))]
    assert scored(expected, *allowed)[0] == 1.0
    score, part = scored(expected, *allowed, "drop")
    assert (score, part.forbidden) == (0.0, ("drop",))


def test_calls_beyond_those_that_are_looked_at_are_extra_calls() -> None:
    _, part = scored({"tool": "f"}, "f", *("g" for _ in range(MAX_CALLS + 4)))
    assert (part.made, part.extra_calls) == (MAX_CALLS + 5, MAX_CALLS + 4)
    assert len(part.extras) == 20


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(("allowed", "score"), [(0, 0.6), (1, 0.6), (2, 1.0), (3, 1.0)])
def test_so_many_extra_calls_as_the_test_allows_are_free(allowed: int, score: float) -> None:
    assert scored({"tool": "f", "max_extra_calls": allowed}, "g", "f", "g")[0] == score
