"""What a run's `agent` names: a command, a Python function, or a file of answers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from modex.core.foundation.errors import ConfigurationError

_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
PREFIX = "answers:"
"""What a run's `agent` begins with where its answers come from a file."""


def file_of(agent: str | None) -> Path | None:
    """The file whose answers a run takes; None for a run that asks."""
    return Path(agent.removeprefix(PREFIX)) if agent is not None and agent.startswith(PREFIX) else None


def is_function(agent: str) -> bool:
    """Whether an agent is a Python function, as `module:function`."""
    words = command_words(agent)
    return len(words) == 1 and _FUNCTION.fullmatch(words[0]) is not None


def is_asked(agent: str | None) -> bool:
    """Whether there is an agent that is asked: answers that are there already are not."""
    return agent is not None and file_of(agent) is None


def agent_name(command: str) -> str:
    """What a run's model is called where only an agent is named: `agent/` and the program's, script's or function's name."""
    words = command_words(command)
    scripts = [word for word in words if word.endswith((".py", ".sh", ".js"))]
    said = scripts[0] if scripts else words[0] if words else "agent"
    return "agent/" + (re.sub(r"[^\w.:-]", "_", said if _FUNCTION.fullmatch(said) else Path(said).stem) or "agent")


def command_words(command: str) -> list[str]:
    """The words of a command.

    Raises:
        ConfigurationError: a quote is not closed.
    """
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigurationError(f"--agent: the command cannot be read ({error}); write it as in a shell") from None


def command_of(command: str, folder: str | None) -> list[str]:
    """The words of an agent's command; a `module:function` is a process of this Python that calls it.

    Raises:
        ConfigurationError: the command cannot be read, or its program is not there.
    """
    words = command_words(command)
    if not words:
        raise ConfigurationError("--agent: name a command, or a Python function as module:function")
    if is_function(command):
        return [sys.executable, "-m", "modex.core.pipeline.rollout.agent_child", words[0]]
    program = shutil.which(words[0], path=f"{folder}{os.pathsep}{os.environ.get('PATH', '')}" if folder else None)
    beside = Path(folder or ".", words[0])
    if program is None and not (os.sep in words[0] and os.access(beside, os.X_OK)):
        raise ConfigurationError(
            f"--agent: there is no program {words[0]!r}; name one, or a function as module:function"
        )
    return [program or str(beside), *words[1:]]
