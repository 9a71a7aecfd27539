"""Which program serves a file of weights here: `llama-server` where it is on PATH, else llama.cpp in the wheel `xllamacpp`."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shlex
import shutil
from dataclasses import dataclass

from modex.core.config.entries.inside import INSTALL
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.processes import spawned
from modex.core.llm.served.wish import Wish

SERVER = "llama-server"
WHEEL = "xllamacpp"
_ALL_LAYERS = 999
KEY_VARIABLES = ("LLAMA_API_KEY", "VLLM_API_KEY", "MODEX_SERVED_KEY")
"""Where a server looks for the key that it is to ask for: an argument could be read by everyone on the machine.
https://github.com/ggml-org/llama.cpp/tree/master/tools/server, https://docs.vllm.ai/en/latest/serving/openai_compatible_server/."""


@dataclass(frozen=True, slots=True)
class Program:
    """What serves, as a person knows it."""

    name: str
    path: str = ""


def find_program() -> Program:
    """The program that serves weights on this machine.

    Raises:
        ConfigurationError: there is none; the message has the command that installs one.
    """
    if path := shutil.which(SERVER):
        return Program(SERVER, path)
    if importlib.util.find_spec(WHEEL) is not None:
        return Program(f"{WHEEL} {importlib.metadata.version(WHEEL)}")
    raise ConfigurationError(
        f"nothing here can serve a .gguf file: install llama.cpp's {SERVER}, or its wheel: {INSTALL}"
    )


def words_of(wish: Wish, port: int) -> list[str]:
    """The command that serves `wish` at a loopback port.

    Raises:
        ConfigurationError: no program is there, or the command cannot be read.
    """
    if wish.file is None:
        return _filled(wish, port)
    program = find_program()
    if not program.path:
        return [*spawned("modex.core.llm.served.host"), json.dumps({**_options(wish), "port": port})]
    options = _options(wish)
    words = [program.path, "-m", wish.file, "--host", "127.0.0.1", "--port", str(port), "--alias", wish.name, "--jinja"]
    words += ["-c", str(options["context"]), "-np", str(wish.slots), "-t", str(wish.threads)]
    if "gpu_layers" in options:
        words += ["-ngl", str(options["gpu_layers"])]
    if wish.template:
        words += ["--chat-template", wish.template]
    return words


def _options(wish: Wish) -> dict[str, object]:
    """Of a file of weights; the context is that of all slots together."""
    found: dict[str, object] = {
        "file": wish.file,
        "name": wish.name,
        "context": wish.context * wish.slots,
        "slots": wish.slots,
        "threads": wish.threads,
        "template": wish.template or "",
    }
    if wish.gpu_layers is not None:
        found["gpu_layers"] = _ALL_LAYERS if wish.gpu_layers == "all" else wish.gpu_layers
    return found


def _filled(wish: Wish, port: int) -> list[str]:
    """The words of a command of the user's own; no shell reads them."""
    given = {"port": str(port), "context": str(wish.context or ""), "slots": str(wish.slots or "")}
    try:
        words = shlex.split(wish.command or "")
    except ValueError as error:
        raise ConfigurationError(f"serve.command {wish.command!r}: {error}; check its quotes") from None
    if not words or "{port}" not in (wish.command or ""):
        raise ConfigurationError(f"serve.command {wish.command!r}: write {{port}} where the server takes its port")
    for name, value in given.items():
        words = [word.replace(f"{{{name}}}", value) for word in words]
    words[0] = os.path.expanduser(words[0])  # noqa: PTH111 - a Path would lose the ./ that keeps it off PATH
    return words
