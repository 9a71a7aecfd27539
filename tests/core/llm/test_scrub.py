from __future__ import annotations

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.scrub import foreign_secrets, sendable
from modex.core.llm.types import Message
from modex.core.safety.credentials import VARIABLE

KEY = "canary-key-Zq81XwPLm2"
OTHER = "other-key-77TbVkUy-12"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two providers' keys."""
    monkeypatch.setenv(VARIABLE, "{}")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", OTHER)


def test_a_key_is_told_to_no_host_but_its_own() -> None:
    said: list[Message] = [
        {"role": "user", "content": f"{KEY} and {OTHER}"},
        {"role": "assistant", "tool_calls": [{"arguments": OTHER}]},
    ]
    sent = sendable(said, foreign_secrets(ModelSpec(model="openai/m")))
    assert sent == [
        {"role": "user", "content": f"{KEY} and [redacted]"},
        {"role": "assistant", "tool_calls": [{"arguments": "[redacted]"}]},
    ]


def test_the_password_of_an_address_goes_to_no_other() -> None:
    there = ModelSpec(model="openai/m", api_base="http://me:Uy77TbVk@host/v1")
    said = [{"role": "user", "content": "Uy77TbVk is sent as bWU6VXk3N1RiVms="}]
    assert sendable(said, foreign_secrets(there)) is said
    sent = sendable(said, foreign_secrets(ModelSpec(model="openai/m", api_base="http://other/v1")))
    assert sent[0]["content"] == "[redacted] is sent as [redacted]"


def test_messages_without_keys_are_the_same_object() -> None:
    said = [{"role": "user", "content": "basic arithmetic with sk-learn"}]
    assert sendable(said, foreign_secrets(ModelSpec(model="openai/m"))) is said
