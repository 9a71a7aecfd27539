"""A small suite on disk, with one mistake where it is wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def small_suite(root: Path, *, mistake: bool = False) -> Path:
    """Two domains, three levels, a tool with mocks, and layers of every kind."""
    _write(root, "test_definitions/math/domain.json", {
        "id": "math", "name": "Mathematics", "description": "Numbers", "evaluator_id": "two_pass",
        "system_prompt": "You are a careful tutor.",
    })  # fmt: skip
    for level, number in ((1, 1), (1, 2), (2, 1)):
        _write(root, f"test_definitions/math/level_{level}/test_sum_{number}.json", {
            "id": f"sum_{level}_{number}", "name": "A sum", "prompt": f"What is {number} + {level}?",
            "expected": {"type": "numeric", "value": "many" if mistake and level == 2 else number + level},
            "system_prompt": "Answer with a number.", "system_prompt_mode": "append" if number == 1 else "overwrite",
        })  # fmt: skip
    _write(root, "test_definitions/tools/domain_less.json", {
        "id": "get_weather", "category": "weather",
        "function": {"name": "get_weather", "description": "The weather of a city",
                     "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
        "responses": [{"when": {"city": "Oslo"}, "response": {"temperature_c": -3}}, {"error": "unknown city"}],
    })  # fmt: skip
    _write(root, "test_definitions/weather/domain.json", {
        "id": "weather", "name": "Weather", "description": "Tools", "evaluator_id": "tool_call",
        "tool_ids": ["get_weather"], "enabled": False,
    })  # fmt: skip
    _write(root, "test_definitions/weather/level_1/test_oslo.json", {
        "id": "oslo", "name": "Oslo", "prompt": "How cold is it in Oslo?",
        "expected": {"tool": "get_weather", "args": {"city": "Oslo"}},
    })  # fmt: skip
    return root


def _write(root: Path, name: str, value: Any) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
