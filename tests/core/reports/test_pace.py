"""Speeds in what is taken out of a run, or of several beside each other."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest

from modex.core.features.export.export import comparison, export
from modex.core.reports.formats import Format
from modex.core.reports.pace import (
    briefly,
    by_cell,
    pace_cells,
    pace_json,
    pace_line,
    pace_numbers,
    pace_row,
    pace_table,
    slow_cells,
)
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Figure, Pace
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row


@pytest.fixture
def runs(store: Store) -> list[RunRow]:
    """Three runs, of which the last was not streamed: first tokens after 0.1 to 2.0 s, 99 to 80 tokens a second."""

    def samples(factor: float) -> list[dict[str, float]]:
        timed = [
            {"ttft_ms": factor * 100 * n, "output_tokens_per_s": 100 - n, "thinking_ms": 1000} for n in range(1, 21)
        ]
        return timed if factor else [{} for _ in range(20)]

    return [
        store(name, [finished(sample(f"t{n}", level=1 + n % 2), **timed) for n, timed in enumerate(samples(factor))])
        for name, factor in (("one", 1.0), ("two", 2.0), ("whole", 0.0))
    ]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("md", "median first token 1.05 s (p95: 1.90), 90 tokens/s (p95: 81), thinking 1.00 s (p95: 1.00)"),
        ("md", "| d/2 | 1.10 s | 2.00 s | 89 | 80 | 1.0 s | 1.0 s |"),
        ("github", "median first token 1.05 s (p95: 1.90), 90 tokens/s (p95: 81)"),
        ("html", "1.05 s to the first token <small>(p95: 1.90 s)</small>, 90 tokens/s <small>(p95: 81)</small>"),
        ("html", '<th scope="row">d/2</th><td>1.10 s</td><td>2.00 s</td><td>89</td><td>80</td>'),
        ("html", "; median first token 1.10 s (p95: 2.00), 89 tokens/s (p95: 80)"),
        ("json", '"p95": 1900.0'),
        ("csv", ",1900.0,81.0,1000,"),
    ],
)
def test_every_format_for_people_tells_the_run_and_its_cells(
    manager: DBDataManager, runs: list[RunRow], kind: Format, said: str
) -> None:
    text = "".join(export(manager.reader, runs[0], kind))
    assert said in text.replace("\\", "")
    assert said not in "".join(export(manager.reader, runs[2], kind))


FIGURES = {
    "ttft_ms_median": (1050.0, "ms"),
    "ttft_ms_95": (1900.0, "ms"),
    "output_tokens_per_s_median": (89.5, "tokens/s"),
    "output_tokens_per_s_95": (81.0, "tokens/s"),
    "thinking_ms_median": (1000.0, "ms"),
    "thinking_ms_95": (1000.0, "ms"),
}


def test_forms_of_other_tools_hold_the_figures_where_they_have_a_place(
    manager: DBDataManager, runs: list[RunRow]
) -> None:
    assert told(manager, runs[0], "inspect") == told(manager, runs[0], "eee") == FIGURES
    assert told(manager, runs[0], "junit") == {name: (value, "") for name, (value, _) in FIGURES.items()}
    forms: tuple[Format, ...] = ("junit", "inspect", "eee")
    assert [told(manager, runs[2], kind) for kind in forms] == [{}, {}, {}]


def told(manager: DBDataManager, run: RunRow, kind: Format) -> dict[str, tuple[float, str]]:
    """The run's speeds as they stand in the form, with their units; JUnit's properties have none."""
    text = "".join(export(manager.reader, run, kind))
    if kind == "junit":
        properties = {
            one.get("name", ""): one.get("value", "") for one in ElementTree.fromstring(text).iter("property")
        }
        return {name: (float(value), "") for name, value in properties.items() if "." not in name}
    if kind == "inspect":
        speeds = [score for score in json.loads(text)["results"]["scores"] if score["name"] == "speed"]
        metrics = [metric for score in speeds for metric in score["metrics"].values()]
        return {metric["name"]: (metric["value"], metric["metadata"]["unit"]) for metric in metrics}
    found = [one for one in json.loads(text)["evaluation_results"] if one["metric_config"]["metric_kind"] == "speed"]
    return {
        one["evaluation_name"]: (one["score_details"]["score"], one["metric_config"]["metric_unit"]) for one in found
    }


def test_a_run_that_was_not_streamed_says_nothing_of_speed(manager: DBDataManager, runs: list[RunRow]) -> None:
    for kind in ("md", "github"):
        text = "".join(export(manager.reader, runs[2], kind))
        assert "first token" not in text
    assert "<h2>Speed" not in "".join(export(manager.reader, runs[2], "html"))


def test_two_runs_stand_beside_each_other_with_their_slow_ends(manager: DBDataManager, runs: list[RunRow]) -> None:
    pair = runs[:2]
    (whole, *_) = csv.DictReader(io.StringIO("".join(comparison(manager.reader, pair, kind="csv"))))
    assert (whole["first_ttft_ms_median"], whole["second_ttft_ms_95"]) == ("1050.0", "3800.0")
    assert "| two | 2.10 s | 3.80 s | 90 | 81 | 1.0 s | 1.0 s |" in "".join(comparison(manager.reader, pair, kind="md"))
    told = json.loads("".join(comparison(manager.reader, pair, kind="json")))
    assert [one["first_ms"]["p95"] for one in told["pace"]] == [1900.0, 3800.0]
    page = "".join(comparison(manager.reader, pair, kind="html"))
    assert "<td>2.10 s <small>p95: 3.80 s</small></td><td>90 <small>p95: 81</small></td>" in page


def test_of_several_runs_each_has_its_own_speed(manager: DBDataManager, runs: list[RunRow]) -> None:
    rows = {
        row["run"]: row for row in csv.DictReader(io.StringIO("".join(comparison(manager.reader, runs, kind="csv"))))
    }
    assert {name: row["output_tokens_per_s_95"] for name, row in rows.items()} == {
        "one": "81.0",
        "two": "81.0",
        "whole": "",
    }
    assert "| whole |  |  |  |  |  |  |" in "".join(comparison(manager.reader, runs, kind="md"))
    told = json.loads("".join(comparison(manager.reader, runs, kind="json")))
    paces = {run["run"]: pace for run, pace in zip(told["runs"], told["pace"], strict=True)}
    assert paces["whole"] is None
    assert paces["two"]["first_ms"]["median"] == 2100.0


FIRST, SPEED, THINKING = Figure(3, 1049.0, 1900.0), Figure(3, 9.96, 10.0), Figure(3, 3240.0, 9960.0)


@each_row(
    ("pace", "line", "medians", "slow", "brief"),
    [
        (
            Pace(FIRST, SPEED, THINKING),
            "median first token 1.05 s (p95: 1.90), 10.0 tokens/s (p95: 10), thinking 3.24 s (p95: 9.96)",
            ("1.05 s", "10.0", "3.2 s"),
            ("1.90 s", "10", "10.0 s"),
            "first token 1.05 s, 10.0 tokens/s",
        ),
        (Pace(FIRST, None, None), "median first token 1.05 s (p95: 1.90)", ("1.05 s", "", ""), ("1.90 s", "", ""),
         "first token 1.05 s"),
        (Pace(None, SPEED, None, 1), "median ~10.0 tokens/s (p95: ~10)", ("", "~10.0", ""), ("", "~10", ""), "~10.0 tokens/s"),
        (Pace(None, None, THINKING), "median thinking 3.24 s (p95: 9.96)", ("", "", "3.2 s"), ("", "", "10.0 s"), ""),
    ],
)  # fmt: skip
def test_a_pace_says_what_was_measured_and_marks_what_was_estimated(
    pace: Pace, line: str, medians: tuple[str, ...], slow: tuple[str, ...], brief: str
) -> None:
    assert (pace_line(pace), pace_cells(pace), slow_cells(pace), briefly(pace)) == (line, medians, slow, brief)
    assert pace_row(pace) == [medians[0], slow[0], medians[1], slow[1], medians[2], slow[2]]


def test_tables_are_as_wide_as_the_longest_name_and_columns_of_numbers_have_names() -> None:
    title, row, empty = pace_table(["x", "a" * 31], [Pace(FIRST, SPEED, None), None])
    assert title == f"{'median':30}  first token      p95  tokens/s      p95  thinking      p95"
    assert row == f"{'x':30}       1.05 s   1.90 s      10.0       10         –        –"
    assert empty == f"{'a' * 29}…            –        –         –        –         –        –"
    assert next(pace_table(["x"], [None])).startswith(f"{'median':9}  first")
    assert pace_numbers(Pace(FIRST, None, THINKING)) == {
        "ttft_ms_median": 1049.0,
        "ttft_ms_95": 1900.0,
        "output_tokens_per_s_median": None,
        "output_tokens_per_s_95": None,
        "thinking_ms_median": 3240.0,
        "thinking_ms_95": 9960.0,
    }
    assert set(pace_numbers(None).values()) == {None}


def test_cells_come_in_the_order_of_domains_and_levels_and_scripts_get_each() -> None:
    one, two = Pace(FIRST, None, None), Pace(None, SPEED, None)
    found = {("b", 1): one, None: two, ("a", 2): two, ("a", 1): one}
    assert by_cell(found) == (["a/1", "a/2", "b/1"], [one, two, one])
    told = pace_json(found)
    assert told is not None
    assert {name: told[name] for name in two.as_dict()} == two.as_dict()
    assert [(cell["domain"], cell["level"]) for cell in told["cells"]] == [("b", 1), ("a", 2), ("a", 1)]
    assert pace_json({}) is None
