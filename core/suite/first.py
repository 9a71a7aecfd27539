"""A first suite to begin with: two domains, a tool, a judge and a dataset, each small enough to be read in a minute."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError

_T = "test_definitions"
OWN_QUESTIONS = f"{_T}/questions/questions.jsonl"
"""The file in which a line more is a question more."""
_JSON: dict[str, Any] = {
    f"{_T}/arithmetic/domain.json": {
        "id": "arithmetic",
        "name": "Arithmetic",
        "description": "Numbers in words; PASS 2 reads the answer, an evaluator compares it",
        "evaluator_id": "two_pass",
        "system_prompt": "Work step by step, then give the result.",
    },
    f"{_T}/arithmetic/level_1/test_boxes.json": {
        "id": "boxes",
        "name": "Boxes of pens",
        "description": "One multiplication",
        "prompt": "A box holds 12 pens. How many pens are in 7 boxes?",
        "expected": {"type": "numeric", "value": 84},
    },
    f"{_T}/arithmetic/level_2/test_discount.json": {
        "id": "discount",
        "name": "Two discounts",
        "description": "The second discount applies to the reduced price",
        "prompt": "A coat costs 80 euros. It is reduced by 25 %, then by another 10 %. What does it cost now, in euros?",
        "expected": {"type": "numeric", "value": 54, "tolerance": 0.01},
    },
    f"{_T}/service/domain.json": {
        "id": "service",
        "name": "Customer service",
        "description": "Looking things up with a tool, and answering kindly",
        "evaluator_id": "tool_call",
        "system_prompt": "You answer for a shop. Look orders up with the tool; never invent their state.",
    },
    f"{_T}/service/level_1/test_order.json": {
        "id": "order",
        "name": "State of an order",
        "description": "One tool, one argument, copied from the question",
        "prompt": "Where is my order A-1047?",
        "expected": {"tool": "order_state", "args": {"order_id": "A-1047"}},
        "tool_ids": ["order_state"],
    },
    f"{_T}/service/level_2/test_apology.json": {
        "id": "apology",
        "name": "An apology",
        "description": "Free text: an LLM judge decides (--judge-model; --no-judge leaves it out)",
        "prompt": "My parcel came two weeks late and nobody told me why. Answer me in two sentences.",
        "expected": "Apologises for the delay and for the silence, and offers to find out what happened.",
        "evaluator_id": "llm_judge",
    },
    "tool_mocks/order_state.json": {
        "id": "order_state",
        "function": {
            "name": "order_state",
            "description": "The state of an order by its number.",
            "parameters": {
                "type": "object",
                "properties": {"order_id": {"type": "string", "description": "For example A-1047."}},
                "required": ["order_id"],
                "additionalProperties": False,
            },
        },
        "responses": [
            {"when": {"order_id": "A-1047"}, "response": {"order_id": "A-1047", "state": "packed"}},
            {"when": {}, "response": {"error": "no such order"}},
        ],
    },
    f"{_T}/questions/dataset.json": {
        "id": "questions",
        "name": "Questions",
        "description": "A domain backed by a file: one question a line",
        "file": "questions.jsonl",
        "question_field": "question",
        "answer_field": "answer",
        "level_field": "level",
        "id_field": "id",
        "evaluator_id": "match",
    },
}
_ROWS = [
    {"id": "kenya", "question": "What is the capital of Kenya?", "answer": "Nairobi", "level": 1},
    {"id": "danube", "question": "Which sea does the Danube flow into?", "answer": "the Black Sea", "level": 2},
]
_LAYER = "---\nmode: append\n---\nIf a step is not certain, check it by another way.\n"


def write_first_suite(folder: Path) -> list[str]:
    """Write the suite into `folder`, which may exist; the files, by their paths in it.

    Raises:
        ConfigurationError: one of the files is there already, or the folder cannot be written; nothing was overwritten.
    """
    files = {name: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for name, value in _JSON.items()}
    files[OWN_QUESTIONS] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _ROWS)
    files["prompts/arithmetic/level_2.md"] = _LAYER
    there = [name for name in (_T, "prompts", "tool_mocks") if (folder / name).exists()]
    if there:
        raise ConfigurationError(f"{folder}: there is a suite already ({', '.join(there)}); name another folder")
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise ConfigurationError(
            f"{folder}: cannot be written ({error.strerror}); name a folder of your own"
        ) from error
    return list(files)
