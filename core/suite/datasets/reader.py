"""A dataset file as tests, streamed: iterate as often as needed, no more than a batch of rows is ever held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError, Problem
from core.filters import MISSING
from core.runconfig import DatasetSpec, RolloutMode
from core.suite.datasets.golds import GoldRule, guess_rule, options_of, with_options
from core.suite.datasets.mapping import FieldMap, level_of, map_columns
from core.suite.datasets.rows import BadRow, Row, iter_rows
from core.suite.definitions import Location, PromptLayer, SuiteDataset, TestCase
from core.suite.filters import Filter, dotted, parse_filter
from core.suite.sampling import take_sample

DEFAULT_EVALUATOR = "two_pass"
MAX_PROBLEMS = 1000
"""Problems named one by one; the rest is counted."""
_PEEK = 200
_MAX_LABEL = 200


class DatasetReader:
    """The tests of one dataset file.

    `guesses` say how columns and answers are read. `problems` are those of the latest complete iteration: a row with a
    problem yields no test. Line numbers are 1-based; in JSON and Parquet files, where rows have no line, messages name the row.
    """

    def __init__(
        self,
        spec: DatasetSpec,
        *,
        evaluator: str | None = None,
        rollout: RolloutMode | None = None,
        source: str | None = None,
        shown_path: str | None = None,
        filters: Sequence[str] = (),
        limit: int | None = None,
        sample: int | None = None,
        seed: int = 0,
        suite_dataset: SuiteDataset | None = None,
    ) -> None:
        """Open the file, look at its first rows and settle how they are read.

        Raises:
            ConfigurationError: the file cannot be read, has no rows, or lacks a named column.
        """
        self.spec = spec
        self.path = Path(spec.path).expanduser()
        self.source = source or self.path.stem
        self.evaluator = evaluator or DEFAULT_EVALUATOR
        self.rollout: RolloutMode = rollout or "direct"
        self.problems: list[Problem] = []
        self.rows = 0
        """Rows of the latest iteration, those with problems too."""
        self._shown = shown_path or spec.path
        self._filters: tuple[Filter, ...] = tuple(parse_filter(text) for text in filters)
        self._limit, self._sample, self._seed = limit, sample, seed
        self._suite = suite_dataset
        self._numbered = self.path.suffix.lower() in (".json", ".parquet", ".pq")
        self.fields, self._rule, self.guesses = self._settle()

    def _settle(self) -> tuple[FieldMap, GoldRule, list[str]]:
        head = [row.data for row in islice(iter_rows(self.path), _PEEK) if isinstance(row, Row)]
        if not head:
            first = next(iter_rows(self.path), None)
            why = f"{first.message} (line {first.line})" if isinstance(first, BadRow) else "it is empty"
            raise ConfigurationError(f"{self._shown}: no row can be read; {why}")
        fields, guesses = map_columns(self.spec, head, self._shown)
        golds = [] if fields.answer is None else [dotted(row, fields.answer) for row in head]
        golds = [
            item
            for gold in golds
            if gold not in (MISSING, None, "")
            for item in (gold if isinstance(gold, list) else [gold])
        ]
        with_choices = fields.options is not None and all(
            options_of(dotted(row, fields.options)) is not None for row in head
        )
        rule, said = guess_rule(self.evaluator, golds, with_choices)
        if fields.options is not None and not with_choices:
            fields = FieldMap(fields.question, fields.answer, fields.level, fields.category, fields.id, None)
        elif fields.options is not None:
            guesses.append(f"options: column '{fields.options}', shown below the question where it does not hold them")
        return fields, rule, guesses + said

    def __iter__(self) -> Iterator[TestCase]:
        """The tests in the file's order, after filters, sample and limit."""
        found = self._matching()
        if self._sample is not None:
            found = iter(take_sample(found, self._sample, self._seed))
        return islice(found, self._limit) if self._limit is not None else found

    def check(self) -> list[Problem]:
        """Read every row once and return the problems; holds none of the tests."""
        for _ in self._matching():
            pass
        return self.problems

    def _matching(self) -> Iterator[TestCase]:
        self.problems = []
        self.rows = 0
        unnamed = 0
        seen: dict[tuple[str, int, str], int] = {}
        for index, row in enumerate(iter_rows(self.path)):
            self.rows += 1
            test = self._test(row, index) if isinstance(row, Row) else row.message
            if isinstance(test, TestCase):
                key = (test.domain, test.level, test.test_id)
                first = seen.setdefault(key, row.line)
                if first == row.line:
                    if all(condition.matches(test, row.data) for condition in self._filters if isinstance(row, Row)):
                        yield test
                    continue
                test = (
                    f"test id '{test.test_id[:80]}' is there already, on {'row' if self._numbered else 'line'} {first}"
                )
            if len(self.problems) < MAX_PROBLEMS:
                self.problems.append(self._problem(row.line, test))
            else:
                unnamed += 1
        if unnamed:
            self.problems.append(Problem(self._shown, 0, f"{unnamed:,} more rows have problems"))

    def _problem(self, line: int, message: str) -> Problem:
        if self._numbered:
            return Problem(self._shown, 0, f"row {line}: {message}")
        return Problem(self._shown, line, message)

    def _test(self, row: Row, index: int) -> TestCase | str:
        """The test that a row stands for, or what is wrong with the row."""
        fields, data = self.fields, row.data
        question = _value(data, fields.question)
        turns = _turns(question)
        if turns is None and (not isinstance(question, str) or not question.strip()):
            return f"the question ('{fields.question}') is missing or no text"
        gold = _value(data, fields.answer)
        if fields.answer is not None and gold in (None, "", []):
            return f"the answer ('{fields.answer}') is missing"
        level = self._level(data)
        if isinstance(level, str):
            return level
        category, identity = _value(data, fields.category), _value(data, fields.id)
        domain = self.source if category in (None, "") else _label(category)
        test_id = str(index) if identity in (None, "") else _label(identity)
        for role, label in (("category", domain), ("id", test_id)):
            if fault := _label_fault(label):
                return f"the {role} {fault}"
        options = options_of(_value(data, fields.options)) if fields.options is not None else None
        prompt: str | tuple[dict[str, str], ...] = turns or str(question)
        if options and isinstance(prompt, str):
            prompt = with_options(prompt, options)
        suite, used = self._suite, fields.used()
        return TestCase(
            source=self.source,
            domain=domain,
            level=level,
            test_id=test_id,
            prompt=prompt,
            expected=None if gold is None else self._rule.expected(gold, options),
            evaluator_id=self.evaluator,
            location=Location(self._shown, row.line),
            layers=_layers(suite, level),
            tool_ids=suite.tool_ids if suite is not None else (),
            tools=suite.tools if suite is not None else (),
            weight=suite.weight if suite is not None else 1.0,
            cluster=_label(_value(data, fields.cluster)) or None,
            timeout_ms=suite.timeout_ms if suite is not None else None,
            rollout=self.rollout,
            metadata={key: value for key, value in data.items() if key not in used},
            invalid=suite.invalid if suite is not None else None,
            disabled_by="domain" if suite is not None and not suite.enabled else None,
        )

    def _level(self, data: dict[str, Any]) -> int | str:
        value = _value(data, self.fields.level)
        if value in (None, ""):
            return 1
        level = level_of(value)
        return (
            level
            if level is not None
            else f"the level is {str(value)[:40]!r}; it must be 1 to 5, or easy, medium, hard"
        )


