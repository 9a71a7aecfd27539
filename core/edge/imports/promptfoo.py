"""Results of promptfoo (`promptfoo eval -o results.json`, version 3): a run for each provider and prompt.

Source of the form: `OutputFile` and `EvaluateSummaryV3` of promptfoo's types.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modex.core.edge.imports.records import (
    ForeignRun,
    ForeignSample,
    label,
    level_in,
    moment,
    read_file,
    score_in,
    table,
    whole,
)
from modex.core.foundation.errors import ConfigurationError

_EQUAL = ("equals", "icontains", "contains", "starts-with", "is-exactly")
"""Assertions whose value is a reference answer."""


def read_promptfoo(path: Path, metric: str | None, highest: float) -> Iterator[ForeignRun]:
    """The runs in the results at `path`.

    A row counts 1 where all its assertions hold and 0 where not, as promptfoo shows it; `metric` asks for its `score`
    instead, or for one of its `namedScores`.

    Raises:
        ConfigurationError: these are no results of promptfoo.
    """
    document = read_file(path)
    results = table(table(document).get("results"))
    rows = results.get("results")
    if not isinstance(rows, list):
        raise ConfigurationError(
            f"{path}: these are no results of promptfoo: `promptfoo eval -o results.json` writes them"
        )
    stats = table(results.get("stats"))
    identity = str(document.get("evalId") or path.stem)
    task = label(_described(document), path.stem)
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if isinstance(row, dict):
            groups.setdefault((_provider(row), str(row.get("promptIdx") or 0)), []).append(row)
    prompts = {prompt for _, prompt in groups}
    first: dict[str, int] = {}
    for row in rows:
        if isinstance(row, dict):
            row["testIdx"] = first.setdefault(_asked(row), whole(row.get("testIdx")))
    for (provider, prompt), found in groups.items():
        ending = f"-prompt{prompt}" if len(prompts) > 1 else ""
        yield ForeignRun(
            tool="promptfoo",
            path=path,
            name=label(f"{identity.replace('/', '-')}-{provider.replace('/', '-')}{ending}", path.stem),
            task=task,
            model=provider,
            scorer=metric or "assertions",
            samples=lambda rows=found: (_sample(row, task, metric, highest) for row in rows),  # type: ignore[misc]
            started_at=moment(results.get("timestamp")),
            duration_ms=whole(stats.get("durationMs")),
            notes=["assertions: their verdicts are kept, they are not run again"],
        )


def _asked(row: dict[str, Any]) -> str:
    """What tells tests apart: with `--repeat` the same test stands there under a number of its own each time."""
    case = table(row.get("testCase"))
    return json.dumps([case.get("description"), case.get("vars"), case.get("assert")], sort_keys=True, default=str)


def _described(document: dict[str, Any]) -> Any:
    return table(document.get("config")).get("description")


def _provider(row: dict[str, Any]) -> str:
    provider = row.get("provider")
    named = provider.get("id") if isinstance(provider, dict) else provider
    return label(named, "unknown").replace(":", "/", 1)


def _sample(row: dict[str, Any], task: str, metric: str | None, highest: float) -> ForeignSample:
    case = table(row.get("testCase"))
    metadata = table(case.get("metadata"))
    response = table(row.get("response"))
    usage = table(response.get("tokenUsage"))
    grading = table(row.get("gradingResult"))
    prompt = row.get("prompt")
    question = str(prompt.get("raw") if isinstance(prompt, dict) else prompt or "")
    output = response.get("output")
    said = output if isinstance(output, str) or output is None else json.dumps(output, ensure_ascii=False)
    number = row.get("testIdx")
    description = case.get("description")
    read = ForeignSample(
        test_id=label(f"{number} {description}", f"{number}") if description else f"{number}",
        question=question,
        gold=_gold(case.get("assert")),
        domain=label(metadata.get("domain"), task),
        level=level_in(metadata.get("level")),
        response=said,
        answer=said,
        transcript=[
            {"role": "user", "content": question, "phase": "pass1", "iteration": 0},
            {"role": "assistant", "content": said or "", "phase": "pass1", "iteration": 0},
        ],
        score=_score(row, metric, highest),
        why=str(grading["reason"])[:2000] if grading.get("reason") else None,
        prompt_tokens=whole(usage.get("prompt")),
        completion_tokens=whole(usage.get("completion")),
        reasoning_tokens=whole(table(usage.get("completionDetails")).get("reasoning")),
        cached_tokens=whole(usage.get("cached")),
        cost_usd=row["cost"] if isinstance(row.get("cost"), int | float) else None,
        duration_ms=whole(row.get("latencyMs")),
        finish_reason=str(response["finishReason"]) if response.get("finishReason") else None,
        found=_verdicts(grading),
    )
    failed_to_answer = said is None and (row.get("error") or response.get("error"))
    if failed_to_answer:
        read.error, read.score = str(row.get("error") or response.get("error"))[:2000], None
    elif read.score is None:
        read.error = f"{metric or 'score'} is no score from 0 to {highest:g}"
    return read


def _score(row: dict[str, Any], metric: str | None, highest: float) -> float | None:
    if metric is None:
        return float(row["success"]) if isinstance(row.get("success"), bool) else None
    return score_in(row.get("score") if metric == "score" else table(row.get("namedScores")).get(metric), highest)


def _gold(asserted: Any) -> Any:
    """The reference answer, where an assertion holds one that is plain text."""
    for one in asserted if isinstance(asserted, list) else ():
        if isinstance(one, dict) and one.get("type") in _EQUAL and isinstance(one.get("value"), str | int | float):
            return one["value"]
    return None


def _verdicts(grading: dict[str, Any]) -> dict[str, Any]:
    """What each assertion said, by its kind."""
    found: dict[str, Any] = {}
    for number, one in enumerate(grading.get("componentResults") or (), 1):
        if isinstance(one, dict):
            rule = table(one.get("assertion"))
            word = "passed" if one.get("pass") else f"failed: {str(one.get('reason') or '')[:300]}"
            found[f"{number}. {rule.get('type') or 'assertion'}"] = word
    return found
