"""The evaluators that need no file: their ids, and where each class stands, which nothing imports before it is needed."""

from __future__ import annotations

BUILTIN_EVALUATORS: dict[str, str] = {
    "keyword": "modex.core.evaluators.text.keyword:KeywordEvaluator",
    "two_pass": "modex.core.evaluators.answers.two_pass:TwoPassEvaluator",
    "sql_executor": "modex.core.evaluators.sql.evaluator:SQLExecutorEvaluator",
    "tool_call": "modex.core.evaluators.tool_call.evaluator:ToolCallEvaluator",
    "regex": "modex.core.evaluators.text.regex:RegexEvaluator",
    "custom": "modex.core.evaluators.judging.custom:CustomEvaluator",
    "hybrid": "modex.core.evaluators.hybrid:HybridEvaluator",
    "rubric": "modex.core.evaluators.judging.rubric:RubricEvaluator",
    "llm_judge": "modex.core.evaluators.judging.llm_judge:LLMJudgeEvaluator",
    "caia": "modex.core.evaluators.judging.caia:CaiaEvaluator",
    "browsecomp": "modex.core.evaluators.judging.protocols:BrowseCompEvaluator",
    "browsecomp_zh": "modex.core.evaluators.judging.protocols:BrowseCompZHEvaluator",
    "webwalkerqa": "modex.core.evaluators.judging.protocols:WebWalkerQAEvaluator",
    "xbench": "modex.core.evaluators.judging.protocols:XBenchEvaluator",
    "gaia": "modex.core.evaluators.answers.gaia:GaiaEvaluator",
    "match": "modex.core.evaluators.answers.match:MatchEvaluator",
    "lm_eval": "modex.core.evaluators.text.lm_eval:LmEvalEvaluator",
    "loglikelihood": "modex.core.evaluators.answers.loglikelihood:LoglikelihoodEvaluator",
    "world": "modex.core.evaluators.tool_call.world:WorldEvaluator",
    "icd_codes": "modex.core.evaluators.text.icd_codes:IcdCodesEvaluator",
    "instructions": "modex.core.evaluators.instructions.evaluator:InstructionsEvaluator",
    "workspace": "modex.core.evaluators.workspace.evaluator:WorkspaceEvaluator",
    "spans": "modex.core.evaluators.text.spans:SpansEvaluator",
    "code_tests": "modex.core.evaluators.code.evaluator:CodeTestsEvaluator",
}
"""`module:Class` by id; the only place that names them."""
