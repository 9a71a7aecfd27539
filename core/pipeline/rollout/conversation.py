"""`conversation`: a model plays the user, with a goal and facts that the model under test is not shown, turn by turn.

After the way of tau-bench (Yao et al., 2024): the user sees what the model says and none of its calls, and ends the conversation
with a stop word. What the user did wrong is looked for by rules (`user_faults`), to tell it from what the model did wrong.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.awake import elapsed_s
from modex.core.llm.types import Completion, Message, ModelClient, Usage
from modex.core.pipeline import scripted
from modex.core.pipeline.rollout.asking import Asking, opening_of
from modex.core.pipeline.rollout.tool_loop import ToolLoop, distinct
from modex.core.pipeline.rollout.user_faults import UserFault, fault_of, left_behind, said_last, was_asked, withheld
from modex.core.pipeline.rollout.user_leaving import only_says_goodbye, without_stop_words
from modex.core.store.simulated import SimulatedUser
from modex.core.suite.definitions import ToolDefinition, UserSpec
from modex.core.suite.templates import render

PHASE = "conversation"
USER_FAULT = "user_fault"
"""The flag of a sample whose user did something wrong."""
USER_FAULT_LIKELY = "user_fault_likely"
"""The flag of one whose user probably did."""
MOST_CALLS = 10
"""Messages with calls of its own tools that a user writes before it has to speak."""
_GREETING = "Hello, how can I help you?"


class Speaker(Protocol):
    """Who is under test and speaks with the user: a model, or somebody's agent."""

    def open(self, messages: list[Message], turns: int) -> list[Message]:
        """Record what the conversation begins with, of which the last `turns` messages are the test's own; as it is sent."""
        ...

    def say(self, messages: list[Message], offered: Sequence[ToolDefinition], turn: int) -> str:
        """What it says next, after as many calls of the tools on offer as it makes; `messages` grows by that.

        Raises:
            ModelCallError: it cannot be asked, or its answer is none.
        """
        ...


class ModelSpeaker:
    """The model under test."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def open(self, messages: list[Message], turns: int) -> list[Message]:
        """See `Speaker`; with the test's attachments."""
        return self._asking.open(messages, PHASE, turns=turns)

    def say(self, messages: list[Message], offered: Sequence[ToolDefinition], turn: int) -> str:
        """See `Speaker`."""
        asking = self._asking
        if offered:
            begun = sum(entry["role"] == "assistant" for entry in asking.rollout.transcript)
            completion = ToolLoop(asking, offered, asking.session()).run(messages, phase=PHASE, begun=begun)
        else:
            completion = asking.ask(messages, phase=PHASE, iteration=turn, show=f"turn {turn}")
        message = completion.as_message(())
        del message["tool_calls"]  # its calls were answered before
        messages.append({**message, "content": completion.text})
        return completion.text


def converse(asking: Asking, speaker: Speaker | None = None) -> None:
    """Let the model, or another `speaker`, speak with its user until that leaves or the turns are used up.

    What was said to the user stands in `asking.rollout.response`, a blank line between the turns.

    Raises:
        ModelCallError: a call failed, the model's or the user's.
    """
    speaker = speaker or ModelSpeaker(asking)
    context, sample, rollout = asking.context, asking.sample, asking.rollout
    assert context.user is not None
    user = _User(
        asking, UserSpec.of(sample.definition.simulated_user), context.user, tools=context.users_tools_of(sample)
    )
    turns = asking.turns()
    messages = speaker.open(opening_of(sample.system_prompt, turns), len(turns))
    tools = context.tools_of(sample)
    if tools:  # what takes its time to start does so while the user speaks
        context.executor.begin(tools, asking.session())
    said: list[str] = []
    user.hear(turns)
    try:
        if user.spec.opens:
            rollout.response = ""
            if not user.answer():
                return
            messages.append({"role": "user", "content": user.said[-1]})
        while True:
            turn = len(user.said)
            text = speaker.say(messages, tools, turn)
            said.append(text)
            rollout.response = "\n\n".join(one for one in said if one.strip())
            user.dialogue.append({"role": "user", "content": text or "(The assistant says nothing.)"})
            if user.leaves:
                user.blame(left_behind(user.spec, user.said, text))
                return
            if turn >= user.spec.max_turns:
                user.kept = replace(user.kept, ended="turn_limit")
                rollout.flag("turn_limit")
                user.blame(withheld(user.spec, user.dialogue, user.said))
                return
            if not user.answer():
                return
            messages.append({"role": "user", "content": user.said[-1]})
    finally:
        rollout.simulated_user = replace(user.kept, turns=len(user.said))


