"""One rollout as it happens: every message, call and result recorded, tokens and time added up."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.awake import elapsed_s
from modex.core.llm.reply import identified
from modex.core.llm.textcalls.reading import extract_tool_calls
from modex.core.llm.types import Completion, Message, ToolCall, Usage
from modex.core.pipeline import scripted
from modex.core.pipeline.rollout.attached import by_message, named, with_parts
from modex.core.pipeline.rollout.speed import Speed
from modex.core.pipeline.rollout.workspaces import close_workspace, kept_workspace, open_workspace
from modex.core.pipeline.run_context import RunContext
from modex.core.sandbox.workspace.spec import has_workspace
from modex.core.store.sample import EvaluationSample
from modex.core.store.simulated import SimulatedUser
from modex.core.suite.attachments import digest_of
from modex.core.tools.base import STATE, ToolResult, ToolSession


def opening_of(system: str | None, turns: list[Message]) -> list[Message]:
    """The messages that begin a conversation."""
    return [{"role": "system", "content": system}, *turns] if system else list(turns)


def _with_calls_in_text(completion: Completion, offered: Mapping[str, Mapping[str, Any]], turn: int) -> Completion:
    """The answer with the calls that its text holds, where it holds none elsewhere; flagged, also where a call is only likely."""
    if completion.tool_calls or completion.cut is not None or not offered:
        return completion
    found = extract_tool_calls(completion.text, offered)
    if found.calls:
        calls = identified(found.calls, turn)
        return replace(completion, text=found.text, tool_calls=calls, flags=(*completion.flags, "text_tool_calls"))
    if found.looks_like:
        return replace(completion, flags=(*completion.flags, "looks_like_call"))
    return completion


@dataclass(slots=True)
class Rollout:
    """What a rollout has produced so far; also what is left of one that failed."""

    transcript: list[dict[str, Any]] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    duration_ms: int = 0
    attempts: int = 0
    finish_reason: str | None = None
    response: str | None = None
    speed: Speed | None = None
    """How fast it was written; None where nothing was streamed."""
    tool_state: dict[str, Any] | None = None
    simulated_user: SimulatedUser | None = None
    workspace: dict[str, Any] | None = None

    def flag(self, name: str) -> None:
        """Note something about the rollout, once."""
        if name not in self.flags:
            self.flags.append(name)

    def sent(
        self,
        messages: list[Message],
        phase: str,
        iteration: int = 0,
        attached: Mapping[int, Sequence[Mapping[str, Any]]] | None = None,
    ) -> None:
        """Record messages that were sent; `attached` by a message's index is named there, never embedded."""
        for number, message in enumerate(messages):
            entry = {
                "role": message["role"],
                "content": message.get("content") or "",
                "phase": phase,
                "iteration": iteration,
            }
            if attached and number in attached:
                entry["attachments"] = named(attached[number])
            self.transcript.append(entry)

    def spent(self, usage: Usage | None, cost_usd: float | None) -> None:
        """Add what a call was counted as, an answer or not; a cost of None makes the sum unknown."""
        if usage is not None:
            self.usage = self.usage + usage
            self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd

    def store_in(self, sample: EvaluationSample) -> None:
        """Copy what a sample keeps of its rollout."""
        speed = self.speed
        if speed is not None and speed.estimated:
            self.flag("speed_estimated")
        sample.transcript = self.transcript
        sample.flags = self.flags
        sample.reasoning = "\n\n".join(self.reasoning) or None
        sample.prompt_tokens = self.usage.prompt
        sample.completion_tokens = self.usage.completion
        sample.reasoning_tokens = self.usage.reasoning
        sample.cached_tokens = self.usage.cached
        sample.cost_usd = self.cost_usd
        sample.duration_ms = self.duration_ms
        sample.attempts = self.attempts
        sample.finish_reason = self.finish_reason
        sample.response = self.response
        sample.tool_state = self.tool_state
        sample.simulated_user = self.simulated_user
        sample.workspace = self.workspace
        sample.ttft_ms = speed.ttft_ms if speed is not None else None
        sample.output_tokens_per_s = speed.tokens_per_s if speed is not None else None
        sample.thinking_ms = speed.thinking_ms if speed is not None else None


