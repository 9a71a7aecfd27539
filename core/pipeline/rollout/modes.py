"""The ways to ask: `direct`, `reasoning` (a structured answer), `agentic` (tools, then synthesis), `conversation`."""

from __future__ import annotations

import json
from typing import Any

from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.request import json_answer
from modex.core.pipeline.fingerprints import most_iterations, rollout_mode
from modex.core.pipeline.rollout.asking import Asking, opening_of
from modex.core.pipeline.rollout.tool_loop import ToolLoop
from modex.core.suite.definitions import is_played
from modex.core.suite.likelihood import EVALUATOR
from modex.core.suite.templates import render
from modex.core.tools.registry import present_of

_ANSWER = json_answer("answer", reasoning={"type": "string"}, answer={"type": "string"})
"""The form that `qa/reasoning` and `qa/synthesis` ask for, for providers that enforce one."""


def roll_out(asking: Asking) -> None:
    """Ask the sample's question in its mode; the answer ends in `asking.rollout.response`.

    Raises:
        ModelCallError: a call failed; what happened until then stands in `asking.rollout`.
    """
    if asking.context.config.agent is not None:
        from modex.core.pipeline.rollout.agent_turns import converse_by_agent
        from modex.core.pipeline.rollout.agents import roll_out_by_agent
        from modex.core.pipeline.rollout.answers import answers_of
        from modex.core.pipeline.rollout.by_answers import roll_out_by_answers

        answers = answers_of(asking.context.config)
        if answers is not None:
            roll_out_by_answers(asking, answers)
        elif asking.sample.definition.simulated_user:
            converse_by_agent(asking)
        else:
            roll_out_by_agent(asking)
        return
    if asking.sample.evaluator_id == EVALUATOR:
        from modex.core.pipeline.rollout.by_likelihood import roll_out_by_likelihood  # few runs compare options so

        roll_out_by_likelihood(asking)
        return
    mode = rollout_mode(asking.sample, asking.context)
    ways = {"direct": _direct, "reasoning": _reasoning, "agentic": _agentic, "conversation": _conversation}
    try:
        ways[mode](asking)
    except BaseException:
        asking.keep_state(mocks_only=True)
        raise
    asking.keep_state()


def _direct(asking: Asking) -> None:
    turns = asking.turns()
    messages = asking.open(opening_of(asking.sample.system_prompt, turns), "pass1", turns=len(turns))
    tools = asking.context.tools_of(asking.sample)
    if tools:
        completion = ToolLoop(asking, tools, asking.session()).run(messages, phase="pass1")
    else:
        completion = asking.ask(messages, phase="pass1", show="pass 1")
    asking.rollout.response = completion.text


def _conversation(asking: Asking) -> None:
    # Imported here with all that reads tool calls, which few runs do.
    if is_played(asking.sample.definition.simulated_user):
        from modex.core.pipeline.rollout.conversation import converse

        converse(asking)
    else:
        from modex.core.pipeline.rollout.scripted_turns import follow_script

        follow_script(asking)


def _reasoning(asking: Asking) -> None:
    template = asking.context.templates.text("qa/reasoning")
    system = _joined(asking.sample.system_prompt, _filled(template, asking))
    turns = asking.turns()
    messages = asking.open(opening_of(system, turns), "pass1", turns=len(turns))
    completion = asking.ask(messages, phase="pass1", show="reasoning", response_format=_form(template))
    asking.rollout.response = structured_answer(completion.text, asking)


