"""Stores of any size, filled by SQL: the rows that a finished run leaves, without running it."""

from __future__ import annotations

from pathlib import Path

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.manager import DBDataManager

DOMAINS = 10
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"
_TRANSCRIPT = (
    """'[{"role":"user","content":"What is ' || i || ' + 1? Answer with the number alone.","phase":"pass1","iteration":0},"""
    """{"role":"assistant","content":"' || i || ' + 1 = ' || (i + 1) || ', because adding one moves to the next number."""
    """","phase":"pass1","iteration":0,"usage":{"prompt":21,"completion":18},"duration_ms":412,"attempts":1}]'"""
)
_COLUMNS = {
    "run_id": "?",
    "source": "'suite'",
    "domain": f"'domain_' || (i % {DOMAINS})",
    "level": f"1 + (i / {DOMAINS}) % 5",
    "test_id": "'test_' || i",
    "epoch": "1",
    "stage": "'judged'",
    "status": "CASE WHEN (i / 50 * 7919 + i + ?) % 10 < 7 THEN 'passed' ELSE 'failed' END",
    "prompt_layers": "'[]'",
    "prompt": "'What is ' || i || ' + 1? Answer with the number alone.'",
    "expected": "i + 1",
    "response": "i || ' + 1 = ' || (i + 1) || ', because adding one moves to the next number.'",
    "transcript": _TRANSCRIPT,
    "extracted_answer": "i + 1",
    "pass2_used": "0",
    "score": "CASE WHEN (i / 50 * 7919 + i + ?) % 10 < 7 THEN 1.0 ELSE 0.0 END",
    "details": """'{"type":"numeric","expected":"' || (i + 1) || '","got":"' || (i + 1) || '","answer_from":"last_line"}'""",
    "evaluator_id": "'match'",
    "prompt_tokens": "21",
    "completion_tokens": "18",
    "cost_usd": "0.0001",
    "duration_ms": "380 + i % 70",
    "rollout_fingerprint": "'0123456789abcdef0123456789abcdef'",
    "judge_fingerprint": "'0123456789abcdef0123456789abcdef'",
    "started_at": "'2026-03-05T14:27:46.000Z'",
    "completed_at": "'2026-03-05T14:27:46.412Z'",
    "seq": "i + 1",
    "position": "i",
    "name": "'Addition ' || i",
    "weight": "1.0",
    "definition": """'{"file":"questions.jsonl","line":' || (i + 1) || '}'""",
    "flags": "'[]'",
    "finish_reason": "'stop'",
    "attempts": "1",
    "reasoning_tokens": "0",
    "cached_tokens": "0",
    "judge_prompt_tokens": "0",
    "judge_completion_tokens": "0",
    "judge_cost_usd": "0.0",
    "judge_duration_ms": "0",
    "reason": "'got ' || (i + 1) || ' as expected'",
}


def add_run(path: Path, exp_id: str, samples: int, *, variant: int = 0) -> int:
    """Add a finished run of `samples` samples; `variant` moves which of them passed. Its id."""
    manager = DBDataManager(path)
    try:
        run_id = manager.create_run(exp_id, RunConfig(model=ModelSpec(model="openai/test-model")))
        manager.database.run(
            f"{_NUMBERS} INSERT INTO individual_test_results ({', '.join(_COLUMNS)})"
            f" SELECT {', '.join(_COLUMNS.values())} FROM n",
            [samples, run_id, variant, variant],
        )
        manager.recount(run_id)
        manager.update_run(run_id, status="completed")
        manager.database.run("UPDATE evaluation_runs SET seq = ? WHERE id = ?", [samples + 1, run_id])
        return run_id
    finally:
        manager.close()
