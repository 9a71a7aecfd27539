"""Rollouts by somebody's own agent: a process that gets one JSON task on stdin and gives one JSON answer on stdout.

`docs/agents.md` says what a task and an answer hold. The process has its user's environment and nothing else of this program:
no key is handed over. It is killed with its children at its deadline; one that is killed, fails, says too much or says anything
but its answer is an error and never a score.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.foundation.processes import PROGRAM
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm.gate import Interrupted
from modex.core.llm.types import ToolCall, Usage
from modex.core.pipeline.fingerprints import most_iterations
from modex.core.pipeline.rollout.agent_option import command_of
from modex.core.pipeline.rollout.asking import Asking
from modex.core.safety import redact
from modex.core.sandbox import supervisor
from modex.core.tools.base import ToolResult

PROTOCOL = 1
MAX_OUTPUT = 4 * 1024 * 1024
"""Bytes that an agent may print; one that prints more is killed."""
MAX_STEPS = 500
_SHOWN_ERROR = 800
_TICK_S = 0.2


def roll_out_by_agent(asking: Asking) -> None:
    """Let the run's agent answer; its steps stand in the transcript, its answer in `asking.rollout.response`.

    Raises:
        ModelCallError: it was killed at its deadline, failed, or said what is no answer.
        Interrupted: the run is stopping; the agent was ended.
    """
    context, sample, rollout = asking.context, asking.sample, asking.rollout
    config = context.config
    assert config.agent is not None
    context.progress(sample, "agent")
    timeout_ms = sample.definition.timeout_ms
    deadline_s = timeout_ms / 1000 if timeout_ms else config.timeout_s
    turns = sample.definition.turns or [{"role": "user", "content": sample.prompt}]
    if gone := [one for one in sample.definition.attachments if not one.get("path")]:
        raise ModelCallError(f"not asked: {gone[0].get('unsent')}", ErrorType.ATTACHMENT_REFUSED)
    opening = [{"role": "system", "content": sample.system_prompt}] if sample.system_prompt else []
    asking.told([*opening, *turns], "agent", turns=len(turns))
    started = time.monotonic()
    try:
        ran = _run(command_of(config.agent, config.agent_folder), _task(asking, deadline_s), deadline_s, asking)
    finally:
        rollout.duration_ms += round((time.monotonic() - started) * 1000)
        rollout.attempts += 1
    take_answer(_answer(ran), asking)


def _task(asking: Asking, deadline_s: float) -> dict[str, Any]:
    """What the agent is told; never a gold, and never a key."""
    sample, context = asking.sample, asking.context
    return {
        "protocol": PROTOCOL,
        "task_id": f"{sample.domain}/{sample.level}/{sample.test_id}",
        "epoch": sample.epoch,
        "domain": sample.domain,
        "level": sample.level,
        "source": sample.source,
        "prompt": sample.prompt,
        "messages": sample.definition.turns or [{"role": "user", "content": sample.prompt}],
        "system_prompt": sample.system_prompt,
        "tools": [tool.schema() for tool in context.tools_of(sample)],
        "max_iterations": most_iterations(sample, context),
        "deadline_s": deadline_s,
        **(
            {"attachments": [_file(one) for one in sample.definition.attachments]}
            if sample.definition.attachments
            else {}
        ),
        "model": None if context.config.model.model.startswith("agent/") else context.config.model.model,
    }


def _file(attached: dict[str, Any]) -> dict[str, Any]:
    """An attachment as an agent gets it: it reads the file itself."""
    return {key: attached.get(key) for key in ("name", "path", "media_type")}


@dataclass(frozen=True, slots=True)
class _Ran:
    """What a process printed, and how it ended."""

    code: int
    out: bytes
    err: str


def _run(words: list[str], task: dict[str, Any], deadline_s: float, asking: Asking) -> _Ran:
    environment = dict(os.environ)
    if words[1:3] == ["-m", "modex.core.pipeline.rollout.agent_child"]:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (PROGRAM, environment.get("PYTHONPATH"))))
    try:
        process = subprocess.Popen(
            supervisor.supervised(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=asking.context.config.agent_folder,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        raise _failed(f"the agent cannot be started: {error}") from None
    try:
        return _converse(process, json.dumps(task, ensure_ascii=False).encode() + b"\n", deadline_s, asking)
    finally:
        _end(process)


def _converse(process: subprocess.Popen[bytes], task: bytes, deadline_s: float, asking: Asking) -> _Ran:
    """Write the task and read both streams until the process ends, its time is over, or it says too much."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    end = time.monotonic() + deadline_s
    output = {"out": bytearray(), "err": bytearray()}
    left = memoryview(task)
    with selectors.DefaultSelector() as selector:
        for stream, events, name in (
            (process.stdin, selectors.EVENT_WRITE, "in"),
            (process.stdout, selectors.EVENT_READ, "out"),
            (process.stderr, selectors.EVENT_READ, "err"),
        ):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, events, name)
        while selector.get_map():
            if asking.context.stop.is_set():
                raise Interrupted
            if (rest := end - time.monotonic()) <= 0:
                raise ModelCallError(
                    f"the agent was killed at its deadline of {deadline_s:g} s (--timeout)", ErrorType.TIMEOUT
                )
            for key, _ in selector.select(min(_TICK_S, rest)):
                if key.data == "in":
                    left = _write(process, left)
                    if not left:
                        selector.unregister(process.stdin)
                        process.stdin.close()
                    continue
                part = os.read(key.fd, 65_536)
                if not part:
                    selector.unregister(key.fileobj)
                    continue
                output[key.data] += part
                if key.data == "err":
                    del output["err"][:-65_536]
                elif len(output["out"]) > MAX_OUTPUT:
                    raise ModelCallError(
                        f"the agent printed more than {MAX_OUTPUT // 1024 // 1024} MB and was killed; it prints one JSON "
                        "answer, and everything else to stderr",
                        ErrorType.INVALID_RESPONSE,
                    )
    try:
        code = process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise ModelCallError(
            f"the agent was killed at its deadline of {deadline_s:g} s (--timeout)", ErrorType.TIMEOUT
        ) from None
    return _Ran(code, bytes(output["out"]), output["err"].decode(errors="replace"))


