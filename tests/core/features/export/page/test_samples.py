"""One test in the page: its line, and the data behind it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

from modex.core.features.export.page.samples import _cut, _messages, _numbers, row
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import details_of
from tests.core.verdict.examples import COMPARED
from tests.rows import each_row


def _sample(**fields: Any) -> EvaluationSample:
    return EvaluationSample(**{"domain": "d", "level": 2, "test_id": "t", "status": "failed", "prompt": "p", **fields})


def _line(sample: EvaluationSample, **more: Any) -> dict[str, str]:
    """The texts of a test's line by their class."""
    head = row(sample, **more).partition("</summary>")[0]
    return {name: unescape(text) for name, text in re.findall(r'<span class="(\w+)[^"]*">([^<]*)</span>', head)}


def _block(sample: EvaluationSample, where: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(re.findall(r"<!--(.*)-->", row(sample, where=where))[0])
    return found


@each_row(
    ("fields", "line"),
    [
        ({}, {"st": "○ failed", "id": "d/2/t", "sc": "", "ex": "", "go": "", "wy": ""}),
        ({"epoch": 2, "score": 0.126, "status": "passed"}, {"st": "● passed", "id": "d/2/t #2", "sc": "0.13"}),
        ({"status": "error", "error_type": "timeout", "error_message": "late"}, {"st": "! error", "wy": "server: timeout: late"}),
        ({"status": "skipped"}, {"st": "– skipped"}),
        ({"status": "pending"}, {"st": "· pending"}),
        ({"expected": ["a", 1], "response": "r", "extracted_answer": "x", "reason": "odd"},
         {"ex": '["a", 1]', "go": "x", "wy": "odd"}),
        ({"response": "r", "extracted_answer": ""}, {"go": ""}),
        ({"response": "r"}, {"go": "r"}),
        ({"expected": "e" * 161}, {"ex": f"{'e' * 159}…"}),
        ({"reason": "w" * 240}, {"wy": "w" * 240}),
        ({"reason": "w" * 241}, {"wy": f"{'w' * 239}…"}),
    ],
)  # fmt: skip
def test_a_line_says_it_all(fields: dict[str, Any], line: dict[str, str]) -> None:
    found = _line(_sample(**fields))
    assert {name: found[name] for name in line} == line
    assert "run" not in found


@each_row(("compared", "shown"), [("4.0", "4.0"), (None, '{"a": 4}')])
def test_what_was_expected_is_shown_as_it_was_compared(compared: str | None, shown: str) -> None:
    sample = _sample(expected={"a": 4}, details=details_of([replace(COMPARED, expected=compared)], {}))
    assert _line(sample)["ex"] == shown


def test_among_several_runs_a_line_names_its_own() -> None:
    assert _line(_sample(), run_name="a&b")["run"] == "a&b"


def test_the_data_hold_what_there_is_and_nothing_that_is_empty() -> None:
    assert set(_block(_sample())) == {"prompt", "numbers"}
    found = _block(
        _sample(
            evaluator_id="match", expected=0, response="r", extracted_answer="x", reasoning="hm", system_prompt="s",
            status="error", error_type="rate_limit", error_message="too many",
            transcript=["odd", {"role": "user", "content": "q"}],
        )
    )  # fmt: skip
    told = ("evaluator", "expected", "got", "response", "reasoning", "system", "transcript")
    assert [found[name] for name in told] == ["match", "0", "x", "r", "hm", "s", [["user", "", "q"]]]
    assert found["error"].startswith("rate_limit: too many\n")
    assert _block(_sample(error_type="rate_limit", error_message="too many"))["error"] == "rate_limit: too many"
    assert "got" not in _block(_sample(response="r"))


@each_row(
    ("fields", "where", "said"),
    [
        ({"duration_ms": 1250, "prompt_tokens": 3, "completion_tokens": 4}, None, "1.2 s, 3 + 4 tokens"),
        ({"cost_usd": 0.5, "attempts": 2}, "on node", "0.0 s, 0 + 0 tokens, $0.50000, 2 attempts, on node"),
        ({"attempts": 1, "flags": ["refusal"]}, None, "0.0 s, 0 + 0 tokens, refusal"),
    ],
)
def test_numbers_are_told_where_they_say_something(fields: dict[str, Any], where: str | None, said: str) -> None:
    assert _numbers(_sample(**fields), where) == said


@each_row(
    ("entry", "message"),
    [
        ({}, ["", "", ""]),
        ({"role": "user", "content": " a ", "phase": "pass1"}, ["user", "pass1", "a"]),
        ({"role": "tool", "name": "add", "content": {"x": 1}, "is_error": True, "phase": "p"}, ["tool add", "error", '{"x": 1}']),
        (
            {"role": "assistant", "content": "so",
             "tool_calls": [{"name": "f", "arguments": {"x": 1}}, "odd", {"arguments": "y"}]},
            ["assistant", "", 'so\n→ f({"x": 1})\n  (no result)\n→ (y)\n  (no result)'],
        ),
    ],
)  # fmt: skip
def test_a_message_is_who_what_kind_and_the_text_with_its_calls(entry: dict[str, Any], message: list[str]) -> None:
    assert _messages(_sample(transcript=[entry])) == [message]


def test_what_came_back_of_a_call_stands_with_it() -> None:
    calls = [{"id": str(n), "name": "f", "arguments": str(n)} for n in (1, 2)]
    results: list[dict[str, Any]] = [
        {"role": "tool", "tool_call_id": "2", "content": "two\nlines", "is_error": True},
        {"role": "tool", "tool_call_id": "1", "content": "one", "attachments": [{"name": "a.png"}]},
        {"role": "tool", "tool_call_id": "9", "name": "g", "content": "nine"},
    ]
    assert _messages(_sample(transcript=[{"role": "assistant", "tool_calls": calls}, *results])) == [
        ["assistant", "", "→ f(1)\n  ← one\n  (attached) a.png\n→ f(2)\n  ✗ error: two\n  lines"],
        ["tool g", "", "nine"],
    ]


def test_a_text_is_cut_beyond_its_limit_and_says_by_how_much() -> None:
    assert _cut("abc", 3) == "abc"
    assert _cut("abcd", 3) == "abc\n[… 1 more characters: see the JSON export]"
    assert _cut("x" * 1234, 0).startswith("\n[… 1,234 more")
