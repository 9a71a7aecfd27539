"""Several runs side by side, taken out as tables."""

from __future__ import annotations

import csv
import io
from typing import Any

from modex.core.comparison.wording import between, open_difference, p_value
from modex.core.features.compare.compare import compare
from modex.core.features.compare.several import compare_several
from modex.core.features.export.compared import compared
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store


def _cut_off(test_id: str, **fields: Any) -> EvaluationSample:
    found = failing(test_id, **fields)
    found.error_type = "bad_request"
    return found


def _rows(manager: DBDataManager, runs: list[RunRow]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(compared(manager.reader, runs, "csv")))))


def _lines(manager: DBDataManager, runs: list[RunRow]) -> list[str]:
    return [line for line in "".join(compared(manager.reader, runs, "md")).replace("\\", "").splitlines() if line]


def _text(value: object) -> str:
    return "" if value is None else str(value)


def test_a_pair_has_a_row_for_all_and_one_a_domain(manager: DBDataManager, store: Store) -> None:
    def samples(math: int, sql: int) -> list[EvaluationSample]:
        return [
            *(scored(f"m{n}", float(n < math), domain="math") for n in range(8)),
            *(scored(f"s{n}", float(n < sql), domain="sql") for n in range(4)),
        ]

    runs = [store("a", samples(6, 1)), store("b", samples(2, 2))]
    found = compare(manager.reader, *runs)
    assert found.overall is not None
    whole, *domains = _rows(manager, runs)
    assert (whole["first_run"], whole["second_run"], whole["domain"], whole["n"]) == ("a", "b", "", "12")
    assert [row["domain"] for row in domains] == ["math", "sql"]
    for row, one in zip((whole, *domains), (found.overall, *found.domains.values()), strict=True):
        assert one.interval is not None
        told = (
            one.first_score, one.second_score, one.difference, *one.interval, one.p_value, one.holm_p, one.decision,
            *one.bounds, one.gained, one.lost, one.mcnemar_p,
        )  # fmt: skip
        names = ("first", "second", "difference", "ci_low", "ci_high", "p_value", "holm_p", "decision", "bound_low",
                 "bound_high", "gained", "lost", "mcnemar_p")  # fmt: skip
        assert [row[name] for name in names] == [_text(value) for value in told]
    lines = _lines(manager, runs)
    assert lines[0] == "# b against a"
    one = found.domains["math"]
    assert f"| math | 8 | 75.0 | 25.0 | -50.0 | {between(one.interval)} | 4 | 0 | {p_value(one.holm_p)} |" in lines
    assert "## Tests that flipped" in lines
    assert "| math/1/m2 | lost | 1.00 | 0.00 |" in lines
    assert "| sql/1/s1 | gained | 0.00 | 1.00 |" in lines
    assert not any("verdict wrong or right" in line or "on one side" in line for line in lines)


def test_a_pair_without_flips_or_with_tests_that_lack_a_verdict_says_so(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 1.0), scored("2", 1.0), scored("3", 1.0, domain="e")])
    second = store("b", [scored("1", 1.0), _cut_off("2"), scored("3", 1.0, domain="e")])
    lines = _lines(manager, [first, second])
    assert "## Tests that flipped" not in lines
    assert any(line.startswith("1 test lacks a verdict on one side.") for line in lines)
    told = compare(manager.reader, first, second).domains
    rows = [line.split(" | ")[:7] for line in lines if line.startswith(("| d |", "| e |"))]
    assert rows == [
        [f"| {name}", "1", "100.0", "100.0", "+0.0", between(told[name].interval), ends]
        for name, ends in (("d", open_difference(told["d"])), ("e", "–"))
    ]
    alone = [store("x", [scored("x", 1.0)]), store("y", [scored("y", 1.0)])]
    assert _lines(manager, alone) == ["# y against x", "The runs share no scored test."]
    assert _rows(manager, alone) == []


def test_of_several_runs_each_has_a_row_and_those_that_may_be_the_best_are_marked(
    manager: DBDataManager, store: Store
) -> None:
    poor = store("poor", [scored(str(n), float(n < 10)) for n in range(40)])
    good = store("good", [scored(str(n), float(n < 36)) for n in range(40)])
    near = store("near", [*(scored(str(n), float(n < 35)) for n in range(38)), _cut_off("38"), _cut_off("39")])
    runs = [poor, good, near]
    places = compare_several(manager.reader, runs).places
    rows = {row["run"]: row for row in _rows(manager, runs)}
    for place in places:
        row, against = rows[place.run.exp_id], place.against_best
        interval = (None, None) if against is None or against.interval is None else against.interval
        told = (
            place.run.model, 38, place.score, place.rate, None if against is None else against.difference, *interval,
            place.holm_p, "yes" if place.worse else "no", *(place.run.bounds or (None, None)),
            "yes" if place.open_place else "no",
        )  # fmt: skip
        names = ("model", "n", "weighted_score", "pass_rate", "difference", "ci_low", "ci_high", "holm_p", "worse",
                 "run_bound_low", "run_bound_high", "place_open")  # fmt: skip
        assert [row[name] for name in names] == [_text(value) for value in told]
    assert [name for name, row in rows.items() if row["run_bound_low"]] == ["near"]
    assert [name for name, row in rows.items() if row["worse"] == "yes"] == ["poor"]
    lines = _lines(manager, runs)
    assert lines[0] == "# 3 runs compared"
    assert [line.split(" | ")[0] for line in lines if line.startswith("| ")][1:] == [
        "| **good**",
        "| **near**",
        "| poor",
    ]
    assert any(line.startswith("near: 2 without a verdict leave it between") for line in lines)
    assert any(line.startswith("Weighted Scores over the 38 tests") for line in lines)
    alone = [store(name, [scored(name, 1.0)]) for name in "xyz"]
    assert _lines(manager, alone)[1:] == ["The runs share no test that all have a verdict for."]
