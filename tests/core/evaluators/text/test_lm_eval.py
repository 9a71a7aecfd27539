"""`lm_eval`: filters and exact match, against what lm-evaluation-harness itself made of the same answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.text.lm_eval import LmEvalEvaluator, config_faults, cut, filtered, same
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Compared, Extra
from tests.core.evaluators.conftest import config, context, part, sample
from tests.rows import each_row

KEPT: dict[str, Any] = json.loads((Path(__file__).parent / "lm_eval_verdicts.json").read_text("utf-8"))
"""Of three tasks: answers, what lm-eval's filters made of them, and whether its exact match found them right."""


@each_row("row", KEPT["rows"], ids=lambda row: f"{row['task']} {row['filter']} {row['answer'][:20]!r}")
def test_filters_and_verdicts_are_lm_evals_own(row: dict[str, Any]) -> None:
    said = KEPT["configs"][row["task"]]
    steps: list[dict[str, Any]] = next(
        (one["filter"] for one in said.get("filters", ()) if one["name"] == row["filter"]), []
    )
    text = filtered(cut(row["answer"], said["until"]), steps, row["choices"])
    golds = row["expected"] if isinstance(row["expected"], list) else [row["expected"]]
    assert (text, any(same(text, gold, said["exact_match"]) for gold in golds)) == (row["filtered"], row["right"])


def judged(answer: str, expected: Any, choices: list[str] | None = None, **said: Any) -> EvaluationResult:
    one = sample(answer, expected)
    one.definition = replace(one.definition, metadata={"choices": choices} if choices else {})
    return LmEvalEvaluator().evaluate(one, context(config("lm_eval", config=said)))


def test_the_first_chain_counts_and_the_others_stand_beside() -> None:
    chains = [
        {
            "name": "strict",
            "filter": [{"function": "regex", "regex_pattern": r"#### (\d+)"}, {"function": "take_first"}],
        },
        {"name": "loose", "filter": [{"function": "regex", "regex_pattern": r"\d+", "group_select": -1}]},
    ]
    result = judged("so 3", "3", filters=chains)
    assert (result.score, result.extracted_answer) == (0.0, "[invalid]")
    assert part(result, Compared).type == "exact_match,strict"
    assert part(result, Extra).facts == {"loose: 3": "right"}
    assert judged("#### 3", "3", filters=chains).score == 1.0


def test_without_filters_the_answer_up_to_the_stop_sequence_is_compared() -> None:
    assert judged("Paris\n\nQ: more", ["Rome", "Paris"], until=["\n\n"]).score == 1.0
    assert judged("Paris\n\nQ: more", "Paris").score == 0.0
    assert judged("", "Paris").score == 0.0


def test_what_no_answer_matches_is_the_fallback() -> None:
    steps = [{"function": "regex", "regex_pattern": r"(\d)|(x)", "group_select": 3, "fallback": "none"}]
    assert filtered("1 x", steps, ()) == "none"
    steps = [{"function": "regex", "regex_pattern": r"(\d)?(x)?b", "fallback": "none"}]
    assert filtered("b", steps, ()) == "none"
    assert filtered("", [{"function": "multi_choice_regex", "fallback": "none"}], ["a"]) == "none"


def test_a_pattern_that_never_ends_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.evaluators.text.patterns.TIMEOUT_S", 0.01)
    steps = [{"function": "regex", "regex_pattern": r"(a|aa|b?a)+$"}]
    with pytest.raises(JudgeError, match="took more than"):
        filtered("a" * 4000 + "c", steps, ())


@each_row(
    "row",
    [
        ({}, 0),
        ({"until": "x"}, 1),
        ({"until": [3]}, 1),
        ({"exact_match": {"ignore": True}}, 1),
        ({"exact_match": {"regexes_to_ignore": ["("]}}, 1),
        ({"filters": [{"name": "a", "filter": [{"function": "lowercase"}]}]}, 0),
        ({"filters": [{"name": "a", "filter": [{"function": "majority_vote"}]}]}, 1),
        ({"filters": [{"name": "a", "filter": [{"function": "regex", "regex_pattern": "("}]}]}, 1),
        ({"filters": [{"name": "a", "filter": [{"function": "regex", "pattern": "x"}]}]}, 1),
        ({"filters": [{"name": "a", "filter": ["regex"]}]}, 1),
    ],
    ids=str,
)
def test_what_is_wrong_with_its_file_is_named(row: tuple[dict[str, Any], int]) -> None:
    assert len(list(config_faults(row[0]))) == row[1]


def test_a_gold_is_a_text_or_several() -> None:
    def faults(expected: Any) -> list[str]:
        test = TestCase(
            source="suite", domain="d", level=1, test_id="t", prompt="x", expected=expected, evaluator_id="lm_eval",
            location=Location("f", 1),
        )  # fmt: skip
        return list(LmEvalEvaluator().check(test, config("lm_eval"), None))

    assert faults("x") == faults(["x", "y"]) == []
    assert len(faults(3)) == len(faults([])) == len(faults(["x", 3])) == 1
