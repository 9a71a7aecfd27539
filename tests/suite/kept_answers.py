"""Answers kept beside the golds, with the verdict that each must get, and the way to judge them as the product does.

`answers/*.jsonl`, any number of files a domain (`health.jsonl`, `health_level_4.jsonl`), one answer a line:

- `test`: the test's id; `answer`: the response; `transcript`: for tools, a list of turns, each a list of calls
  `{"name", "args", "result"?, "error"?}`;
- `verdict`: `pass` or `fail`; `why`: what makes it so;
- `pass2`: what a faithful extractor copies out, where the rules without a model do not find it;
- `judge`: what a judge says. A number is a rating; a list holds the ids of the rubric's items and gates that it affirms;
  `"all"` affirms every item and no gate, `"none"` nothing. An answer without it must be decided without a judge;
- `kind`: free, such as `careless`;
- `known_wrong`: why the product still gets it wrong. Such an answer counts against the share that must be right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from modex.core.answers.final_answer import find_final_answer
from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.registry import default_configs, get_evaluator
from modex.core.llm.demo.cues import Cue, current_cue
from modex.core.llm.types import Completion, Message
from modex.core.pipeline.preparation import samples_of
from modex.core.pipeline.scripted import as_judge
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import Templates
from tests.suite.golds import ROOT, bundled, made

FOLDER = Path(__file__).parent / "answers"
_KEYS = {"test", "answer", "transcript", "verdict", "why", "pass2", "judge", "kind", "known_wrong"}


@dataclass(frozen=True)
class KeptAnswer:
    """One answer and its verdict; `place` is the file and line it stands in."""

    test: str
    verdict: Literal["pass", "fail"]
    why: str
    place: str
    answer: str = ""
    transcript: list[list[dict[str, Any]]] = field(default_factory=list)
    pass2: str | None = None
    judge: Any = None
    kind: str = ""
    known_wrong: str = ""

    def __str__(self) -> str:
        return f"{self.place} {self.test}: must {self.verdict} ({self.why}): {self.answer[:160]!r}"


class ScriptedModel:
    """A judge or an extractor that says what the kept answer says it would."""

    def __init__(self, kept: KeptAnswer) -> None:
        self.kept = kept

    @property
    def model(self) -> str:
        return "demo"

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
        cue = current_cue()
        assert cue is not None
        if cue.role == "pass2":
            return Completion(text=f"ANSWER: {self._extracted()}")
        assert self.kept.judge is not None, f"a judge was asked, and `judge` does not say what it says: {self.kept}"
        if "items" in cue.context:
            return Completion(text=json.dumps({"reason": "scripted", "items": self._affirmed(cue)}))
        return Completion(text=json.dumps({"reason": "scripted", "score": self.kept.judge}))

    def _extracted(self) -> str:
        if self.kept.pass2 is not None:
            return self.kept.pass2
        found = find_final_answer(self.kept.answer)
        return found.text if found else "NO_ANSWER"

    def _affirmed(self, cue: Cue) -> dict[str, bool]:
        items, gates = list(cue.context["items"]), list(cue.context["gates"])
        said = {"all": items, "none": []}[self.kept.judge] if isinstance(self.kept.judge, str) else self.kept.judge
        return {name: name in said for name in [*items, *gates]}


@cache
def cases() -> dict[str, TestCase]:
    """Every bundled test; ids are unique in the whole suite."""
    assert made().problems == []
    return {test.test_id: test for test in made().tests}


@cache
def kept_answers() -> dict[str, list[KeptAnswer]]:
    """Every kept answer by domain."""
    found: dict[str, list[KeptAnswer]] = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            data = json.loads(line)
            assert set(data) <= _KEYS, f"{path.name}:{number}: unknown keys {sorted(set(data) - _KEYS)}"
            assert data["test"] in cases(), f"{path.name}:{number}: no test is called {data['test']!r}"
            assert data["verdict"] in ("pass", "fail"), f"{path.name}:{number}"
            kept = KeptAnswer(place=f"{path.name}:{number}", **data)
            found.setdefault(cases()[kept.test].domain, []).append(kept)
    return found


@cache
def _configs() -> dict[str, EvaluatorConfig]:
    return default_configs() | bundled().evaluators


@cache
def _template(name: str) -> str:
    return Templates(ROOT).text(name)


def judged(kept: KeptAnswer) -> EvaluationResult:
    """What the product's evaluators say about a kept answer, its models scripted."""
    test = cases()[kept.test]
    sample = next(samples_of(test, epochs=1, suite_tools=bundled().tools, default_tools=[]))
    sample.response = kept.answer
    sample.transcript = list(_entries(kept))
    config, model = _configs()[test.evaluator_id], ScriptedModel(kept)
    context = JudgeContext(
        config=config,
        template=_template,
        extractor=model,
        judges=(model,),
        tools={tool.name: tool for tool in (*(bundled().tools[id_] for id_ in test.tool_ids), *test.tools)},
        suite_root=ROOT,
        configs=_configs(),
        sample=sample,
        around=as_judge,
    )
    return get_evaluator(config).evaluate(sample, context)


def _entries(kept: KeptAnswer) -> Iterator[dict[str, Any]]:
    """The transcript in the form in which rollouts are stored."""
    for number, turn in enumerate(kept.transcript):
        calls = [
            {"id": f"c{number}_{n}", "name": call["name"], "arguments": json.dumps(call.get("args", {}))}
            for n, call in enumerate(turn)
        ]
        yield {"role": "assistant", "content": "", "phase": "tool_loop", "iteration": number + 1, "tool_calls": calls}
        for n, call in enumerate(turn):
            failed = "error" in call
            content = json.dumps(call["error"] if failed else call.get("result", {"ok": True}), ensure_ascii=False)
            yield {
                "role": "tool",
                "content": content,
                "tool_call_id": f"c{number}_{n}",
                "name": call["name"],
                "is_error": failed,
            }
    yield {"role": "assistant", "content": kept.answer, "phase": "tool_loop", "iteration": len(kept.transcript) + 1}
