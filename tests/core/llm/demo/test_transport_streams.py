"""The scripted model writes its answer over its latency, and what comes is what it would have said whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.client import open_client
from modex.core.llm.pool import ClientPool
from modex.core.llm.types import Completion

ASKED = [
    {"role": "user", "content": "Explain in one sentence why the sky is blue, then say how many legs a spider has."}
]
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
Ask = Callable[..., Completion]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0.12")

    def send(*, stream: bool, tools: bool = False) -> Completion:
        pool = ClientPool(concurrency=1, timeout_s=30, max_outage_s=0, stream=stream)
        try:
            client = open_client(ModelSpec(model="demo/perfect"), pool=pool)
            return client.complete(ASKED, tools=[TOOL] if tools else None)
        finally:
            pool.close()

    return send


@pytest.mark.parametrize("tools", [False, True])
def test_a_streamed_answer_is_the_whole_one_and_is_timed(ask: Ask, tools: bool) -> None:
    streamed, whole = ask(stream=True, tools=tools), ask(stream=False, tools=tools)
    assert replace(streamed, timing=None, duration_ms=0) == replace(whole, timing=None, duration_ms=0)
    assert whole.timing is None
    assert streamed.timing is not None
    assert streamed.timing.first_s > 0
