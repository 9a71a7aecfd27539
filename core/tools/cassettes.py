"""Answers of tools kept in files and given again: a run that is repeated meets the same world, with the tools switched off.

One file a tool, `TOOL.jsonl`, a line a call: who asked (the sample), the arguments, which call with these arguments it was
within the sample, and the answer. Of two lines for the same call the later one holds. The folder is the driver's: a worker
process hands it what its tools said, or asks it (`core/engine/executors/remote.py`).
"""

from __future__ import annotations

import base64
import copy
import errno
import hashlib
import json
import os
import re
import stat
import threading
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.suite.definitions import ToolDefinition
from modex.core.suite.files import FileFaultError, read_bytes
from modex.core.tools.base import STATE, ToolImage, ToolResult, ToolSession

_COUNTS = "$cassette"


class CassetteKey(NamedTuple):
    """One call of a tool, by what finds it again."""

    tool: str
    sample: str
    arguments: str
    """As canonical JSON."""
    occurrence: int
    """Which call of the tool with these arguments this is within the sample, from 1."""


class RecordedCall(NamedTuple):
    """What a recording holds of a call."""

    result: ToolResult
    state: dict[str, Any] | None
    """What the mocks knew after it, where they knew anything."""


def _call(tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> CassetteKey:
    """The call that a sample makes now; it is counted."""
    canonical = _canonical(arguments)
    counts: dict[tuple[str, str], int] = session.state.setdefault(_COUNTS, {})
    counts[tool.name, canonical] = counts.get((tool.name, canonical), 0) + 1
    return CassetteKey(tool.name, session.seed, canonical, counts[tool.name, canonical])


def _canonical(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _file_name(tool: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", tool)
    if plain == tool:
        return f"{plain}.jsonl"
    return f"{plain}-{hashlib.blake2b(tool.encode(), digest_size=4).hexdigest()}.jsonl"


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
            raise ConfigurationError(
                f"--record {folder}: cannot be made ({error.strerror or error}); name another folder"
            ) from error

    def keep(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession, result: ToolResult) -> None:
        """Add the answer to the tool's file; raises what `add` does."""
        self.add(_call(tool, arguments, session), RecordedCall(result, session.state.get(STATE) or None))

    def add(self, call: CassetteKey, kept: RecordedCall) -> None:
        """Add a line to the tool's file.

        Raises:
            ModelCallError: the file cannot be written: a recording with holes would answer wrongly later.
        """
        result = kept.result
        row = {
            "sample": call.sample, "arguments": json.loads(call.arguments), "occurrence": call.occurrence,
            "content": result.content, "is_error": result.is_error, "duration_ms": result.duration_ms,
        }  # fmt: skip
        if result.images:
            row["images"] = [
                {"name": one.name, "media_type": one.media_type, "data": base64.b64encode(one.data).decode("ascii")}
                for one in result.images
            ]
        if kept.state:
            row["state"] = kept.state
        line = json.dumps(row, ensure_ascii=True) + "\n"
        try:
            # One write to the system a line: a driver that is killed leaves no half of one.
            with self._lock, _appending(self._folder / _file_name(call.tool)) as file:
                file.write(line.encode("ascii"))
        except OSError as error:
            words = f"{call.tool} answered, but --record {self._folder} cannot be written: {error.strerror or error}"
            raise ModelCallError(words, ErrorType.TOOL_UNAVAILABLE) from error


class Replayer:
    """Gives the answers of a recording; what was not recorded is an error that names the call. Safe from any thread."""

    def __init__(self, folder: Path) -> None:
        """Read the recording, all of it: a damaged line is said before a model is asked.

        Raises:
            ConfigurationError: there is none, or a line of it is damaged.
        """
        self._folder = folder
        self._tapes = {path.name: _Tape(path) for path in sorted(folder.glob("*.jsonl"))}
        if not self._tapes:
            raise ConfigurationError(f"--replay {folder}: there is no recording in this folder; --record makes one")

    def give(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """The recorded answer; the session's mocks know what they knew then. Raises what `find` does."""
        found = self.find(_call(tool, arguments, session))
        if found.state is not None:
            session.state[STATE] = copy.deepcopy(found.state)
        return found.result

    def find(self, call: CassetteKey) -> RecordedCall:
        """What this sample got, else what all samples got alike, without the state of any.

        Raises:
            ModelCallError: this call was not recorded.
        """
        tape = self._tapes.get(_file_name(call.tool))
        found = tape.find(call) if tape is not None else None
        if found is None:
            words = (
                f"no answer is recorded for call {call.occurrence} of {call.tool}({call.arguments[:300]}) by {call.sample}"
                f" in {self._folder}"
            )
            raise ModelCallError(f"{words}; record again with --record", ErrorType.TOOL_UNAVAILABLE)
        return found


class _Tape:
    """What a tool's file holds."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            ConfigurationError: it cannot be read, or a line is damaged.
        """
        self._answers: dict[tuple[str, str, int], RecordedCall] = {}
        for number, line in enumerate(_lines(path), 1):
            try:
                row = json.loads(line)
                if too_deep(row):
                    raise ValueError("nested too deeply")
                key = (str(row["sample"]), _canonical(row["arguments"]), int(row["occurrence"]))
                images = tuple(
                    ToolImage(str(one["name"]), str(one["media_type"]), base64.b64decode(one["data"], validate=True))
                    for one in row.get("images", ())
                )
                result = ToolResult(str(row["content"]), bool(row["is_error"]), int(row["duration_ms"]), images)
                state = row.get("state")
                self._answers[key] = RecordedCall(result, state if isinstance(state, dict) else None)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise ConfigurationError(
                    f"{path}:{number}: this line of the recording is damaged ({error}); record again with --record"
                ) from error
        self._anyones: dict[tuple[str, int], ToolResult | None] = {}
        for (_, canonical, occurrence), kept in self._answers.items():
            result = kept.result
            known = self._anyones.setdefault((canonical, occurrence), result)
            if known is not None and replace(known, duration_ms=0) != replace(result, duration_ms=0):
                self._anyones[canonical, occurrence] = None  # samples got different answers, so nobody's is anyone's

    def find(self, call: CassetteKey) -> RecordedCall | None:
        """See `Replayer.find`."""
        own = self._answers.get((call.sample, call.arguments, call.occurrence))
        anyones = self._anyones.get((call.arguments, call.occurrence))
        return own or (RecordedCall(anyones, None) if anyones is not None else None)


MAX_TAPE_BYTES = 512 * 1024 * 1024
"""A tool's recording larger than this is refused: all of it is held in memory."""


def _appending(path: Path) -> FileIO:
    """The file, made where it is not there, to add lines to; unbuffered. A link, a pipe or a device is refused.

    Raises:
        OSError: it is no regular file, or cannot be written.
    """
    descriptor = os.open(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK | os.O_NOFOLLOW, 0o666
    )
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, f"{path.name} is no regular file")
    return FileIO(descriptor, "ab")


def _lines(path: Path) -> list[str]:
    try:
        text = read_bytes(path, MAX_TAPE_BYTES).decode("utf-8")
    except FileFaultError as error:
        raise ConfigurationError(f"{path}: the recording {error.message}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path}: the recording cannot be read ({error}); record again with --record"
        ) from error
    return [line for line in text.split("\n") if line.strip()]
