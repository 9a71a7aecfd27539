"""The page on providers, made of the fixtures that the tests hold modex to."""

from __future__ import annotations

from collections.abc import Sequence

from modex.core.llm.quirks import CALL_FORMS, NOT_NOTED, PARAMETERS, ROWS, SENT_LIMIT, SERVICES, TAGS
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

*Written by `python -m docs.generate` from `tests/fixtures/providers` and `core/llm/quirks.py`; add a fixture or a row there, not
a line here.*

What each provider sends was put down as bytes, with the page or the thread that shows its shape, and a test
(`tests/core/llm/test_providers_bytes.py`) sends those bytes and looks at what a caller is told. So this page says what was tried
with such answers on a local server, not that the provider was called. `d` is the direct path (plain chat completions), `l` the
path through litellm, `·` not tried.

A cost is known where litellm's price table has the model. JSON schemas are sent for judges' ratings, for structured answers and
for PASS 2 (not where it copies SQL), to the providers marked [below](#who-is-asked-where) and there to the models that litellm's
price table says take them; a model that refuses is said and asked again without, and an answer of its own is flagged
`dropped_response_format`. Other models write PASS 2 as one marked line, in which LaTeX needs no escaping; both forms are read
alike.

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
    return "\n".join([*parts, _known()])


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


_KNOWN = """## Who is asked where

The prefix is litellm's. *Direct* says where the direct path finds it (`--api-base` or the variable says otherwise); *streams*,
whether its answers are streamed through litellm: those whose streams came as whole answers do when they were tried; *schemas*,
whether JSON schemas are sent. litellm knows more prefixes; what is not here is asked as litellm does.

"""
_QUIRKS = """
## What is known of single providers

The program asks this table and no branch of its own: no module of `core/llm` but `core/llm/quirks.py` names a provider. *not
noted* stands where a row came without the page that it was learnt from.

"""


def _known() -> str:
    """What `modex.core.llm.quirks` holds, as tables."""
    lines = [
        "| prefix | direct | keys, the usual one first | streams | schemas | where it was learnt |",
        "|---|---|---|:-:|:-:|---|",
    ]
    for row in SERVICES:
        where = row.base or (f"where `{row.base_variables[0]}` says" if row.direct else "·")
        keys = ", ".join(f"`{name}`" for name in row.keys) or "its own ways"
        ticks = " | ".join("yes" if known else "·" for known in (row.streams, row.schemas))
        lines.append(f"| `{row.prefix}` | {where} | {keys} | {ticks} | {_pages(row.learnt)} |")
    known = [
        *(("parameter refused", row.who, _codes(row.spellings), row.instead and f"`{row.instead}` instead", row.learnt)
          for row in PARAMETERS),
        *(("thinking in the text", row.who, _codes((row.opens, row.closes)), row.turn and f"`{row.turn}` behind it", row.learnt)
          for row in TAGS),
        *(("tool call in the text", row.who, _codes((row.opens, *row.closes)), row.name, row.learnt) for row in CALL_FORMS),
        ("limit that litellm sends", SENT_LIMIT.who, "", f"{SENT_LIMIT.tokens} tokens", (SENT_LIMIT.learnt,)),
        *((row.topic, row.who, _codes((*row.names, *([row.words] if row.words else []))), row.note, row.learnt) for row in ROWS),
    ]  # fmt: skip
    table = ["| what | who | names and words | note | where it was learnt |", "|---|---|---|---|---|"]
    table += [
        f"| {what} | {who} | {said} | {_cell(note)} | {_pages(learnt)} |" for what, who, said, note, learnt in known
    ]
    return _KNOWN + "\n".join(lines) + "\n" + _QUIRKS + "\n".join(table) + "\n"


def _codes(texts: Sequence[str]) -> str:
    return ", ".join(f"`` {_cell(text)} ``" if "`" in text else f"`{_cell(text)}`" for text in texts)


def _cell(text: str) -> str:
    """As it may stand in a table, in which a bar ends a cell."""
    return text.replace("|", "\\|")


def _pages(learnt: Sequence[str]) -> str:
    return ", ".join(learnt) if set(learnt) != {NOT_NOTED} else NOT_NOTED
