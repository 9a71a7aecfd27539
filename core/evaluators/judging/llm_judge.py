"""`llm_judge`: the binary judge of question answering; `expected` is the reference answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import expected_text, judged, material, rating_question
from modex.core.evaluators.judging.scale import BINARY, Scale
from modex.core.evaluators.judging.verdict import NoVerdictError, Verdict, read_pattern_verdict
from modex.core.evaluators.provider_errors import answer_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import render

_RATED = Scale(binary=True, words={"正确": 1.0, "错误": 0.0, "不正确": 0.0, "是": 1.0, "否": 0.0})


class LLMJudgeEvaluator(BaseEvaluator):
    """Scores 1 or 0 by the template `judge/binary`, whatever the rollout mode was."""

    template: ClassVar[str] = "judge/binary"
    """What the judge is told; a benchmark's own protocol is another."""
    answer_line: ClassVar[str | None] = None
    """A pattern of the line in which the response gives its answer alone, with the answer as its first group."""
    verdict_line: ClassVar[str] = r"correct\s*[:：]\s*(\w+)"
    """How judges of the benchmark's own prompt put their verdict, in its first group; read where a reply holds no JSON."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """There must be a reference answer."""
        del config, suite_root
        if test.expected in (None, "", [], {}):
            yield "expected is empty; the judge needs a reference answer"

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Always."""
        del expected, config
        return True

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Ask the judges; an empty response is wrong without asking.

        Raises:
            JudgeError: no verdict could be reached.
            ModelCallError: a judge could not be asked.
        """
        response = answer_of(sample)
        if not response.strip():
            return EvaluationResult(0.0, reason="the response is empty")
        if sample.source != "suite" and (gold := self._word_for_word(response, sample.expected)) is not None:
            return EvaluationResult(1.0, {"exact match": gold}, reason="it is the reference answer word for word")
        template = context.template(self.template)
        values, _ = material(sample, response, template)
        form = context.template("judge/form_binary").strip()
        message = render(template, form=form, **values)
        asked = rating_question(message, form, _RATED, response=response, delimiter=values["delimiter"])

        def read(reply: str) -> Verdict:
            try:
                return asked.read(reply)
            except NoVerdictError:
                if '"score"' in reply:
                    raise
                return read_pattern_verdict(reply, self.verdict_line, _RATED, values["delimiter"], response)

        return judged(context, replace(asked, read=read), BINARY, expected_text(sample.expected))

    def _word_for_word(self, response: str, expected: Any) -> str | None:
        """The gold that the response is, or gives in its one answer line; None where it is or gives none."""
        given = {response.strip()}
        if self.answer_line is not None:
            lines = {line.strip() for line in re.findall(self.answer_line, response)}
            given |= lines if len(lines) == 1 else set()
        return next((gold for gold in _golds(expected) if gold in given), None)


def _golds(expected: Any) -> list[str]:
    """The texts that each are a right answer alone; none where all parts of a list are asked for."""
    document = expected if isinstance(expected, dict) else {"value": expected}
    if document.get("gold") == "parts":
        return []
    value = document.get("value")
    listed = [*(value if isinstance(value, list) else [value]), *(document.get("aliases") or [])]
    return [gold for one in listed if isinstance(one, str | int | float) and (gold := str(one).strip())]
