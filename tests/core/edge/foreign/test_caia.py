"""CAIA's score file: points of each task, as its example has them; what has no points says so by null."""

from __future__ import annotations

import json
from typing import Any

from modex.core.edge.foreign.caia import caia_scores
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.selecting import SampleQuery
from modex.core.verdict import Part, Rubric, RubricItem, Weighted, WeightedPart, details_of
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample


def weighed(**groups: list[tuple[float, float]]) -> Weighted:
    """A verdict of CAIA's protocol: points earned and possible of each item, by what it looks at."""
    return Weighted(
        tuple(
            WeightedPart(
                name, parts=(Rubric(tuple(RubricItem(f"{name}{n}", "", *one) for n, one in enumerate(items))),)
            )
            for name, items in groups.items()
        )
    )


def written(manager: DBDataManager, run: RunRow, query: SampleQuery | None = None) -> Any:
    return json.loads("".join(caia_scores(manager.reader, run, query or SampleQuery())))


def judged(name: str, *parts: Part, score: float = 1.0, epoch: int = 1) -> Any:
    return finished(sample(name, epoch=epoch), score=score, response="-", details=details_of(parts, {}))


def row(name: str, *points: float | None) -> dict[str, Any]:
    return dict(
        zip(
            ("task_id", "total_score", "answer_score", "reasoning_score", "tool_use_score"),
            (name, *points),
            strict=True,
        )
    )


def test_the_score_file_has_the_fields_of_the_example_and_whole_points_without_a_fraction(
    manager: DBDataManager, store: Store
) -> None:
    full = weighed(answer=[(1.0, 1.0)], reasoning=[(2.0, 2.0), (3.0, 3.0)], tool_use=[(4.0, 4.0)])
    part = weighed(answer=[(0.3333, 1.0)], reasoning=[(1.5, 2.0)])
    run = store("e", [judged("task_1", full), judged("task_2", part, score=0.4)])
    assert written(manager, run) == [row("task_1", 10, 1, 5, 4), row("task_2", 1.8333, 0.3333, 1.5, 0)]
    assert "10.0" not in "".join(caia_scores(manager.reader, run, SampleQuery()))


def test_a_task_of_several_epochs_has_their_mean(manager: DBDataManager, store: Store) -> None:
    run = store("e", [judged("t", weighed(answer=[(4.0, 4.0)])), judged("t", weighed(answer=[(1.0, 4.0)]), epoch=2)])
    assert written(manager, run) == [row("t", 2.5, 2.5, 0, 0)]


def test_what_has_no_points_has_null_for_them(manager: DBDataManager, store: Store) -> None:
    failed = finished(
        sample("e"), status="error", error_type="judge_error", details=details_of([weighed(answer=[(1, 1)])], {})
    )
    other = Weighted((WeightedPart("match", parts=(Rubric((RubricItem("x", "", 1, 1),)),)),))
    run = store("e", [failed, judged("o", other), judged("n")])
    none = (None, None, None, None)
    assert written(manager, run) == [row("e", *none), row("o", *none), row("n", *none)]
    assert written(manager, run, SampleQuery(test_ids=("o",))) == [row("o", *none)]
