"""`sql_executor`: run the model's query and the gold on fresh copies, and compare what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.sql.compare import compare_results
from modex.core.evaluators.sql.extraction import find_sql
from modex.core.evaluators.sql.gold import GoldError, SqlGold, read_gold
from modex.core.evaluators.sql.parsed import found_parts, names_only
from modex.core.evaluators.sql.wanted import wanted_and_got, wanted_on
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.sql import Fixture, SqlResult, run_sql
from modex.core.store.sample import EvaluationSample
from modex.core.suite.checking import CheckNote
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Instance, Result, Rows, fault_words

SHOWN_ROWS = 50
_HELD = 0.6
"""The most that a query gets which lacks a part, where it is run, or a column: no share of the others makes it pass."""
_SHOWN_CHARS = 300


class SQLExecutorEvaluator(BaseEvaluator):
    """Scores 1 where every instance gives the gold's result, else 0; a test that asks for parts of a query only scores
    the share of them, below a pass where a column lacks or the query is run too.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`: its form, fixtures that do not build, a gold that does not run."""
        del config
        try:
            gold = read_gold(test.expected, suite_root, _folder(test.location.path))
            if gold.query is None and gold.rows is None:
                for number, instance in enumerate(gold.instances, start=1):
                    _run(instance, number, "SELECT 1")
                return
            wanted = [wanted_on(gold, instance, number) for number, instance in enumerate(gold.instances, start=1)]
            if wanted and not any(result.rows for result in wanted):
                where = "" if len(wanted) == 1 else " on every instance"
                yield CheckNote(
                    f"the gold result is empty{where}: a query that finds nothing for a wrong reason passes too"
                )
        except GoldError as error:
            yield str(error)

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """PASS 2 is asked where a response has no fenced block."""
        del expected
        return config.uses_pass2 is not False

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the query, run it on each instance, compare.

        Raises:
            JudgeError: the gold cannot be used, or no child process can run it.
            ModelCallError: PASS 2 could not be asked.
        """
        response = answer_of(sample)
        try:
            gold = read_gold(sample.expected, context.suite_root, _folder(sample.definition.file))
            found = find_sql(sample, response, context)
            if found.query is None:
                why = "the response is empty" if found.how == "empty_response" else "the response gives no query"
                why += f"; {words}" if (words := fault_words(found.part())) else ""
                return EvaluationResult(0.0, pass2_used=found.pass2_used, parts=(found.part(),), reason=why)
            score, part = _judge(gold, found.query)
        except GoldError as error:
            raise JudgeError(f"the test cannot be judged: {error}", ErrorType.INVALID_TEST) from error
        parts = (part, found.part())
        return EvaluationResult(score, extracted_answer=found.query, pass2_used=found.pass2_used, parts=parts)


def _judge(gold: SqlGold, query: str) -> tuple[float, Rows]:
    part = Rows(query, gold.query)
    share = 1.0
    if gold.parts:
        pieces = found_parts(query, gold.parts)
        if pieces is None:
            return 0.0, replace(part, why="the query does not parse")
        missing = [name for name, there in pieces.items() if not there]
        why = f"missing: {', '.join(missing)}" if missing else "every part is there"
        part = replace(part, pieces=pieces, why=why)
        share = sum(pieces.values()) / len(pieces)
        if missing and gold.query is None and gold.rows is None:
            lacks_column = not all(pieces[f"column {name}"] for name in gold.parts.get("selects", ()))
            share = min(share, _HELD) if gold.instances or lacks_column else share
    if not gold.instances:
        return round(share, 6), part
    if gold.query is None and gold.rows is None:
        return _runs(gold, query, share, part)
    outcomes = [_instance(gold, instance, number, query) for number, instance in enumerate(gold.instances, start=1)]
    wrong = next((outcome for outcome in outcomes if not outcome.equal), None)
    empty = all(not outcome.expected.count and not outcome.got.count for outcome in outcomes)
    part = replace(part, instances=tuple(outcomes), weak_evidence="both results are empty" if empty else "")
    if wrong is not None:
        prefix = f"instance {wrong.number}: " if len(outcomes) > 1 else ""
        return 0.0, replace(part, why=prefix + wrong.why)
    if share < 1.0:
        return round(share / 2, 6), part
    return 1.0, replace(part, why="the results are equal")


def _runs(gold: SqlGold, query: str, share: float, part: Rows) -> tuple[float, Rows]:
    """Whether the query runs at all on the tables, and finds something: one that does not asks nothing that has an answer.

    In tables without rows nothing can be found, so that running is enough there.
    """
    found = False
    query = names_only(query)
    for number, instance in enumerate(gold.instances, start=1):
        if (got := _run(instance, number, query)).error is not None:
            return 0.0, replace(part, why=f"the query does not run on instance {number}: {got.error}")
        found = found or bool(got.rows)
    if not found and any(_holds_rows(instance, number) for number, instance in enumerate(gold.instances, start=1)):
        return 0.0, replace(part, why="the query finds nothing in the tables")
    return round(share, 6), part


def _holds_rows(instance: Fixture | Path, number: int) -> bool:
    names = _run(instance, number, "SELECT name FROM sqlite_master WHERE type = 'table'").rows
    quoted = (str(name).replace('"', '""') for (name,) in names)
    return any(_run(instance, number, f'SELECT 1 FROM "{name}" LIMIT 1').rows for name in quoted)


def _run(instance: Fixture | Path, number: int, query: str) -> SqlResult:
    got = run_sql(instance, query)
    if got.fault == "fixture":
        raise GoldError(f"the fixture of instance {number} does not build: {got.error}")
    return got


def _instance(gold: SqlGold, instance: Fixture | Path, number: int, query: str) -> Instance:
    """The outcome on one instance."""
    wanted, got = wanted_and_got(gold, instance, number, query)
    outcome = Instance(
        number=number,
        ordered=wanted.ordered,
        expected=Result(wanted.names, _shown(wanted.rows), len(wanted.rows)),
        got=Result(got.columns, _shown(got.rows), len(got.rows)),
    )
    if got.error is not None:
        # A broken query returned nothing at all, which is no empty result.
        return replace(outcome, why=got.error, fault=got.fault or "", got=Result(got.columns, _shown(got.rows)))
    if got.truncated:
        return replace(outcome, why=f"more rows than the {len(wanted.rows)} expected", truncated=True)
    width = wanted.width if wanted.width or wanted.rows else len(got.columns)
    if width == len(got.columns) and wanted.rows == got.rows:
        return replace(outcome, equal=True, why="equal")  # row by row, so that the sort keys need no look
    runs = wanted.runs(instance)
    result = compare_results(
        wanted.rows,
        got.rows,
        width,
        len(got.columns),
        columns=gold.columns,
        tolerance=gold.tolerance,
        runs=runs,
    )
    return replace(outcome, ordered=runs is not None, equal=result.equal, why=result.why or "equal")


def _folder(path: str) -> str:
    """The folder of a test's file, relative to the suite."""
    return str(PurePosixPath(path).parent) if path else ""


def _shown(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """At most 50 rows of values that JSON can hold, long ones shortened."""
    return tuple(tuple(_cell(value) for value in row) for row in rows[:SHOWN_ROWS])


def _cell(value: Any) -> Any:
    if isinstance(value, bytes):
        value = f"x'{value.hex()[:_SHOWN_CHARS]}'"
    if isinstance(value, str):
        return value if len(value) <= _SHOWN_CHARS else f"{value[:_SHOWN_CHARS]}…"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
