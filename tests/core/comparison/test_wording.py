"""Figures in words: how many, how sure, and what is left open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from modex.core.comparison import wording
from modex.core.comparison.difference import Difference
from tests.rows import each_row

_FOUND = Difference(
    n=40, first_score=0.714, second_score=0.74, difference=0.026, interval=(-0.012, 0.064), p_value=0.18, detectable=0.05,
    bounds=(0.026, 0.026), decision=None, first_rate=0.5, second_rate=0.5, first_passed=20, second_passed=20,
    several_answers=False, gained=1, lost=1, mcnemar_p=0.0004, first_mean=0.5, second_mean=0.5, mean=0.0, mean_interval=None,
    units=40,
)  # fmt: skip


@each_row(
    ("words", "given", "said"),
    [
        (wording.bounded, (0.4, 1.0), "40.0 to 100.0"),
        (wording.shown_score, (0.714, None), "71.4"),
        (wording.shown_score, (None, None), "–"),
        (wording.shown_score, (0.714, (0.4, 1.0)), "40.0 to 100.0"),
        (wording.unsettled_words, (0, (0.4, 1.0)), ""),
        (wording.unsettled_words, (None, (0.4, 1.0)), ""),
        (wording.unsettled_words, (3, None), ""),
        (wording.unsettled_words, (1, (0.4, 1.0)), "1 without a verdict leaves it between 40.0 and 100.0"),
        (wording.unsettled_words, (1200, (0.4, 1.0)), "1,200 without a verdict leave it between 40.0 and 100.0"),
        (wording.number_of, (1, "test"), "1 test"),
        (wording.number_of, (0, "test"), "0 tests"),
        (wording.number_of, (1200, "test"), "1,200 tests"),
        (wording.those, (1, "test"), "test"),
        (wording.those, (1200, "test"), "1,200 tests"),
        (wording.percent, (0.0,), "0 %"),
        (wording.percent, (0.009,), "<1 %"),
        (wording.percent, (0.01,), "1 %"),
        (wording.percent, (0.254,), "25 %"),
        (wording.percent, (0.99,), "99 %"),
        (wording.percent, (0.995,), ">99 %"),
        (wording.percent, (1.0,), "100 %"),
        (wording.points, (-0.026,), "-2.6 points"),
        (wording.between, (None,), "one pair: no interval"),
        (wording.between, ((-0.012, 0.064),), "95 %: -1.2 to +6.4"),
        (wording.change, (0.714, 0.74), "71.4 → 74.0"),
        (wording.p_value, (None,), "–"),
        (wording.p_value, (0.001,), "0.001"),
        (wording.p_value, (0.0009,), "<0.001"),
        (wording.unscored_words, (1,), "1 test lacks a verdict on one side"),
        (wording.unscored_words, (2,), "2 tests lack a verdict on one side"),
        (wording.other_questions_words, (0, 0), ""),
        (wording.other_questions_words, (1, 1),
         "1 id stands for another question in each run: not paired by id; 1 question is asked"
         " by several tests of a run: not paired by the words"),
        (wording.other_questions_words, (2000, 0), "2,000 ids stand for another question in each run: not paired by id"),
        (wording.other_questions_words, (0, 2000),
         "2,000 questions are asked by several tests of a run: not paired by the words"),
        (wording.nothing_shared_words, (0, 0), "the runs share no scored test"),
        (wording.nothing_shared_words, (2, 0),
         "the runs share no scored test: 2 ids stand for another question in each run: not paired by id"),
        (wording.sentence, ("what is said",), "What is said."),
        (wording.by_question_words, (0, "b"), ""),
        (wording.by_question_words, (1, "b"), "1 test has another id in b: paired by the words of their question"),
        (wording.by_question_words, (2000, "b"), "2,000 tests have other ids in b: paired by the words of their question"),
        (wording.other_rules_words, (0,), ""),
        (wording.other_rules_words, (1,), "1 test was judged by another gold or evaluator in each run"),
        (wording.other_rules_words, (2000,), "2,000 tests were judged by another gold or evaluator in each run"),
        (wording.other_rules_words, (None,),
         "so many tests that nobody looked whether both runs judged them by the same golds and evaluators"),
    ],
)  # fmt: skip
def test_a_figure_in_words(words: Callable[..., str], given: tuple[Any, ...], said: str) -> None:
    assert words(*given) == said


@each_row(
    ("fields", "said"),
    [
        ({"decision": "better"}, "the second is better"),
        ({"too_few": True, "units": 3, "n": 3},
         "not decided: too few: 3 tests with a verdict in both, and fewer than 5 decide nothing"),
        ({"too_few": True, "units": 3, "n": 2000, "clusters": 2},
         "not decided: too few: 3 independent clusters or tests in 2,000 tests with a verdict in both, and fewer than 5 decide"
         " nothing"),
        ({"interval": (0.01, 0.02), "bounds": (-0.1, 0.1)}, "not decided: the answers without a verdict could turn it"),
        ({"interval": (-0.02, -0.01), "bounds": (-0.1, 0.1)}, "not decided: the answers without a verdict could turn it"),
        ({"bounds": (-0.1, 0.1)}, "not decided; 40 pairs would have shown a difference of 5.0 points (80 % power)"),
        ({"interval": (0.01, 0.02)}, "not decided; 40 pairs would have shown a difference of 5.0 points (80 % power)"),
        ({"interval": (0.0, 0.02), "bounds": (-0.1, 0.1), "detectable": None}, "not decided"),
        ({"interval": (-0.02, 0.0), "bounds": (-0.1, 0.1), "detectable": 0.0}, "not decided"),
        ({"interval": None, "bounds": (-0.1, 0.1), "detectable": None}, "not decided"),
        ({"detectable": 1.0, "n": 1}, "not decided; 1 pair would have shown a difference of 100.0 points (80 % power)"),
        ({"detectable": 1.01}, "not decided; 40 pairs would hardly have shown any difference (80 % power)"),
    ],
)  # fmt: skip
def test_what_may_be_said_of_the_second_run(fields: dict[str, Any], said: str) -> None:
    assert wording.verdict(replace(_FOUND, **fields)) == said


def test_the_headline_names_what_answers_without_a_verdict_leave_open() -> None:
    shown = "Weighted Score 71.4 → 74.0: +2.6 points, 95 %: -1.2 to +6.4, p 0.180 (n 40)"
    assert wording.headline(_FOUND) == shown
    assert (wording.bounds_words(_FOUND), wording.open_difference(_FOUND)) == ("", "")
    opened = replace(_FOUND, bounds=(-0.1, 0.256))
    assert wording.open_difference(opened) == "-10.0 to +25.6"
    assert wording.headline(opened) == (
        f"{shown}; answers without a verdict leave the difference between -10.0 and +25.6 points"
    )


def test_the_test_of_passes_has_the_name_of_what_was_drawn() -> None:
    assert wording.passes_test_words(_FOUND) == "exact McNemar p <0.001"
    assert wording.passes_test_words(replace(_FOUND, clusters=2000)) == "exact permutation of 2,000 clusters p <0.001"
