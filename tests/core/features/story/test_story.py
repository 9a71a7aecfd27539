from __future__ import annotations

from typing import Any

from modex.core.features.story.story import OTHER_VALUE, frequent_reasons, story_of
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.store.selecting import SampleQuery
from modex.core.verdict import Compared, details_of
from modex.tui.look.glyphs import UNICODE
from modex.tui.widgets.story import chapters
from tests.core.reports.conftest import Store
from tests.core.store.stores import sample


def _judged(test_id: str, *, passed: bool = False, **fields: Any) -> EvaluationSample:
    status: Any = "passed" if passed else "failed"
    return sample(test_id, stage="judged", status=status, score=1.0 if passed else 0.0, **fields)


def test_reasons_are_counted_and_those_that_only_name_values_are_one(manager: DBDataManager, store: Store) -> None:
    run = store(
        "r",
        [
            *(_judged(f"call{number}", reason="get_weather was not called") for number in range(3)),
            _judged("a", reason="expected 15, got 12.5"),
            _judged("b", reason="expected 16, got 2"),
            _judged("old", details=details_of([Compared("1", "2", "numeric")], {})),
            _judged("old call", details={"why": "get_weather was not called"}),
            _judged("fine", passed=True, reason="got 1 as expected"),
        ],
    )
    found = [(one.text, one.number) for one in frequent_reasons(manager.reader, run.id)]
    assert found == [("get_weather was not called", 4), (OTHER_VALUE, 3)]
    only = frequent_reasons(manager.reader, run.id, SampleQuery(test_ids=("a",)))
    assert [(one.text, one.number) for one in only] == [(OTHER_VALUE, 1)]


def test_the_weakest_cells_and_what_took_most_come_first(manager: DBDataManager, store: Store) -> None:
    run = store(
        "r",
        [
            _judged("a", domain="math", level=1, duration_ms=100, cost_usd=0.2),
            _judged("b", domain="math", level=1, passed=True, duration_ms=300, cost_usd=0.1),
            _judged("c", domain="sql", level=2, duration_ms=200, cost_usd=None),
            _judged("d", domain="tools", level=3, passed=True),
            sample("e", domain="tools", level=3, status="error", error_type="rate_limit"),
        ],
    )
    story = story_of(manager.reader, run)
    assert [(cell.domain, cell.level, cell.score) for cell in story.weakest] == [("sql", 2, 0.0), ("math", 1, 0.5)]
    assert [head.test_id for head in story.slowest][:3] == ["b", "c", "a"]
    assert [head.test_id for head in story.dearest] == ["a", "b"]
    assert [(one.text, one.number) for one in story.errors] == [("rate_limit", 1)]
    assert story.change is None
    assert story.epochs is None


def test_cells_without_a_verdict_are_among_the_weakest_with_both_ends(manager: DBDataManager, store: Store) -> None:
    def unread(test_id: str, domain: str) -> EvaluationSample:
        return sample(test_id, domain=domain, status="error", error_type="judge_error")

    run = store(
        "r",
        [
            unread("a", "none"),
            unread("b", "none"),
            _judged("c", domain="half", passed=True),
            unread("d", "half"),
            _judged("e", domain="low"),
            _judged("f", domain="full", passed=True),
            sample("g", domain="net", status="error", error_type="rate_limit"),
        ],
    )
    story = story_of(manager.reader, run)
    assert [(cell.domain, cell.score) for cell in story.weakest] == [("low", 0.0), ("none", None), ("half", 1.0)]
    assert story.ends == {("none", 1): (0.0, 1.0), ("half", 1): (0.5, 1.0)}
    (weakest,) = [chapter for chapter in chapters(story, UNICODE) if chapter.label == "weakest"]
    words = ["".join(text for text, _ in item) for item in weakest.items]
    assert words == ["  0 low/1", "0.0 to 100.0 none/1", "50.0 to 100.0 half/1"]


def test_what_changed_is_told_against_the_last_whole_run_of_the_model(manager: DBDataManager, store: Store) -> None:
    def run(name: str, *passed: bool) -> Any:
        return store(name, [_judged(f"t{number}", passed=good) for number, good in enumerate(passed)])

    run("first", True, True, True, True)
    run("before", True, True, False, False)
    stopped = run("stopped", True, True, True, True)
    manager.update_run(stopped.id, status="stopped")
    story = story_of(manager.reader, run("now", True, False, True, True))
    assert story.change is not None
    assert story.change.first.exp_id == "before"
    assert story.change.overall is not None
    assert (story.change.overall.gained, story.change.overall.lost) == (2, 1)
    assert [(pair.key[3], pair.flip) for pair in story.change.flips] == [
        ("t1", "lost"),
        ("t2", "gained"),
        ("t3", "gained"),
    ]
