"""Asking LLM judges: fenced material, one repair, a majority of several."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from core.errors import JudgeError
from core.evaluators.base import EvaluationResult, JudgeContext
from core.evaluators.cues import cue_for
from core.evaluators.fence import MAX_FENCED, MAX_QUESTION, new_delimiter, shortened
from core.evaluators.scale import Scale
from core.evaluators.verdict import NoVerdictError, Verdict, read_json_verdict, read_pattern_verdict
from core.llm.types import Message, ModelClient
from core.store.sample import EvaluationSample
from core.suite.templates import render


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked: the `message`, the `scale`, and how the verdict is written (`pattern`, else JSON)."""

    message: str
    scale: Scale
    delimiter: str
    judged: str
    pattern: str | None = None

    def read(self, reply: str) -> Verdict:
        """The verdict in `reply`.

        Raises:
            NoVerdictError: there is no valid one.
        """
        if self.pattern is not None:
            return read_pattern_verdict(reply, self.pattern, self.scale, self.delimiter, self.judged)
        return read_json_verdict(reply, self.scale, self.judged)


def material(sample: EvaluationSample, response: str) -> tuple[dict[str, str], str]:
    """The values of `{prompt}`, `{expected}`, `{response}` and `{delimiter}`, bounded in size, and the delimiter."""
    expected = expected_text(sample.expected)
    delimiter = new_delimiter(sample.prompt, expected, response)
    values = {
        "prompt": shortened(sample.prompt, MAX_QUESTION),
        "expected": shortened(expected, MAX_QUESTION),
        "response": shortened(response, MAX_FENCED),
        "delimiter": delimiter,
    }
    return values, delimiter


def fenced(values: Mapping[str, str]) -> dict[str, str]:
    """`values` with prompt, expected and response between delimiter lines, for prompts that do not fence themselves."""
    delimiter = values["delimiter"]
    return {
        name: text if name == "delimiter" else f"<<<{delimiter}\n{text}\n{delimiter}>>>"
        for name, text in values.items()
    }


def expected_text(expected: Any) -> str:
    """The reference answer as a judge reads it: the value with its aliases, a text as it is, anything else as JSON."""
    if isinstance(expected, str):
        return expected
    if isinstance(expected, dict) and isinstance(expected.get("value"), str | int | float):
        aliases = expected.get("aliases") or []
        return "\n".join(str(item) for item in (expected["value"], *aliases))
    return json.dumps(expected, ensure_ascii=False, indent=1)


def judged(sample: EvaluationSample, context: JudgeContext, question: Question) -> EvaluationResult:
    """Ask every judge of the run, and settle on one score.

    On a binary scale the majority counts, at a tie the judge named first; on a rating scale the median. A judge without
    a verdict is left out as long as more than half of the judges gave one.

    Raises:
        JudgeError: no judge is configured, or too few gave a verdict.
        ModelCallError: a judge could not be asked.
    """
    if not context.judges:
        raise JudgeError("this test needs an LLM judge: name one with --judge-model")
    votes: list[dict[str, Any]] = []
    failures: list[str] = []
    for client in context.judges:
        vote, failure = _vote(client, sample, context, question)
        if vote is None:
            failures.append(f"{client.model}: {failure}")
        else:
            votes.append(vote)
    if 2 * len(votes) <= len(context.judges):
        raise JudgeError(
            "no verdict from the judge (" + "; ".join(failures) + "); judge again or name another --judge-model"
        )
    score, how = settle([vote["score"] for vote in votes], question.scale)
    details: dict[str, Any] = {
        "judges": votes,
        "scale": [question.scale.minimum, question.scale.maximum],
        "why": min(votes, key=lambda vote: abs(vote["score"] - score))["reason"] or "no reason given",
    }
    if len(context.judges) > 1:
        agreeing = sum(vote["score"] == score for vote in votes)
        details |= {"agreement": round(agreeing / len(votes), 4), "settled_by": how}
    if failures:
        details["without_verdict"] = failures
    return EvaluationResult(score, details)


def settle(scores: list[float], scale: Scale) -> tuple[float, str]:
    """One score of several: `single`, `majority`, `first_judge` (a tie), or `median` on a rating scale."""
    if len(scores) == 1:
        return scores[0], "single"
    if not scale.binary:
        return float(median(scores)), "median"
    passing = sum(score == 1.0 for score in scores)
    if 2 * passing == len(scores):
        return scores[0], "first_judge"
    return (1.0 if 2 * passing > len(scores) else 0.0), "majority"


def _vote(
    client: ModelClient, sample: EvaluationSample, context: JudgeContext, question: Question
) -> tuple[dict[str, Any] | None, str]:
    """One judge's verdict as stored in `details["judges"]`, or None and why there is none after one repair."""
    messages: list[Message] = [{"role": "user", "content": question.message}]
    low, high = question.scale.minimum, question.scale.maximum
    kind = "binary" if question.scale.binary else "rating"
    cue = cue_for("judge", sample, kind, question.judged, min_score=low, max_score=high, pattern=question.pattern)
    first = context.ask("judge", client, messages, cue=cue)
    read: Callable[[str], Verdict] = question.read
    repaired = False
    try:
        verdict = read(first.text)
    except NoVerdictError as problem:
        repaired = True
        name = "judge/form_pattern" if question.pattern else f"judge/form_{kind}"
        bounds = {"min_score": f"{low:g}", "max_score": f"{high:g}"}
        form = render(context.template(name).strip(), pattern=question.pattern or "", **bounds)
        repair = render(context.template("judge/repair"), problem=str(problem), form=form)
        again = [*messages, {"role": "assistant", "content": first.text or "-"}, {"role": "user", "content": repair}]
        try:
            verdict = read(context.ask("repair", client, again, cue=cue).text)
        except NoVerdictError as second:
            return None, str(second)
    vote = {"model": client.model, "score": question.scale.normalised(verdict.rating), "rating": verdict.rating}
    return {**vote, "reason": verdict.reason, "repaired": repaired}, ""