@dataclass(slots=True)
class _User:
    """The user of one conversation, as a model plays it."""

    asking: Asking
    spec: UserSpec
    client: ModelClient
    said: list[str] = field(default_factory=list)
    dialogue: list[Message] = field(default_factory=list)
    """The conversation as the user sees it: what the model says is a `user` message there."""
    kept: SimulatedUser = SimulatedUser()
    leaves: bool = False
    """Whether its last message held a stop word."""
    tools: tuple[ToolDefinition, ...] = ()
    """What it may call itself."""

    def hear(self, turns: list[Message]) -> None:
        """Begin with what the test says was said already."""
        stop = " or ".join(self.spec.stop_words[:1])
        facts = "\n".join(f"- {fact}" for fact in self.spec.facts) or "- nothing else"
        system = self.spec.system or render(
            self.asking.context.templates.text("user/simulated"),
            goal=self.spec.goal, facts=facts, style=self.spec.style or "briefly and politely", stop=stop,
        )  # fmt: skip
        if self.tools and not self.spec.system:
            system = f"{system}\n\n{self.asking.context.templates.text('user/tools')}"
        self.dialogue = [{"role": "system", "content": system}]
        if turns[0]["role"] != "assistant":
            self.dialogue.append({"role": "user", "content": _GREETING})
        for turn in turns:
            if turn["role"] == "user":
                self.said.append(turn["content"])
                self.dialogue.append({"role": "assistant", "content": turn["content"]})
            elif turn["role"] == "assistant":
                self.dialogue.append({"role": "user", "content": turn["content"]})
        self.kept = SimulatedUser(model=self.client.model, turns=len(self.said))

    def answer(self) -> bool:
        """What the user says next, recorded; whether the model has to be told it.

        A last message that says more than goodbye is told without its stop word, and the user `leaves` when that was answered.
        """
        said, completion = self._asked()
        text, self.leaves = without_stop_words(said, self.spec.stop_words)
        asked = said_last(self.dialogue)
        fault = fault_of(self.spec, self.dialogue, self.said, text, leaves=self.leaves)
        self.asking.rollout.transcript.append(
            {
                "role": "user",
                "content": said,
                "phase": PHASE,
                "iteration": len(self.said) + 1,
                "simulated": True,
                "usage": completion.usage.as_dict(),
                "duration_ms": completion.duration_ms,
                **({"leaves": True} if self.leaves else {}),
            }
        )
        self.blame(fault)
        self.dialogue.append({"role": "assistant", "content": said})
        heard = bool(text.strip()) and not (self.leaves and only_says_goodbye(text) and not was_asked(asked))
        if self.leaves or not heard:
            self.kept = replace(self.kept, ended="left")
        if heard:
            self.said.append(text)
        return heard

    def blame(self, fault: UserFault | None) -> None:
        """Note a fault beside the user's last message; of the sample the first is kept, one that is certain before others."""
        if fault is None:
            return
        rollout = self.asking.rollout
        certain = fault.sure == "certain"
        if not self.kept.fault or (certain and not self.kept.certainly_at_fault):
            self.kept = replace(self.kept, fault=fault.kind, why=fault.why, sure=fault.sure)
        rollout.flag(USER_FAULT if certain else USER_FAULT_LIKELY)
        entry = next((one for one in reversed(rollout.transcript) if one.get("simulated")), None)
        if entry is not None:
            told = f"{fault.kind}: {fault.why}" if certain else f"{fault.kind}, likely: {fault.why}"
            entry["fault"] = f"{entry['fault']}; {told}" if "fault" in entry else told

    def _asked(self) -> tuple[str, Completion]:
        """What the user's model says, after as many calls of its own tools as it makes, in at most ten messages.

        Raises:
            ModelCallError: it failed, was cut off, or one of its tools is missing.
        """
        completion = self._complete(offered=bool(self.tools))
        loop = (
            ToolLoop(self.asking, self.tools, self.asking.session()) if completion.tool_calls and self.tools else None
        )
        for number in range(1, MOST_CALLS + 1):
            if loop is None or not completion.tool_calls:
                break
            self._use(loop, completion, number)
            completion = self._complete(offered=number < MOST_CALLS)
        return completion.text.strip(), completion

    def _use(self, loop: ToolLoop, completion: Completion, number: int) -> None:
        """Answer the user's own calls; the transcript says whose they are."""
        turn = len(self.said) + 1
        calls = distinct(completion.tool_calls, number)
        who = {"phase": PHASE, "iteration": turn, "by": "user"}
        made = [call.as_dict() for call in calls]
        transcript = self.asking.rollout.transcript
        transcript.append({"role": "user", "content": completion.text, **who, "simulated": True, "tool_calls": made})
        self.dialogue.append(completion.as_message(calls))
        for call in calls:
            result = loop.call(call)
            told = {"tool_call_id": call.id, "name": call.name, "is_error": result.is_error}
            transcript.append(
                {"role": "tool", "content": result.content, **who, **told, "duration_ms": result.duration_ms}
            )
            self.dialogue.append(
                {"role": "tool", "tool_call_id": call.id, "name": call.sendable_name, "content": result.content}
            )

    def _complete(self, *, offered: bool) -> Completion:
        """One call of the user's model, with its tools `offered`.

        Raises:
            ModelCallError: it failed, or was cut off.
        """
        self.asking.context.progress(self.asking.sample, f"the user, turn {len(self.said) + 1}")
        started = time.monotonic()
        try:
            with scripted.as_user(self.client, self.asking.sample):
                tools = [tool.schema() for tool in self.tools] if offered else None
                completion = self.client.complete(self.dialogue, tools=tools)
        except ModelCallError as error:
            self._spend(error.usage, error.cost_usd, round(elapsed_s(started) * 1000), error.attempts)
            error.args = (f"the simulated user ({self.client.model}): {error}",)
            raise
        self._spend(completion.usage, completion.cost_usd, completion.duration_ms, completion.attempts)
        if completion.cut is not None or {"truncated_output", "truncated_reasoning"} & set(completion.flags):
            raise ModelCallError(
                f"the simulated user ({self.client.model}) was cut off in the middle of a message",
                ErrorType.INVALID_RESPONSE,
                attempts=completion.attempts,
            )
        return completion

    def _spend(self, usage: Usage | None, cost_usd: float | None, duration_ms: int, attempts: int) -> None:
        kept = self.kept
        counted = usage or Usage()
        known = kept.cost_usd is not None and (usage is None or cost_usd is not None)
        self.kept = replace(
            kept,
            prompt_tokens=kept.prompt_tokens + counted.prompt,
            completion_tokens=kept.completion_tokens + counted.completion,
            cost_usd=(kept.cost_usd or 0.0) + (cost_usd or 0.0) if known else None,
            duration_ms=kept.duration_ms + duration_ms,
            attempts=kept.attempts + attempts,
        )
