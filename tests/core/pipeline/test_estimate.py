"""What a plan says will be asked of judges is what is asked then: evaluator by evaluator, with repeats, panels and hybrids."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from modex.core.config.configuration import configuration
from modex.core.pipeline.assembly import checked_tests
from modex.core.pipeline.estimate import Need, _judgings, answer_length, estimate, need_of
from modex.core.pipeline.suite_files import evaluator_configs
from modex.core.store.reader import Reader
from tests.cli import call, reading, write_suite
from tests.rows import each_row
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


def need(tokens: int = 100, extractor: int = 0, judgings: Any = (), *, tools: bool = False, user: bool = False) -> Need:
    return Need(tokens, extractor, bool(judgings), tools, judgings, user)


@each_row(
    ("needs", "options", "length", "figures"),
    [  # asked, PASS 2, judged, tokens of prompts, tokens of answers, calls to users
        ([], {}, None, (0, 0, 0, 0, 0, 0)),
        ([need(), need(50)], {}, None, (2, 0, 0, 150, 700, 0)),
        ([need()], {"epochs": 3}, 10.0, (3, 0, 0, 300, 30, 0)),
        ([need()], {"require": "2 of 4"}, 10.0, (4, 0, 0, 400, 40, 0)),
        ([need(tools=True)], {"epochs": 2}, 10.0, (5, 0, 0, 500, 20, 0)),
        ([need(extractor=1), need(extractor=2)], {}, 10.0, (2, 3, 0, 200 + 3 * 270, 20 + 36, 0)),
        ([need(judgings=((None, None),))], {}, 10.0, (1, 0, 1, 100 + 430, 10 + 90, 0)),
        (
            [need(judgings=((None, None), (2, None)))],
            {"judge_model": ["demo/judge", "demo/judge"]},
            10.0,
            (1, 0, 6, 100 + 6 * 430, 10 + 6 * 90, 0),
        ),
        ([need(user=True)], {}, 10.0, (9, 0, 0, 900 + 4 * 600, 10 + 4 * 30, 4)),
    ],
)
def test_what_a_run_asks_follows_from_its_tests_and_epochs(
    needs: list[Need], options: dict[str, Any], length: float | None, figures: tuple[int, ...]
) -> None:
    found = estimate(configuration("demo", options), needs, length)
    assert (
        found.asked,
        found.pass2,
        found.judged,
        found.prompt_tokens,
        found.completion_tokens,
        found.users,
    ) == figures
    assert found.calls == found.asked + found.pass2 + found.judged + found.users
    assert (found.learned, found.cost_usd) == (length is not None, 0.0)


@each_row(
    ("given", "own", "run", "times"),
    [
        (None, None, 1, 1),
        (None, 3, 1, 3),
        (None, 3, 2, 2),
        (4, 3, 2, 4),
        (0, None, 1, 1),
        (12, None, 1, 9),
        (9, None, 1, 9),
        (1, 5, 3, 1),
        ("odd", None, 1, 1),
    ],
)
def test_how_often_a_judge_is_asked_is_said_by_the_file_else_the_run_else_the_evaluator(
    given: Any, own: int | None, run: int, times: int
) -> None:
    config = configuration("demo", {"judge_repeats": run})
    assert _judgings(need(judgings=((given, own),)), config) == times
    assert _judgings(need(judgings=((given, own), (None, None))), config) == times + run


def test_answers_are_averaged_over_the_runs_of_the_model_itself() -> None:
    past = PastRuns(PastRun("m", 100, 1, 1), PastRun("m", 500, 1, 0), PastRun("m-large", 9000, 1, 0))
    assert answer_length(cast(Reader, past), "m") == 200
    many = PastRuns(*(PastRun("m", 10, 1, 0) for _ in range(20)), PastRun("m", 9000, 1, 0))
    assert answer_length(cast(Reader, many), "m") == 10
