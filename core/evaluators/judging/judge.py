"""Asking LLM judges: fenced material, one repair, a majority of several."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Generic, TypeVar

from modex.core.config.options import Settle
from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.judging.scale import Scale
from modex.core.evaluators.judging.verdict import NoVerdictError, Verdict, read_json_verdict, read_pattern_verdict
from modex.core.evaluators.judging.walk import WALKS
from modex.core.foundation.errors import JudgeError
from modex.core.llm.request import json_answer
from modex.core.llm.types import Message, ModelClient
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.templates import MAX_FENCED, MAX_QUESTION, new_delimiter, render, shortened
from modex.core.verdict import Vote, Votes

T = TypeVar("T")
_RATING = json_answer("verdict", reason={"type": "string"}, score={"type": "number"})


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """What a judge is asked: the `message`, the `form` of the verdict (said again in a repair), and how it is read."""

    message: str
    form: str
    read: Callable[[str], T]
    """The verdict in a reply; raises `NoVerdictError` where there is no valid one."""
    schema: dict[str, Any] | None = None
    """The verdict's form for providers that enforce one."""


@dataclass(frozen=True, slots=True)
class JudgeReply(Generic[T]):
    """What one judge said, and whether it had to be asked twice."""

    model: str
    said: T
    repaired: bool


def rating_question(
    message: str, form: str, scale: Scale, *, response: str, delimiter: str, pattern: str | None = None
) -> Question[Verdict]:
    """The question after a rating on `scale`, written as `pattern` says, else as JSON."""

    def read(reply: str) -> Verdict:
        if pattern is not None:
            return read_pattern_verdict(reply, pattern, scale, delimiter, response)
        return read_json_verdict(reply, scale, response, delimiter)

    return Question(message, form, read, _RATING if pattern is None else None)


def material(sample: EvaluationSample, response: str, template: str = "") -> tuple[dict[str, str], str]:
    """The values of a judge's placeholders, bounded in size, and the delimiter around them.

    What the model did besides answering (`{transcript}`, `{reasoning}`, `{tool_calls}`) is put together only where `template`
    asks for it.
    """
    expected = expected_text(sample.expected)
    more = {name: tell(sample) for name, tell in WALKS.items() if f"{{{name}}}" in template}
    delimiter = new_delimiter(sample.prompt, expected, response, *more.values())
    values = {
        "prompt": shortened(sample.prompt, MAX_QUESTION),
        "expected": shortened(expected, MAX_QUESTION),
        "response": shortened(response, MAX_FENCED),
        "level": str(sample.level),
        **{name: shortened(text, MAX_FENCED) for name, text in more.items()},
        "delimiter": delimiter,
    }
    return values, delimiter


def fenced(values: Mapping[str, str]) -> dict[str, str]:
    """`values` with all that somebody wrote between delimiter lines, for prompts that do not fence themselves."""
    delimiter = values["delimiter"]
    return {
        name: text if name in ("delimiter", "level") else f"<<<{delimiter}\n{text}\n{delimiter}>>>"
        for name, text in values.items()
    }


def expected_text(expected: Any) -> str:
    """The reference answer as a judge reads it: the value with its aliases, a text as it is, anything else as JSON.

    A list is said to be alternatives, or parts that are all asked for (`"gold": "parts"`).
    """
    if isinstance(expected, str):
        return expected
    document = expected if isinstance(expected, dict) else {"value": expected}
    value, aliases = document.get("value"), document.get("aliases") or []
    if isinstance(value, list) and value and all(isinstance(item, str | int | float) for item in value):
        lead = "all of these:" if document.get("gold") == "parts" else "any one of these:"
        return "\n".join([lead, *(f"- {item}" for item in (*value, *aliases))])
    if isinstance(expected, dict) and isinstance(value, str | int | float):
        return "\n".join(str(item) for item in (value, *aliases))
    return json.dumps(expected, ensure_ascii=False, indent=1)


def votes_on(question: Question[T], context: JudgeContext) -> tuple[list[JudgeReply[T]], list[str]]:
    """What every judge of the run says, each as often as it is asked, and why some said nothing that can be read.

    A verdict that cannot be read is left out as long as more than half of them can.

    Raises:
        JudgeError: no judge is configured, or too few gave a verdict.
        ModelCallError: a judge could not be asked.
    """
    if not context.judges:
        raise JudgeError("this test needs an LLM judge: name one with --judge-model")
    votes: list[JudgeReply[T]] = []
    failures: list[str] = []
    asked = [client for client in context.judges for _ in range(repeats_of(context))]
    for client in asked:
        vote = _vote(client, context, question)
        if isinstance(vote, JudgeReply):
            votes.append(vote)
        else:
            failures.append(f"{client.model}: {vote}")
    if 2 * len(votes) <= len(asked):
        raise JudgeError(
            "no verdict from the judge (" + "; ".join(failures) + "); judge again or name another --judge-model"
        )
    return votes, failures


