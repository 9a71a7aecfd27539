"""Which columns of a file of answers hold the response, the test's id, the question and the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.config.filters import MISSING
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.rollout.chats import CHATS, chat_of
from modex.core.suite.filters import dotted
from modex.core.suite.suggest import did_you_mean

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
    "custom_id",
    "id",
    "question_id",
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
class NamedColumns:
    """Columns that the user names, as for datasets; a path with dots names a field of a field."""

    response: str | None = None
    question: str | None = None
    gold: str | None = None
    id: str | None = None


GUESSED = NamedColumns()
"""Nothing is named: every column is found by its name in the file."""


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """The columns as the file spells them; None where there is none."""

    response: str | None
    id: str | None
    question: str | None
    gold: str | None
    passed_over: tuple[str, ...] = ()
    """Other columns that could be a response, a question or a gold by their names."""
    context: str | None = None
    """Alpaca's `input`, which stands below its `instruction`."""

    def told(self) -> str:
        """The columns in one line, for the person who named the file."""
        named = {"response": self.response, "id": self.id, "question": self.question, "gold": self.gold}
        parts = [f"{role}: column '{column}'" for role, column in named.items() if column is not None]
        if self.context is not None:
            together = f"question: columns '{self.question}' and '{self.context}' together"
            parts = [together if part.startswith("question:") else part for part in parts]
        told = ", ".join(parts)
        others = ", ".join(f"'{column}'" for column in self.passed_over)
        return f"{told}; not {others} (--response-field, --question-field, --answer-field)" if others else told

    @property
    def holds_tests(self) -> bool:
        """Whether each row is a test of its own: a question, its gold and a response."""
        answered = self.response is not None or self.question in CHATS
        return self.question is not None and self.gold is not None and answered


def value_of(row: Mapping[str, Any], column: str | None) -> Any:
    """What a row has in a column, or under a path with dots; None where it has nothing."""
    if column is None or column in row:
        return row.get(column) if column is not None else None
    found = dotted(row, column)
    return None if found is MISSING else found


def answer_columns(rows: Sequence[Mapping[str, Any]], named: NamedColumns = GUESSED) -> AnswerColumns:
    """The columns of a file from its first `rows`, and those that the user names, where a row has them.

    Where a column `answer` stands beside a surer response, it is the gold.

    Raises:
        ConfigurationError: no row has the response's column that is named.
    """
    response = named.response
    names = list(dict.fromkeys(name for row in rows for name in row))
    folded = {name.strip().casefold().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}

    def first(among: Sequence[str], taken: str | None = None) -> str | None:
        return next((folded[name] for name in among if name in folded and folded[name] != taken), None)

    if response is not None and response not in names and not _is_there(response, rows):
        hint = did_you_mean(response, names)
        raise ConfigurationError(
            f"--response-field: no row has the column '{response}'{hint}; there are {', '.join(names[:20])}"
        )
    found = response or first([name for name in RESPONSES if _holds(folded.get(name), rows)])
    id_, question, gold = (
        column if column is not None and _is_there(column, rows) else first(among, found)
        for column, among in ((named.id, IDS), (named.question, QUESTIONS), (named.gold, GOLDS))
    )
    context = None
    asked_alone = named.question is None and folded.get("question") is None and folded.get("prompt") is None
    if asked_alone and {"instruction", "input", "output"} <= set(folded) and found != folded["input"]:
        question, context = folded["instruction"], folded["input"]
        gold = gold or (folded["output"] if found not in (None, folded["output"]) else None)
    if question is None and gold is not None:  # what a conversation asks stands before its answer
        question = next((name for name in CHATS if any(chat_of({name: row.get(name)}) for row in rows)), None)
    chosen = {found, id_, question, gold, context}
    others = (
        column
        for among, taken, by_user in (
            (RESPONSES, found, response),
            (QUESTIONS, question, named.question),
            (GOLDS, gold, named.gold),
        )
        if taken is not None and by_user is None
        for name in among
        if (column := folded.get(name)) is not None and column not in chosen
    )
    return AnswerColumns(found, id_, question, gold, tuple(dict.fromkeys(others)), context)


def _is_there(column: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a row has the column, or the path with dots."""
    return any(column in row or dotted(row, column) is not MISSING for row in rows)


def _holds(column: str | None, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a row has a value there that can be a response."""
    return column is not None and any(isinstance(row.get(column), _TEXTS) for row in rows)
