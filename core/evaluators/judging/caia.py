"""`caia`: an analyst's task judged by rubric: answer, reasoning and tool use, each with its items and its score.

Every judge gives every item true, false or a part of its points, as often as it is asked (three times where nothing else is
said); an item earns what they grant by mean, median or majority. A score of its own stands for each of answer,
reasoning and tool use; the whole is their mean by weight, where the weights are the points unless `config.weights` says
otherwise. A task that has a reference answer instead of a rubric is judged as by `llm_judge`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

from modex.core.config.options import Settle
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import (
    JudgeReply,
    Question,
    fenced,
    material,
    refuse_what_could_turn,
    repeats_of,
    settle_of,
    votes_on,
)
from modex.core.evaluators.judging.llm_judge import LLMJudgeEvaluator
from modex.core.evaluators.judging.rubric_form import Demand, read_rubric, rubric_problems
from modex.core.evaluators.judging.verdict import Granted, read_points
from modex.core.evaluators.provider_errors import answer_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.rubrics import GROUPS
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import render
from modex.core.verdict import Rubric, RubricItem, Vote, Votes, Weighted, WeightedPart

REPEATS = 3
"""How often each judge is asked where neither file nor run says: the protocol's own number."""


class CaiaEvaluator(BaseEvaluator):
    """Scores from 0 to 1; see the module. `config`: `weights` (of answer, reasoning, tool_use), `repeats`, `settle`."""

    repeats = REPEATS

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the rubric, or with the weights."""
        if isinstance(test.expected, dict) and "items" in test.expected:
            yield from rubric_problems(test.expected)
        else:
            yield from LLMJudgeEvaluator().check(test, config, suite_root)
        yield from _weight_problems(config.config.get("weights"))

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Always."""
        del expected, config
        return True

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Ask the judges about every item.

        Raises:
            JudgeError: no verdict could be reached, or a judge that could not be read could turn it.
            ModelCallError: a judge could not be asked.
        """
        own = context.config
        if "repeats" not in own.config and context.repeats == 1:
            context.config = replace(own, config={**own.config, "repeats": REPEATS})
        if "settle" not in context.config.config and context.settle == "auto":
            context.config = replace(context.config, config={**context.config.config, "settle": "mean"})
        if not (isinstance(sample.expected, dict) and "items" in sample.expected):
            return LLMJudgeEvaluator().evaluate(sample, context)
        return _by_rubric(sample, context)


def _by_rubric(sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
    response = answer_of(sample)
    if not response.strip():
        return EvaluationResult(0.0, reason="the response is empty")
    items = read_rubric(sample.expected).items
    template = context.template("judge/caia")
    values, delimiter = material(sample, response, template)
    listed = "\n\n".join(
        f"About the {group.replace('_', ' ')}:\n" + "\n".join(map(_listed, members))
        for group, members in _grouped(items).items()
    )
    example = ", ".join(f"{json.dumps(item.id)}: <true, false or 0 to {item.points:g}>" for item in items)
    form = render(context.template("judge/form_points").strip(), items=f"{{{example}}}")
    message = render(template, **{**fenced(values), "delimiter": delimiter, "items": listed, "form": form})
    points = {item.id: item.points for item in items}
    question = Question(message, form, lambda reply: read_points(reply, points, response, delimiter))
    votes, without = votes_on(question, context)
    how = settle_of(context)
    weights = context.config.config.get("weights") or {}

    def scored(*more: float) -> tuple[float, Weighted]:
        said = {name: _share([*(vote.said.shares[name] for vote in votes), *more], how) for name in points}
        return _scored(items, said, weights)

    score, part = scored()
    refuse_what_could_turn(len(votes), without, (scored(*[one] * len(without))[0] for one in (0.0, 1.0)))
    repeats = f" × {repeats_of(context)}" if repeats_of(context) > 1 else ""
    return EvaluationResult(
        score, parts=(part, _votes(items, votes, without, f"{how if how != 'auto' else 'majority'}{repeats}"))
    )


def _grouped(items: Sequence[Demand]) -> dict[str, list[Demand]]:
    """The items by what they look at, in the protocol's order."""
    return {
        group: members
        for group in GROUPS
        if (members := [item for item in items if (item.group if item.group in GROUPS else "answer") == group])
    }


def _listed(item: Demand) -> str:
    """An item as the judge reads it, with what it is worth."""
    return f"- `{item.id}`: {item.says} ({item.points:g} {'point' if item.points == 1 else 'points'})"


def _share(said: list[float], how: Settle) -> float:
    """What an item earns of its points by what was granted; by majority all or nothing, as most grant more than half."""
    if how == "mean":
        return fmean(said)
    if how == "median":
        return float(median(said))
    return 1.0 if 2 * sum(share > 0.5 for share in said) > len(said) else 0.0


def _scored(
    items: Sequence[Demand], granted: Mapping[str, float], weights: Mapping[str, Any]
) -> tuple[float, Weighted]:
    parts: list[WeightedPart] = []
    shown: list[str] = []
    total = weighted = 0.0
    for group, members in _grouped(items).items():
        most = sum(item.points for item in members)
        earned = sum(item.points * granted[item.id] for item in members)
        rows = tuple(
            RubricItem(
                item.id, item.says, round(item.points * granted[item.id], 4), item.points, granted[item.id] > 0.5
            )
            for item in members
        )
        weight = float(weights.get(group, most))
        why = f"{earned:g} of {most:g} points"
        share = round(earned / most, 6)
        parts.append(WeightedPart(group, weight, share, why, (Rubric(rows),)))
        total, weighted = total + weight, weighted + weight * share
        shown.append(f"{group.replace('_', ' ')} {share:.0%}")
    score, told = weighted / total if total else 0.0, ", ".join(shown)
    return round(min(1.0, score), 6), Weighted(tuple(parts), why=told)


def _votes(
    items: Sequence[Demand], votes: Sequence[JudgeReply[Granted]], without: Sequence[str], settled_by: str
) -> Votes:
    most = sum(item.points for item in items)
    shown = []
    for vote in votes:
        points = round(sum(item.points * vote.said.shares[item.id] for item in items), 6)
        shown.append(Vote(vote.model, round(points / most, 4), points, vote.said.reason, vote.repaired))
    return Votes(
        tuple(shown),
        scale=(0.0, most),
        settled_by=settled_by if len(shown) > 1 else "",
        without_verdict=tuple(without),
        why=votes[0].said.reason or "",
    )


def _weight_problems(weights: Any) -> Iterable[str]:
    if weights is None:
        return
    if not isinstance(weights, dict) or set(weights) - set(GROUPS):
        yield f"config.weights must name {', '.join(GROUPS)} only"
        return
    for name, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            yield f"config.weights: {name} must be a number of 0 or more"
    if weights and not any(weights.values()):
        yield "config.weights: one of them is above 0"
