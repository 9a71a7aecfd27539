"""Every key of an entry of `models.toml`, once: what it says, how it is read, and the field of `ModelSpec` it becomes.

No pydantic, as in `modex.core.config.values`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from modex.core.config import values
from modex.core.config.options import BY_NAME, MOST_SEED
from modex.core.safety.redact import redact

NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
"""An entry's name: one word."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,200}")
REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""`${NAME}` in a header's value."""
_OF_THE_CALL = ("model", "messages", "stream", "stream_options", "tools", "response_format")
"""Fields of a request that are this program's to fill in."""
_SECRET_HEADER = re.compile(r"(?i)authorization|cookie|api[-_]?key|(^|[-_])(key|token|secret|password|auth)($|[-_])")
_KEYS = frozenset(
    ["api_key", "apikey", "key", "keys", "token", "access_token", "secret", "password", "authorization", "bearer"]
)
"""What a key itself might be called."""
_ENDS_AS_A_KEY = re.compile(r"(api|access|auth|client|private|hf|session)_?(key|token|secret)$|password$|passwd$")
_KEY_OPTION = re.compile(
    r"(?i)--?(?:[a-z]+[-_])*(?:(?:api|access|auth|client|hf|private)[-_]?(?:key|token|secret)|password)"
    r"[= ]+(?![\s'\"]*[${])\S"
)
"""A key as an argument of a command; `$NAME` and `{…}` are none."""
SERVES_A_FILE = ("context", "threads", "slots", "gpu_layers")
SERVES_A_COMMAND = ("command", "ready", "start_timeout")


@dataclass(frozen=True, slots=True)
class EntryKey:
    """One key; a dotted name stands in a table of the entry (`params.temperature`)."""

    name: str
    read: values.Read
    help: str
    """One sentence, without the full stop."""
    place: str
    """The field of `ModelSpec`; dotted below `serve`."""
    example: str = ""
    """A value as it stands in the file."""

    @property
    def option(self) -> str:
        """The option of a run that says the same for every model of a command; empty where there is none."""
        return _OPTIONS.get(self.name, "")


def _option(name: str) -> values.Read:
    return BY_NAME[name].read


def some_text(value: Any) -> str:
    """A text that says something.

    Raises:
        TypeError: it is no text.
        ValueError: it is empty.
    """
    if not values.text(value).strip():
        raise ValueError("must not be empty")
    return str(value).strip()


def _address(value: Any) -> str:
    address = some_text(value)
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port above 65535, brackets that do not close
        is_whole = False
    if not is_whole or any(letter.isspace() for letter in address):
        raise ValueError("must be an address such as http://gpu1:8000/v1")
    if redact(address) != address or "@" in address.partition("://")[2].partition("/")[0]:
        raise ValueError(
            "holds a password or a key, which does not belong into this file; name the key's variable with api_key_env"
        )
    return address


def _variable(value: Any) -> str:
    name = some_text(value)
    if not _VARIABLE.fullmatch(name) or redact(name) != name:
        raise ValueError('must be the name of a variable, such as "GPU1_KEY", and never the key itself')
    return name


