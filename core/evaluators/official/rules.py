"""Which benchmark has a rule of its own here, by the name of its preset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.official import gsm8k, letters, math_500, mgsm, mmlu_pro
from modex.core.evaluators.official.rule import OfficialRule, gold_text
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.presets import preset_of
from modex.core.verdict import Official

RULES: Mapping[str, OfficialRule] = {
    "gsm8k": gsm8k.RULE,
    "mmlu": letters.MMLU,
    "mmlu_pro": mmlu_pro.RULE,
    "gpqa": letters.GPQA,
    "math_500": math_500.RULE,
    "mgsm": mgsm.RULE,
}


def rule_of(source: str) -> OfficialRule | None:
    """The rule of the benchmark that a source names as presets are named, in any case; None where it has none here."""
    preset = preset_of(source)
    return RULES.get(preset.name) if preset is not None else None


def official_reading(sample: EvaluationSample) -> Official | None:
    """What the rule of its benchmark makes of a response; None where there is no rule, no response or no one gold."""
    rule, gold = rule_of(sample.source), gold_text(sample.expected)
    if rule is None or gold is None or sample.response is None:
        return None
    read = rule.read(sample.response)
    return Official(rule.name, read, read is not None and rule.right(read, gold))


def with_official(sample: EvaluationSample, result: EvaluationResult, *, counts: bool) -> EvaluationResult:
    """The verdict with what the benchmark's own rule makes of the response beside it, or in its place where that `counts`.

    As it was where the benchmark has no rule here.
    """
    official = official_reading(sample)
    if official is None:
        return result
    if not counts:
        return replace(result, parts=(*result.found, official), details=_beside(result))
    return EvaluationResult(
        1.0 if official.right else 0.0,
        _beside(result),
        official.read,
        result.pass2_used,
        (replace(official, ours=result.score), *result.found),
    )


def _beside(result: EvaluationResult) -> dict[str, Any]:
    """What an evaluator filled in that is no part; its parts hold the rest."""
    return {name: value for name, value in result.details.items() if name == "exchanges"}
