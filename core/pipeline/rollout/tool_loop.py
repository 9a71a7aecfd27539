"""The tool loop: the model asks for tools, mocks and handlers answer, at most so many times, then it must answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.llm.faults import NoAttachmentsError, NoToolsError
from modex.core.llm.types import Completion, Message, ToolCall
from modex.core.pipeline.fingerprints import most_iterations
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.attached import images_message, without_images
from modex.core.pipeline.rollout.journal import note, taken_up
from modex.core.pipeline.rollout.workspaces import is_used_up, running
from modex.core.suite.definitions import ToolDefinition
from modex.core.suite.templates import render
from modex.core.tools.base import ToolExecutor, ToolImage, ToolResult, ToolSession

JOURNALED = "pass1"
"""The phase whose calls in a workspace are stored one by one: the plain way to ask."""


@dataclass(slots=True)
class ToolLoop:
    """The tools of one sample and what was called so far."""

    asking: Asking
    tools: Sequence[ToolDefinition]
    session: ToolSession
    executor: ToolExecutor | None = None
    """Who answers; None for the run's own."""
    _by_name: dict[str, ToolDefinition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_name = {tool.name: tool for tool in self.tools}
        self._executor.begin(self.tools, self.session)

    @property
    def _executor(self) -> ToolExecutor:
        return self.executor or self.asking.context.executor

    @property
    def _offered(self) -> dict[str, dict[str, Any]]:
        return {name: tool.parameters for name, tool in self._by_name.items()}

    def run(self, messages: list[Message], *, phase: str, begun: int = 0) -> Completion:
        """Ask until the model stops asking for tools; `messages` grows by what was said.

        After the last allowed iteration one call without tools asks for the answer, and the rollout is flagged
        `tool_limit`. Iterations are counted on from `begun`, where a conversation had some before.

        Raises:
            ModelCallError: a call failed.
        """
        most = most_iterations(self.asking.sample, self.asking.context)
        opened, first = len(messages), begun + 1
        if phase == JOURNALED and (taken := taken_up(self.asking)) is not None:
            messages += taken.messages
            self._answer_all(messages, taken.waiting, phase=phase, iteration=taken.iteration, opened=opened)
            first = taken.iteration + 1
        for iteration in range(first, begun + most + 1):
            if self.session.workspace is not None and is_used_up(self.session):
                most = iteration - 1 - begun
                break
            completion = self.offer(messages, phase=phase, iteration=iteration)
            if not completion.tool_calls:
                return completion
            self.answer(messages, completion, phase=phase, iteration=iteration, opened=opened)
        self.asking.rollout.flag("tool_limit")
        return self._ask(messages, phase=phase, iteration=begun + most + 1, show="last answer")

    def offer(self, messages: list[Message], *, phase: str, iteration: int) -> Completion:
        """Ask once with the tools on offer, natively or, where the model cannot, by the text protocol."""
        context = self.asking.context
        show = f"tool loop {iteration}/{most_iterations(self.asking.sample, context)}"
        model = context.client.model
        if model not in context.text_protocol:
            try:
                completion = self._ask(
                    messages,
                    phase=phase,
                    iteration=iteration,
                    tools=[tool.schema() for tool in self.tools],
                    offered=self._offered,
                    show=show,
                )
            except NoToolsError:
                if model in context.native_tools:
                    raise
                context.text_protocol.add(model)
                context.note(f"{model} knows no tools: they are described in the prompt (flag `text_protocol`)")
            else:
                context.native_tools.add(model)
                return completion
        self.asking.rollout.flag("text_protocol")
        return self._ask(self._as_text(messages), phase=phase, iteration=iteration, offered=self._offered, show=show)

    def _ask(self, messages: list[Message], **how: Any) -> Completion:
        """Ask, with the images that tools gave unless the model takes none, which is found out by its refusal."""
        context = self.asking.context
        bare = without_images(messages)
        if len(bare) == len(messages):
            return self.asking.ask(messages, **how)
        if context.client.model not in context.without_images:
            try:
                return self.asking.ask(messages, **how)
            except NoAttachmentsError:
                context.without_images.add(context.client.model)
                words = "takes no images: those of tools are named to it in words (flag `tool_images_unseen`)"
                context.note(f"{context.client.model} {words}")
        self.asking.rollout.flag("tool_images_unseen")
        return self.asking.ask(bare, **how)

    def answer(
        self, messages: list[Message], completion: Completion, *, phase: str, iteration: int, opened: int | None = None
    ) -> None:
        """Answer every call of `completion`, one result per call id and in order.

        `opened` messages are the opening; with it, what was done so far is stored where the sample has a workspace.
        """
        calls = distinct(completion.tool_calls, iteration)
        if self.asking.rollout.transcript:
            self.asking.rollout.transcript[-1]["tool_calls"] = [call.as_dict() for call in calls]
        messages.append(completion.as_message(calls))
        self._answer_all(messages, calls, phase=phase, iteration=iteration, opened=opened)

    def _answer_all(
        self, messages: list[Message], calls: Sequence[ToolCall], *, phase: str, iteration: int, opened: int | None
    ) -> None:
        noted = opened if phase == JOURNALED else None
        if noted is not None and calls:
            note(self.asking, messages, noted, iteration)
        images: list[tuple[str, ToolImage]] = []
        for call in calls:
            self._say(call)
            result = self.call(call)
            images += [(call.sendable_name, image) for image in result.images]
            self.asking.record_result(call, result, phase, iteration)
            messages.append(
                {"role": "tool", "tool_call_id": call.id, "name": call.sendable_name, "content": result.content}
            )
            # Images follow behind the last answer; until they stand there, what was noted before them holds.
            if noted is not None and not images:
                note(self.asking, messages, noted, iteration)
        if images:
            messages.append(images_message(images))
            if noted is not None:
                note(self.asking, messages, noted, iteration)

    def _say(self, call: ToolCall) -> None:
        """Say which command runs, to who looks on."""
        if self.session.workspace is not None and (words := running(call.name, call.arguments)):
            self.asking.context.progress(self.asking.sample, words)

    def call(self, call: ToolCall) -> ToolResult:
        """The answer to one call, whatever is wrong with it.

        Raises:
            ModelCallError: the tool is missing, which is no fault of whoever called.
        """
        from modex.core.tools.arguments import parse_arguments

        tool = self._by_name.get(call.name)
        if tool is None:
            known = ", ".join(self._by_name)
            words = f"unknown tool {call.name!r}" if call.name else "a tool call without a name"
            return ToolResult(json.dumps({"error": f"{words}; the tools are: {known}"}), is_error=True)
        parsed = parse_arguments(call.arguments, tool)
        if isinstance(parsed, str):
            return ToolResult(json.dumps({"error": parsed}, ensure_ascii=False), is_error=True)
        self.session.call_counts[tool.name] = self.session.call_counts.get(tool.name, 0) + 1
        return self._executor.call(tool, parsed, self.session)

    def _as_text(self, messages: list[Message]) -> list[Message]:
        """The conversation for a model that knows no tools: the protocol in the system prompt, results as text."""
        described = "\n".join(json.dumps(tool.schema()["function"], ensure_ascii=False) for tool in self.tools)
        protocol = render(self.asking.context.templates.text("qa/text_protocol"), tools=described)
        plain: list[Message] = [{"role": "system", "content": protocol}]
        for message in messages:
            if message["role"] == "system":
                plain[0] = {"role": "system", "content": f"{message['content']}\n\n{protocol}"}
            elif message["role"] == "tool":
                text = f'<tool_result name="{message["name"]}">\n{message["content"]}\n</tool_result>'
                if plain[-1]["role"] == "user" and isinstance(plain[-1]["content"], str):
                    plain[-1] = {"role": "user", "content": f"{plain[-1]['content']}\n{text}"}
                else:
                    plain.append({"role": "user", "content": text})
            elif message.get("tool_calls"):
                calls = "\n".join(
                    "<tool_call>"
                    + json.dumps({"name": c["function"]["name"], "arguments": json.loads(c["function"]["arguments"])})
                    + "</tool_call>"
                    for c in message["tool_calls"]
                )
                plain.append({"role": "assistant", "content": f"{message.get('content') or ''}\n{calls}".strip()})
            else:
                plain.append(message)
        return plain


def distinct(calls: Sequence[ToolCall], iteration: int) -> list[ToolCall]:
    """The calls with an id each, none twice: a provider that forgets or repeats ids must not break the protocol."""
    seen: set[str] = set()
    distinct = []
    for index, call in enumerate(calls):
        id_ = call.id if call.id and call.id not in seen else f"call_{iteration}_{index}"
        seen.add(id_)
        distinct.append(replace(call, id=id_))
    return distinct
