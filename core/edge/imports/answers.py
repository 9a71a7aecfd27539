"""Bringing answers that were made elsewhere: which tests they belong to, and what to say where they belong to none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.preparation import prompt_of
from modex.core.pipeline.rollout.answer_columns import NamedColumns
from modex.core.pipeline.rollout.answer_files import Answers, columns_of
from modex.core.suite.datasets.mapping import of_benchmarks
from modex.core.suite.datasets.presets import PRESETS, Preset, shaped
from modex.core.suite.datasets.rows import Row, iter_rows
from modex.core.suite.definitions import TestCase
from modex.core.suite.suggest import closest

_NAMED = 5
"""Answers that are named where they belong to no test."""
_HEAD = 200
"""Rows by which a file is known."""
_OF_TESTS = ("suite", "dataset", "domain")
"""Options that say where the tests are."""
_WITHOUT_PASS_2 = "match"


def with_tests_of_file(
    path: Path, options: Mapping[str, Any], response_field: str | None
) -> tuple[dict[str, Any], list[str]]:
    """The options of an import of the answers at `path`, and what was guessed, in sentences.

    A file whose rows hold question, gold and response is its own dataset, unless a suite, a domain or a dataset is named.
    Dataset rows are judged without PASS 2 where neither an evaluator nor an extractor is named, since nobody is there to ask;
    those of a mixed file of benchmarks each by its source where a judge is named.

    Raises:
        ConfigurationError: the file cannot be read, or lacks the column that is named.
    """
    question, gold, id_ = (options.get(f"{name}_field") for name in ("question", "answer", "id"))
    columns = columns_of(path, NamedColumns(response_field, question, gold, id_))
    lines = [columns.told()] if columns.told() else []
    chosen = dict(options)
    preset = PRESETS.get(options.get("preset") or "")
    alone = not any(options.get(name) for name in _OF_TESTS)
    by_preset = alone and preset is not None and columns.response is not None and _holds(path, preset)
    if alone and (by_preset or columns.holds_tests):
        chosen["dataset"] = (str(path),)
        # Without a name, the datasets' reader puts the two columns of Alpaca's form together.
        question_column = columns.question if columns.context is None else None
        named = (("question", question_column), ("answer", columns.gold), ("id", columns.id))
        for name, column in () if by_preset else named:
            chosen[f"{name}_field"] = options.get(f"{name}_field") or column
        lines.append("each row is a test of its own: its question, its gold and the response to it")
    judged = any(options.get(name) for name in ("evaluator", "preset", "extractor_model"))
    if chosen.get("dataset") and not judged and not (options.get("judge_model") and of_benchmarks(_head(path))):
        chosen["evaluator"] = _WITHOUT_PASS_2
        lines.append(
            f"judged by {_WITHOUT_PASS_2}, without PASS 2; --extractor-model NAME or --evaluator ID for another way"
        )
    return chosen, lines


def _holds(path: Path, preset: Preset) -> bool:
    """Whether the file's rows have the questions and golds of a benchmark, by its preset."""
    first = next(iter(_head(path)), {})
    found = made if isinstance(made := shaped(first, preset, path.parent), dict) else first
    return all(preset.column(role, found) is not None for role in ("question", "answer"))


def _head(path: Path) -> list[dict[str, Any]]:
    """The first rows of a file; none where answers are in a form that no dataset has."""
    try:
        return [row.data for row in islice(iter_rows(path), _HEAD) if isinstance(row, Row)]
    except ConfigurationError:
        return []


@dataclass(frozen=True, slots=True)
class MatchedAnswers:
    """How the answers of a file meet the tests."""

    by_id: int
    by_question: int
    strangers: tuple[str, ...]
    """How the answers that belong to no test are called: by id, else by line."""
    tests: tuple[str, ...]
    """The tests' ids."""
    lacks_gold: bool = False
    """Whether the file holds questions and responses, and no gold to judge them by."""

    def told(self) -> Iterator[str]:
        """What a person should know of it, a line each."""
        if self.by_question:
            yield f"{self.by_id} answers matched by id, {self.by_question} by the words of their question"
        if self.strangers:
            named = ", ".join(f"{name}{self._nearest(name)}" for name in self.strangers[:_NAMED])
            more = f" and {len(self.strangers) - _NAMED} more" if len(self.strangers) > _NAMED else ""
            yield f"{len(self.strangers)} answers belong to no test here: {named}{more}"

    def refuse_if_none(self, path: Path) -> None:
        """Refuse a file of which nothing can be judged.

        Raises:
            ConfigurationError: no answer belongs to a test.
        """
        if self.by_id + self.by_question:
            return
        if self.lacks_gold:
            raise ConfigurationError(
                f"{path}: it has questions and responses and no column with the right answers; add a column `gold` or name it "
                "(--answer-field), or name the suite or dataset that was asked (--suite, --dataset)"
            )
        first = self.strangers[0] if self.strangers else "?"
        raise ConfigurationError(
            f"{path}: none of its {len(self.strangers)} answers belongs to a test here: the first is {first[:80]!r}"
            f"{self._nearest(first)}, and tests are called {', '.join(self.tests[:_NAMED]) or 'nothing: there are none'}; "
            "name the suite or dataset that was asked (--suite, --dataset), or add a column `question`, whose words are compared"
        )

    def _nearest(self, name: str) -> str:
        if name.rpartition("/")[2] in self.tests:
            return " (the test of this id asks another question)"
        near = closest(name, self.tests)
        return f" (the nearest is '{near}')" if near is not None else ""


def meet(answers: Answers, tests: Iterable[TestCase]) -> MatchedAnswers:
    """Which answers belong to which of `tests`."""
    met: set[int] = set()
    by_id = by_question = 0
    names: list[str] = []
    epochs: Collection[int] = {row.epoch for row in answers.rows}
    for test in tests:
        names.append(test.test_id)
        prompt = prompt_of(test)
        for epoch in epochs:
            row = answers.find(test.domain, test.level, test.test_id, prompt, epoch)
            if row is None or row.line in met:
                continue
            met.add(row.line)
            named = row.identity in (test.test_id, f"{test.domain}/{test.level}/{test.test_id}")
            by_id, by_question = by_id + named, by_question + (not named)
    columns = answers.columns
    lacks_gold = columns.question is not None and columns.response is not None and columns.gold is None
    strangers = tuple(row.identity or f"line {row.line}" for row in answers.rows if row.line not in met)
    return MatchedAnswers(by_id, by_question, strangers, tuple(dict.fromkeys(names)), lacks_gold)
