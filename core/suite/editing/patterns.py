"""What a new test, domain or evaluator begins as: small, complete, and found right by `check`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """A beginning: what it is in a few words, and the definition without its id."""

    name: str
    label: str
    fields: Mapping[str, Any]


_WEATHER = {
    "id": "get_weather",
    "name": "get_weather",
    "description": "The weather in a city now.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "responses": [
        {"when": {"city": "Oslo"}, "response": {"temperature_c": 4}},
        {"when": {}, "response": {"error": "no such city"}},
    ],
}
TESTS = (
    Pattern(
        "answer",
        "one right answer, a number or a word: PASS 2 copies it out (two_pass)",
        {
            "evaluator_id": "two_pass",
            "prompt": "A box holds 12 pens. How many pens are in 7 boxes?",
            "expected": {"type": "numeric", "value": 84},
        },
    ),
    Pattern(
        "choice",
        "one of several options (two_pass)",
        {
            "evaluator_id": "two_pass",
            "prompt": "Which of these is a metal?\nA: oxygen\nB: iron\nC: helium",
            "expected": {"type": "choice", "value": "B", "options": {"A": "oxygen", "B": "iron", "C": "helium"}},
        },
    ),
    Pattern(
        "words",
        "a text that must say some things and not others (keyword)",
        {
            "evaluator_id": "keyword",
            "prompt": "Explain in two or three sentences why it gets dark at night.",
            "expected": {"keywords": [["rotates", "rotation", "turns", "spins"], "sun"], "language": "en"},
        },
    ),
    Pattern(
        "rubric",
        "a text judged item by item by an LLM (rubric)",
        {
            "evaluator_id": "rubric",
            "prompt": "My parcel came two weeks late and nobody told me why. Answer me in two sentences.",
            "expected": {
                "items": [
                    {"id": "sorry", "says": "Apologises for the delay.", "required": True},
                    {"id": "next", "says": "Offers to find out what happened, or to make up for it."},
                ],
                "language": "en",
            },
        },
    ),
    Pattern(
        "tool",
        "a tool to be called, with the answers of its mock (tool_call)",
        {
            "evaluator_id": "tool_call",
            "prompt": "Do I need gloves in Oslo today? Look the weather up.",
            "expected": {"tool": "get_weather", "args": {"city": "Oslo"}},
            "tools": [_WEATHER],
        },
    ),
    Pattern(
        "sql",
        "a query, run on real rows (sql_executor)",
        {
            "evaluator_id": "sql_executor",
            "prompt": "Table pens(colour TEXT, amount INTEGER). Write one SQLite query for the amount of all blue pens.",
            "expected": {
                "schema": "CREATE TABLE pens (colour TEXT, amount INTEGER);",
                "seed": "INSERT INTO pens VALUES ('blue', 3), ('red', 4), ('blue', 5);",
                "query": "SELECT SUM(amount) FROM pens WHERE colour = 'blue'",
            },
        },
    ),
    Pattern(
        "code",
        "a function, run on hidden cases (code_tests)",
        {
            "evaluator_id": "code_tests",
            "prompt": "Write a Python function `twice(values)` that returns a new list with every number doubled.",
            "expected": {
                "function": "twice",
                "cases": [{"args": [[1, 2]], "returns": [2, 4], "unchanged": True}, {"args": [[]], "returns": []}],
            },
        },
    ),
    Pattern(
        "turns",
        "a conversation, whose last turn is answered (two_pass)",
        {
            "evaluator_id": "two_pass",
            "prompt": [
                {"role": "user", "content": "Vienna lies on the Danube, Cologne on the Rhine."},
                {"role": "assistant", "content": "That is right."},
                {"role": "user", "content": "Which river flows through the second city? Answer with its name."},
            ],
            "expected": {"type": "exact_match", "value": "Rhine", "aliases": ["the Rhine"]},
        },
    ),
)
EVALUATORS = (
    Pattern(
        "custom",
        "an LLM judge with instructions and a scale of your own (custom)",
        {
            "type": "custom",
            "eval_prompt": "How well does the answer meet what was asked for?\n\n"
            "Asked:\n{prompt}\n\nWanted:\n{expected}\n\nAnswer:\n{response}",
            "config": {"min_score": 0, "max_score": 10},
        },
    ),
    Pattern(
        "regex",
        "a pattern that takes the answer out, compared with the gold (regex)",
        {
            "type": "regex",
            "extraction_regex": "(?im)^answer:\\s*(.+?)\\s*$",
            "config": {"comparison": "exact", "ignore_case": True},
        },
    ),
    Pattern(
        "hybrid",
        "two evaluators in one verdict, by weight (hybrid)",
        {
            "type": "hybrid",
            "config": {
                "parts": [
                    {"evaluator": "keyword", "weight": 1, "min": 0.5},
                    {"evaluator": "llm_judge", "weight": 2, "expected": "Says why, not only what."},
                ]
            },
        },
    ),
    Pattern(
        "keyword",
        "keyword with weights of your own",
        {
            "type": "builtin",
            "config": {"base": "keyword", "weights": {"relevance": 0.2, "correctness": 0.6, "fluency": 0.2}},
        },
    ),
    Pattern(
        "tool_call",
        "tool_call where each extra call costs instead of failing, and calls in prose count",
        {"type": "builtin", "uses_pass2": True, "config": {"base": "tool_call", "extra_call_penalty": 0.1}},
    ),
)
