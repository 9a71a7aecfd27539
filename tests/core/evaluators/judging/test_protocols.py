from __future__ import annotations

import pytest

from modex.core.evaluators.judging.protocols import confidence_in
from modex.core.evaluators.registry import get_evaluator
from modex.core.statistics.calibration import calibration
from tests.core.evaluators.conftest import ScriptedClient, context, sample
from tests.rows import each_row


@each_row(
    ("response", "sure"),
    [
        ("Exact Answer: x\nConfidence: 90%", 0.9),
        ("**Confidence:** 85 %", 0.85),
        ("置信度: 0.7", 0.7),
        ("confidence: 100", 1.0),
        ("Confidence: 20%\nAfter a look\nConfidence: 60%", 0.6),
        ("I am confident: 90%", None),
        ("Confidence: 250%", None),
        ("Exact Answer: 90%", None),
        ("", None),
    ],
)
def test_how_sure_an_answer_says_it_is(response: str, sure: float | None) -> None:
    assert confidence_in(response) == sure


@each_row(
    ("evaluator", "words"),
    [
        ("browsecomp", "ignore how sure"),
        ("webwalkerqa", "every fact"),
        ("xbench", "标准答案"),
        ("llm_judge", "scoring"),
    ],
)
def test_each_benchmark_has_a_judge_of_its_own(evaluator: str, words: str) -> None:
    client = ScriptedClient('{"reason": "r", "score": 1}')
    asked = context(evaluator, judges=(client,))
    result = get_evaluator(asked.config).evaluate(sample("Exact Answer: x\nConfidence: 90%", "x"), asked)
    assert result.score == 1.0
    assert words.casefold() in client.asked[0][0]["content"].casefold()
    assert result.details.get("confidence") == (None if evaluator == "llm_judge" else 0.9)


def test_calibration_is_the_mean_gap_of_the_bins() -> None:
    assert calibration([]) is None
    perfect = calibration([(0.5, True), (0.5, False), (1.0, True), (0.0, False)])
    assert perfect is not None
    assert (perfect["error"], perfect["n"], perfect["accuracy"]) == (0.0, 4, 0.5)
    sure_and_wrong = calibration([(1.0, False)] * 10)
    assert sure_and_wrong is not None
    assert sure_and_wrong["error"] == 1.0
    half = calibration([(0.9, True), (0.9, False)] * 5)
    assert half is not None
    assert half["error"] == pytest.approx(0.4)
