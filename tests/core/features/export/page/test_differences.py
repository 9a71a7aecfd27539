"""How the runs of a page differ, and their tables side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from modex.core.comparison.wording import between, open_difference, p_value, sentence
from modex.core.features.compare.compare import compare, pairing_notes
from modex.core.features.compare.several import compare_several
from modex.core.features.export.page.differences import differences
from modex.core.features.export.page.document import report
from modex.core.features.export.page.facts import facts_of
from modex.core.features.export.page.tables import headline, interval, matrix, reasons, runs, side_by_side, speeds
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import SampleQuery
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store


def _cut_off(test_id: str, **fields: object) -> EvaluationSample:
    """An answer that lacks a verdict for a reason that the model can cause."""
    found = failing(test_id, **fields)
    found.error_type = "bad_request"
    return found


def _rows(page: str) -> list[list[str]]:
    """The texts of a page's rows, cell by cell."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in found
    ]


def test_two_runs_stand_domain_by_domain_with_what_went_otherwise(manager: DBDataManager, store: Store) -> None:
    def samples(math: int, sql: int) -> list[EvaluationSample]:
        return [
            *(scored(f"m{n}", float(n < math), domain="math") for n in range(8)),
            *(scored(f"s{n}", float(n < sql), domain="sql") for n in range(4)),
        ]

    first, second = store("a", samples(6, 1)), store("b", samples(2, 2))
    page = differences(manager.reader, [first, second])
    told = compare(manager.reader, first, second).domains
    assert _rows(page) == [
        ["domain", "n", "first", "second", "difference", "interval", "lost", "gained", "p (Holm)"],
        ["math", "8", "75.0", "25.0", "-50.0", between(told["math"].interval), "4", "0", p_value(told["math"].holm_p)],
        ["sql", "4", "25.0", "50.0", "+25.0", between(told["sql"].interval), "0", "1", p_value(told["sql"].holm_p)],
    ]
    assert "<h2>b against a</h2>" in page
    assert "without a verdict" not in page


def test_two_runs_that_lack_verdicts_have_a_column_for_what_they_leave_open(
    manager: DBDataManager, store: Store
) -> None:
    first = store("a", [scored(str(n), 1.0) for n in range(4)])
    second = store("b", [scored("0", 0.0), scored("1", 1.0), _cut_off("2"), _cut_off("3")])
    page = differences(manager.reader, [first, second])
    one = compare(manager.reader, first, second).domains["d"]
    head, row = _rows(page)
    assert head[6] == "without a verdict wrong or right"
    assert (row[1], row[6], row[7:9]) == ("2", open_difference(one), ["1", "0"])
    assert open_difference(one) in page


def test_runs_that_share_nothing_say_why(manager: DBDataManager, store: Store) -> None:
    alone = [store(name, [scored(name, 1.0)]) for name in "abc"]
    for page in (differences(manager.reader, alone), differences(manager.reader, alone[:2])):
        assert "<table" not in page
        assert "share no " in page


def test_what_the_pairing_leaves_to_be_known_stands_below_the_difference(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored(str(n), 1.0, prompt=f"question number {n}") for n in range(3)])
    second = store("b", [scored(f"x{n}", 1.0, prompt=f"question number {n}", source="other") for n in range(3)])
    found = compare(manager.reader, first, second)
    notes = pairing_notes(found)
    assert notes
    page = unescape(differences(manager.reader, [first, second]))
    assert [note for note in notes if f"<p>{sentence(note)}</p>" not in page] == []


def test_of_several_runs_those_that_may_be_the_best_are_bold(manager: DBDataManager, store: Store) -> None:
    poor = store("poor", [scored(str(n), float(n < 10)) for n in range(40)])
    good = store("good", [scored(str(n), float(n < 36)) for n in range(40)])
    twin = store("twin", [scored(str(n), float(n < 35)) for n in range(40)])
    page = differences(manager.reader, [poor, good, twin])
    best, second, last = compare_several(manager.reader, [poor, good, twin]).places
    assert best.against_best is None
    assert second.against_best is not None
    assert last.against_best is not None
    assert _rows(page)[1:] == [
        ["good", "90.0", "best", "", ""],
        ["twin", "87.5", "-2.5", between(second.against_best.interval), p_value(second.holm_p)],
        ["poor", "25.0", "-65.0", between(last.against_best.interval), p_value(last.holm_p)],
    ]
    assert [name for name in ("good", "twin", "poor") if f"<b>{name}</b>" in page] == ["good", "twin"]
    assert "40 tests that all have a verdict for" in page
    assert "?" not in page


def test_side_by_side_a_domain_has_a_row_for_each_run_that_asked_it(manager: DBDataManager, store: Store) -> None:
    both = store("both", [scored("m", 1.0, domain="math", level=2), scored("s", 0.0, domain="sql")])
    one = store("one", [scored("m", 0.5, domain="math", level=2), _cut_off("n", domain="math", level=2)])
    page = side_by_side([facts_of(manager.reader, run) for run in (both, one)])
    assert _rows(page)[1:] == [
        ["math", "both", "", "100.0 n 1", "", "", "", "100.0"],
        ["one", "", "25.0 to 75.0 n 1", "", "", "", "25.0 to 75.0"],
        ["sql", "both", "0.0 n 1", "", "", "", "", "0.0"],
    ]
    assert page.count('rowspan="2"') == 1
    assert page.count('class="begin"') == 2
    assert '<td class="h2">25.0 to 75.0' in page


