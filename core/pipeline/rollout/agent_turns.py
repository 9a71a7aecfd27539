"""Conversations of somebody's own agent with a user: it is asked once a turn, with what was said so far.

Its tools keep their address and what they know over all turns. A command is started anew for each turn unless it stays
(`--agent-stays`); a Python function is called turn by turn in one process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from modex.core.evaluators.tool_call.final_state import STATE_UNKNOWN
from modex.core.llm.types import Message
from modex.core.pipeline.rollout.agent_option import command_of, is_function
from modex.core.pipeline.rollout.agent_process import AgentProcess, AgentSaid
from modex.core.pipeline.rollout.agent_tools import AgentTools, agent_tools
from modex.core.pipeline.rollout.agents import deadline_of, require_files, say_flags, take_said, task_of
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.claims import TOOLS_NOT_ASKED
from modex.core.pipeline.rollout.conversation import PHASE, converse
from modex.core.pipeline.rollout.scripted_turns import follow_script
from modex.core.suite.definitions import ToolDefinition, is_played


def converse_by_agent(asking: Asking) -> None:
    """Let the run's agent speak with the sample's user, one that a model plays or one whose words stand in the test.

    Raises:
        ModelCallError: a turn of the agent's failed, or the user did, or a server of the tools.
        Interrupted: the run is stopping; the agent was ended.
    """
    require_files(asking)
    _converse(asking)
    say_flags(asking)


def _converse(asking: Asking) -> None:
    rollout = asking.rollout
    with agent_tools(asking) as tools:
        speaker = AgentSpeaker(asking, tools)
        try:
            if is_played(asking.sample.definition.simulated_user):
                converse(asking, speaker)
            else:
                follow_script(asking, speaker)
        except BaseException:
            speaker.close()
            asking.keep_state(mocks_only=True)
            raise
        speaker.close(politely=True)
        if tools.seen and TOOLS_NOT_ASKED in rollout.flags:  # it came in a later turn
            rollout.flags.remove(TOOLS_NOT_ASKED)
        if STATE_UNKNOWN not in rollout.flags:
            asking.keep_state()


class AgentSpeaker:
    """The agent as a `Speaker`."""

    def __init__(self, asking: Asking, tools: AgentTools) -> None:
        config = asking.context.config
        assert config.agent is not None
        self._asking = asking
        self._tools = tools
        self._words = command_of(config.agent, config.agent_folder)
        self._stays = config.agent_stays or is_function(config.agent)
        self._session = uuid4().hex
        self._process: AgentProcess | None = None

    def open(self, messages: list[Message], turns: int) -> list[Message]:
        """See `Speaker`; attachments are named in the transcript, and the agent reads them itself."""
        self._asking.told(messages, PHASE, turns=turns)
        return list(messages)

    def say(self, messages: list[Message], offered: Sequence[ToolDefinition], turn: int) -> str:
        """See `Speaker`."""
        asking, rollout = self._asking, self._asking.rollout
        asking.context.progress(asking.sample, f"agent, turn {turn}")
        deadline_s = deadline_of(asking)
        spoken = [message for message in messages if message["role"] != "system"]
        task = {
            **task_of(asking, deadline_s),
            **self._tools.told(),
            "prompt": spoken[-1]["content"],
            "messages": spoken,
            "tools": [tool.schema() for tool in offered],
            "turn": turn,
            "session": self._session,
        }
        self._tools.turn(offered)
        started = time.monotonic()
        try:
            ran = self._asked(task, deadline_s)
        finally:
            rollout.duration_ms += round((time.monotonic() - started) * 1000)
            rollout.attempts += 1
        before = sum(entry["role"] == "assistant" for entry in rollout.transcript[: self._tools.begun])
        take_said(ran, asking, self._tools)
        for entry in rollout.transcript[self._tools.begun :]:
            entry["iteration"] += before
        text = rollout.response or ""
        messages.append({"role": "assistant", "content": text})
        return text

    def close(self, *, politely: bool = False) -> None:
        """End the agent; see `AgentProcess.close`."""
        if self._process is not None:
            self._process.close(politely=politely)
            self._process = None

    def _asked(self, task: dict[str, Any], deadline_s: float) -> AgentSaid:
        """What it prints for one turn; one that ended after a turn before is started again."""
        goes_on = self._process is not None
        ran = self._ask(task, deadline_s)
        if goes_on and ran.code == 0 and not ran.out.strip():
            self.close()
            ran = self._ask(task, deadline_s)
        if not self._stays:
            self.close()
        return ran

    def _ask(self, task: dict[str, Any], deadline_s: float) -> AgentSaid:
        if self._process is None:
            self._process = AgentProcess(self._words, self._asking, self._tools, stays=self._stays)
        return self._process.ask(task, deadline_s)
