"""Rollouts by somebody's own agent: a process that gets one JSON task on stdin and gives one JSON answer on stdout.

`docs/agents.md` says what a task and an answer hold. The process has its user's environment and nothing else of this program:
no key is handed over. It is killed with its children at its deadline; one that is killed, fails, says too much or says anything
but its answer is an error and never a score.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm.types import Usage
from modex.core.pipeline.fingerprints import most_iterations
from modex.core.pipeline.rollout.agent_option import command_of
from modex.core.pipeline.rollout.agent_process import AgentProcess, AgentSaid
from modex.core.pipeline.rollout.agent_tools import AgentTools, agent_tools
from modex.core.pipeline.rollout.answer_figures import COUNTS, error_of
from modex.core.pipeline.rollout.asking import Asking, opening_of
from modex.core.pipeline.rollout.chats import chat_of, last_answer
from modex.core.pipeline.rollout.claims import CALLS_TOLD, CALLS_UNTOLD, NOT_UTF8, SAID, TOOLS_NOT_ASKED, merged
from modex.core.pipeline.rollout.replayed_state import keeps_state, replay_state, unknown
from modex.core.pipeline.rollout.told import PHASE, mark_unanswered, read_text_calls, tells, told_entries, unread_of
from modex.core.safety import redact

PROTOCOL = 1
_SHOWN_ERROR = 800


def roll_out_by_agent(asking: Asking) -> None:
    """Let the run's agent answer; its steps stand in the transcript, its answer in `asking.rollout.response`.

    Raises:
        ModelCallError: it was killed at its deadline, failed, or said what is no answer.
        Interrupted: the run is stopping; the agent was ended.
    """
    require_files(asking)
    _ask_once(asking)
    say_flags(asking)


def require_files(asking: Asking) -> None:
    """Refuse a sample with a file that is not there.

    Raises:
        ModelCallError: it has one.
    """
    if gone := [one for one in asking.sample.definition.attachments if not one.get("path")]:
        raise ModelCallError(f"not asked: {gone[0].get('unsent')}", ErrorType.ATTACHMENT_REFUSED)


def say_flags(asking: Asking) -> None:
    """Count what a reader of the scores should know of this sample."""
    for flag, words in SAID.items():
        if flag in asking.rollout.flags:
            asking.context.count(f"{words} (flag `{flag}`)")


def _ask_once(asking: Asking) -> None:
    sample, rollout, config = asking.sample, asking.rollout, asking.context.config
    assert config.agent is not None
    asking.context.progress(sample, "agent")
    command = command_of(config.agent, config.agent_folder)
    deadline_s = deadline_of(asking)
    turns = sample.definition.turns or [{"role": "user", "content": sample.prompt}]
    asking.told(opening_of(sample.system_prompt, turns), "agent", turns=len(turns))
    started = time.monotonic()
    with agent_tools(asking) as tools:
        try:
            with closing(AgentProcess(command, asking, tools)) as process:
                ran = process.ask({**task_of(asking, deadline_s), **tools.told()}, deadline_s)
        except BaseException:
            asking.keep_state(mocks_only=True)
            raise
        finally:
            rollout.duration_ms += round((time.monotonic() - started) * 1000)
            rollout.attempts += 1
        asking.keep_state()
    take_said(ran, asking, tools)


def deadline_of(asking: Asking) -> float:
    """How many seconds the agent has for an answer: the test's own, else the run's."""
    timeout_ms = asking.sample.definition.timeout_ms
    return timeout_ms / 1000 if timeout_ms else asking.context.config.timeout_s


def take_said(ran: AgentSaid, asking: Asking, tools: AgentTools) -> None:
    """`take_answer` of what a process printed, with the keys that are not read counted.

    Raises:
        ModelCallError: see `said_of` and `take_answer`.
    """
    answer = said_of(ran)
    if not _is_utf8(ran.out):
        asking.rollout.flag(NOT_UTF8)
    for key in unread_of(answer):
        asking.context.count(f"the agent's answers hold `{key[:60]}`, which is not read (docs/agents.md says what is)")
    take_answer(answer, asking, tools)


def task_of(asking: Asking, deadline_s: float) -> dict[str, Any]:
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


def said_of(ran: AgentSaid) -> dict[str, Any]:
    """The answer that a process printed.

    Raises:
        ModelCallError: it failed, says an `error`, or printed something else than one JSON object with an `answer`.
    """
    told = f": {redact(ran.err.strip())[-_SHOWN_ERROR:]}" if ran.err.strip() else ""
    if ran.code < 0:
        raise _failed(f"the agent was killed by signal {-ran.code}{told}")
    if ran.code:
        raise _failed(f"the agent ended with code {ran.code}{told}")
    text = ran.out.decode("utf-8-sig", errors="replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or too_deep(value):
        shown = repr(redact(text)[:160]) if text else "nothing"
        raise _invalid(f"the agent prints one JSON object and nothing else, not {shown}{told}")
    if (error := error_of(value)) is not None:
        raise _failed(f"the agent says: {redact(error)[:_SHOWN_ERROR]}")
    if "answer" not in value and (said := last_answer(chat_of(value))) is not None:
        value["answer"] = said
    if not isinstance(value.get("answer"), str):
        raise _invalid("the agent's object has no text `answer`")
    return value


def _is_utf8(out: bytes) -> bool:
    try:
        out.decode()
    except UnicodeDecodeError:
        return False
    return True


def take_answer(
    answer: dict[str, Any], asking: Asking, tools: AgentTools | None = None, *, column: str | None = None
) -> None:
    """The agent's steps or messages, usage and answer as those of a rollout, and the state that its calls lead to.

    What was seen at `tools` holds against what is told; without them everything is only told, in a file's response `column` too.

    Raises:
        ModelCallError: a step, a message or the usage has another form.
    """
    rollout = asking.rollout
    told = told_entries(answer, column)
    usage, cost = _usage(answer.get("usage")), _cost(answer)
    if tools is not None:
        told = _without_opening(told, rollout.transcript)
    text = answer["answer"]
    last = told[-1] if told and told[-1]["role"] == "assistant" and not told[-1].get("tool_calls") else None
    if last is None or last["content"].strip() != text.strip():
        last = {
            "role": "assistant",
            "content": text,
            "phase": PHASE,
            "iteration": (told[-1]["iteration"] if told else 0) + 1,
        }
        told = [*told, last]
    offered = {tool.name: tool.parameters for tool in asking.context.tools_of(asking.sample)}
    if tools is None or not tools.seen:
        read_text_calls(told, offered, rollout)
        text = last["content"] if last.get("tool_calls") else text
        mark_unanswered(told, rollout)
    if tools is not None and tools.seen:
        del rollout.transcript[tools.begun :]
        told = merged(told, tools.entries, offered, rollout)
    elif offered:
        called = any(entry.get("tool_calls") for entry in told)
        if tools is not None:
            rollout.flag(CALLS_TOLD if called else TOOLS_NOT_ASKED)
        elif not called and not tells(answer, column):
            rollout.flag(CALLS_UNTOLD)
    rollout.transcript += told
    rollout.reasoning += [entry["reasoning"] for entry in told if entry.get("reasoning")]
    rollout.spent(usage, cost)
    if isinstance(answer.get("reasoning"), str) and answer["reasoning"]:
        rollout.reasoning.append(answer["reasoning"])
    if not text.strip():
        rollout.flag("empty_answer")
    rollout.response = text
    if tools is None and not tells(answer, column) and not any(entry.get("tool_calls") for entry in told):
        if keeps_state(asking):
            unknown(asking, "the answer came without its calls; give its `transcript`, `messages` or `steps`")
    elif tools is None or (not tools.seen and any(entry.get("tool_calls") for entry in told)):
        replay_state(asking, told)


def _without_opening(told: list[dict[str, Any]], opening: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What an agent tells without the messages that it was given, which stand in the transcript already."""
    given = {(entry["role"], entry["content"]) for entry in opening if entry["role"] in ("system", "user")}
    place = next((n for n, entry in enumerate(told) if (entry["role"], entry["content"]) not in given), len(told))
    if any(entry["role"] == "assistant" for entry in opening):  # turns before, the agent's own among them
        last = next((entry["content"] for entry in reversed(opening) if entry["role"] == "user"), None)
        spoken = [n for n, entry in enumerate(told) if entry["role"] == "user" and entry["content"] == last]
        place = max(place, spoken[-1] + 1) if spoken else place
    return told[place:]


def _usage(given: Any) -> Usage | None:
    """Tokens by our names, OpenAI's or Anthropic's."""
    if given is None:
        return None
    counts: list[int] = []
    for names in COUNTS.values():
        found = [given[name] for name in names if given.get(name) is not None] if isinstance(given, dict) else [None]
        count = found[0] if found else 0
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
