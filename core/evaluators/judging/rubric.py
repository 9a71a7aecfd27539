"""`rubric`: what a reply should say, item by item, with gates that no merit elsewhere can open.

score = points of the items that are met / points of all items. A missing `required` item, a group below its minimum and
a reply outside its length hold the score at 0.6; a gate makes it 0, and so do another form or language than the one
asked for and the question said again. Rules come first: where one shuts a gate, no judge is
asked. One call then puts everything that is left to the judge; where nothing is left, there is none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modex.core.answers.text.text import words
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import Question, fenced, material, refuse_what_could_turn, votes_on
from modex.core.evaluators.judging.rubric_form import Demand, RubricForm, RubricGate, read_rubric, rubric_problems
from modex.core.evaluators.judging.verdict import read_items
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.text.echo import echoes
from modex.core.evaluators.text.fluency import in_language
from modex.core.evaluators.text.patterns import is_whole, trimmed
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample, turns_of
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import render, shortened
from modex.core.verdict import Rubric as Checked
from modex.core.verdict import RubricItem, Vote, Votes

MAX_TEXT = 200_000
"""Characters of a reply that the rules read; a longer one keeps its beginning and its end."""
HELD = 0.6
"""The most that a reply gets where it must not pass but did no harm."""


class RubricEvaluator(BaseEvaluator):
    """Scores from 0 to 1; see the module for the formula. `expected` is the rubric."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the rubric."""
        del config, suite_root
        return rubric_problems(test.expected)

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Unless rules decide every item and every gate."""
        del config
        return next(iter(rubric_problems(expected)), None) is not None or bool(read_rubric(expected).asked)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Try the rules, then ask the judges; an empty response scores 0 without asking.

        Raises:
            JudgeError: the rubric cannot be used, no verdict could be reached, or a judge that could not be read could turn it.
            ModelCallError: a judge could not be asked.
        """
        if problem := next(iter(rubric_problems(sample.expected)), None):
            raise JudgeError(f"the test's `expected` cannot be used: {problem}", ErrorType.INVALID_TEST)
        rubric = read_rubric(sample.expected)
        response = shortened(answer_of(sample), MAX_TEXT)
        if not response.strip():
            return EvaluationResult(0.0, reason="the response is empty")
        if echoes(response, turns_of(sample)):
            return EvaluationResult(0.0, reason="the reply only says the question again")
        if rubric.form and not is_whole(rubric.form, trimmed(response)):
            return EvaluationResult(0.0, reason="the reply does not have the form asked for")
        if rubric.language and not (found := in_language(response, rubric.language)):
            why = f"the reply is not in the language asked for ({rubric.language}), but in {found.detected}"
            return EvaluationResult(0.0, parts=(Checked((), why),))
        shut = {gate.id: passage for gate in rubric.gates if (passage := gate.found(response))}
        if shut:
            return _result(rubric, {}, shut, len(words(response)))
        met = {item.id: item.occurs(response) for item in rubric.items if item.rule}
        if not rubric.asked:
            return _result(rubric, met, {}, len(words(response)))
        answers, votes = _asked(rubric, sample, context, response)
        results = []
        for said in answers:
            together = met | {item.id: said[item.id] for item in rubric.items if item.id in said}
            shut = {gate.id: "the judge says so" for gate in rubric.gates if said.get(gate.id)}
            results.append(_result(rubric, together, shut, len(words(response)), (votes,)))
        refuse_what_could_turn(len(votes.votes), votes.without_verdict, (one.score for one in results))
        return results[0]


def _asked(
    rubric: RubricForm, sample: EvaluationSample, context: JudgeContext, response: str
) -> tuple[list[dict[str, bool]], Votes]:
    """What the judges say of each entry by its id, by majority; a tie shuts a gate and does not meet an item.

    The first is of those that could be read; then with the rest all against the reply, and all for it.
    """
    template = context.template("judge/rubric")
    values, delimiter = material(sample, response, template)
    asked = rubric.asked
    example = ", ".join(f"{json.dumps(entry.id)}: <true or false>" for entry in asked)
    form = render(context.template("judge/form_rubric").strip(), items=f"{{{example}}}")
    listed = "\n".join(f"- `{entry.id}`: {entry.says}" for entry in asked)
    message = render(template, **{**fenced(values), "delimiter": delimiter, "items": listed, "form": form})
    ids = [entry.id for entry in asked]
    gates = {entry.id for entry in asked if isinstance(entry, RubricGate)}
    question = Question(message, form, lambda reply: read_items(reply, ids, response, delimiter, gates))
    votes, without = votes_on(question, context)
    missing = len(without)
    ends: list[dict[str, bool]] = []
    for against, number in ((0, 0), (missing, missing), (0, missing)):
        said = {}
        for name in ids:
            yes, of = sum(vote.said.items[name] for vote in votes), len(votes) + number
            if name in gates:
                said[name] = 2 * (yes + against) >= of
            else:
                said[name] = 2 * (yes + number - against) > of
        ends.append(said)
    items = [entry.id for entry in asked if isinstance(entry, Demand)]
    shown = tuple(
        Vote(
            vote.model,
            rating=float(sum(vote.said.items[name] for name in items)),
            reason=vote.said.reason,
            repaired=vote.repaired,
        )
        for vote in votes
    )
    return ends, Votes(
        shown, scale=(0.0, float(len(items))), without_verdict=tuple(without), why=votes[0].said.reason or ""
    )


def _result(
    rubric: RubricForm, met: Mapping[str, bool], shut: Mapping[str, str], length: int, votes: tuple[Votes, ...] = ()
) -> EvaluationResult:
    total = sum(item.points for item in rubric.items)
    score = sum(item.points for item in rubric.items if met.get(item.id)) / total
    held = list(_reasons(rubric, met, length))
    why = ""
    if shut:
        score, why = (
            0.0,
            "; ".join(f"must not: {gate.says} ({shut[gate.id]})" for gate in rubric.gates if gate.id in shut),
        )
    elif held:
        score, why = min(score, HELD), "; ".join(held)
    items = [
        RubricItem(
            item.id,
            item.says,
            item.points if met.get(item.id) else 0.0,
            item.points,
            bool(met.get(item.id)),
            "" if item.id in met else "not looked at, since the reply did what it must not",
        )
        for item in rubric.items
    ]
    gates = [
        RubricItem(gate.id, f"must not: {gate.says}", 0.0, 0.0, gate.id not in shut, shut.get(gate.id, ""))
        for gate in rubric.gates
    ]
    decided = [gate for gate in gates if not gate.passed]
    others = [gate for gate in gates if gate.passed]
    return EvaluationResult(score, parts=(Checked((*decided, *items, *others), why), *votes))


def _reasons(rubric: RubricForm, met: Mapping[str, bool], length: int) -> Iterable[str]:
    """Why the reply must not pass, whatever its points."""
    for item in rubric.items:
        if item.required and not met.get(item.id):
            yield f"required but missing: {item.says}"
    for name, least in rubric.groups:
        members = [item for item in rubric.items if item.group == name]
        share = sum(item.points for item in members if met.get(item.id)) / sum(item.points for item in members)
        if share < least:
            yield f"{name}: {share:.0%} of its points, at least {least:.0%} are asked"
    if rubric.max_words and length > rubric.max_words:
        yield f"{length} words, at most {rubric.max_words} are asked"
    if rubric.min_words and length < rubric.min_words:
        yield f"{length} words, at least {rubric.min_words} are asked"