def judged(
    context: JudgeContext,
    question: Question[Verdict],
    scale: Scale,
    reference: str | None = None,
) -> EvaluationResult:
    """Ask every judge of the run for a rating, and settle on one score; `reference` is the gold the judges were shown.

    On a binary scale the majority counts, at a tie the judge named first; on a rating scale the median; unless the run or the
    evaluator says otherwise. A verdict that could not be read is left out only where it could turn nothing.

    Raises:
        JudgeError: no judge is configured, too few gave a verdict, or what is missing could turn it.
        ModelCallError: a judge could not be asked.
    """
    given, failures = votes_on(question, context)
    scores = [scale.normalised(vote.said.rating) for vote in given]
    score, how = settle(scores, scale, settle_of(context))
    refuse_what_could_turn(len(given), failures, _ends(scores, len(failures), scale, settle_of(context)))
    nearest = min(range(len(given)), key=lambda number: abs(scores[number] - score))
    several = len(context.judges) * repeats_of(context) > 1
    part = Votes(
        votes=tuple(
            Vote(vote.model, one, vote.said.rating, vote.said.reason, vote.repaired)
            for vote, one in zip(given, scores, strict=True)
        ),
        scale=(scale.minimum, scale.maximum),
        reference=reference,
        agreement=round(sum(one == score for one in scores) / len(scores), 4) if several else None,
        settled_by=how if several else "",
        without_verdict=tuple(failures),
        why=given[nearest].said.reason or "no reason given",
    )
    return EvaluationResult(score, parts=(part,))


def repeats_of(context: JudgeContext) -> int:
    """How often each judge is asked: as the evaluator's file says, else as the run does."""
    given = context.config.config.get("repeats", context.repeats)
    return min(9, max(1, given)) if isinstance(given, int) else 1


def settle_of(context: JudgeContext) -> Settle:
    """How several verdicts become one: as the evaluator's file says, else as the run does."""
    given = context.config.config.get("settle", context.settle)
    return given if given in ("mean", "median", "majority") else "auto"


def settle(scores: list[float], scale: Scale, how: Settle = "auto") -> tuple[float, str]:
    """One score of several: `single`, `mean`, `median`, `majority`, or `first_judge` (a tie of a majority)."""
    if len(scores) == 1:
        return scores[0], "single"
    if how == "mean":
        return round(fmean(scores), 6), "mean"
    if how == "median" or (how == "auto" and not scale.binary):
        return float(median(scores)), "median"
    passing = sum(score >= PASS_SCORE for score in scores)
    if 2 * passing == len(scores):
        return scores[0], "first_judge"
    return (1.0 if 2 * passing > len(scores) else 0.0), "majority"


def refuse_what_could_turn(given: int, failures: Sequence[str], ends: Iterable[float]) -> None:
    """Let no whole pass or fail because a judge among several could not be read.

    `given` judgements were read, `failures` say why others were not; `ends` are the scores that those could have led to.

    Raises:
        JudgeError: some of them pass and others do not.
    """
    if failures and len({score >= PASS_SCORE for score in ends}) > 1:
        raise JudgeError(
            f"{given} of {given + len(failures)} judgements gave a verdict, and what is missing could turn it"
            f" ({'; '.join(failures)}); judge again or name another --judge-model"
        )


def _ends(scores: list[float], missing: int, scale: Scale, how: Settle) -> Iterable[float]:
    """What votes that nobody could read, be they 0 or 1, first or last, could have led to."""
    for one in (0.0, 1.0):
        for votes in ([*scores, *[one] * missing], [*[one] * missing, *scores]):
            yield settle(votes, scale, how)[0]


def _vote(client: ModelClient, context: JudgeContext, question: Question[T]) -> JudgeReply[T] | str:
    """What one judge said, or why there is no verdict after one repair."""
    messages: list[Message] = [{"role": "user", "content": question.message}]
    first = context.ask("judge", client, messages, response_format=question.schema)
    try:
        return JudgeReply(client.model, question.read(first.text), False)
    except NoVerdictError as problem:
        repair = render(context.template("judge/repair"), problem=str(problem), form=question.form)
    again = [*messages, {"role": "assistant", "content": first.text or "-"}, {"role": "user", "content": repair}]
    try:
        return JudgeReply(
            client.model,
            question.read(context.ask("repair", client, again, response_format=question.schema).text),
            True,
        )
    except NoVerdictError as problem:
        return str(problem)
