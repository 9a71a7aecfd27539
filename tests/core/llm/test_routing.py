from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.providers import split_provider
from modex.core.llm.quirks import PREFIXES
from modex.core.llm.routing import on_this_machine, route

LOCAL = "http://127.0.0.1:8000/v1"
NOT_TEXT = """
a2a_agent assemblyai aws_polly aws_textract azure_speech black_forest_labs cursor darkbloom deepgram elevenlabs fal_ai
humanloop infinity jina_ai langfuse manus meta milvus mongodb nadir pg_vector pinstripes prism recraft reducto
runwayml s3_vectors sail scx-ai soniox stability strands_decider topaz transcribe typesafe valkey voyage
"""


@pytest.fixture(autouse=True)
def no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_BASE_URL",
        "OPENAI_API_BASE",
        "OLLAMA_API_BASE",
        "HOSTED_VLLM_API_BASE",
        "ALL_PROXY",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("model", "base", "path", "name", "address"),
    [
        ("demo", None, "demo", "demo", None),
        ("demo/weak", None, "demo", "demo/weak", None),
        ("openai/gpt-4o", None, "direct", "gpt-4o", "https://api.openai.com/v1"),
        ("gpt-4o", None, "direct", "gpt-4o", "https://api.openai.com/v1"),
        ("groq/llama-3.3-70b", None, "direct", "llama-3.3-70b", "https://api.groq.com/openai/v1"),
        ("o3-pro", None, "litellm", "o3-pro", None),
        ("openai/responses/my-model", LOCAL, "litellm", "openai/responses/my-model", LOCAL),
        ("openai/qwen", LOCAL, "direct", "qwen", LOCAL),
        ("qwen", LOCAL + "/", "direct", "qwen", LOCAL),
        ("qwen", LOCAL + "/chat/completions", "direct", "qwen", LOCAL),
        ("meta-llama/Llama-3-8B", LOCAL, "direct", "meta-llama/Llama-3-8B", LOCAL),
        ("openai/meta-llama/Llama-3-8B", LOCAL, "direct", "meta-llama/Llama-3-8B", LOCAL),
        ("ollama/llama3", None, "direct", "llama3", "http://127.0.0.1:11434/v1"),
        ("ollama_chat/llama3:8b", "http://box:11434", "direct", "llama3:8b", "http://box:11434/v1"),
        ("hosted_vllm/x", LOCAL, "direct", "x", LOCAL),
        ("anthropic/claude-sonnet-4-5", None, "litellm", "anthropic/claude-sonnet-4-5", None),
        ("gemini/gemini-2.5-flash", None, "litellm", "gemini/gemini-2.5-flash", None),
        (
            "anthropic/claude-sonnet-4-5",
            "https://proxy.example",
            "litellm",
            "anthropic/claude-sonnet-4-5",
            "https://proxy.example",
        ),
        ("claude-sonnet-4-5", None, "litellm", "claude-sonnet-4-5", None),
    ],
)
def test_each_model_has_one_way(model: str, base: str | None, path: str, name: str, address: str | None) -> None:
    found = route(ModelSpec(model=model, api_base=base))
    assert (found.path, found.model, found.base) == (path, name, address)


@pytest.mark.parametrize(
    "base", ["localhost:8000", "ftp://x/v1", "http://", "http://[::1", "file:///etc/passwd", "http://x:99999"]
)
def test_an_address_that_is_none_is_refused(base: str) -> None:
    with pytest.raises(ConfigurationError, match="--api-base"):
        route(ModelSpec(model="m", api_base=base))


@pytest.mark.parametrize(
    ("model", "base", "by_responses"),
    [
        ("o3-pro", None, True),
        ("openai/responses/x", LOCAL, True),
        ("openai/o3-pro", LOCAL, False),
        ("gpt-4o", None, False),
    ],
)
def test_what_is_asked_by_the_responses_api_is_known(model: str, base: str | None, by_responses: bool) -> None:
    assert route(ModelSpec(model=model, api_base=base)).responses is by_responses


def test_a_missing_address_is_named() -> None:
    with pytest.raises(ConfigurationError, match="HOSTED_VLLM_API_BASE"):
        route(ModelSpec(model="hosted_vllm/x"))


def test_the_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", LOCAL)
    assert route(ModelSpec(model="gpt-4o")).base == LOCAL


def test_a_socks_proxy_needs_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://proxy:1080")
    assert route(ModelSpec(model="gpt-4o")).path == "litellm"
    assert route(ModelSpec(model="m", api_base=LOCAL)).path == "direct"


def test_loopback_is_this_machine_only() -> None:
    assert all(map(on_this_machine, ["http://localhost:1/v1", "http://127.0.0.2", "http://[::1]:8000/v1"]))
    assert not any(map(on_this_machine, ["http://10.0.0.1/v1", "https://localhost.example.com", None]))


def test_a_models_own_slash_is_no_provider() -> None:
    assert split_provider("Qwen/Qwen3-8B") == (None, "Qwen/Qwen3-8B")
    assert split_provider("openai/") == (None, "openai/")
    assert split_provider("groq/llama") == ("groq", "llama")


@pytest.mark.long
def test_every_text_provider_of_litellm_is_known() -> None:
    importlib.import_module("modex.core.llm.litellm_path")  # sets litellm up
    providers = {provider.value for provider in importlib.import_module("litellm").LlmProviders}
    not_text = set(NOT_TEXT.split())
    assert providers - not_text <= PREFIXES


@pytest.mark.process
def test_opening_a_client_imports_neither_litellm_nor_an_http_library() -> None:
    script = (
        "import sys; from modex.core.llm.client import open_client; from modex.core.llm.pool import ClientPool;"
        "from modex.core.config.runconfig import ModelSpec; p = ClientPool();"
        "open_client(ModelSpec(model='demo'), pool=p); open_client(ModelSpec(model='gemini/x'), pool=p);"
        "open_client(ModelSpec(model='m', api_base='http://127.0.0.1:1/v1'), pool=p);"
        "print(*{'litellm', 'httpx', 'aiohttp', 'openai', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