@dataclass(slots=True)
class Asking:
    """The model under test, asked on behalf of one sample."""

    sample: EvaluationSample
    context: RunContext
    rollout: Rollout = field(default_factory=Rollout)
    before: list[dict[str, Any]] = field(default_factory=list)
    """The transcript that is stored, of a rollout that was broken off."""
    keep: Callable[[EvaluationSample], None] | None = None
    """Stores what a rollout in a workspace did so far; None where nobody does."""
    counted: Usage = Usage()
    """What the run's totals hold already of a rollout that was broken off."""
    counted_usd: float | None = 0.0
    noted: dict[str, Any] | None = None
    """The sample's column `workspace` with the journal that was stored last, by this rollout or by one that was broken off."""
    goes_on: bool = False
    """Whether what was broken off is taken up, or there was nothing."""
    _session: ToolSession | None = None

    def turns(self) -> list[Message]:
        """The test's own turns."""
        turns = self.sample.definition.turns
        return [dict(turn) for turn in turns] if turns else [{"role": "user", "content": self.sample.prompt}]

    def session(self) -> ToolSession:
        """The state of the sample's tools, one for all its turns; it begins with what the test says.

        Raises:
            ModelCallError: what its workspace begins with cannot be had.
        """
        if self._session is None:
            sample = self.sample
            seed = f"{sample.domain}/{sample.level}/{sample.test_id}/{sample.epoch}"
            definition = sample.definition
            self._session = ToolSession(seed=seed, faults=definition.tool_faults, setup=definition.tool_setup)
            if sample.definition.tool_state:
                self._session.state[STATE] = copy.deepcopy(sample.definition.tool_state)
            if has_workspace(definition.sandbox):
                self._session.workspace = open_workspace(sample, self.context, self.noted)
        return self._session

    def release(self) -> None:
        """No more tools are called: what was the sample's own ends."""
        if self._session is not None:
            self.context.executor.release(self._session)
            close_workspace(self._session)

    def keep_workspace(self) -> None:
        """Keep what stands in the sample's workspace, where it has one."""
        if self.sample.definition.sandbox and has_workspace(self.sample.definition.sandbox):
            self.rollout.workspace = kept_workspace(self._session)

    def state_now(self) -> dict[str, Any] | None:
        """What the sample's tools know now: its servers', where they tell it, and its mocks'; None where nobody keeps anything.

        Raises:
            ModelCallError: a server that tells it does not answer.
        """
        session = self.session()
        tools = (*self.context.tools_of(self.sample), *self.context.users_tools_of(self.sample))
        told = self.context.executor.state_of(tools, session) or {}
        return {**copy.deepcopy(session.state.get(STATE, {})), **told} or None

    def keep_state(self, *, mocks_only: bool = False) -> None:
        """Note what the tools know at the end; `mocks_only` where no server is to be asked.

        Raises:
            ModelCallError: a server that tells it does not answer.
        """
        if self._session is not None:
            known = self._session.state.get(STATE) or None
            self.rollout.tool_state = known if mocks_only else self.state_now()

    def open(
        self, messages: list[Message], phase: str, iteration: int = 0, *, turns: int | None = None
    ) -> list[Message]:
        """Record the messages that begin a conversation, and return them as they are sent: with the test's attachments.

        `turns` is how many of the last messages are the test's own turns; None where the question stands in another text.

        Raises:
            ModelCallError: an attachment is not there any more, or has changed since the run was planned.
        """
        places = self.told(messages, phase, iteration, turns=turns)
        return [
            with_parts(message, places[number]) if number in places else message
            for number, message in enumerate(messages)
        ]

    def told(
        self, messages: list[Message], phase: str, iteration: int = 0, *, turns: int | None = None
    ) -> dict[int, list[Mapping[str, Any]]]:
        """Record the messages that begin a conversation; see `open`. Returns the attachments by the message's index."""
        places = by_message(messages, self.sample.definition.attachments, turns)
        self.rollout.sent(messages, phase, iteration, places)
        return places

    def ask(
        self,
        messages: list[Message],
        *,
        phase: str,
        iteration: int = 0,
        tools: list[dict[str, Any]] | None = None,
        offered: Mapping[str, Mapping[str, Any]] | None = None,
        show: str | None = None,
        response_format: dict[str, Any] | None = None,
    ) -> Completion:
        """Ask once and record the answer; `show` is the phase in words for the screens, `response_format` a JSON schema.

        `offered` has the schema of each tool that the model may call by its name, natively (`tools`) or by a text protocol:
        calls of them that stand in the text are read where nothing was called otherwise.

        Raises:
            ModelCallError: the call failed, or its answer is none: cut off, or thinking that never ended.
        """
        rollout, sample = self.rollout, self.sample
        self.context.progress(sample, show or phase)
        timeout_ms = sample.definition.timeout_ms
        started = time.monotonic()
        try:
            with scripted.as_asked(
                self.context.client, self.context.evaluators, sample, phase, iteration, tool_names=tuple(offered or ())
            ):
                completion = self.context.client.complete(
                    messages,
                    tools=tools,
                    response_format=response_format,
                    timeout_s=timeout_ms / 1000 if timeout_ms else None,
                )
        except ModelCallError as error:
            rollout.attempts += error.attempts
            rollout.duration_ms += round(elapsed_s(started) * 1000)
            rollout.spent(error.usage, error.cost_usd)
            raise
        completion = _with_calls_in_text(completion, offered or {}, len(messages))
        self._record(completion, phase, iteration)
        if completion.cut is not None:
            raise self._cut_off(completion)
        if "truncated_reasoning" in completion.flags:
            raise ModelCallError(
                "the thinking never ended, so there is no answer; raise --max-tokens",
                ErrorType.TRUNCATED_REASONING,
                attempts=completion.attempts,
            )
        if "truncated_output" in completion.flags and not completion.tool_calls:
            rollout.response = completion.text
            raise ModelCallError(
                "the answer was cut off at the token limit; raise --max-tokens",
                ErrorType.TRUNCATED_OUTPUT,
                attempts=completion.attempts,
            )
        return completion

    def _cut_off(self, completion: Completion) -> ModelCallError:
        """The error of an answer that modex ended; its text is kept."""
        self.rollout.response = completion.text
        if completion.finish_reason == "runaway":
            words, kind = (
                f"the answer was ended: it said {completion.cut} (--no-runaway lets it go on)",
                ErrorType.RUNAWAY,
            )
        else:
            words, kind = f"the answer was cut off {completion.cut}; raise --max-seconds", ErrorType.TIME_LIMIT
        return ModelCallError(words, kind, attempts=completion.attempts)

    def _record(self, completion: Completion, phase: str, iteration: int) -> None:
        rollout = self.rollout
        rollout.spent(completion.usage, completion.cost_usd)
        rollout.duration_ms += completion.duration_ms
        rollout.attempts += completion.attempts
        rollout.finish_reason = completion.finish_reason
        for flag in completion.flags:
            rollout.flag(flag)
        if completion.reasoning:
            rollout.reasoning.append(completion.reasoning)
        entry: dict[str, Any] = {
            "role": "assistant",
            "content": completion.text,
            "phase": phase,
            "iteration": iteration,
            "usage": completion.usage.as_dict(),
            "duration_ms": completion.duration_ms,
            "finish_reason": completion.finish_reason,
            "attempts": completion.attempts,
        }
        if completion.timing is not None:
            rollout.speed = rollout.speed or Speed()
            rollout.speed.count(completion, completion.timing)
            entry["ttft_ms"] = round(completion.timing.first_s * 1000, 1)
        if completion.reasoning:
            entry["reasoning"] = completion.reasoning
        if completion.tool_calls:
            entry["tool_calls"] = [call.as_dict() for call in completion.tool_calls]
        rollout.transcript.append(entry)

    def record_result(self, call: ToolCall, result: ToolResult, phase: str, iteration: int) -> None:
        """Record what a tool answered."""
        self.rollout.duration_ms += result.duration_ms
        self.rollout.transcript.append(result_entry(call, result, phase, iteration))


def result_entry(call: ToolCall, result: ToolResult, phase: str, iteration: int) -> dict[str, Any]:
    """What a tool answered, as an entry of a transcript; images are named there, never embedded."""
    shown = [
        {"name": one.name, "media_type": one.media_type, "size": len(one.data), "digest": digest_of(one.data)}
        for one in result.images
    ]
    return {
        "role": "tool",
        "content": result.content,
        "phase": phase,
        "iteration": iteration,
        "tool_call_id": call.id,
        "name": call.name,
        "is_error": result.is_error,
        "duration_ms": result.duration_ms,
        **({"attachments": shown} if shown else {}),
    }
