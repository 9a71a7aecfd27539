"""`sql_executor`: run the model's query and the gold on fresh copies, and compare what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from core.errors import ErrorType, JudgeError
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.provider_errors import answer_of
from core.evaluators.sql.compare import compare_results
from core.evaluators.sql.extraction import find_sql
from core.evaluators.sql.gold import Gold, GoldError, read_gold
from core.evaluators.sql.parsed import found_parts, ordering, runs_of
from core.sandbox.sql import Fixture, run_sql
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase

SHOWN_ROWS = 50
_SHOWN_CHARS = 300


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The gold's result on one instance; `runs` where its order counts."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    width: int
    runs: tuple[int, ...] | None


class SQLExecutorEvaluator(BaseEvaluator):
    """Scores 1 where every instance gives the gold's result, else 0; a test that asks for parts of a query only scores
    the share of them.
    """

    id = "sql_executor"

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`: its form, fixtures that do not build, a gold that does not run."""
        del config
        try:
            gold = read_gold(test.expected, suite_root, _folder(test.location.path))
            for number, instance in enumerate(gold.instances, start=1):
                _wanted(gold, instance, number)
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
            gold = read_gold(sample.expected, context.suite_root, _folder(str(sample.definition.get("file") or "")))
            found = find_sql(sample, response, context)
            if found.query is None:
                why = "the response is empty" if found.how == "empty_response" else "the response gives no query"
                return EvaluationResult(0.0, {"why": why, "extraction": found.how}, None, found.pass2_used)
            score, details = _judge(gold, found.query)
        except GoldError as error:
            raise JudgeError(f"the test cannot be judged: {error}", ErrorType.INVALID_TEST) from error
        return EvaluationResult(score, {"extraction": found.how, **details}, found.query, found.pass2_used)


def _judge(gold: Gold, query: str) -> tuple[float, dict[str, Any]]:
    details: dict[str, Any] = {"query": query}
    if gold.query is not None:
        details["gold_query"] = gold.query
    share = 1.0
    if gold.parts:
        parts = found_parts(query, gold.parts)
        if parts is None:
            return 0.0, details | {"why": "the query does not parse"}
        missing = [name for name, there in parts.items() if not there]
        details |= {"parts": parts, "why": f"missing: {', '.join(missing)}" if missing else "every part is there"}
        share = sum(parts.values()) / len(parts)
    if not gold.instances:
        return round(share, 6), details
    outcomes = [_instance(gold, instance, number, query) for number, instance in enumerate(gold.instances, start=1)]
    details["instances"] = outcomes
    wrong = next((outcome for outcome in outcomes if not outcome["equal"]), None)
    if all(not outcome["expected_count"] and not outcome["got_count"] for outcome in outcomes):
        details["weak_evidence"] = "both results are empty"
    if wrong is not None:
        prefix = f"instance {wrong['instance']}: " if len(outcomes) > 1 else ""
        return 0.0, details | {"why": prefix + wrong["why"]}
    if share < 1.0:
        return round(share / 2, 6), details
    return 1.0, details | {"why": "the results are equal"}


def _instance(gold: Gold, instance: Fixture | Path, number: int, query: str) -> dict[str, Any]:
    """The outcome on one instance, as in `details`."""
    wanted = _wanted(gold, instance, number)
    got = run_sql(instance, query)
    outcome: dict[str, Any] = {
        "instance": number,
        "equal": False,
        "ordered": wanted.runs is not None,
        "expected_columns": list(wanted.names),
        "expected_rows": _shown(wanted.rows),
        "expected_count": len(wanted.rows),
        "got_columns": list(got.columns),
        "got_rows": _shown(got.rows),
        "got_count": len(got.rows),
    }
    if got.error is not None:
        # A broken query returned nothing at all, which is no empty result.
        return outcome | {"why": got.error, "fault": got.fault, "got_count": None}
    if got.truncated:
        return outcome | {"why": f"more rows than the {len(wanted.rows)} expected", "got_truncated": True}
    width = wanted.width if wanted.width or wanted.rows else len(got.columns)
    result = compare_results(
        wanted.rows,
        got.rows,
        width,
        len(got.columns),
        columns=gold.columns,
        tolerance=gold.tolerance,
        runs=wanted.runs,
    )
    return outcome | {"equal": result.equal, "why": result.why or "equal"}


def _wanted(gold: Gold, instance: Fixture | Path, number: int) -> _Wanted:
    """The gold's result.

    Raises:
        GoldError: the fixture does not build, or the gold query does not run.
    """
    place = f" on instance {number}" if len(gold.instances) > 1 else ""
    query = gold.query if gold.query is not None else "SELECT 1"
    result = run_sql(instance, query)
    if result.fault == "fixture":
        raise GoldError(f"the fixture{place} does not build: {result.error}")
    if result.error is not None:
        raise GoldError(f"the gold query does not run{place}: {result.error}")
    if result.truncated:
        raise GoldError(f"the gold query gives more rows{place} than can be compared (1,000 rows, 1 MB)")
    if gold.rows is not None:
        runs = (1,) * len(gold.rows) if gold.ordered else None
        return _Wanted((), gold.rows, len(gold.rows[0]) if gold.rows else 0, runs)
    return _Wanted(
        result.columns, result.rows, len(result.columns), _runs(instance, query, result.columns, result.rows)
    )


def _runs(
    instance: Fixture | Path, query: str, names: tuple[str, ...], rows: tuple[tuple[Any, ...], ...]
) -> tuple[int, ...] | None:
    """The stretches of equal sort keys; each row its own where the keys cannot be seen."""
    order = ordering(query, names)
    if order is None:
        return None
    if not order.known:
        return (1,) * len(rows)
    if order.probe is None:
        return tuple(runs_of(rows, order.columns))
    probed = run_sql(instance, order.probe)
    same = [row[: len(names)] for row in probed.rows] == list(rows)
    return tuple(runs_of(probed.rows, order.columns)) if same else (1,) * len(rows)


def _folder(path: str) -> str:
    """The folder of a test's file, relative to the suite."""
    return str(PurePosixPath(path).parent) if path else ""


def _shown(rows: tuple[tuple[Any, ...], ...]) -> list[list[Any]]:
    """At most 50 rows of values that JSON can hold, long ones shortened."""
    return [[_cell(value) for value in row] for row in rows[:SHOWN_ROWS]]


def _cell(value: Any) -> Any:
    if isinstance(value, bytes):
        value = f"x'{value.hex()[:_SHOWN_CHARS]}'"
    if isinstance(value, str):
        return value if len(value) <= _SHOWN_CHARS else f"{value[:_SHOWN_CHARS]}…"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