def _value(data: dict[str, Any], path: str | None) -> Any:
    if path is None:
        return None
    found = data[path] if path in data else dotted(data, path)
    return None if found is MISSING else found


def _label(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _label_fault(label: str) -> str | None:
    """What is wrong with a row's id or category, or None. Data sets are freer than suite files: spaces and `/` are fine."""
    if not label:
        return "is not a text or a number"
    if len(label) > _MAX_LABEL:
        return f"is longer than {_MAX_LABEL} characters"
    if label.startswith("/") or ".." in label.split("/"):
        return f"'{label[:80]}' reads as a path"
    if not label.isprintable():
        return "holds control characters"
    return None


def _turns(question: Any) -> tuple[dict[str, str], ...] | None:
    """Chat turns, where the question is a list of them that ends with a user's."""
    if not isinstance(question, list) or not question:
        return None
    turns: list[dict[str, str]] = []
    for turn in question:
        role, content = (turn.get("role"), turn.get("content")) if isinstance(turn, dict) else (None, None)
        if role not in ("system", "user", "assistant") or not isinstance(content, str):
            return None
        turns.append({"role": role, "content": content})
    if turns[-1]["role"] == "system":
        turns[-1] = {**turns[-1], "role": "user"}  # OpenAI-Evals also ask in a system message
    return tuple(turns) if turns[-1]["role"] == "user" else None


def _layers(suite: SuiteDataset | None, level: int) -> tuple[PromptLayer, ...]:
    return suite.level_layers.get(level, suite.layers) if suite is not None else ()


def read_dataset(
    spec: DatasetSpec,
    *,
    evaluator: str | None = None,
    rollout: RolloutMode | None = None,
    filters: Sequence[str] = (),
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> DatasetReader:
    """A reader of the dataset that `--dataset` names; `evaluator` None is `two_pass`.

    Raises:
        ConfigurationError: the file cannot be read, has no rows, or lacks a named column.
    """
    return DatasetReader(
        spec, evaluator=evaluator, rollout=rollout, filters=filters, limit=limit, sample=sample, seed=seed
    )


def read_suite_dataset(
    dataset: SuiteDataset, root: Path, *, evaluator: str | None = None, rollout: RolloutMode | None = None
) -> DatasetReader:
    """A reader of a suite's `dataset.json`; paths in messages are relative to the suite's `root`.

    Raises:
        ConfigurationError: the file cannot be read, has no rows, or lacks a named column.
    """
    try:
        shown = dataset.file.relative_to(root).as_posix()
    except ValueError:
        shown = str(dataset.file)
    return DatasetReader(
        dataset.spec,
        evaluator=evaluator or dataset.evaluator_id,
        rollout=rollout or dataset.rollout,
        source=dataset.source,
        shown_path=shown,
        filters=dataset.filters,
        limit=dataset.limit,
        sample=dataset.sample,
        seed=dataset.seed,
        suite_dataset=dataset,
    )
