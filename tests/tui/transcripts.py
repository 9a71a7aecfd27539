"""Samples with a story to tell: thinking, tools, PASS 2, judges, SQL rows, errors."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.store.details_of_010 import with_parts
from modex.core.store.sample import EvaluationSample
from tests.tui.stores import sample

LAYERS: list[dict[str, Any]] = [
    {
        "scope": "domain",
        "mode": "overwrite",
        "text": "You are a careful mathematics tutor.",
        "file": "test_definitions/math/domain.json",
        "line": 5,
    },
    {
        "scope": "level",
        "mode": "append",
        "text": "Show each step on a line of its own.",
        "file": "prompts/math/level_3.md",
        "line": 1,
    },
]
RESPONSE = (
    "Let x be the litres of acid to add. The tank holds 20 L at 25 %, so 5 L of acid.\n\n"
    "Then 5 + x = 0.5 (20 + x), which gives x = 10, and with the spill of 2.5 L that makes 12.5 litres.\n"
)
_AT = RESPONSE.index("12.5")


def capitals(**fields: Any) -> EvaluationSample:
    """A failed test that a plugin judged: it names what it found as our own evaluators of 0.1.0 did, and means something else."""
    found = EvaluationResult(0.0, {"matched": ["Paris"], "missing": []})
    base: dict[str, Any] = {
        "test_id": "capital",
        "evaluator_id": "cities",
        "score": found.score,
        "details": found.stored(),
        "reason": found.why or None,
    }
    return sample("geo", 1, 1, "failed", **{**base, **fields})


def mixture(**fields: Any) -> EvaluationSample:
    """A failed test of mathematics, judged by PASS 2."""
    base: dict[str, Any] = {
        "test_id": "mixture",
        "name": "Mixing acid",
        "score": 0.0,
        "system_prompt": "You are a careful mathematics tutor.\n\nShow each step on a line of its own.",
        "prompt_layers": LAYERS,
        "prompt": "A 20 L solution is 25 % acid. How much pure acid must be added so that it becomes 50 % acid,"
        " when 2.5 L are spilt?",
        "expected": {"type": "numeric", "value": 15, "tolerance": 0.01},
        "response": RESPONSE,
        "extracted_answer": "12.5",
        "pass2_used": True,
        "transcript": [
            {"role": "system", "content": "You are a careful mathematics tutor.\n\nShow each step on a line of its own.",
             "phase": "pass1", "iteration": 0},
            {"role": "user", "content": "A 20 L solution …", "phase": "pass1", "iteration": 0},
            {"role": "assistant", "content": RESPONSE, "phase": "pass1", "iteration": 0, "duration_ms": 3400,
             "reasoning": "The acid in the tank is 5 L. " * 40},
        ],
        "details": with_parts({
            "type": "numeric", "expected": "15", "got": "12.5", "value": 12.5, "gold": 15, "tolerance": 0.01,
            "difference": 2.5, "difference_percent": 16.666667, "why": "the values differ", "extraction": "found",
            "extraction_span": [_AT, _AT + 4],
            "exchanges": [
                {"role": "pass2", "model": "openai/gpt-5-mini", "answer": "ANSWER: 12.5", "duration_ms": 610,
                 "messages": [{"role": "user", "content": "Take only the final answer out of the response. " * 12}],
                 "usage": {"prompt": 300, "completion": 5}},
            ],
        }),
        "prompt_tokens": 812,
        "completion_tokens": 190,
        "reasoning_tokens": 120,
        "cost_usd": 0.0009,
        "duration_ms": 3400,
        "attempts": 1,
        "finish_reason": "stop",
        "judge_prompt_tokens": 300,
        "judge_completion_tokens": 5,
        "judge_duration_ms": 610,
        "definition": {"file": "test_definitions/math/level_3/mixture.json", "line": 1},
    }  # fmt: skip
    return sample("math", 3, 3, "failed", **{**base, **fields})


def weather(**fields: Any) -> EvaluationSample:
    """A failed test of tool calling: one call with a wrong argument, one that failed, one too many."""
    calls = [
        {"id": "a", "name": "get_weather", "arguments": '{"city": "Oslo", "unit": "f"}'},
        {"id": "b", "name": "get_time", "arguments": '{"zone": '},
    ]
    base: dict[str, Any] = {
        "test_id": "two_cities",
        "prompt": "What is the weather in Oslo, in degrees Celsius?",
        "evaluator_id": "tool_call",
        "score": 0.45,
        "expected": {"tool": "get_weather", "args": {"city": "Oslo", "unit": "c"}},
        "response": "It is 27 °F in Oslo.",
        "extracted_answer": None,
        "transcript": [
            {"role": "user", "content": "What is the weather in Oslo?", "phase": "pass1", "iteration": 0},
            {"role": "assistant", "content": "", "phase": "pass1", "iteration": 1, "duration_ms": 900,
             "tool_calls": calls},
            {"role": "tool", "content": '{"city": "Oslo", "temperature_f": 27}', "phase": "pass1", "iteration": 1,
             "tool_call_id": "a", "name": "get_weather", "is_error": False, "duration_ms": 2},
            {"role": "tool", "content": '{"error": "the arguments are no JSON object"}', "phase": "pass1",
             "iteration": 1, "tool_call_id": "b", "name": "get_time", "is_error": True, "duration_ms": 0},
            {"role": "assistant", "content": "It is 27 °F in Oslo.", "phase": "pass1", "iteration": 2,
             "duration_ms": 700},
        ],
        "details": with_parts({
            "name": 1.0, "arguments": 0.5, "order": "right", "order_wanted": "any", "extra_calls": 1,
            "extra_penalty": 0.1, "forbidden_called": [], "calls_made": 2,
            "extras": [{"name": "get_time", "args": '{"zone": ', "fault": "no JSON object"}],
            "expected_calls": [
                {"name": "get_weather", "args": {"city": "Oslo", "unit": "c"}, "optional": False, "call": 1,
                 "got": {"name": "get_weather", "args": {"city": "Oslo", "unit": "f"}}, "right": False, "score": 0.45,
                 "arguments": 0.5, "wrong": {"unit": "'f' where 'c' is expected"}},
            ],
            "why": "get_weather: unit: 'f' where 'c' is expected; 1 extra calls",
        }),
    }  # fmt: skip
    return sample("tool_calling", 2, 1, "failed", **{**base, **fields})


def query(**fields: Any) -> EvaluationSample:
    """A failed test of SQL: rows against rows."""
    sql = "SELECT name, total FROM orders WHERE total > 10"
    base: dict[str, Any] = {
        "test_id": "big_orders",
        "prompt": "Which customers ordered for more than 10?",
        "evaluator_id": "sql_executor",
        "response": f"```sql\n{sql}\n```",
        "extracted_answer": sql,
        "details": with_parts({
            "extraction": "fenced", "query": sql,
            "gold_query": "SELECT name, sum(total) FROM orders GROUP BY name HAVING sum(total) > 10",
            "instances": [
                {"instance": 1, "equal": False, "ordered": False, "expected_columns": ["name", "sum(total)"],
                 "expected_rows": [["Ana", 31.5], ["Bo", 12]], "expected_count": 2, "got_columns": ["name", "total"],
                 "got_rows": [["Ana", 31.5], ["Bo", None]], "got_count": 2, "why": "row 2 differs"},
            ],
            "why": "row 2 differs",
        }),
    }  # fmt: skip
    return sample("sql", 2, 2, "failed", **{**base, **fields})


def talk(**fields: Any) -> EvaluationSample:
    """A conversation judged by two models."""
    reason = "The answer is kind and right, and yet it forgets to ask how long the pain has lasted."
    base: dict[str, Any] = {
        "test_id": "headache",
        "prompt": "user: My head hurts.",
        "evaluator_id": "conversation_quality",
        "score": 0.6,
        "definition": {
            "turns": [
                {"role": "user", "content": "My head hurts."},
                {"role": "assistant", "content": "Since when?"},
                {"role": "user", "content": "Since this morning. What can I do?"},
            ]
        },
        "response": "# Rest\n\nDrink **water**, and rest:\n\n- close the blinds\n- no screens\n",
        "extracted_answer": None,
        "details": with_parts({
            "judges": [
                {"model": "gemini/flash", "score": 0.6, "rating": 3, "reason": reason, "repaired": False},
                {"model": "openai/judge", "score": 0.6, "rating": 3, "reason": "Fine, if short.", "repaired": True},
            ],
            "scale": [0, 5], "agreement": 1.0, "settled_by": "median", "why": reason, "exchanges": [],
        }),
    }  # fmt: skip
    return sample("conversation", 1, 1, "failed", **{**base, **fields})


def refused(**fields: Any) -> EvaluationSample:
    """A test that the provider did not answer."""
    return sample("math", 4, 1, "error", **{"test_id": "limits", "attempts": 5, **fields})
