"""The project's own SQL evaluator passes the bundled golds and fails the plausible wrong queries."""

from __future__ import annotations

from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.sql.evaluator import SQLExecutorEvaluator
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig
from tests.rows import each_row
from tests.suite.golds import ROOT, bundled

TESTS = {test.test_id: test for test in bundled().tests if test.domain == "sql"}
CONFIG = EvaluatorConfig("sql_executor", "SQL", "builtin")
EVALUATOR = SQLExecutorEvaluator()


def verdict(test_id: str, query: str) -> float:
    sample = EvaluationSample(expected=TESTS[test_id].expected, response=f"This should do:\n\n```sql\n{query}\n```")
    return EVALUATOR.evaluate(sample, JudgeContext(CONFIG, template=lambda name: name)).score


@each_row("test_id", TESTS)
def test_the_gold_scores_one_and_wrong_queries_fail(test_id: str) -> None:
    test = TESTS[test_id]
    assert list(EVALUATOR.check(test, CONFIG, ROOT)) == []
    assert verdict(test_id, test.expected["query"]) == 1.0
    for query in test.metadata["wrong_queries"]:
        assert verdict(test_id, query) < PASS_SCORE, query
