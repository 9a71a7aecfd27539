"""What a benchmark's own rule makes of an answer stands beside our verdict, or counts in its place."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.flags import OFFICIAL_DIFFERS, verdict_flags
from modex.core.evaluators.official.rules import RULES, official_reading, rule_of, with_official
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.presets import PRESETS
from modex.core.verdict import Compared, Extra, Official, find
from tests.core.store.stores import sample
from tests.rows import each_row

NAME = "MMLU-Pro's rule"


def answered(response: str | None, expected: Any = "C", source: str = "mmlu_pro") -> EvaluationSample:
    return sample("q", source=source, expected=expected, response=response)


def test_each_rule_is_that_of_a_preset() -> None:
    assert set(RULES) <= set(PRESETS)
    assert all(rule.page.startswith("https://") and rule.about.endswith(".") for rule in RULES.values())


@each_row(("source", "named"), [("mmlu_pro", True), ("MMLU-Pro", True), ("arc", False), ("suite", False), ("", False)])
def test_a_source_is_known_as_presets_are(source: str, named: bool) -> None:
    assert (rule_of(source) is not None) is named


@each_row(
    ("of", "official"),
    [
        (answered("The answer is (C)."), Official(NAME, "C", True)),
        (answered("The answer is (D)."), Official(NAME, "D", False)),
        (answered("no letter"), Official(NAME, None, False)),
        (answered(None), None),
        (answered("The answer is (C).", source="own"), None),
        (answered("The answer is (C).", expected=["C", "D"]), None),
    ],
)
def test_an_answer_is_read_by_its_benchmarks_rule(of: EvaluationSample, official: Official | None) -> None:
    assert official_reading(of) == official


def test_beside_ours_the_verdict_stays_and_the_rules_is_kept() -> None:
    ours = EvaluationResult(1.0, {"exchanges": [1]}, "C", parts=(Compared("C", "C"),))
    both = with_official(answered("The answer is (D)."), ours, counts=False)
    assert (both.score, both.extracted_answer, both.parts) == (
        1.0,
        "C",
        (Compared("C", "C"), Official(NAME, "D", False)),
    )
    assert both.details == {"exchanges": [1]}
    assert both.why == ours.why


def test_where_the_rule_counts_our_score_is_kept_with_its_verdict() -> None:
    ours = EvaluationResult(1.0, {"exchanges": [1]}, "C", pass2_used=True, parts=(Compared("C", "C"),))
    theirs = with_official(answered("The answer is (D)."), ours, counts=True)
    assert (theirs.score, theirs.extracted_answer, theirs.pass2_used) == (0.0, "D", True)
    assert theirs.parts == (Official(NAME, "D", False, 1.0), Compared("C", "C"))
    assert theirs.details == {"exchanges": [1]}
    assert theirs.why == f"by {NAME}: D, wrong; our own verdict is 1"


@each_row("counts", [True, False])
def test_without_a_rule_a_verdict_is_left_as_it_is(counts: bool) -> None:
    ours = EvaluationResult(0.5)
    assert with_official(answered("The answer is (D).", source="own"), ours, counts=counts) is ours


def test_what_an_evaluator_says_in_details_is_kept_as_a_part() -> None:
    ours = EvaluationResult(1.0, {"tempo": "slow"})
    both = with_official(answered("The answer is (C)."), ours, counts=False)
    assert find(both.found, Extra) == Extra({"tempo": "slow"})
    assert find(both.found, Official) == Official(NAME, "C", True)


@each_row(
    ("response", "score", "counts", "flagged"),
    [
        ("The answer is (C).", 1.0, False, False),
        ("The answer is (D).", 1.0, False, True),
        ("The answer is (D).", 0.69, False, False),
        ("The answer is (C).", 0.69, False, True),
        ("The answer is (C).", 0.7, False, False),
        ("The answer is (C).", 0.0, True, True),
        ("The answer is (C).", 0.7, True, False),
        ("The answer is (D).", 1.0, True, True),
    ],
)
def test_answers_that_both_decide_otherwise_are_flagged(
    response: str, score: float, counts: bool, flagged: bool
) -> None:
    of = answered(response)
    flags = verdict_flags(of, with_official(of, EvaluationResult(score), counts=counts))
    assert (OFFICIAL_DIFFERS in flags) is flagged