def test_a_row_of_runs_has_its_score_or_its_bounds_and_no_interval_beside_them(
    manager: DBDataManager, store: Store
) -> None:
    sure = store("sure", [scored(str(n), float(n < 3)) for n in range(4)])
    manager.update_run(sure.id, cost_usd=2.0)
    lacking = store("lacking", [scored("0", 1.0), _cut_off("1")])
    facts = [facts_of(manager.reader, manager.reader.run_by_id(run.id)) for run in (sure, lacking)]
    assert interval(facts[0])
    assert interval(facts[1]) == ""
    rows = [row[:8] for row in _rows(runs(facts))]
    assert rows[1][:7] == ["sure", "openai/test-model", "75.0", interval(facts[0]), "4", "0", "$2.00"]
    assert rows[2][:6] == ["lacking", "openai/test-model", "50.0 to 100.0", "", "1", "1"]
    assert '<td class="h5"><b>50.0 to 100.0' in runs(facts)


def test_a_cell_tells_its_counts_and_its_interval_or_what_it_lies_between(manager: DBDataManager, store: Store) -> None:
    run = store(
        "e",
        [
            *(scored(str(n), float(n < 3)) for n in range(4)),
            scored("5", 1.0, level=3),
            _cut_off("6", level=3),
        ],
    )
    facts = facts_of(manager.reader, run)
    titles = re.findall(r'<td class="(\w+)" title="([^"]*)"', matrix(facts))
    assert [colour for colour, _ in titles] == ["h8", "h5"]
    low, high = facts.intervals["d", 1]
    assert low is not None
    assert high is not None
    assert titles[0][1].startswith("3 passed, 1 failed, 0 errors, 0 skipped, 95 %")
    assert titles[0][1].endswith(f"{100 * low:.1f} to {100 * high:.1f}")
    assert titles[1][1].startswith("1 passed, 0 failed, 1 errors, 0 skipped, 100.0 over those with a verdict, ")
    assert _rows(matrix(facts))[1] == ["d", "75.0 n 4", "", "50.0 to 100.0 n 1 !1", "", "", _rows(matrix(facts))[1][-1]]
    assert speeds(facts) == ""
    assert "100.0 over the 1 with" not in headline(facts)
    assert "93.8 over the 5 with a verdict" in headline(facts)
    assert reasons(facts).count("<li>") == len(facts.reasons)
    assert '<meter max="1" value="1">' in reasons(facts)


def _listed(manager: DBDataManager, run_ids: Sequence[int], **query: object) -> list[tuple[str, str]]:
    runs_ = [manager.reader.run_by_id(run_id) for run_id in run_ids]
    page = "".join(report(manager.reader, runs_, SampleQuery(**query)))  # type: ignore[arg-type]
    found = re.findall(r'data-s="(\w+)".*?</summary>', page, re.DOTALL)
    names = re.findall(r'<span class="run">(\w+)</span>', page)
    return list(zip(found, names or [""] * len(found), strict=True))


def test_tests_are_listed_by_what_a_reader_came_for_then_by_run(manager: DBDataManager, store: Store) -> None:
    ids = [store(name, [scored("1", 1.0), scored("2", 0.0), failing("3"), scored("4", 0.0)]).id for name in ("a", "b")]
    assert _listed(manager, ids[:1]) == [("failed", ""), ("failed", ""), ("error", ""), ("passed", "")]
    assert _listed(manager, ids) == [
        (status, name)
        for status in ("failed", "error", "passed")
        for name in "ab"
        for _ in range(1 + (status == "failed"))
    ]
    assert _listed(manager, ids, statuses=("passed", "error")) == [
        ("error", "a"), ("error", "b"), ("passed", "a"), ("passed", "b"),
    ]  # fmt: skip


def test_one_run_has_its_levels_its_domains_and_its_past_where_there_is_one(
    manager: DBDataManager, store: Store
) -> None:
    def page(run_id: int) -> str:
        return "".join(report(manager.reader, [manager.reader.run_by_id(run_id)], SampleQuery()))

    first = store("first", [scored("1", 1.0, level=2), _cut_off("2", level=4)])
    manager.update_run(first.id, note="a <note>")
    alone = page(first.id)
    assert re.findall(r'<text class="label" x="124" y="\d+">([^<]*)</text>', alone) == ["level 2", "level 4", "d"]
    assert "runs so far" not in alone
    assert "<br>a &lt;note&gt;</p>" in alone
    assert re.search(r"openai/test-model, completed(, begun [-\d]+ [:\d]{5} UTC)?<br>", alone)
    second = store("second", [scored("1", 0.5)])
    later = page(second.id)
    assert "runs so far" in later
    assert re.findall(r'<circle class="(\w+)"[^>]*><title>(\w+): ([\d.]+)<', later) == [
        ("dot", "first", f"{100 * (manager.reader.run_by_id(first.id).least_score or 0):.1f}"),
        ("here", "second", "50.0"),
    ]
    assert "2 runs compared" in "".join(report(manager.reader, [first, second], SampleQuery()))
    assert "2 runs compared" not in later


def test_a_run_without_a_score_is_no_point_of_score_over_cost(manager: DBDataManager, store: Store) -> None:
    paid = store("paid", [scored("1", 1.0)])
    manager.update_run(paid.id, cost_usd=0.5)
    lacking = store("lacking", [scored("1", 1.0), _cut_off("2")])
    unscored = store("unscored", [failing("9")])
    manager.update_run(unscored.id, overall_score=None)
    runs_ = [manager.reader.run_by_id(run.id) for run in (paid, lacking, unscored)]
    page = "".join(report(manager.reader, runs_, SampleQuery()))
    assert re.findall(r"<title>(\w+): ([\d.]+), (\S+)</title>", page) == [
        ("paid", "100.0", "$0.5000"),
        ("lacking", "50.0", "$0.0000"),
    ]
