"""Which columns of a file of answers hold the response, the test's id, the question and the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import ConfigurationError
from core.suite.suggest import did_you_mean

RESPONSES = (
    "response",
    "model_response",
    "model_answer",
    "model_output",
    "completion",
    "prediction",
    "predicted_answer",
    "generation",
    "generated_text",
    "output",
    "answer",
)
"""Columns of responses, the surest first: `answer` is often the gold, so that it comes last."""
GOLDS = (
    "gold",
    "gold_answer",
    "expected",
    "expected_answer",
    "reference",
    "reference_answer",
    "ground_truth",
    "correct_answer",
    "target",
    "ideal",
    "answers",
    "label",
    "solution",
    "answerkey",
    "final_answer",
    "answer",
)
IDS = (
    "test_id",
    "task_id",
    "id",
    "question_id",
    "custom_id",
    "sample_id",
    "problem_id",
    "item_id",
    "qid",
    "uid",
    "key",
)
QUESTIONS = ("question", "prompt", "input", "query", "problem", "instruction", "question_text")
_TEXTS = (str, int, float, bool, dict, list)


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """The columns as the file spells them; None where there is none."""

    response: str | None
    id: str | None
    question: str | None
    gold: str | None

    def told(self) -> str:
        """The columns in one line, for the person who named the file."""
        named = {"response": self.response, "id": self.id, "question": self.question, "gold": self.gold}
        return ", ".join(f"{role}: column '{column}'" for role, column in named.items() if column is not None)

    @property
    def holds_tests(self) -> bool:
        """Whether each row is a test of its own: a question, its gold and a response."""
        return self.question is not None and self.gold is not None and self.response is not None


def answer_columns(rows: Sequence[Mapping[str, Any]], response: str | None = None) -> AnswerColumns:
    """The columns of a file from its first `rows`; `response` is the column that the user names.

    Where a column `answer` stands beside a surer response, it is the gold.

    Raises:
        ConfigurationError: no row has the column that is named.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    folded = {name.strip().casefold().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}

    def first(among: Sequence[str], taken: str | None = None) -> str | None:
        return next((folded[name] for name in among if name in folded and folded[name] != taken), None)

    if response is not None and response not in names:
        hint = did_you_mean(response, names)
        raise ConfigurationError(
            f"--response-field: no row has the column '{response}'{hint}; there are {', '.join(names[:20])}"
        )
    found = response or first([name for name in RESPONSES if _holds(folded.get(name), rows)])
    return AnswerColumns(found, first(IDS), first(QUESTIONS, found), first(GOLDS, found))


def _holds(column: str | None, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a row has a value there that can be a response."""
    return column is not None and any(isinstance(row.get(column), _TEXTS) for row in rows)
