"""Answers of tools kept in files and given again: a run that is repeated meets the same world, with the tools switched off.

One file a tool, `TOOL.jsonl`, a line a call: who asked (the sample), the arguments, which call with these arguments it was
within the sample, and the answer. Of two lines for the same call the later one holds.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import threading
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError, ErrorType, ModelCallError
from core.suite.definitions import ToolDefinition
from core.tools.base import STATE, ToolResult, ToolSession

_COUNTS = "$cassette"
_Key = tuple[str, str, int]


def _canonical(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _occurrence(tool: ToolDefinition, arguments: str, session: ToolSession) -> int:
    """Which call of the tool with these arguments this is within the sample, from 1."""
    counts: dict[tuple[str, str], int] = session.state.setdefault(_COUNTS, {})
    counts[tool.name, arguments] = counts.get((tool.name, arguments), 0) + 1
    return counts[tool.name, arguments]


def _file_of(folder: Path, tool: ToolDefinition) -> Path:
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", tool.name)
    if plain == tool.name:
        return folder / f"{plain}.jsonl"
    return folder / f"{plain}-{hashlib.blake2b(tool.name.encode(), digest_size=4).hexdigest()}.jsonl"


class Recorder:
    """Keeps answers in a folder; safe from any thread."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where it is not there.

        Raises:
            ConfigurationError: it cannot be made or written.
        """
        self._folder = folder
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"--record {folder}: {error.strerror or error}") from error

    def keep(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession, result: ToolResult) -> None:
        """Add the answer to the tool's file.

        Raises:
            ModelCallError: the file cannot be written: a recording with holes would answer wrongly later.
        """
        canonical = _canonical(arguments)
        row = {
            "sample": session.seed, "arguments": arguments, "occurrence": _occurrence(tool, canonical, session),
            "content": result.content, "is_error": result.is_error, "duration_ms": result.duration_ms,
        }  # fmt: skip
        if session.state.get(STATE):
            row["state"] = session.state[STATE]
        line = json.dumps(row, ensure_ascii=True) + "\n"
        try:
            # One write to the system a line: other processes of the run may add theirs at the same moment.
            with self._lock, _file_of(self._folder, tool).open("ab", buffering=0) as file:
                file.write(line.encode("ascii"))
        except OSError as error:
            said = f"{tool.name} answered, but --record {self._folder} cannot be written: {error.strerror or error}"
            raise ModelCallError(said, ErrorType.TOOL_UNAVAILABLE) from error


class Replayer:
    """Gives the answers of a recording; what was not recorded is an error that names the call."""

    def __init__(self, folder: Path) -> None:
        """Read the recording.

        Raises:
            ConfigurationError: there is none, or a line of it is damaged.
        """
        self._folder = folder
        self._answers: dict[str, dict[_Key, ToolResult]] = {}
        self._states: dict[str, dict[_Key, dict[str, Any]]] = {}
        """What the mocks knew after a sample's call, where they knew anything."""
        self._anyones: dict[str, dict[tuple[str, int], ToolResult | None]] = {}
        self._lock = threading.Lock()
        if not folder.is_dir() or not any(folder.glob("*.jsonl")):
            raise ConfigurationError(f"--replay {folder}: there is no recording in this folder; --record makes one")

    def give(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """The recorded answer: this sample's, else one that all samples got alike.

        Raises:
            ModelCallError: this call was not recorded.
            ConfigurationError: the tool's file is damaged.
        """
        canonical = _canonical(arguments)
        occurrence = _occurrence(tool, canonical, session)
        with self._lock:
            if tool.name not in self._answers:
                self._read(tool)
        key = (session.seed, canonical, occurrence)
        own = self._answers[tool.name].get(key)
        if own is not None and key in self._states[tool.name]:
            session.state[STATE] = copy.deepcopy(self._states[tool.name][key])
        found = own or self._anyones[tool.name].get((canonical, occurrence))
        if found is None:
            said = f"no answer is recorded for call {occurrence} of {tool.name}({canonical[:300]}) in {self._folder}"
            raise ModelCallError(f"{said}; record again with --record", ErrorType.TOOL_UNAVAILABLE)
        return found

    def _read(self, tool: ToolDefinition) -> None:
        path = _file_of(self._folder, tool)
        answers: dict[_Key, ToolResult] = {}
        states: dict[_Key, dict[str, Any]] = {}
        for number, line in enumerate(_lines(path), 1):
            try:
                row = json.loads(line)
                key = (str(row["sample"]), _canonical(row["arguments"]), int(row["occurrence"]))
                answers[key] = ToolResult(str(row["content"]), bool(row["is_error"]), int(row["duration_ms"]))
                if isinstance(row.get("state"), dict):
                    states[key] = row["state"]
            except (ValueError, KeyError, TypeError) as error:
                raise ConfigurationError(f"{path}:{number}: this line of the recording is damaged ({error})") from error
        anyones: dict[tuple[str, int], ToolResult | None] = {}
        for (_, canonical, occurrence), result in answers.items():
            known = anyones.setdefault((canonical, occurrence), result)
            if known is not None and (known.content, known.is_error) != (result.content, result.is_error):
                anyones[canonical, occurrence] = None  # samples got different answers, so nobody's is anyone's
        self._answers[tool.name], self._anyones[tool.name] = answers, anyones
        self._states[tool.name] = states


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the recording cannot be read ({error})") from error