def _agentic(asking: Asking) -> None:
    """First analysis → (tool selection → tools)* → synthesis."""
    context, sample = asking.context, asking.sample
    loop = ToolLoop(asking, context.tools_of(sample), asking.session())
    question = _question(asking)
    listed = "\n".join(f"- {tool.name}: {tool.description}" for tool in loop.tools)

    messages = opening_of(
        sample.system_prompt,
        [{"role": "user", "content": _filled(context.templates.text("qa/analysis"), asking, tools=listed)}],
    )
    messages = asking.open(messages, "analysis")
    analysis = asking.ask(messages, phase="analysis", show="analysis").text
    if loop.tools and _decision(analysis) != "synthesis":
        _select_tools(asking, loop, analysis, listed)

    results = _results(asking.rollout.transcript)
    template = context.templates.text("qa/synthesis")
    prompt = _filled(template, asking, question=question, analysis=analysis, results=results)
    messages = opening_of(sample.system_prompt, [{"role": "user", "content": prompt}])
    messages = asking.open(messages, "synthesis")
    completion = asking.ask(messages, phase="synthesis", show="synthesis", response_format=_form(template))
    asking.rollout.response = structured_answer(completion.text, asking)


def _select_tools(asking: Asking, loop: ToolLoop, analysis: str, listed: str) -> None:
    most = most_iterations(asking.sample, asking.context)
    template = asking.context.templates.text("qa/tool_selection")
    prompt = _filled(template, asking, analysis=analysis, tools=listed, iteration="1")
    messages = opening_of(asking.sample.system_prompt, [{"role": "user", "content": prompt}])
    messages = asking.open(messages, "tool_selection", 1)
    for iteration in range(1, most + 1):
        completion = loop.offer(messages, phase="tool_selection", iteration=iteration)
        if not completion.tool_calls:
            return
        loop.answer(messages, completion, phase="tool_selection", iteration=iteration)
    asking.rollout.flag("tool_limit")


def _form(template: str) -> dict[str, Any] | None:
    """The schema that says what `template` says; None where a suite's own template asks for another form."""
    return _ANSWER if '{"reasoning": ' in template and '"answer": ' in template else None


def structured_answer(text: str, asking: Asking) -> str:
    """The `answer` of a JSON answer; the whole text, flagged `unparsed_answer`, where there is none."""
    parsed = parse_json_answer(text)
    if parsed.value is None or "answer" not in parsed.value:
        if text.strip():
            asking.rollout.flag("unparsed_answer")
        return text
    if parsed.repaired:
        asking.rollout.flag("repaired_json")
    asking.rollout.transcript[-1]["structured"] = parsed.value
    answer = parsed.value["answer"]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _decision(analysis: str) -> str:
    parsed = parse_json_answer(analysis, key="decision").value or {}
    return str(parsed.get("decision", "tool_call")).strip().lower()


def _filled(template: str, asking: Asking, **values: str) -> str:
    metadata = asking.sample.definition.metadata
    given = {
        "question": _question(asking),
        "snapshot_date": str(metadata.get("snapshot_date") or _snapshot_date(asking)),
        "max_iterations": str(most_iterations(asking.sample, asking.context)),
    }
    return render(template, **{**given, **values})


def _snapshot_date(asking: Asking) -> str:
    handlers = [tool.handler for tool in asking.context.tools_of(asking.sample) if tool.handler]
    return present_of(handlers, asking.sample.source) or "today"


def _question(asking: Asking) -> str:
    turns = asking.turns()
    return turns[0]["content"] if len(turns) == 1 else "\n\n".join(f"{t['role']}: {t['content']}" for t in turns)


def _joined(*parts: str | None) -> str:
    return "\n\n".join(part for part in parts if part)


def _results(transcript: list[dict[str, Any]]) -> str:
    """Every tool call with its arguments and result, for the synthesis."""
    parts = []
    calls: dict[str, dict[str, Any]] = {}
    for entry in transcript:
        for call in entry.get("tool_calls", ()):
            calls[call["id"]] = call
        if entry["role"] == "tool":
            call = calls.get(entry["tool_call_id"], {})
            state = "error" if entry["is_error"] else "result"
            parts.append(
                f"[iteration {entry['iteration']}] {entry['name']}({call.get('arguments', '')})\n{state}: {entry['content']}"
            )
    return "\n\n".join(parts) or "(no tool was called)"
