"""The page on providers, made of the fixtures that the tests hold modex to."""

from __future__ import annotations

from collections.abc import Sequence

from tests.server.fixtures import Fixture, fixtures

COLUMNS = (
    "chat", "thinking", "tools", "tools with thinking", "structured output", "usage", "cost", "cut-off", "filter", "401", "404",
    "429", "5xx", "overload", "context full", "quota",
)  # fmt: skip
NAMES = {
    "anthropic": "Anthropic",
    "azure": "Azure OpenAI",
    "bedrock": "Amazon Bedrock",
    "deepseek": "DeepSeek",
    "gateways": "nginx, portals in between",
    "gemini": "Gemini",
    "gemini_openai": "Gemini, OpenAI's form",
    "groq": "Groq",
    "litellm_proxy": "litellm proxy",
    "llamacpp": "llama.cpp",
    "mistral": "Mistral",
    "ollama": "Ollama",
    "openai": "OpenAI",
    "openai_responses": "OpenAI, Responses API",
    "openrouter": "OpenRouter",
    "tgi": "TGI",
    "together": "Together",
    "vllm": "vLLM",
    "xai": "xAI",
}
_MARKS = {"direct": "d", "litellm": "l"}
_HEAD = """# Providers

*Written by `python -m docs.generate` from `tests/fixtures/providers`; add a fixture there, not a line here.*

What each provider sends was put down as bytes, with the page or the thread that shows its shape, and a test
(`tests/core/llm/test_providers_bytes.py`) sends those bytes and looks at what a caller is told. So this page says what was tried
with such answers on a local server, not that the provider was called. `d` is the direct path (plain chat completions), `l` the
path through litellm, `·` not tried.

A cost is known where litellm's price table has the model. JSON schemas are sent for judges' ratings, for structured answers and
for PASS 2 (not where it copies SQL), to models of OpenAI, Azure, Gemini, xAI and Groq that the table says take them; a model that
refuses is said and asked again without, and an answer of its own is flagged `dropped_response_format`. Other models write PASS 2
as one marked line, in which LaTeX needs no escaping; both forms are read alike.

## What was tried

"""


def providers() -> str:
    """The page."""
    found = fixtures()
    folders = sorted({fixture.provider for fixture in found}, key=lambda name: NAMES[name].lower())
    lines = [f"| provider | {' | '.join(COLUMNS)} |", "|---|" + ":-:|" * len(COLUMNS)]
    for folder in folders:
        own = [fixture for fixture in found if fixture.provider == folder]
        lines.append(f"| {NAMES[folder]} | {' | '.join(_mark(own, column) for column in COLUMNS)} |")
    parts = [_HEAD + "\n".join(lines) + "\n\n## What it means\n"]
    for folder in folders:
        rows = [_row(fixture) for fixture in found if fixture.provider == folder]
        head = "| case | shows | paths | a caller is told | where the shape comes from |\n|---|---|---|---|---|\n"
        parts.append(f"### {NAMES[folder]}\n\n{head}" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _mark(own: Sequence[Fixture], column: str) -> str:
    paths = {path for fixture in own if column in fixture.shows for path in fixture.paths}
    if column == "cost":
        paths &= {"litellm"}  # the direct path is tried with a model's name that no price table has
    return " ".join(_MARKS[path] for path in _MARKS if path in paths) or "·"


def _row(fixture: Fixture) -> str:
    paths = " ".join(_MARKS[path] for path in fixture.paths)
    return f"| `{fixture.case}` | {', '.join(fixture.shows)} | {paths} | {_told(fixture)} | {fixture.source} |"


def _told(fixture: Fixture) -> str:
    means = fixture.means
    if means.get("no_tools"):
        return "no tools here: asked by the text protocol"
    if "refused" in means:
        instead = f", `{means['instead']}` sent instead" if "instead" in means else ""
        return f"`{means['refused']}` is refused: asked without it{instead}, flagged"
    if "error" in means:
        end = (
            ", ends the run" if means.get("fatal") else ", tried again" if means.get("retry") or "wait" in means else ""
        )
        wait = f" after {means['wait']:g} s" if "wait" in means else ""
        return f"error `{means['error']}`{end}{wait}"
    told = ["answer"]
    if means.get("flags"):
        told.append(f"flagged `{'`, `'.join(means['flags'])}`")
    if "reasoning" in means or "reasoning_tokens" in means:
        told.append("thinking apart")
    if "tool" in means:
        told.append("tool call")
    if "usage" in means:
        told.append("tokens counted")
    return ", ".join(told)
