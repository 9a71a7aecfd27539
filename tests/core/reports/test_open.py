"""Wherever a score stands that samples without a verdict leave open, what they leave open stands too."""

from __future__ import annotations

import json
import re

import pytest

from modex.core.comparison.pairs import RunSide, TestRow
from modex.core.comparison.wording import WHAT_IS_OPEN
from modex.core.features.ablate.rule import Contrasts, Effect
from modex.core.features.certify.rule import corrected_lines, judged, judging_json
from modex.core.features.compare.compare import compare
from modex.core.features.export.compared import compared
from modex.core.features.export.export import comparison, export
from modex.core.features.gate.rule import gate, gate_json
from modex.core.features.history.query import cell_history
from modex.core.features.leaderboard.rule import leaderboards, leaderboards_json
from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.bounds import open_bounds
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import LayerScope
from modex.tui.features.compare.command import comparison_lines
from modex.tui.features.gate.command import gate_lines
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

ON: frozenset[LayerScope] = frozenset()
OFF: frozenset[LayerScope] = frozenset({"domain"})
CELLS = [("alpha", 1), ("alpha", 2), ("beta", 1), ("beta", 2)]


def answers(lost: dict[tuple[str, int], int], kind: str = "judge_error") -> list[EvaluationSample]:
    """Four tests a cell, the first of them failed and so many of the last without a verdict."""
    found = []
    for domain, level in CELLS:
        for number in range(4):
            one = finished(sample(f"t{number}", domain=domain, level=level), score=float(number > 0))
            if number >= 4 - lost.get((domain, level), 0):
                one.status, one.score, one.stage, one.error_type = "error", None, "rollout", kind
            found.append(one)
    return found


@pytest.fixture
def lossy(store: Store) -> RunRow:
    """Alpha lacks one verdict at level 1 and all at level 2."""
    return store("lossy", answers({("alpha", 1): 1, ("alpha", 2): 4}))


def test_cells_domains_and_levels_lie_between_all_wrong_and_all_right(manager: DBDataManager, lossy: RunRow) -> None:
    found = open_bounds(manager.reader, lossy)
    assert {cell: one.ends for cell, one in found.cells.items()} == {
        ("alpha", 1): (0.5, 0.75),
        ("alpha", 2): (0.0, 1.0),
    }
    assert {name: one.ends for name, one in found.domains.items()} == {
        "alpha": pytest.approx((0.5 / 3, 2.75 / 3))
    }  # fmt: skip
    assert {level: one.ends for level, one in found.levels.items()} == {1: (0.625, 0.75), 2: (0.375, 0.875)}
    assert found.whole is not None
    assert (found.whole.number, found.ends("beta"), found.ends("beta", 2)) == (5, None, None)
    assert (lossy.bound_low, lossy.bound_high) == pytest.approx(found.whole.ends)


def test_errors_that_say_nothing_of_the_model_leave_nothing_open(manager: DBDataManager, store: Store) -> None:
    found = open_bounds(manager.reader, store("e", answers({("alpha", 1): 1}, kind="connection")))
    assert (found.whole, dict(found.cells)) == (None, {})


def text_of(manager: DBDataManager, run: RunRow, form: str) -> str:
    return "".join(export(manager.reader, run, form))  # type: ignore[arg-type]


def test_tables_show_both_ends_in_cells_domains_and_the_first_line(manager: DBDataManager, lossy: RunRow) -> None:
    markdown, github = text_of(manager, lossy, "md"), text_of(manager, lossy, "github")
    assert "45.8 to 83.3 of 100 (72.9 over the 11 with a verdict; 5 without a verdict)" in markdown
    assert "| alpha | 50.0 to 75.0 (n 3) | 0.0 to 100.0 (n 0) |" in markdown
    assert "| 16.7 to 91.7 |" in markdown
    assert "| beta | 75.0 (n 4) | 75.0 (n 4) |" in markdown
    assert "45.8 to 83.3 of 100" in github.splitlines()[1]
    assert "| alpha | 50.0 to 75.0 (2/3) | 0.0 to 100.0 (0/0) | 16.7 to 91.7 |" in github
    page = re.sub(r"<[^>]+>", " ", text_of(manager, lossy, "html"))
    for ends in ("50.0 to 75.0", "0.0 to 100.0", "16.7 to 91.7", "62.5 to 75.0", "37.5 to 87.5", "45.8 to 83.3"):
        assert re.search(rf"(?<![\d.]){ends}", page), ends


