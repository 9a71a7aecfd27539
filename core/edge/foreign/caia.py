"""A run as CAIA's score file: each task with the points that it earned, and those for answer, reasoning and tool use.

Source of the form: `example_score_result.json` of https://github.com/caiba-ai/caia-benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from modex.core.edge.foreign.plain import strict
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.rubrics import GROUPS
from modex.core.verdict import Weighted

FIELDS = ("task_id", "total_score", *(f"{group}_score" for group in GROUPS))
"""The fields of a task in the file."""


def caia_scores(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """A list of tasks in the order in which they were planned; a task of several epochs has their mean.

    A task without points (an error, a rubric that nobody has judged, a reference answer instead of one) has null for them.
    """
    tasks: dict[tuple[Any, ...], list[dict[str, float]]] = {}
    names: dict[tuple[Any, ...], str] = {}
    for sample in reader.samples(run.id, query):
        key = sample.key[:4]
        names[key] = sample.test_id
        found = tasks.setdefault(key, [])
        if (points := points_of(sample)) is not None:
            found.append(points)
    rows = [_row(names[key], earned) for key, earned in tasks.items()]
    yield json.dumps(strict(rows), ensure_ascii=True, indent=4) + "\n"


def points_of(sample: EvaluationSample) -> dict[str, float] | None:
    """The points that a sample earned for answer, reasoning and tool use; None where its verdict holds none."""
    for part in sample.parts if sample.status in ("passed", "failed") else ():
        if isinstance(part, Weighted) and part.items and all(item.evaluator in GROUPS for item in part.items):
            return {
                item.evaluator: sum(one.points for rubric in item.parts for one in getattr(rubric, "items", ()))
                for item in part.items
            }
    return None


def _row(name: str, earned: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    groups = {group: fmean(one.get(group, 0.0) for one in earned) if earned else None for group in GROUPS}
    total = sum(points for points in groups.values() if points is not None) if earned else None
    return dict(zip(FIELDS, (name, _plain(total), *map(_plain, groups.values())), strict=True))


def _plain(points: float | None) -> float | None:
    """Points as a person writes them: whole ones without a fraction."""
    if points is None:
        return None
    rounded = round(points, 4)
    return int(rounded) if rounded == int(rounded) else rounded
