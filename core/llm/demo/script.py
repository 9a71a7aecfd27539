"""What the scripted model says to a call: from the cue and the messages, and from nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.llm.demo.ability import VARIANTS, Dice
from modex.core.llm.demo.answers import final_answer
from modex.core.llm.demo.arguments import arguments_for
from modex.core.llm.demo.calls import PlannedCall, is_tool_test, plan, schemas_of
from modex.core.llm.demo.conversation import asks_first, user_says
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.extractor import extract
from modex.core.llm.demo.judge import verdict
from modex.core.llm.demo.prose import solution, thinking
from modex.core.llm.types import Message


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer of the scripted model."""

    content: str
    calls: tuple[PlannedCall, ...] = ()
    finish_reason: str = "stop"


Tools = Sequence[Mapping[str, Any]] | None


def variant_of(model: str) -> str:
    """The variant that a model's name asks for; an unknown one is `default`."""
    name = model.rpartition("/")[2]
    return name if name in VARIANTS else "default"


def play(variant: str, messages: list[Message], tools: Tools, cue: Cue | None) -> Scripted:
    """The answer of `variant` to `messages`; the same arguments give the same answer."""
    if cue is None:
        if facts := re.findall(r"^F\d+: .*$", _text(messages[-1]) if messages else "", re.MULTILINE):
            return Scripted(_summary(facts))
        return Scripted("I am modex's scripted demo model: without a test to play I only say this.")
    dice = Dice(variant, cue.key)
    prompt = _text(messages[-1]) if messages else ""
    if cue.role == "pass2":
        return Scripted(extract(prompt, str(cue.context.get("type", "text"))))
    if cue.role == "user":
        return Scripted(user_says(dice, messages, cue))
    if cue.role == "judge":
        return Scripted(verdict("\n".join(_text(message) for message in messages), cue))
    return _rollout(dice, messages, tools, cue)


def _summary(facts: list[str]) -> str:
    """A summary that only says again what was counted."""
    said = [{"text": text, "facts": [name]} for name, _, text in (fact.partition(": ") for fact in facts)]
    return json.dumps({"strengths": said[:2], "weaknesses": [], "patterns": said[2:4]}, ensure_ascii=False)


def _rollout(dice: Dice, messages: list[Message], tools: Tools, cue: Cue) -> Scripted:
    phase = str(cue.context.get("phase", "pass1"))
    if dice.roll("truncated") < VARIANTS[dice.variant].truncated and phase in {"pass1", "synthesis"}:
        return Scripted("<think>\nThis scripted thought goes on and on, and before it ends", finish_reason="length")
    thought = thinking(cue.key, dice) if dice.roll(f"think {phase}") < 0.7 else ""
    if phase == "analysis":
        decision = "tool_call" if cue.tool_names or tools or _metadata(cue).get("tools") else "synthesis"
        body = json.dumps(
            {"decision": decision, "missing": ["the figures asked for"], "plan": "look up, then calculate"}
        )
        return Scripted(f"{thought}The question asks for facts that have to be looked up first.\n\n{body}")
    if phase == "tool_selection":
        return _select(dice, messages, tools, cue, thought)
    if phase == "synthesis":
        return Scripted(thought + _structured(cue, dice, right=dice.is_right(cue.level, with_tools=True)))
    if cue.rollout == "reasoning" or _wants_json(messages):
        return Scripted(thought + _structured(cue, dice, right=dice.is_right(cue.level)))
    if cue.rollout == "conversation" and (asked := asks_first(messages, cue)):
        return Scripted(thought + asked)
    if is_tool_test(cue.expected):
        return _tool_test(dice, messages, tools, cue, thought)
    answer = final_answer(cue, dice, right=dice.is_right(cue.level))
    return Scripted(thought + (answer.text if answer.bare else solution(answer.text, dice)))


def _tool_test(dice: Dice, messages: list[Message], tools: Tools, cue: Cue, thought: str) -> Scripted:
    right = dice.is_right(cue.level)
    turns = plan(cue.expected, schemas_of(tools), dice, right=right, sample=_metadata(cue).get("sample_calls"))
    done = _turns_taken(messages)
    if tools and done < len(turns):
        return Scripted(thought, tuple(turns[done]), "tool_calls")
    asked = cue.expected.get("answer") if isinstance(cue.expected, dict) else None
    if asked is not None:
        plain = Cue("rollout", cue.key, cue.level, asked, "two_pass", context={})
        return Scripted(thought + solution(final_answer(plain, dice, right=right).text, dice))
    written = _metadata(cue).get("good_answer" if right else "bad_answer")
    if isinstance(written, str):
        return Scripted(thought + written)
    results = [_text(message) for message in messages if message.get("role") == "tool"]
    if results:
        return Scripted(f"{thought}Done. The last result was: {results[-1][:200]}")
    return Scripted(f"{thought}No tool is needed for this: I can answer it from what you told me.")


def _select(dice: Dice, messages: list[Message], tools: Tools, cue: Cue, thought: str) -> Scripted:
    """One helpful tool a turn, then `synthesis`; at times one round too many."""
    schemas = schemas_of(tools)
    named = _metadata(cue).get("tools")
    helpful = [name for name in named if name in schemas] if isinstance(named, list) else []
    if not helpful and schemas:
        names = sorted(schemas)
        helpful = [names[dice.pick("tool", len(names))]]
    if dice.roll("once more") < 0.2:
        helpful = [*helpful, helpful[-1]] if helpful else helpful
    done = _turns_taken(messages)
    if done >= len(helpful):
        return Scripted("synthesis")
    name = helpful[done]
    question = next((_text(message) for message in messages if message.get("role") == "user"), "")
    return Scripted(thought, (PlannedCall(name, arguments_for(schemas[name], question)),), "tool_calls")


def _structured(cue: Cue, dice: Dice, *, right: bool) -> str:
    """JSON with `answer` and `reasoning`; at times in a fence, or with words around it."""
    answer = final_answer(cue, dice, right=right).text
    body = json.dumps(
        {"reasoning": "From the figures given, step by step, the answer follows.", "answer": answer}, ensure_ascii=False
    )
    form = dice.roll("form")
    if form < 0.2:
        return f"```json\n{body}\n```"
    if form < 0.3:
        return f"Here is my answer:\n\n{body}\n\nI hope this helps."
    return body


def _turns_taken(messages: list[Message]) -> int:
    """How many messages with tool calls came since the last user message that was not a text-protocol result."""
    return sum(1 for message in messages if message.get("role") == "assistant" and message.get("tool_calls"))


def _wants_json(messages: list[Message]) -> bool:
    system = next((_text(message) for message in messages if message.get("role") == "system"), "")
    return '"reasoning"' in system and '"answer"' in system


def _metadata(cue: Cue) -> dict[str, Any]:
    metadata = cue.context.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _text(message: Message) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""
