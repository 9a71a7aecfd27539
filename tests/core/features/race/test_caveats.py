"""What the decision of a race does not say."""

from __future__ import annotations

from dataclasses import replace

from modex.core.features.race.caveats import caveats
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

NOISE = "noise: each question was asked once; `modex noise` says which verdicts flip by themselves"
WORDING = "wording: each of the 1,200 questions was put in one way; other words may turn some verdicts"


def failing(test_id: str, kind: str) -> EvaluationSample:
    done = finished(sample(test_id))
    done.status, done.stage, done.score, done.error_type, done.error_message = "error", "rollout", None, kind, "why"
    return done


def test_of_a_calm_race_only_what_was_never_varied(manager: DBDataManager, store: Store) -> None:
    run = store("a", [finished(sample("1"), score=1.0)])
    assert caveats(manager.reader, [run], 1200) == [NOISE, WORDING]
    asked_often = replace(run, config={**run.config, "epochs": 3})
    assert caveats(manager.reader, [asked_often], 1200) == [WORDING]
    assert caveats(manager.reader, [asked_often, run], 1200) == [NOISE, WORDING]


def test_cut_off_answers_errors_and_golds_in_failed_answers_are_said_of_each_model(
    manager: DBDataManager, store: Store
) -> None:
    held = finished(sample("2"), status="failed", score=0.0, verdict_flags=["gold_in_answer"])
    cut = store("a", [finished(sample("1"), score=1.0), held, failing("3", "truncated")])
    away = store("b", [finished(sample("1"), score=1.0), failing("3", "connection")])
    both = store("c", [finished(sample("1"), score=1.0), failing("3", "truncated"), failing("4", "truncated")])
    found = caveats(manager.reader, [cut, away, both], 1200)
    assert found[0] == (
        "a: 1 answer was cut off, which leaves its score between 33.3 and 66.7; a larger --max-tokens may end them"
    )
    assert found[1] == "a: 1 failed answer contains the gold: look whether they are wrong, or only written otherwise"
    assert found[2].startswith("b: 1 not scored: 1 ")
    assert found[3].startswith("c: 2 answers were cut off")
    assert found[4:] == [NOISE, WORDING]


def test_a_model_that_judges_itself_and_readers_of_own_answers_are_said(manager: DBDataManager, store: Store) -> None:
    run = store("a", [finished(sample("1"), status="passed", score=1.0, pass2_used=True)])
    judged = replace(run, judged_by={"llm_judge": "x"}, config={**run.config, "judges": [{"model": run.model}]})
    assert caveats(manager.reader, [judged], 1200)[0] == f"judges: {run.model} judges its own answers too"
    unasked = replace(judged, judged_by={})
    assert not [line for line in caveats(manager.reader, [unasked], 1200) if line.startswith("judges")]
    other = replace(judged, model="openai/else")
    assert not [line for line in caveats(manager.reader, [other], 1200) if line.startswith("judges")]
    reading = [line for line in caveats(manager.reader, [run], 1200) if line.startswith("reading: each model")]
    assert bool(reading) == bool(run.metrics and any("pass2" in one for one in run.metrics.values()))
    by_one = replace(run, config={**run.config, "extractor": {"model": "x"}})
    assert not [line for line in caveats(manager.reader, [by_one], 1200) if line.startswith("reading")]
