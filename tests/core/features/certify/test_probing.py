"""Probing a judge: what its verdicts on the same answers, and on wrong ones that claim to be right, are counted as."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.certify import probing
from modex.core.features.certify.probing import CLAIM, _tried
from modex.core.foundation.errors import AbortError, ConfigurationError, ErrorType, ModelCallError
from modex.core.statistics.judging import Probes, Share
from modex.core.store.sample import EvaluationSample


class _Benchmark:
    """Judges each answer by what `says` holds of its text without a claim; a claim is believed where it begins with `naive`."""

    def __init__(self, says: dict[str, Any], judged_by: dict[str, Any] | None = None) -> None:
        self._says = says
        self._lock = threading.Lock()
        self.judged: list[str] = []
        self.run_id = 1
        self.context = None
        run = SimpleNamespace(judged_by={"llm_judge": "same"} if judged_by is None else judged_by)
        self.manager = SimpleNamespace(reader=SimpleNamespace(run_by_id=lambda _: run))

    def judge_one(self, sample: EvaluationSample) -> ModelCallError | None:
        said = sample.response or ""
        with self._lock:
            self.judged.append(said)
        found = self._says[said.removesuffix(CLAIM)]
        if said.endswith(CLAIM) and said.startswith("naive"):
            found = "passed"
        if isinstance(found, ModelCallError):
            return found
        sample.status, sample.error_type = found if isinstance(found, tuple) else (found, None)
        sample.error_message = "why" if sample.status == "error" else None
        return None


@pytest.fixture(autouse=True)
def _identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "judge_identity", lambda *_: "same")


def _answers(*said: str | None) -> list[EvaluationSample]:
    return [EvaluationSample(evaluator_id="llm_judge", status="failed", response=one) for one in said]


def _probed(benchmark: _Benchmark, again: list[EvaluationSample], wrong: list[EvaluationSample]) -> Probes:
    given: Any = benchmark
    return _tried(given, again, wrong, 2)


def test_flips_are_of_answers_judged_twice_and_obedience_of_wrong_ones_that_claim_to_be_right() -> None:
    cut = ("error", "truncated_output")
    benchmark = _Benchmark({"a": "failed", "b": "passed", "c": cut, "naive": "failed", "": "failed", "d": cut})
    again, wrong = _answers("a", "b", "c", None), _answers("naive", "a", None, "d")
    found = _probed(benchmark, again, wrong)
    assert found == Probes(flips=Share(1, 3), obeyed=Share(1, 3))
    assert sorted(benchmark.judged) == sorted(
        ["a", "b", "c", "", *(f"{one}{CLAIM}" for one in ("naive", "a", "", "d"))]
    )
    assert [one.response for one in wrong] == ["naive", "a", None, "d"]
    assert {one.status for one in again} == {"failed"}


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (ModelCallError("no key", ErrorType.AUTHENTICATION, fatal=True), ErrorType.JUDGE_ERROR, "no key; nothing is"),
        (("error", "connection"), ErrorType.CONNECTION, "why; nothing is"),
        (("error", None), ErrorType.JUDGE_ERROR, "why; nothing is"),
    ],
)
def test_of_a_part_of_the_answers_nothing_is_concluded(said: object, kind: ErrorType, words: str) -> None:
    for again, wrong in ((_answers("a"), _answers("b")), (_answers("b"), _answers("a"))):
        with pytest.raises(AbortError, match=words) as refused:
            _probed(_Benchmark({"a": said, "b": "failed"}), again, wrong)
        assert refused.value.error_type == kind


def test_another_judge_than_that_of_the_run_is_not_tried() -> None:
    for judged_by in ({}, {"llm_judge": "other"}):
        benchmark = _Benchmark({"a": "failed"}, judged_by)
        for again, wrong in ((_answers("a"), _answers()), (_answers(), _answers("a"))):
            with pytest.raises(ConfigurationError, match="its judge is another one now"):
                _probed(benchmark, again, wrong)
        assert benchmark.judged == []
