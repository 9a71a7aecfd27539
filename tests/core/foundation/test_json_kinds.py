"""How values are called in messages."""

from __future__ import annotations

from typing import Any

from modex.core.foundation.json_kinds import kind_of


def test_a_value_is_called_by_what_it_is() -> None:
    said: dict[str, Any] = {
        "null": None, "true": True, "false": False, "the number 3": 3, "the number 0.5": 0.5, "the text 'x'": "x",
        "an empty text": "", "a list": [1], "an object": {},
    }  # fmt: skip
    assert {kind_of(value): value for value in said.values()} == said
    assert kind_of("x" * 50) == f"the text '{'x' * 40}'"
