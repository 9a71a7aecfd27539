"""What a plan says will be asked of judges is what is asked then: evaluator by evaluator, with repeats, panels and hybrids."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from core.configuration import configuration
from core.pipeline.assembly import checked_tests
from core.pipeline.estimate import answer_length, estimate, need_of
from core.pipeline.suite_files import evaluator_configs
from core.store.reader import Reader
from tests.cli import call, reading, write_suite
from tests.server import Reply, Request, ServerHandle

ITEMS = {"items": [{"id": "a", "says": "Says why."}, {"id": "b", "says": "Is kind."}]}
BY_RULE = {"items": [{"id": "a", "says": "Says ok.", "any": ["ok"]}]}
EVALUATORS: dict[str, dict[str, Any]] = {
    "mine": {"type": "custom", "eval_prompt": "Rate {response}", "config": {"min_score": 0, "max_score": 1}},
    "thrice": {"type": "custom", "eval_prompt": "Rate {response}", "config": {"binary": True, "repeats": 3}},
    "both": {"type": "hybrid", "config": {"parts": [{"evaluator": "thrice"}, {"evaluator": "keyword",
             "expected": {"keywords": ["ok"]}}, {"evaluator": "llm_judge"}]}},
    "within": {"type": "hybrid", "config": {"parts": [{"evaluator": "both"}, {"evaluator": "mine"}]}},
}  # fmt: skip
TESTS: dict[str, tuple[str, Any]] = {
    "binary": ("llm_judge", "ok"),
    "custom": ("mine", "ok"),
    "of_its_own": ("thrice", "ok"),
    "rubric": ("rubric", ITEMS),
    "rule": ("rubric", BY_RULE),
    "analyst": ("caia", {"items": [{**item, "group": "answer"} for item in ITEMS["items"]]}),
    "hybrid": ("both", "ok"),
    "nested": ("within", "ok"),
    "words": ("keyword", {"keywords": ["ok"]}),
}
ONCE = {
    "binary": 1,
    "custom": 1,
    "of_its_own": 3,
    "rubric": 1,
    "rule": 0,
    "analyst": 3,
    "hybrid": 4,
    "nested": 5,
    "words": 0,
}
TWICE = {
    "binary": 2,
    "custom": 2,
    "of_its_own": 3,
    "rubric": 2,
    "rule": 0,
    "analyst": 2,
    "hybrid": 5,
    "nested": 7,
    "words": 0,
}
VERDICT = json.dumps({"reason": "It is.", "score": 1, "items": {"a": True, "b": True}})


@pytest.mark.parametrize(("repeats", "by_test"), [(1, ONCE), (2, TWICE)])
def test_the_plans_judge_calls_are_those_that_are_asked(
    repeats: int, by_test: dict[str, int], server: ServerHandle, tmp_path: Path
) -> None:
    root = write_suite(
        tmp_path / "s",
        [
            {"id": name, "prompt": "Say ok.", "evaluator_id": evaluator, "expected": gold}
            for name, (evaluator, gold) in TESTS.items()
        ],
    )
    (root / "test_definitions" / "evaluators").mkdir()
    for name, fields in EVALUATORS.items():
        (root / "test_definitions" / "evaluators" / f"{name}.json").write_text(json.dumps({"id": name, **fields}))
    judges = ("openai/judge-one", "openai/judge-two")
    flags = ["--judge-repeats", str(repeats), *(flag for name in judges for flag in ("--judge-model", name))]
    options = {"suite": str(root), "api_base": server.url, "judge_model": list(judges), "judge_api_base": server.url,
               "judge_repeats": repeats}  # fmt: skip
    config = configuration("openai/test-model", options)
    checked = checked_tests(config)
    known = evaluator_configs(checked.suite)
    for test in checked.selected:
        guess = estimate(config, [need_of(test, known)], None)
        assert guess.judged == by_test[test.test_id] * len(judges), test.test_id

    def behave(request: Request) -> Reply:
        return Reply(VERDICT if "judge" in str(request.body.get("model")) else "ok")

    server.behave(behave)
    called = call(
        "run", "--model", "openai/test-model", "--api-base", server.url, "--judge-api-base", server.url, *flags,
        "--suite", root, "--exp-id", "e", "--db", tmp_path / "m.db", "--headless",
    )  # fmt: skip
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert {sample.status for sample in samples} == {"passed"}, called.err
    asked = sum("judge" in str(request.body.get("model")) for request in server.requests)
    assert asked == sum(by_test.values()) * len(judges)


@dataclass(frozen=True)
class PastRun:
    """What an estimate reads of a run."""

    model: str
    completion_tokens: int
    passed_tests: int
    failed_tests: int


class PastRuns:
    """A store with these runs, which finds models by a part of their name."""

    def __init__(self, *runs: PastRun) -> None:
        self._runs = runs

    def runs(self, *, model: str, limit: int) -> list[PastRun]:
        return [run for run in self._runs if model in run.model][:limit]


def test_an_answer_is_as_long_as_those_of_the_same_model_were() -> None:
    past = PastRuns(
        PastRun("m", 100, 1, 1), PastRun("m", 500, 2, 2), PastRun("m", 900, 0, 0), PastRun("m-large", 9000, 1, 0)
    )
    assert answer_length(cast(Reader, past), "m") == 100
    assert answer_length(cast(Reader, past), "large") is None
