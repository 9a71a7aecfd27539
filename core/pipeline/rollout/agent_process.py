"""The process of somebody's own agent: it reads JSON tasks, a line each, and prints JSON answers, under a supervisor.

Its user's environment is its own, with the address of its tools beside. It is killed with its children at its deadline, and
when it says too much.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.foundation.processes import PROGRAM
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.rollout.agent_tools import AgentTools
from modex.core.pipeline.rollout.asking import Asking
from modex.core.sandbox import supervisor

MAX_OUTPUT = 4 * 1024 * 1024
"""Bytes that an agent may print for one task; one that prints more is killed."""
_KEPT_ERROR = 65_536
_TICK_S = 0.2
_LEAVE_S = 1.0
"""How long a process that answered all turns of a conversation may take to end by itself."""


@dataclass(frozen=True, slots=True)
class AgentSaid:
    """What a process printed, and how it ended; `code` is 0 of one that goes on."""

    code: int
    out: bytes
    err: str


class AgentProcess:
    """One process of the agent. One that `stays` answers a task in one line and waits for the next."""

    def __init__(self, words: Sequence[str], asking: Asking, tools: AgentTools, *, stays: bool = False) -> None:
        """Start it.

        Raises:
            ModelCallError: it cannot be started.
        """
        self._asking = asking
        self._tools = tools
        self._stays = stays
        self._out, self._err = bytearray(), bytearray()
        environment = {**os.environ, **tools.environment()}
        if list(words[1:3]) == ["-m", "modex.core.pipeline.rollout.agent_child"]:
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (PROGRAM, environment.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                supervisor.supervised(words, folder=tools.folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=asking.context.config.agent_folder,
                env=environment,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise ModelCallError(f"the agent cannot be started: {error}", ErrorType.AGENT_ERROR) from None
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)

    def ask(self, task: Mapping[str, Any], deadline_s: float) -> AgentSaid:
        """Write the task, answer the agent's calls and read what it prints until it ends, or has said its line and stays.

        Raises:
            ModelCallError: its time is over, it says too much, or a tool is missing.
            Interrupted: the run is stopping.
        """
        begun = time.monotonic()
        self._tools.until(begun + deadline_s)
        try:
            return self._asked(json.dumps(task, ensure_ascii=False).encode() + b"\n", begun + deadline_s, deadline_s)
        finally:
            self._tools.until(None)

    def _asked(self, task: bytes, end: float, deadline_s: float) -> AgentSaid:
        process, tools = self._process, self._tools
        stdin, stdout, stderr = self._streams
        left = memoryview(task)
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE, "in")
            for stream, name in ((stdout, "out"), (stderr, "err")):
                if not stream.closed:
                    selector.register(stream, selectors.EVENT_READ, name)
            selector.register(tools.endpoint, selectors.EVENT_READ, "call")
            while len(selector.get_map()) > 1:
                rest = self._may_go_on(end, deadline_s)
                for key, _ in selector.select(min(_TICK_S, rest)):
                    if key.data == "call":
                        tools.answer_all()
                    elif key.data == "in":
                        left = _write(stdin.fileno(), left)
                        if not left:
                            selector.unregister(stdin)
                            if not self._stays:
                                stdin.close()
                    elif not self._read(key.fd, key.data):
                        selector.unregister(key.fileobj)
                        if self._stays:  # its streams are read again at the next task
                            key.fileobj.close()  # type: ignore[union-attr]
                if self._stays and (line := self._line()) is not None:
                    tools.answer_all()
                    return AgentSaid(0, line, self._said())
        while True:  # a program may close its streams and go on
            try:
                code = process.wait(_TICK_S / 4)
                break
            except subprocess.TimeoutExpired:
                tools.answer_all()
                self._may_go_on(end, deadline_s)
        tools.answer_all()  # what it asked for and did not wait for
        if tools.late is not None:
            self._may_go_on(end, deadline_s)
        return AgentSaid(code, bytes(self._out), self._said())

    def close(self, *, politely: bool = False) -> None:
        """Kill it with everything that it started, in sessions of their own too, and leave no zombie.

        `politely` lets one that stays hear that no more comes, and end by itself.
        """
        if politely:
            with contextlib.suppress(OSError):
                self._streams[0].close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LEAVE_S)
        supervisor.end(self._process)
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()

    @property
    def _streams(self) -> tuple[Any, Any, Any]:
        return self._process.stdin, self._process.stdout, self._process.stderr

    def _read(self, descriptor: int, name: str) -> bool:
        """Take what a stream holds; False at its end.

        Raises:
            ModelCallError: it says too much.
        """
        part = os.read(descriptor, 65_536)
        if name == "err":
            self._err += part
            del self._err[:-_KEPT_ERROR]
        else:
            self._out += part
        if len(self._out) > MAX_OUTPUT:
            raise ModelCallError(
                f"the agent printed more than {MAX_OUTPUT // 1024 // 1024} MB and was killed; it prints one JSON "
                "answer, and everything else to stderr",
                ErrorType.INVALID_RESPONSE,
            )
        return bool(part)

    def _line(self) -> bytes | None:
        """The first whole line that says anything, taken out; None while there is none."""
        while b"\n" in self._out:
            line, _, rest = bytes(self._out).partition(b"\n")
            self._out[:] = rest
            if line.strip():
                return line
        return None

    def _said(self) -> str:
        return self._err.decode(errors="replace")

    def _may_go_on(self, end: float, deadline_s: float) -> float:
        """The seconds that are left.

        Raises:
            Interrupted: the run is stopping.
            ModelCallError: there are none; what the agent waited for most of its time is named.
        """
        if self._asking.context.stop.is_set():
            raise Interrupted
        if (rest := end - time.monotonic()) > 0:
            return rest
        late = self._tools.late
        if late is not None and late[1] >= deadline_s / 2:
            words = f"the tool {late[0]} gave no answer before the agent's deadline of {deadline_s:g} s (--timeout)"
            raise ModelCallError(f"{words}: the agent was ended", ErrorType.TIMEOUT)
        hint = "; one that stays prints a line for each line of stdin, which is not closed" if self._stays else ""
        raise ModelCallError(
            f"the agent was killed at its deadline of {deadline_s:g} s (--timeout){hint}", ErrorType.TIMEOUT
        )


def _write(descriptor: int, left: memoryview) -> memoryview:
    """Write what the pipe takes; an agent that reads no more gets no more."""
    try:
        return left[os.write(descriptor, left) :]
    except BlockingIOError:
        return left
    except OSError:
        return left[len(left) :]