def test_other_tools_get_both_ends_and_no_interval_beside_them(manager: DBDataManager, lossy: RunRow) -> None:
    record = json.loads(text_of(manager, lossy, "eee"))
    details = {one["evaluation_name"]: one["score_details"] for one in record["evaluation_results"]}
    whole = details["weighted_score"]
    assert whole["details"]["without_verdict"] == "5"
    assert float(whole["details"]["score_if_all_wrong"]) == pytest.approx(lossy.bound_low)
    assert "confidence_interval" not in whole["uncertainty"]
    assert float(details["weighted_score/alpha"]["details"]["score_if_all_right"]) == pytest.approx(2.75 / 3)
    assert "details" not in details["weighted_score/beta"]
    log = json.loads(text_of(manager, lossy, "inspect"))["results"]["scores"][0]
    assert log["metrics"]["weighted_score"]["metadata"]["if_all_wrong"] == pytest.approx(lossy.bound_low)
    assert log["metrics"]["accuracy"]["metadata"] == {
        "without_verdict": 5, "if_all_wrong": 8 / 16, "if_all_right": 13 / 16,
    }  # fmt: skip
    whole_run = json.loads(text_of(manager, lossy, "json"))
    for rows in (whole_run["level_scores"], log["metadata"]["level_scores"]):
        assert [row["bounds"] for row in rows] == [[0.5, 0.75], [0.0, 1.0], None, None]
    assert [row["bounds"] for row in whole_run["domains"]][1:] == [None]


def test_comparisons_name_what_is_open_where_the_difference_stands(
    manager: DBDataManager, store: Store, lossy: RunRow
) -> None:
    clean = store("clean", answers({}))
    words = "answers without a verdict leave the difference between -29.2 and +8.3 points"
    for kind in ("md", "github"):
        said = "".join(compared(manager.reader, [clean, lossy], kind))
        (headline,) = [line for line in said.splitlines() if line.startswith("Weighted Score")]
        assert words in headline
        assert "| without a verdict wrong or right |" in said
        assert "| -58.3 to +16.7 |" in said
    page = "".join(comparison(manager.reader, [clean, lossy]))
    assert words in page
    net = store("net", answers({("alpha", 1): 1}, kind="connection"))
    for second, shown in ((lossy, True), (net, True), (clean, False)):
        lines = list(comparison_lines(compare(manager.reader, clean, second), most=None))
        assert (WHAT_IS_OPEN in lines) == shown
        assert (WHAT_IS_OPEN[1:] in "".join(compared(manager.reader, [clean, second], "md"))) == shown
        assert (
            WHAT_IS_OPEN[1:] in "".join(comparison(manager.reader, [clean, second])).replace("&#x27;", "'")
        ) == shown
    assert "-58.3 to +16.7" in page
    several = "".join(comparison(manager.reader, [clean, lossy, store("third", answers({}))]))
    assert "lossy: 5 without a verdict leave it between 45.8 and 83.3" in several


def test_a_gate_names_tests_without_a_verdict_in_its_first_line(
    manager: DBDataManager, store: Store, lossy: RunRow
) -> None:
    found = gate(manager.reader, store("clean", answers({})), lossy, 0.03)
    assert found.lacking == "5 tests of lossy lack a verdict"
    assert gate_json(found)["without_verdict"] == {"first": 0, "second": 5}
    one = gate(manager.reader, lossy, store("one", answers({("beta", 1): 1})), 0.03)
    assert WHAT_IS_OPEN in list(gate_lines(one))
    assert WHAT_IS_OPEN not in list(gate_lines(gate(manager.reader, found.first, found.first, 0.03)))
    assert one.lacking == "5 tests of lossy and 1 test of one lack a verdict"
    assert gate(manager.reader, one.second, one.second, 0.03).lacking.endswith("1 test of one lack a verdict")


def test_no_interval_and_no_change_of_the_verdicts_alone_stands_beside_bounds(
    manager: DBDataManager, store: Store, lossy: RunRow
) -> None:
    (board,) = leaderboards_json(leaderboards(manager.reader))
    (line,) = board["models"]
    assert (line["run"], line["interval"], line["whole_bounds"]) == ("lossy", None, lossy.bounds)
    store("later", answers({}))
    store("latest", answers({}))
    newest, later, first = cell_history(manager.reader, "alpha", 1)
    assert (first.change, later.change, newest.change) == (None, None, 0.0)


