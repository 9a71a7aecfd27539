"""What commands share: JSON of any size is printed as one text, redacted, without being held whole."""

from __future__ import annotations

import json

import pytest

from core.safety import without_secrets
from tui.commands.options import print_json


def test_long_json_is_printed_in_pieces_as_it_would_be_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-known-4f9a1c7e2b8d6035")
    value = {
        "tests": [
            {"id": f"t{number}", "said": f"api_key=sk-{number:016d}", "scores": [0.5, None]} for number in range(9000)
        ],
        "none": [],
        "more": {"authorization": "Bearer sk-known-4f9a1c7e2b8d6035"},
    }
    print_json(value)
    whole = json.dumps(value, indent=2)
    assert len(whole) > 3 << 18
    assert capsys.readouterr().out == without_secrets(whole) + "\n" != whole + "\n"
