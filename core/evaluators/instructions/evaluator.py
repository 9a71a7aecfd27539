"""`instructions`: whether an answer does what it was told, by rules alone, as IFEval counts it.

score = 1 where every instruction is followed to the letter (the benchmark's headline, strict accuracy by prompt), else 0. Beside
it stands for each instruction what was found, and whether it is followed loosely: by the answer, or by it without its
first or last line or Markdown's stars.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.instructions.checks import CHECKS
from modex.core.evaluators.instructions.responses import loose_readings
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.instructions import Instruction, instruction_faults, read_instructions
from modex.core.suite.templates import shortened
from modex.core.verdict import Instructions, InstructionVerdict

MAX_TEXT = 200_000
"""Characters of an answer that are read; a longer one keeps its beginning and its end."""


class InstructionsEvaluator(BaseEvaluator):
    """Passes where the answer follows every instruction of `expected`."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the instructions."""
        del config, suite_root
        return instruction_faults(test.expected)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Check each instruction; an empty answer follows none.

        Raises:
            JudgeError: the instructions cannot be used, or the answer is a provider's error text.
        """
        del context
        if fault := next(iter(instruction_faults(sample.expected)), None):
            raise JudgeError(f"the test's `expected` cannot be used: {fault}", ErrorType.INVALID_TEST)
        answer = shortened(answer_of(sample), MAX_TEXT)
        found = tuple(verdict_on(one, answer) for one in read_instructions(sample.expected))
        return EvaluationResult(float(all(one.strict for one in found)), parts=(Instructions(found),))


def verdict_on(instruction: Instruction, answer: str) -> InstructionVerdict:
    """Whether `answer` follows one instruction, strictly and loosely, and what was found."""
    if not answer.strip():
        return InstructionVerdict(instruction.type, False, False, "the answer is empty")
    check = CHECKS[instruction.type]
    found = check(answer, instruction.given)
    loose = found.followed or any(check(one, instruction.given).followed for one in loose_readings(answer))
    return InstructionVerdict(instruction.type, found.followed, loose, found.words)