def _headers(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise TypeError('must be a table of texts such as { "X-Team" = "eval" }')
    for name, text in value.items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not (text.isprintable() and text.isascii()):
            raise ValueError(f"{name[:40]!r} is no header that can be sent; write ASCII on one line")
        bare = REFERENCE.sub("", text)
        if redact(f"{name}: {bare}") != f"{name}: {bare}" or (_SECRET_HEADER.search(name) and bare == text):
            raise ValueError(f"{name} holds a key; write ${{NAME}} in its place, NAME being the variable that holds it")
    return dict(value)


def _stop(value: Any) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not several or not all(isinstance(one, str) and one for one in several):
        raise TypeError('must be a text or a list of them, such as ["\\n\\n"]')
    return tuple(several)


def _extra_body(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("must be a table such as { top_k = 20 }")
    if taken := next((name for name in value if name in _OF_THE_CALL), None):
        raise ValueError(f"{taken} is filled in for each call; leave it out")
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise TypeError("must hold what JSON can say: texts, numbers, true, false, lists and tables") from None
    if redact(text) != text or any(_named_keys(value)):
        raise ValueError("holds a key, which does not belong into this file; name its variable in a header: ${NAME}")
    return dict(value)


def _named_keys(value: Any) -> Iterator[str]:
    """What is called as a key is and holds a text, however deep."""
    if isinstance(value, dict):
        for name, below in value.items():
            if isinstance(below, str) and below and is_a_key_itself(name):
                yield name
            yield from _named_keys(below)
    elif isinstance(value, list):
        for below in value:
            yield from _named_keys(below)


def _layers(value: Any) -> int | str:
    try:
        return "all" if value == "all" else int(values.number(least=0, most=100_000, whole=True)(value))
    except (TypeError, ValueError) as error:
        raise ValueError(f'{error}, or "all"') from None


def _command(value: Any) -> str:
    command = some_text(value)
    if "{port}" not in command:
        raise ValueError('must hold {port}, as "vllm serve my/model --port {port}": the server is to listen there')
    if redact(command) != command or _KEY_OPTION.search(command):
        raise ValueError("holds a key, which does not belong into this file; give it in a variable of the environment")
    return command


def _path(value: Any) -> str:
    path = some_text(value)
    if not path.startswith("/"):
        raise ValueError('must be a path such as "/health"')
    return path


_AT_LEAST_ONE = values.number(least=1, most=100_000_000, whole=True)
_SHARE = values.number(least=0, most=1)
_PENALTY = values.number(least=-2, most=2)
KEYS: tuple[EntryKey, ...] = (
    EntryKey("model", some_text, "The model as the provider layer names it", "model", '"openai/Qwen/Qwen2.5-0.5B"'),
    EntryKey("api_base", _address, "Address of an OpenAI-compatible server", "api_base", '"http://gpu1:8000/v1"'),
    EntryKey("api_key_env", _variable, "The variable that holds the key; a key itself is refused", "api_key_env",
             '"GPU1_KEY"'),
    EntryKey("headers", _headers, "Sent with each call; `${NAME}` is what that variable holds", "headers",
             '{ "X-Team" = "eval" }'),
    EntryKey("params.temperature", _option("temperature"), "Sampling temperature", "temperature", "0.2"),
    EntryKey("params.max_tokens", _option("max_tokens"), "Most tokens of one answer", "max_tokens", "512"),
    EntryKey("params.seed", values.number(least=-MOST_SEED, most=MOST_SEED, whole=True), "Seed of the sampling", "seed",
             "7"),
    EntryKey("params.reasoning_effort", some_text, "As the provider names it", "reasoning_effort", '"low"'),
    EntryKey("params.top_p", _SHARE, "Share of the likeliest tokens that are drawn from", "top_p", "0.9"),
    EntryKey("params.frequency_penalty", _PENALTY, "Against tokens by how often they were said", "frequency_penalty",
             "0.5"),
    EntryKey("params.presence_penalty", _PENALTY, "Against tokens that were said", "presence_penalty", "0.5"),
    EntryKey("params.stop", _stop, "Texts at which an answer ends", "stop", '["\\n\\n"]'),
    EntryKey("params.extra_body", _extra_body, "Fields of the request that only some servers know", "extra_body",
             "{ top_k = 20 }"),
    EntryKey("prices.input", _option("input_price"), "USD per million prompt tokens", "input_price", "0.10"),
    EntryKey("prices.output", _option("output_price"), "USD per million completion tokens", "output_price", "0.40"),
    EntryKey("concurrency", _option("concurrency"), "Calls at once", "concurrency", "16"),
    EntryKey("timeout", _option("timeout"), "Seconds that one call may take", "timeout_s", "120"),
    EntryKey("gguf", some_text, "A file that modex serves; a relative path starts at this file", "gguf",
             '"~/models/mine-Q4_K_M.gguf"'),
    EntryKey("serve.context", _AT_LEAST_ONE, "Tokens of context of each slot", "serve.context", "8192"),
    EntryKey("serve.threads", _AT_LEAST_ONE, "Threads that compute", "serve.threads", "6"),
    EntryKey("serve.slots", _AT_LEAST_ONE, "Answers at once", "serve.slots", "4"),
    EntryKey("serve.gpu_layers", _layers, "Layers on the graphics card, a number or all", "serve.gpu_layers", '"all"'),
    EntryKey("serve.command", _command, "What starts a server that listens at `{port}`, run in this file's folder",
             "serve.command", '"vllm serve my/model --port {port}"'),
    EntryKey("serve.ready", _path, "The path that answers once it is ready", "serve.ready", '"/health"'),
    EntryKey("serve.start_timeout", values.number(above=0, most=86_400), "Seconds that it may take until then",
             "serve.start_timeout", "600"),
)  # fmt: skip
_OPTIONS = {
    "api_base": "api_base",
    "params.temperature": "temperature",
    "params.max_tokens": "max_tokens",
    "params.seed": "seed",
    "params.reasoning_effort": "reasoning_effort",
    "prices.input": "input_price",
    "prices.output": "output_price",
    "concurrency": "concurrency",
    "timeout": "timeout",
}
BY_KEY: Mapping[str, EntryKey] = {key.name: key for key in KEYS}
TABLES = tuple(dict.fromkeys(key.name.partition(".")[0] for key in KEYS if "." in key.name))
"""The keys that are tables: `params`, `prices`, `serve`."""
OTHER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("base_url", "url", "base", "address", "endpoint", "host", "server", "api_url"), "api_base"),
    **dict.fromkeys(("env", "key_env", "api_key_var", "key_var", "key_variable", "api_key_name"), "api_key_env"),
    **dict.fromkeys(("name", "id", "model_name"), "model"),
    **dict.fromkeys(("file", "path", "model_path", "weights"), "gguf"),
    **dict.fromkeys(("extra_headers", "default_headers"), "headers"),
    **dict.fromkeys(("cost", "costs", "pricing"), "prices"),
    **dict.fromkeys(("parallel", "max_concurrency", "workers"), "concurrency"),
    **dict.fromkeys(("parameters", "sampling", "options"), "params"),
    **dict.fromkeys(("n_ctx", "ctx", "context_length", "ctx_size"), "serve.context"),
    **dict.fromkeys(("max_output_tokens", "max_completion_tokens", "max_new_tokens"), "params.max_tokens"),
    **dict.fromkeys(
        ("top_k", "min_p", "repetition_penalty", "repeat_penalty", "chat_template_kwargs", "guided_json"),
        "params.extra_body",
    ),
}
"""What other programs call a key of an entry."""
TOP = tuple(dict.fromkeys(key.name.partition(".")[0] for key in KEYS))
"""What may stand in an entry itself."""


def is_a_key_itself(name: str) -> bool:
    """Whether a value of this name would be a key."""
    plain = name.lower().replace("-", "_")
    return plain in _KEYS or _ENDS_AS_A_KEY.search(plain) is not None
