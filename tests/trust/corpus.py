"""The corpus' form: one JSONL a family under `cases/`, more cases from seeded generators; each judged by the product itself.

A line is `{"id", "family", "evaluator", "expected", "answer", "verdict", "who"}` and, where they matter, `locale`, `why`,
`tools` (function definitions, as a tool file holds them).

- `evaluator`: `compare` (a bare answer against `expected`), `match` (a whole response, no PASS 2), `two_pass` (`answer` is
  `{"response", "reply"}`), or the id of any other evaluator (`answer` is a response, or `{"response", "transcript",
  "reply", "prompt"}`; `config` may hold an evaluator file's fields).
- `verdict`: `pass`, `fail` or `error` (a judge error, a faulty gold).
- `who` says so: a person, a computation, a standard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

from modex.core.answers.comparison import compare
from modex.core.answers.found import Compared
from modex.core.answers.kinds import expected_answer
from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.llm.types import Completion, Message
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, Location, ToolDefinition
from modex.core.suite.templates import Templates
from modex.core.verdict.parts import CallOutcome

CASES = Path(__file__).parent / "cases"
Verdict = Literal["pass", "fail", "error"]
_REQUIRED = ("id", "family", "evaluator", "expected", "answer", "verdict", "who")


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled verdict."""

    id: str
    family: str
    evaluator: str
    expected: Any
    answer: Any
    verdict: Verdict
    who: str
    locale: str | None = None
    why: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    tools: list[dict[str, Any]] = field(default_factory=list)


def written_cases() -> Iterator[Case]:
    """Every case of `cases/*.jsonl`.

    Raises:
        ValueError: a line lacks a field, or stands in another family's file.
    """
    for path in sorted(CASES.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            row = json.loads(line)
            missing = [name for name in _REQUIRED if name not in row]
            if missing or row["family"] != path.stem or row["verdict"] not in ("pass", "fail", "error"):
                raise ValueError(
                    f"{path.name}:{number}: missing {missing}, or another family or verdict than it may have"
                )
            yield Case(**row)


def judged(case: Case) -> Verdict:
    """What the product says of the case."""
    return judged_with_grounds(case)[0]


def judged_with_grounds(case: Case) -> tuple[Verdict, Any]:
    """What the product says of the case, and what that is founded on: the type of the error, else `grounds`."""
    try:
        result = _result(case)
    except JudgeError as error:
        return "error", str(error.error_type)
    return "pass" if result.status == "passed" else "fail", grounds(result)


def grounds(result: EvaluationResult) -> dict[str, Any]:
    """What a verdict is founded on: a share of the score, the answer that was read and where, what was compared or called.

    Neither sentences, which may be said otherwise, nor what only repeats the case.
    """
    told = {
        "score": round(result.score, 6),
        "answer": result.extracted_answer,
        "parts": [_told(one) for one in result.parts],
    }
    return {name: value for name, value in told.items() if value not in (None, 0, 1, [], [{}])}


_UNTOLD = frozenset(
    [
        "aliases",
        "args",
        "columns",
        "gold_query",
        "kind",
        "max_points",
        "model",
        "name",
        "query",
        "reason",
        "rows",
        "text",
        "type",
        "weights",
        "why",
    ]
)


def _told(value: Any) -> Any:
    if isinstance(value, Compared):
        value = {"difference": value.difference, "percent": value.difference_percent, **value.facts}
    elif isinstance(value, CallOutcome):
        value = {"call": value.call, "score": value.score, "arguments": value.arguments, "wrong": sorted(value.wrong)}
    elif is_dataclass(value) and not isinstance(value, type):
        value = {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, Mapping):
        told = {str(name): _told(one) for name, one in value.items() if name not in _UNTOLD}
        return {name: one for name, one in told.items() if one not in (None, "", 0, [], {}, "found", "any")}
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    if isinstance(value, float):
        return round(value, 6)
    return value if isinstance(value, str | int) or value is None else str(value)


def _result(case: Case) -> EvaluationResult:
    expected = case.expected
    if case.locale is not None:
        expected = {**(expected if isinstance(expected, dict) else {"value": expected}), "locale": case.locale}
    if case.evaluator == "compare":
        right, part = compare(case.answer, expected_answer(expected))
        return EvaluationResult(1.0 if right else 0.0, parts=(part,))
    parts = case.answer if isinstance(case.answer, dict) else {"response": case.answer}
    config = find_config(case.evaluator, {})
    if case.config or config is None:
        config = EvaluatorConfig(id=case.evaluator, name=case.evaluator, **case.config)
    model = _Scripted(parts.get("reply", ""))
    tools = {tool.name: tool for tool in map(_tool, case.tools)}
    context = JudgeContext(config=config, template=_TEMPLATES.text, extractor=model, judges=(model,), tools=tools)
    sample = EvaluationSample(
        domain="d",
        level=2,
        test_id=case.id,
        prompt=parts.get("prompt", "What is asked?"),
        response=parts.get("response"),
        transcript=parts.get("transcript", []),
        expected=expected,
        evaluator_id=case.evaluator,
    )
    return get_evaluator(config).evaluate(sample, context)


def _tool(given: dict[str, Any]) -> ToolDefinition:
    function = given["function"]
    where = Location(str(CASES), 1)
    return ToolDefinition(given["id"], function["name"], function["description"], function["parameters"], where)


def shown(case: Case) -> str:
    """The case in a line, for a test that fails."""
    return f"{case.id}: {case.answer!r} for {case.expected!r} should {case.verdict}"


_TEMPLATES = Templates(None)


class _Scripted:
    """A model that always gives the same reply."""

    model = "scripted"

    def __init__(self, reply: str) -> None:
        self._reply = reply

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        del messages, tools, response_format, temperature, max_tokens, timeout_s
        return Completion(text=self._reply)
