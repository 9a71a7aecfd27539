"""A redirect is refused on every path to every provider: another host gets no key, no prompt, and its answer is not read."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ModelCallError
from modex.core.llm import egress
from modex.core.llm.client import open_client
from modex.core.llm.pool import ClientPool
from modex.core.llm.providers import DIRECT, KEY_VARIABLES
from modex.core.llm.retry import RetryPolicy
from tests.core.llm.test_providers_bytes import THROUGH_LITELLM
from tests.server.raw import Asked, RawServer

CANARY = "sk-canary-0123456789"
ANSWER = json.dumps(
    {
        "id": "x", "object": "chat.completion", "model": "m", "created": 1, "type": "message", "role": "assistant",
        "content": [{"type": "text", "text": "stolen"}], "stop_reason": "end_turn",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "stolen"}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "input_tokens": 1, "output_tokens": 1},
    }
).encode()  # fmt: skip
MODELS = sorted(
    {*THROUGH_LITELLM.values(), "gemini/gemini-2.5-pro", "cohere/command-r", "cohere_chat/command-r", "azure_ai/mistral-large",
     *(f"{name}/m" for name in {*KEY_VARIABLES, *DIRECT} - {"cohere", "cohere_chat", "azure_ai"})}
)  # fmt: skip
UNREACHABLE = {
    "cloudflare/m", "codestral/m", "github/m", "replicate/m", "watsonx/m", "azure_ai/mistral-large", "huggingface/m",
    "openai_like/m",
}  # fmt: skip
"""Models that litellm does not ask at the address given, or not without an account; their requests are counted too."""


def _http(status: int, body: bytes, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Pair:
    """A host that sends everybody away, and the one where they should go."""

    def __init__(self) -> None:
        self.status = 307
        self.to_itself = False
        self.thief = RawServer(lambda _: _http(200, ANSWER))
        self.host = RawServer(self._away)

    def _away(self, _: Asked) -> bytes:
        # With an answer of its own, which a client that looks at no status would take.
        to = "/elsewhere" if self.to_itself else f"{self.thief.url}/v1/chat/completions"
        return _http(self.status, ANSWER, Location=to)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    made = Pair()
    with made.host, made.thief:
        yield made


@pytest.fixture(scope="module")
def engine() -> Iterator[ClientPool]:
    """The pool whose litellm all share, because starting it is slow."""
    with ClientPool() as made:
        made.litellm()
        yield made


@pytest.fixture
def pool(engine: ClientPool) -> Iterator[ClientPool]:
    """A pool with gates of its own."""
    with gated(engine) as made:
        yield made


@contextlib.contextmanager
def gated(engine: ClientPool) -> Iterator[ClientPool]:
    """A pool with gates of its own: a refusal shuts the gate, and what is asked behind it is not asked."""
    made = ClientPool(concurrency=4, timeout_s=20)
    made.policy = RetryPolicy(first_wait_s=0, attempts=1, rate_limit_attempts=1)
    made._engine = engine.litellm()
    yield made
    made._engine = None
    made.close()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variables in (*KEY_VARIABLES.values(), *(endpoint.key_variables for endpoint in DIRECT.values())):
        for variable in variables:
            monkeypatch.setenv(variable, CANARY)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIA0000000000000000")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary-canary-canary")
    monkeypatch.setenv("AWS_REGION_NAME", "us-east-1")
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")  # what asks another address than the one given, asks nobody
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(variable, "127.0.0.1,localhost")


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "stream"),
    [*((model, False) for model in MODELS), *((model, True) for model in sorted(THROUGH_LITELLM.values()))],
)
def test_a_key_and_a_prompt_never_leave_their_host(model: str, stream: bool, pair: Pair, pool: ClientPool) -> None:
    pair.status = 307 if stream else 302
    pool.stream = stream
    before = len(pair.host.asked)
    client = open_client(ModelSpec(model=model, api_base=pair.host.url), pool=pool, via="litellm")
    with pytest.raises(ModelCallError) as raised:
        client.complete([{"role": "user", "content": "canary-prompt"}])
    assert pair.thief.asked == []
    reached = len(pair.host.asked) > before
    if reached:
        assert "redirects to" in str(raised.value), raised.value
        assert raised.value.fatal
    assert CANARY not in str(raised.value)
    assert reached or model in UNREACHABLE, raised.value


@pytest.mark.parametrize("to_itself", [False, True], ids=["to another host", "to the same host"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_both_paths_refuse_and_say_where_it_leads(
    status: int, to_itself: bool, pair: Pair, engine: ClientPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.status = status
    monkeypatch.setattr(pair, "to_itself", to_itself)
    before = len(pair.host.asked)
    said = []
    for via in ("direct", "litellm"):
        with gated(engine) as pool:
            client = open_client(ModelSpec(model="openai/m", api_base=pair.host.url), pool=pool, via=via)
            with pytest.raises(ModelCallError) as raised:
                client.complete([{"role": "user", "content": "2+2?"}])
        said.append(str(raised.value))
    to = "/elsewhere" if to_itself else pair.thief.url
    assert all(f"redirected ({status})" in words and f"redirects to {to}" in words for words in said), said
    assert len(pair.host.asked) == before + 2, "each path asks once, and goes nowhere else"
    assert pair.thief.asked == []


def test_every_status_that_sends_elsewhere_is_known() -> None:
    assert sorted(egress._MOVED) == [301, 302, 303, 307, 308]
