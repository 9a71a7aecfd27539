"""The corpus' form: one JSONL a family under `cases/`, more cases from seeded generators; each judged by the product itself.

A line is `{"id", "family", "evaluator", "expected", "answer", "verdict", "who"}` and, where they matter, `locale`, `why`.

- `evaluator`: `compare` (a bare answer against `expected`), `match` (a whole response, no PASS 2), `two_pass` (`answer` is
  `{"response", "reply"}`), or the id of any other evaluator (`answer` is a response, or `{"response", "transcript",
  "reply", "prompt"}`; `config` may hold an evaluator file's fields).
- `verdict`: `pass`, `fail` or `error` (a judge error, a faulty gold).
- `who` says so: a person, a computation, a standard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from core.errors import JudgeError
from core.evaluators.answers.comparison import compare
from core.evaluators.answers.kinds import expected_answer
from core.evaluators.base import JudgeContext
from core.evaluators.registry import find_config, get_evaluator
from core.llm.types import Completion, Cue, Message
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig
from core.suite.templates import Templates

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
    try:
        passed = _passes(case)
    except JudgeError:
        return "error"
    return "pass" if passed else "fail"


def _passes(case: Case) -> bool:
    expected = case.expected
    if case.locale is not None:
        expected = {**(expected if isinstance(expected, dict) else {"value": expected}), "locale": case.locale}
    if case.evaluator == "compare":
        return compare(case.answer, expected_answer(expected))[0]
    parts = case.answer if isinstance(case.answer, dict) else {"response": case.answer}
    config = find_config(case.evaluator, {})
    if case.config or config is None:
        config = EvaluatorConfig(id=case.evaluator, name=case.evaluator, **case.config)
    model = _Scripted(parts.get("reply", ""))
    context = JudgeContext(config=config, template=_TEMPLATES.text, extractor=model, judges=(model,))
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
    return get_evaluator(config).evaluate(sample, context).status == "passed"


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
        cue: Cue | None = None,
    ) -> Completion:
        del messages, tools, response_format, temperature, max_tokens, timeout_s, cue
        return Completion(text=self._reply)
