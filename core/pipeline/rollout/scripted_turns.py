"""`conversation` with a user whose words stand in the test: one message after the other, whatever the model answers.

After the way of BFCL's tests of several turns (Patil et al., 2025): the model is asked until it calls no more tools, then the
user says the next thing; a turn that uses up its calls ends the conversation. What the tools know is noted after every turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.jsonvalues.changes import changes
from modex.core.pipeline.rollout.asking import Asking, opening_of
from modex.core.pipeline.rollout.conversation import PHASE, ModelSpeaker, Speaker
from modex.core.suite.definitions import ToolDefinition, UserSpec

CHANGES = "state_changes"
"""Key of the transcript's entry that ends a turn: what the tools know by then that differs from the beginning."""


def follow_script(asking: Asking, speaker: Speaker | None = None) -> None:
    """Say what the test's user says to the model, or another `speaker`, turn by turn.

    The answers stand in `asking.rollout.response`, a blank line between the turns.

    Raises:
        ModelCallError: a call of the model failed, or a server of its tools.
    """
    speaker = speaker or ModelSpeaker(asking)
    context, sample, rollout = asking.context, asking.sample, asking.rollout
    says = [_entry(one) for one in UserSpec.of(sample.definition.simulated_user).says]
    turns = asking.turns()
    messages = speaker.open(opening_of(sample.system_prompt, turns), len(turns))
    tools = context.tools_of(sample)
    begun = asking.state_now() if tools else None
    said: list[str] = []
    for number, offered in enumerate(_offered(tools, says)):
        if number:
            words = says[number - 1]["content"]
            messages.append({"role": "user", "content": words})
            spoken = {"role": "user", "content": words, "phase": PHASE, "iteration": number + 1, "simulated": True}
            rollout.transcript.append(spoken)
        said.append(speaker.say(messages, offered, number + 1))
        rollout.response = "\n\n".join(one for one in said if one.strip())
        if tools and (now := asking.state_now()) is not None:
            rollout.transcript[-1][CHANGES] = changes(begun or {}, now)
        if "tool_limit" in rollout.flags:
            return


def _entry(one: str | Mapping[str, Any]) -> Mapping[str, Any]:
    return {"content": one} if isinstance(one, str) else one


def _offered(tools: tuple[ToolDefinition, ...], says: list[Mapping[str, Any]]) -> Iterator[list[ToolDefinition]]:
    """The tools on offer at each turn: those that a later turn brings are not there before it."""
    brought = [set(entry.get("tools") or ()) for entry in says]
    for number in range(len(says) + 1):
        later = set().union(*brought[number:])
        yield [tool for tool in tools if tool.name not in later]
