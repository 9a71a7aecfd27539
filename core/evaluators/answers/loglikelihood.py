"""`loglikelihood`: whether the option that the model finds likeliest is the right one, as lm-eval scores multiple choice.

score = 1 where the option with the highest sum of log-probabilities is right (lm-eval's `acc`), else 0. Beside it stands
which option has the highest sum by its length in characters (`acc_norm`) and in bytes (`acc_bytes`). The first of equal ones
counts.
https://github.com/EleutherAI/lm-evaluation-harness/blob/main/lm_eval/api/task.py (`process_results`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.likelihood import likelihood_faults, named
from modex.core.verdict import Likelihood, LikelihoodOption


class LoglikelihoodEvaluator(BaseEvaluator):
    """Reads the log-probabilities that the rollout kept; asks nobody."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the options or the gold."""
        del config, suite_root
        if faults := list(likelihood_faults(test.likelihood)):
            yield from faults
            return
        names = named(test.likelihood["options"])
        if not (golds := _golds(test.expected)) or not set(golds) <= set(names):
            yield f"expected must be the name of the right option, one of {', '.join(names)}, or a list of such"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the likeliest option.

        Raises:
            JudgeError: the transcript holds no log-probabilities: the test was asked otherwise.
        """
        del context
        entry = next((one for one in reversed(sample.transcript) if isinstance(one.get("options"), list)), None)
        if entry is None:
            raise JudgeError(
                "it was asked for an answer, not for the likelihood of its options; begin a new run with "
                "--reading loglikelihood",
                ErrorType.EVALUATOR_ERROR,
            )
        golds, way = _golds(sample.expected), str(entry.get("way"))
        options = tuple(_option(one, golds) for one in entry["options"])
        lengths = [max(1, int(one["length"])) for one in entry["options"]]
        sizes = [max(1, int(one["bytes"])) for one in entry["options"]]
        best = _best(options, lambda _: 1)
        # Letters are of one length: there is nothing to divide by.
        by_length = _best(options, lambda place: lengths[place]) if way == "continuation" else None
        by_bytes = _best(options, lambda place: sizes[place]) if way == "continuation" else None
        part = Likelihood(options, way, best, by_length, by_bytes)
        right = part.right(best)
        return EvaluationResult(1.0 if right else 0.0, extracted_answer=best, parts=(part,))


def _option(one: Mapping[str, Any], golds: Sequence[str]) -> LikelihoodOption:
    logprob = one["logprob"]
    name = str(one["name"])
    return LikelihoodOption(
        name, str(one["text"]), None if logprob is None else float(logprob), int(one["length"]), name in golds
    )


def _best(options: Sequence[LikelihoodOption], divisor: Callable[[int], int]) -> str:
    told = [(one.logprob / divisor(place), one.name) for place, one in enumerate(options) if one.logprob is not None]
    return max(told, key=lambda one: one[0])[1]


def _golds(expected: Any) -> list[str]:
    listed = expected if isinstance(expected, list) else [expected]
    return [str(one) for one in listed if isinstance(one, str) and one]
