from __future__ import annotations

import pytest

from core.llm.reply import Reply
from core.llm.scrub import scrubbed, secrets_of
from core.llm.types import ToolCall
from core.runconfig import ModelSpec
from core.safety.credentials import VARIABLE

KEY = "canary-key-123456"


def test_the_key_leaves_every_part_of_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    reply = Reply(f"a {KEY}", f"b {KEY}", (ToolCall(KEY, KEY, f'{{"k": "{KEY}"}}'),), KEY)
    assert KEY not in repr(scrubbed(reply, secrets_of(ModelSpec(model="openai/m"))))


def test_the_password_of_the_address_leaves_too_also_as_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "{}")
    spec = ModelSpec(model="openai/m", api_base="http://me:secretive@host/v1")
    said = scrubbed(Reply("secretive, sent as Basic bWU6c2VjcmV0aXZl"), secrets_of(spec)).content
    assert said == "[redacted], sent as Basic [redacted]"


def test_a_reply_without_secrets_is_the_same_object_and_a_short_key_blots_out_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "{}")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    reply = Reply("an example")
    assert scrubbed(reply, secrets_of(ModelSpec(model="openai/m"))) is reply
