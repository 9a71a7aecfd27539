"""What is an error message of a provider, and what is an answer."""

from __future__ import annotations

import json
from typing import Any

from modex.core.evaluators.provider_errors import looks_like_provider_error
from tests.rows import each_row

MESSAGE = {"message": "overloaded", "code": 529}


@each_row(
    ("document", "error"),
    [
        ({"error": MESSAGE}, True),
        ({"error": {"message": "m", "type": "t"}}, True),
        ({"error": {"message": "m", "param": None}}, True),
        ({"type": "error", "error": MESSAGE, "request_id": "r"}, True),
        ({"error": {"message": "m"}}, False),
        ({"error": {"code": 1}}, False),
        ({"error": "m"}, False),
        ({"error": MESSAGE, "answer": 3}, False),
        ({"code": 1, "message": "m"}, False),
        ({}, False),
        ([MESSAGE], False),
    ],
)
def test_an_object_is_an_error_where_it_says_nothing_else(document: Any, error: bool) -> None:
    assert looks_like_provider_error(json.dumps(document)) is error
    assert looks_like_provider_error(f"\n {json.dumps(document)} ") is error
    assert not looks_like_provider_error(f"It said: {json.dumps(document)}")


@each_row(
    ("text", "error"),
    [
        ('{"error": ', False),
        ("[" * 30_000, False),
        ('{"a":' * 3000, False),
        ("Error code: 429 - {'error': 'x'}", True),
        ("litellm.Timeout: x", True),
        ("<html><head><title>502 Bad Gateway</title></head></html>", True),
        ("<html><body>A page about gateways.</body></html>", False),
        ("The error code is 429.", False),
        ("", False),
    ],
)
def test_a_text_is_an_error_where_all_of_it_is(text: str, error: bool) -> None:
    assert looks_like_provider_error(text) is error


def test_an_enormous_object_is_an_answer() -> None:
    padded = json.dumps({"error": {**MESSAGE, "x": ""}})
    assert looks_like_provider_error(padded.replace('""', f'"{"y" * (19_999 - len(padded))}"'))
    assert not looks_like_provider_error(padded.replace('""', f'"{"y" * (20_000 - len(padded))}"'))
