"""Judgements a second by evaluator, model calls left out; children of mathematics, SQL and code included.

python -m benchmarks.scoring [--quick]
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from benchmarks.measure import spread
from benchmarks.scripted import ScriptedModel
from benchmarks.tables import Table
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import default_configs, find_config, get_evaluator
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig
from modex.core.suite.templates import Templates

_SQL = {
    "schema": "CREATE TABLE items (id INTEGER, name TEXT, price REAL);",
    "seed": "INSERT INTO items VALUES " + ", ".join(f"({n}, 'item {n}', {n * 1.5})" for n in range(200)) + ";",
    "query": "SELECT name FROM items WHERE price > 100 ORDER BY price",
}
_CODE = """def primes(limit):
    found = []
    for number in range(2, limit):
        for prime in found:
            if number % prime == 0:
                break
        else:
            found.append(number)
    return found
"""
_LONG = "The total follows from adding both parts, each of which was given above. " * 30


def _other_gold(number: int) -> tuple[str, Any]:
    """Other queries on the same tables: a hundred tests of one database are the rule in such suites."""
    query = f"SELECT name FROM items WHERE price > {number % 290}.{number} ORDER BY price"
    return f"```sql\n{query.lower()};\n```", {**_SQL, "query": query}


def _other_fixture(number: int) -> tuple[str, Any]:
    """Other tables for each."""
    response, expected = _other_gold(number)
    return response, {**expected, "seed": f"{_SQL['seed']} INSERT INTO items VALUES ({number}, 'last', 400.0);"}


def _counted(limits: Iterable[int]) -> dict[str, Any]:
    """Cases of `_CODE`: how many primes are below each of `limits`."""
    primes = [number for number in range(2, 3000) if all(number % other for other in range(2, int(number**0.5) + 1))]
    return {
        "function": "primes",
        "cases": [{"args": [limit], "returns": [prime for prime in primes if prime < limit]} for limit in limits],
    }


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    evaluator: str
    response: str
    expected: Any
    reply: str = ""
    """What the extractor or the judge answers."""
    transcript: list[dict[str, Any]] = field(default_factory=list)
    count: int = 2000
    varied: Callable[[int], tuple[str, Any]] | None = None
    """Response and gold of the n-th judgement, where none is like another; else they are those above, again and again."""


_CONFIGS = {
    **default_configs(),
    "answer_line": EvaluatorConfig("answer_line", "answer_line", "regex", extraction_regex=r"Answer: (\d+)"),
}
CASES = (
    Case("match, a number", "match", f"{_LONG}\nThe answer is 42.", 42),
    Case(
        "keyword", "keyword", f"{_LONG} It takes 35 minutes by boat.",
        {"keywords": ["boat", "35 minutes"], "max_words": 900}, count=500,
    ),
    Case("regex", "answer_line", f"{_LONG}\nAnswer: 42", "42"),
    Case("two_pass, numeric", "two_pass", f"{_LONG} So it is 42.", {"type": "numeric", "value": 42}, '{"answer": "42"}'),
    Case("two_pass, text", "two_pass", f"{_LONG} It is Paris.", {"type": "exact_match", "value": "Paris"}, '{"answer": "Paris"}'),
    Case(
        "two_pass, mathematics (child)", "two_pass", f"{_LONG} It is $\\frac{{x}}{{2}} + \\frac{{x}}{{2}} + \\sqrt{{8}}$.",
        {"type": "math", "value": "x + 2\\sqrt{2}"}, '{"answer": "\\\\frac{x}{2} + \\\\frac{x}{2} + \\\\sqrt{8}"}', count=200,
    ),
    Case("sql_executor (child), one test", "sql_executor", f"```sql\n{_SQL['query']};\n```", _SQL, count=300),
    Case("sql_executor (child), every gold another", "sql_executor", "", None, count=600, varied=_other_gold),
    Case("sql_executor (child), every fixture another", "sql_executor", "", None, count=600, varied=_other_fixture),
    Case("code_tests (child), five small cases", "code_tests", f"```python\n{_CODE}```", _counted(range(10, 15)), count=300),
    Case("code_tests (child), a case that computes", "code_tests", f"```python\n{_CODE}```", _counted([2000]), count=60),
    Case(
        "tool_call", "tool_call", "Done.", {"tool": "get_forecast", "args": {"city": {"$ci": "Madrid"}, "days": 3}},
        transcript=[
            {
                "role": "assistant", "content": "",
                "tool_calls": [{"id": "1", "name": "get_forecast", "arguments": '{"city": "madrid", "days": 3}'}],
            }
        ],
    ),
    Case("llm_judge", "llm_judge", _LONG, "adds both parts", '{"reasoning": "It does.", "verdict": "CORRECT", "score": 1}'),
)  # fmt: skip


def measure(*, quick: bool) -> list[Table]:
    templates = Templates(None)
    rows = []
    for case in CASES:
        started = time.perf_counter()
        score = _judge(case, templates, 0)
        first = time.perf_counter() - started
        if score is None or score < PASS_SCORE:
            raise SystemExit(f"{case.name}: scored {score}, and the case is meant to pass")
        count = case.count // 4 if quick else case.count
        turns = itertools.count(1)
        alone = spread([_rate(case, templates, count, 1, turns) for _ in range(3)])
        together = spread([_rate(case, templates, count, 8, turns) for _ in range(3)])
        rows.append([case.name, f"{1000 * first:.0f} ms", alone.shown(0), together.shown(0)])
    header = ["evaluator", "the first (imports, children)", "a second, one thread", "a second, eight threads"]
    return [Table("Judgements, model calls left out", header, rows)]


def _rate(case: Case, templates: Templates, count: int, threads: int, turns: Iterator[int]) -> float:
    numbers = [next(turns) for _ in range(count)]
    started = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda number: _judge(case, templates, number), numbers))
    return count / (time.perf_counter() - started)


def _judge(case: Case, templates: Templates, number: int) -> float | None:
    response, expected = case.varied(number) if case.varied else (case.response, case.expected)
    config = find_config(case.evaluator, _CONFIGS)
    assert config is not None
    model = ScriptedModel(case.reply)
    context = JudgeContext(config=config, template=templates.text, extractor=model, judges=(model,))
    sample = EvaluationSample(
        domain="d", level=2, test_id="t", prompt="What is asked?", response=response, expected=expected,
        transcript=case.transcript, evaluator_id=case.evaluator,
    )  # fmt: skip
    return get_evaluator(config).evaluate(sample, context).score


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