def _write(process: subprocess.Popen[bytes], left: memoryview) -> memoryview:
    """Write what the pipe takes; an agent that reads no more gets no more."""
    assert process.stdin is not None
    try:
        return left[os.write(process.stdin.fileno(), left) :]
    except BlockingIOError:
        return left
    except OSError:
        return left[len(left) :]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it with everything that it started, in sessions of their own too, and leave no zombie."""
    supervisor.end(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _answer(ran: _Ran) -> dict[str, Any]:
    """The answer that a process printed.

    Raises:
        ModelCallError: it failed, or printed something else than one JSON object with an `answer`.
    """
    told = f": {redact(ran.err.strip())[-_SHOWN_ERROR:]}" if ran.err.strip() else ""
    if ran.code < 0:
        raise _failed(f"the agent was killed by signal {-ran.code}{told}")
    if ran.code:
        raise _failed(f"the agent ended with code {ran.code}{told}")
    text = ran.out.decode(errors="replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or too_deep(value):
        shown = repr(redact(text)[:160]) if text else "nothing"
        raise _invalid(f"the agent prints one JSON object and nothing else, not {shown}{told}")
    if isinstance(value.get("error"), str) and "answer" not in value:
        raise _failed(f"the agent says: {redact(value['error'])[:_SHOWN_ERROR]}")
    if not isinstance(value.get("answer"), str):
        raise _invalid("the agent's object has no text `answer`")
    return value


def take_answer(answer: dict[str, Any], asking: Asking) -> None:
    """The agent's steps, usage and answer as those of a rollout.

    Raises:
        ModelCallError: a step or the usage has another form.
    """
    rollout = asking.rollout
    steps = answer.get("steps") or []
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise _invalid("the agent's `steps` are no list of objects")
    if len(steps) > MAX_STEPS:
        raise _invalid(f"the agent gives {len(steps):,} steps; at most {MAX_STEPS} are kept")
    for number, step in enumerate(steps, 1):
        _step(step, number, asking)
    rollout.spent(_usage(answer.get("usage")), _cost(answer))
    if isinstance(answer.get("reasoning"), str) and answer["reasoning"]:
        rollout.reasoning.append(answer["reasoning"])
    text = answer["answer"]
    if answer.get("said") is not True:  # a transcript that ends with the answer holds it already
        rollout.transcript.append({"role": "assistant", "content": text, "phase": "agent", "iteration": len(steps) + 1})
    if not text.strip():
        rollout.flag("empty_answer")
    rollout.response = text


def _step(step: dict[str, Any], number: int, asking: Asking) -> None:
    """A thought, or the call of a tool with its result."""
    content = str(step.get("content") or step.get("thought") or "")
    entry: dict[str, Any] = {"role": "assistant", "content": content, "phase": "agent", "iteration": number}
    name = step.get("tool")
    if name is None:
        if not content:
            raise _invalid(f"step {number} of the agent has neither `content` nor `tool`")
        asking.rollout.transcript.append(entry)
        return
    arguments = step.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict | str):
        raise _invalid(f"step {number} of the agent: `tool` is a name, `arguments` an object")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    call = ToolCall(f"step_{number}", name, text)
    asking.rollout.transcript.append({**entry, "tool_calls": [call.as_dict()]})
    result = step.get("result")
    shown = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    asking.record_result(call, ToolResult(shown, is_error=step.get("error") is True), "agent", number)


def _usage(given: Any) -> Usage | None:
    if given is None:
        return None
    counts: list[int] = []
    for name in ("prompt", "completion", "reasoning"):
        count = given.get(name, 0) if isinstance(given, dict) else None
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise _invalid("the agent's `usage` holds whole numbers: prompt, completion, reasoning")
        counts.append(count)
    return Usage(prompt=counts[0], completion=counts[1], reasoning=counts[2])


def _cost(answer: dict[str, Any]) -> float | None:
    cost = answer.get("cost_usd")
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < 1e6:
        raise _invalid("the agent's `cost_usd` is a number of 0 or more")
    return float(cost)


def _failed(message: str) -> ModelCallError:
    return ModelCallError(message, ErrorType.AGENT_ERROR)


def _invalid(message: str) -> ModelCallError:
    return ModelCallError(message, ErrorType.INVALID_RESPONSE)
