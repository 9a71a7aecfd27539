"""PASS 2 for tool calls that a model only described in prose, where the evaluator's file says `uses_pass2`.

A call counts only where the response names its tool, and an argument only where the response holds its value: the extractor
copies, and never makes a call of its own.
"""

from __future__ import annotations

import json
import re
from typing import Any

from modex.core.answers.text.text import fold
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.tool_call.calls import MadeCall
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.jsontext import parse_json_answer
from modex.core.store.sample import EvaluationSample
from modex.core.suite.templates import MAX_FENCED, MAX_QUESTION, new_delimiter, render, shortened

_MOST = 50


def described_calls(sample: EvaluationSample, response: str, context: JudgeContext) -> list[MadeCall]:
    """The calls that `response` describes, as the extractor copied them; those that it does not hold are left out.

    Raises:
        JudgeError: no extractor, or its reply has another form.
        ModelCallError: the extractor could not be asked.
    """
    if context.extractor is None:
        raise JudgeError("PASS 2 needs a model: name one with --extractor-model", ErrorType.EXTRACTION_ERROR)
    message = render(
        context.template("pass2/tool_calls"),
        prompt=shortened(sample.prompt, MAX_QUESTION),
        response=shortened(response, MAX_FENCED),
        delimiter=new_delimiter(response, sample.prompt),
        tools="\n".join(f"- `{tool.name}`: {tool.description}" for tool in context.tools.values()) or "(none)",
    )
    reply = context.ask("pass2", context.extractor, [{"role": "user", "content": message}])
    found = (parse_json_answer(reply.text, key="calls").value or {}).get("calls")
    if not isinstance(found, list):
        raise JudgeError(
            f"PASS 2 gave no calls in the form asked for: {reply.text.strip()[:120]!r}; "
            "try another model with --extractor-model",
            ErrorType.EXTRACTION_ERROR,
        )
    text = _plain(response)
    calls = [item for item in found[:_MOST] if isinstance(item, dict) and _plain(str(item.get("name") or "-")) in text]
    return [_made(item, text) for item in calls]


def _made(item: dict[str, Any], text: str) -> MadeCall:
    arguments = item.get("arguments") if isinstance(item.get("arguments"), dict) else {}
    assert isinstance(arguments, dict)
    held = {name: value for name, value in arguments.items() if _plain(_shown(value)) in text}
    return MadeCall(str(item["name"]), held, "")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _plain(text: str) -> str:
    """Letters and digits only, so that `get_weather`, `get weather` and `Get Weather` are one."""
    return re.sub(r"[\W_]+", " ", fold(text)).strip()