def test_a_sources_rates_tell_what_lacks_a_verdict(manager: DBDataManager, lossy: RunRow) -> None:
    metrics = lossy.metrics["suite"]
    accuracy = metrics["accuracy"]
    assert (accuracy["without_verdict"], accuracy["if_all_wrong"], accuracy["if_all_right"]) == (5, 8 / 16, 13 / 16)
    assert metrics["by_category"]["alpha"]["without_verdict"] == 5
    assert "without_verdict" not in metrics["by_category"]["beta"]
    assert metrics["by_level"]["2"]["if_all_wrong"] == 3 / 8


def test_a_rate_corrected_by_labels_names_the_answers_that_no_judge_could_rate(
    manager: DBDataManager, store: Store
) -> None:
    samples = [finished(sample(f"t{number}"), score=float(number % 3 > 0)) for number in range(60)]
    for one in samples[50:]:
        one.status, one.score, one.stage, one.error_type = "error", None, "rollout", "judge_error"
    run = store("e", samples)
    manager.update_run(run.id, judged_by={run_evaluator(manager, run): {"models": ["m"], "model": "m", "prompt": "p"}})
    run = manager.reader.run_by_id(run.id)
    for one in list(manager.reader.samples(run.id))[:30]:
        say(manager.reader, one, "ana", HumanVerdict(one.status))  # type: ignore[arg-type]
    (found,) = judged(manager.reader, run)
    assert found.corrected is not None
    assert found.open == 10
    assert found.ends == pytest.approx((33 / 60, 43 / 60), abs=0.02)
    (line, *_) = corrected_lines(manager.reader, run)
    assert "; 10 answers without a verdict leave it between" in line
    assert judging_json(manager.reader, run)[0]["without_verdict"] == 10


def run_evaluator(manager: DBDataManager, run: RunRow) -> str:
    """The evaluator of its first sample."""
    return next(iter(manager.reader.samples(run.id))).evaluator_id


def test_a_layers_effect_names_what_lacks_a_verdict() -> None:
    def effect(*, lost: bool) -> Effect:
        found = Contrasts(("domain",))
        for number in range(10):
            bare = RunSide((), ("error",)) if lost and number == 0 else RunSide((float(number > 4),), ("passed",))
            sides = {
                off: TestRow(side, number, 1.0, None) for off, side in ((ON, RunSide((1.0,), ("passed",))), (OFF, bare))
            }
            found.add(("s", "d", 1, str(number)), sides, frozenset({"domain"}))
        return found.settled().effects[0]

    whole, open_ = effect(lost=False), effect(lost=True)
    assert (whole.bounds, "leave it between" in whole.words) == (None, False)
    assert open_.bounds is not None
    assert open_.bounds == pytest.approx((0.4, 0.5))
    assert "answers without a verdict leave it between +40.0 and +50.0 points" in open_.words


def test_of_a_filtered_answer_no_more_tokens_are_promised(manager: DBDataManager, store: Store) -> None:
    found = {}
    for kind in ("content_filter", "truncated_output"):
        run = store(kind, answers({("alpha", 1): 2}, kind))
        left = open_bounds(manager.reader, run).whole
        assert left is not None
        found[kind] = (left.cut_off, left.may_need_tokens)
    assert found == {"content_filter": (2, 0), "truncated_output": (2, 2)}


@pytest.mark.parametrize(("lost", "sign"), [({}, "✅"), ({("alpha", 1): 1}, "⚠️")])
def test_a_run_with_errors_is_not_ticked_off_as_whole(
    manager: DBDataManager, store: Store, lost: dict[tuple[str, int], int], sign: str
) -> None:
    run = store("a", answers(lost, "connection"))
    assert f"\n### {sign} " in "".join(export(manager.reader, run, "github"))


def test_a_cost_that_is_not_known_is_not_given_as_nothing(manager: DBDataManager, store: Store) -> None:
    run = store("a", answers({}))
    manager.update_run(run.id, unpriced_calls=3)
    shown = "".join(export(manager.reader, manager.reader.run("a"), "github"))
    assert "cost of 3 calls unknown" in shown
    assert "$0.0000" not in shown
