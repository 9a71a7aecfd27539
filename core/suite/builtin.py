"""The evaluators that need no file: their ids, and where each class stands, which nothing imports before it is needed."""

from __future__ import annotations

BUILTIN_EVALUATORS: dict[str, str] = {
    "keyword": "core.evaluators.text.keyword:KeywordEvaluator",
    "two_pass": "core.evaluators.answers.two_pass:TwoPassEvaluator",
    "sql_executor": "core.evaluators.sql.evaluator:SQLExecutorEvaluator",
    "tool_call": "core.evaluators.tool_call.evaluator:ToolCallEvaluator",
    "regex": "core.evaluators.text.regex:RegexEvaluator",
    "custom": "core.evaluators.judging.custom:CustomEvaluator",
    "hybrid": "core.evaluators.hybrid:HybridEvaluator",
    "rubric": "core.evaluators.judging.rubric:RubricEvaluator",
    "llm_judge": "core.evaluators.judging.llm_judge:LLMJudgeEvaluator",
    "caia": "core.evaluators.judging.caia:CaiaEvaluator",
    "browsecomp": "core.evaluators.judging.protocols:BrowseCompEvaluator",
    "webwalkerqa": "core.evaluators.judging.protocols:WebWalkerQAEvaluator",
    "xbench": "core.evaluators.judging.protocols:XBenchEvaluator",
    "gaia": "core.evaluators.answers.gaia:GaiaEvaluator",
    "match": "core.evaluators.answers.match:MatchEvaluator",
    "code_tests": "core.evaluators.code.evaluator:CodeTestsEvaluator",
}
"""`module:Class` by id; the only place that names them."""
