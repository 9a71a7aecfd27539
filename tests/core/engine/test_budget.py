"""Which sample a budget pays for, and which one a run goes on with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.config.runconfig import DatasetSpec, ModelSpec, PlannedSample, RunConfig, Selection
from modex.core.engine.budget import _earlier, plan_words, with_sample
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import CheckedTests, checked_tests
from modex.core.store.reader import Reader
from tests.cli import write_suite
from tests.tui.stores import StoreMaker, sample

TESTS = 12


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Twelve tests on two levels."""
    return write_suite(
        tmp_path / "suite",
        [
            {"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}, "level": 1 + 3 * (n % 2)}
            for n in range(TESTS)
        ],
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def config(suite: Path, *, calls: int | None = 6, model: str = "demo", **selected: Any) -> RunConfig:
    selection = Selection(suite=str(suite), max_calls=calls, sample_seed=3, **selected)
    return RunConfig(model=ModelSpec(model=model), selection=selection)


def checked(wanted: RunConfig) -> CheckedTests:
    every = wanted.selection.model_copy(update={"max_calls": None, "plan": False})
    return checked_tests(wanted.model_copy(update={"selection": every}))


def planned(
    database: Path, wanted: RunConfig, exp_id: str | None = None, told: list[str] | None = None
) -> PlannedSample:
    chosen = with_sample(
        database, exp_id, replace(checked(wanted), config=wanted), (told if told is not None else []).append
    )
    found = chosen.selection.planned
    assert found is not None
    return found


def answered(store: StoreMaker, suite: Path, exp_id: str, model: str, passed: str, **columns: Any) -> int:
    """A stored run over the suite with a sign for each test: `+` passed, `-` failed."""
    samples = [
        sample("d", 1 + 3 * (n % 2), n, "passed" if sign == "+" else "failed", source="suite")
        for n, sign in enumerate(passed)
    ]
    return store.run(exp_id, model, samples, config=config(suite, calls=None, model=model), **columns)


def test_a_plan_without_a_budget_is_refused(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--plan needs a budget"):
        planned(tmp_path / "none.db", config(suite, calls=None, plan=True))


def test_as_many_tests_are_taken_as_the_calls_pay_for_the_harder_level_first(suite: Path, tmp_path: Path) -> None:
    found = planned(tmp_path / "none.db", config(suite))
    levels = [int(key.split("/")[2]) for key in found.tests]
    assert (len(levels), found.calls, found.earlier_runs, found.own) == (6, 6, 0, False)
    assert levels.count(4) > levels.count(1) >= 1
    assert not (tmp_path / "none.db").exists()


def test_a_budget_that_does_not_pay_for_each_cell_or_for_an_interval_is_refused(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot ask one test in each cell"):
        planned(tmp_path / "none.db", config(suite, calls=1))
    with pytest.raises(ConfigurationError, match="fewer than two tests"):
        planned(tmp_path / "none.db", config(suite, calls=1, levels=(4,)))


def test_a_price_that_is_not_known_is_asked_for(suite: Path, tmp_path: Path) -> None:
    wanted = config(suite, calls=None, plan=True, model="openai/unheard-of").model_copy(update={"max_cost_usd": 1.0})
    with pytest.raises(ConfigurationError, match="no price of openai/unheard-of"):
        planned(tmp_path / "none.db", wanted)


def test_a_run_goes_on_with_its_own_sample_while_tests_and_budget_are_the_same(suite: Path, store: StoreMaker) -> None:
    wanted = config(suite)
    first = planned(store.path, wanted, "r")
    kept = wanted.model_copy(update={"selection": wanted.selection.model_copy(update={"planned": first})})
    odd = first.model_copy(update={"tests": first.tests[:3]})  # as no budget would choose it
    stored = kept.model_copy(update={"selection": wanted.selection.model_copy(update={"planned": odd})})
    store.run("r", "demo", config=stored)
    assert planned(store.path, wanted, "r") == odd
    assert planned(store.path, wanted, "other") == first
    assert planned(store.path, wanted) == first
    assert len(planned(store.path, config(suite, calls=8), "r").tests) == 8
    assert len(planned(store.path, config(suite, levels=(4,)), "r").tests) == 6
    for changes in ({"epochs": 2}, {"max_cost_usd": 9.0}):
        assert planned(store.path, wanted.model_copy(update=changes), "r") != odd


def test_a_configuration_of_another_version_chooses_anew(suite: Path, store: StoreMaker) -> None:
    run_id = store.run("r", "demo", config=config(suite))
    store.manager.database.run('UPDATE evaluation_runs SET config = \'{"epochs": "many"}\' WHERE id = ?', [run_id])
    assert len(planned(store.path, config(suite), "r").tests) == 6


def test_what_the_model_answered_before_says_how_its_tests_vary_else_what_others_did(
    suite: Path, store: StoreMaker
) -> None:
    wanted, none = config(suite), planned(store.path, config(suite))
    answered(store, suite, "theirs", "openai/other", "++++++++++++")
    other = planned(store.path, wanted)
    assert (other.earlier_runs, other.own) == (1, False)
    assert other.half_width < none.half_width
    answered(store, suite, "own", "demo", "+-+-+-+-+-+-")
    own = planned(store.path, wanted)
    assert (own.earlier_runs, own.own) == (1, True)
    assert own.score < other.score
    for name in ("again", "once more"):
        answered(store, suite, name, "demo", "+-+-+-+-+-+-")
    assert planned(store.path, wanted).earlier_runs == 3
    assert planned(store.path, wanted, "again").earlier_runs == 2  # not by what it is to plan itself


def test_runs_of_other_tests_that_prove_nothing_say_nothing(suite: Path, store: StoreMaker, tmp_path: Path) -> None:
    other = write_suite(tmp_path / "other", [{"id": "a", "prompt": "b", "expected": {"keywords": ["ok"]}}])
    answered(store, other, "elsewhere", "demo", "++++")
    answered(store, suite, "short", "demo", "+")
    answered(store, suite, "speed", "demo", "++++", kind="speed")
    broken = answered(store, suite, "broken", "demo", "++++")
    store.manager.database.run(
        'UPDATE evaluation_runs SET config = \'{"selection": {"levels": "x"}}\' WHERE id = ?', [broken]
    )
    assert planned(store.path, config(suite)).earlier_runs == 0
    assert planned(store.path, config(suite)).own is False


def test_the_plan_says_how_many_tests_and_calls_and_which_interval(suite: Path, store: StoreMaker) -> None:
    told: list[str] = []
    found = planned(store.path, config(suite), told=told)
    assert told[0].startswith("plan for --max-calls 6: 6 of 12 tests in 2 cells, about 6 calls, 0 USD; to expect: ")
    assert f"±{100 * found.half_width:.1f} (at most, for no earlier run of these tests is stored)" in told[0]
    assert told[1] == "tests: " + ", ".join(key.partition("/")[2] for key in found.tests)
    words = config(suite, plan=True).model_copy(update={"max_cost_usd": 0.5})
    for runs, own, said in (
        (1, True, "(from 1 earlier run of these tests)"),
        (2, True, "(from 2 earlier runs of these tests)"),
        (2, False, "(if it answers like other models in 2 earlier runs of these tests)"),
    ):
        known = found.model_copy(update={"earlier_runs": runs, "own": own, "cost_usd": 0.125})
        line = plan_words(words, known, checked(words))[0]
        assert said in line
        assert line.startswith("plan for --max-calls 6 with --max-cost 0.5: 6 of 12 tests")
        assert "about 6 calls, 0.125 USD; " in line


def test_more_tests_than_one_reads_are_told_by_cell(
    suite: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("modex.core.engine.budget._NAMED", 5)
    told: list[str] = []
    found = planned(tmp_path / "none.db", config(suite), told=told)
    low = sum(key.split("/")[2] == "1" for key in found.tests)
    assert told[1:] == [f"d: level 1 {low} of 6, level 4 {6 - low} of 6"]


def test_the_twenty_latest_runs_say_how_tests_vary(suite: Path, store: StoreMaker) -> None:
    for number in range(22):
        answered(store, suite, f"r{number}", "demo", "+-" if number < 2 else "++")
    found = planned(store.path, config(suite))
    assert found.earlier_runs == 20
    for number in (0, 1):
        store.manager.delete_run(store.run_id(f"r{number}"))
    assert planned(store.path, config(suite)) == found


def test_twenty_tests_are_named_and_more_are_counted_by_cell(suite: Path) -> None:
    wanted = config(suite)
    known = PlannedSample(tests=("suite/d/1/t0",) * 20, calls=20, score=0.5, half_width=0.1)
    assert plan_words(wanted, known, checked(wanted))[1].startswith("tests: d/1/t0, ")
    more = known.model_copy(update={"tests": (*known.tests, "suite/d/1/t2")})
    assert plan_words(wanted, more, checked(wanted))[1:] == ["d: level 1 2 of 6, level 4 0 of 6"]


def test_a_stored_configuration_without_a_selection_is_one_of_the_bundled_suite(suite: Path, store: StoreMaker) -> None:
    run_id = answered(store, suite, "old", "demo", "++++")
    store.manager.database.run("UPDATE evaluation_runs SET config = '{}' WHERE id = ?", [run_id])
    bundled = RunConfig(model=ModelSpec(model="demo"))
    found = _earlier(store.manager.reader, bundled, None)
    assert (found.runs, found.cells["d", 1].units, found.cells["d", 1].wx) == (1, 2, 2.0)
    assert _earlier(store.manager.reader, config(suite), None).runs == 0


def test_tests_that_were_asked_several_times_say_as_much_as_tests(suite: Path, store: StoreMaker) -> None:
    tries = [
        sample("d", 1, n, "passed" if (n + epoch) % 2 else "failed", source="suite", epoch=epoch)
        for n in range(4)
        for epoch in (1, 2)
    ]
    twice = config(suite, calls=None).model_copy(update={"epochs": 2})
    store.run("r", "demo", tries, config=twice)
    cell = _earlier(store.manager.reader, config(suite), None).cells["d", 1]
    assert (cell.units, cell.w, cell.wx) == (4, 4.0, 2.0)


def priced(wanted: RunConfig, **changes: Any) -> RunConfig:
    """The same for a model of known prices, which nobody has to be asked for."""
    model = ModelSpec(model="openai/unheard-of", input_price=1e-3, output_price=2e-3)
    return wanted.model_copy(update={"model": model, **changes})


def test_as_many_tests_are_taken_as_the_money_pays_for(suite: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.db"
    whole = planned(none, priced(config(suite, calls=12)))
    assert whole.cost_usd is not None
    for tests in (4, 9):
        wanted = priced(config(suite, calls=None, plan=True), max_cost_usd=whole.cost_usd * (tests + 0.2) / 12)
        found = planned(none, wanted)
        assert len(found.tests) == tests
        assert found.cost_usd == pytest.approx(whole.cost_usd * tests / 12, rel=0.02)
    both = priced(config(suite, calls=3, plan=True), max_cost_usd=whole.cost_usd)
    assert len(planned(none, both).tests) == 3
    free = config(suite, calls=None, plan=True).model_copy(update={"max_cost_usd": 0.0})
    assert len(planned(none, free).tests) == 12  # the demo model costs nothing


def test_money_is_no_budget_of_the_sample_unless_it_is_planned_for(suite: Path, tmp_path: Path) -> None:
    unknown = config(suite, calls=6, model="openai/unheard-of").model_copy(update={"max_cost_usd": 1e-9})
    told: list[str] = []
    assert len(planned(tmp_path / "none.db", unknown, "r", told).tests) == 6
    assert told[0].startswith("plan for --max-calls 6: ")
    assert len(planned(tmp_path / "none.db", config(suite, calls=6, plan=True)).tests) == 6


def test_the_sample_is_told_cell_by_cell_whatever_the_seed_draws_first(suite: Path, tmp_path: Path) -> None:
    for seed in range(4):
        wanted = config(suite)
        wanted = wanted.model_copy(update={"selection": wanted.selection.model_copy(update={"sample_seed": seed})})
        levels = [key.split("/")[2] for key in planned(tmp_path / "none.db", wanted).tests]
        assert levels == sorted(levels)


def test_what_cannot_be_asked_is_neither_paid_for_nor_lost(tmp_path: Path) -> None:
    cases: list[dict[str, Any]] = [{"id": f"t{n}", "prompt": "p", "expected": {"keywords": ["ok"]}} for n in range(6)]
    broken = {"id": "broken", "prompt": "p", "expected": {"keywords": ["ok"]}, "weight": 0}
    suite = write_suite(tmp_path / "suite", [*cases, broken])
    found = planned(tmp_path / "none.db", config(suite, calls=6, skip_invalid=True))
    assert (len(found.tests), found.calls) == (7, 6)
    assert found.tests[-1].endswith("/broken")


def test_the_order_of_datasets_on_the_command_line_makes_no_other_tests(suite: Path, store: StoreMaker) -> None:
    def of(*paths: str) -> RunConfig:
        return RunConfig(
            model=ModelSpec(model="demo"), selection=Selection(datasets=tuple(DatasetSpec(path=one) for one in paths))
        )

    samples = [sample("d", 1, n, "passed", source="suite") for n in range(3)]
    store.run("r", "demo", samples, config=of("b.jsonl", "a.jsonl"))
    assert _earlier(store.manager.reader, of("a.jsonl", "b.jsonl"), None).runs == 1
    assert _earlier(store.manager.reader, of("a.jsonl"), None).runs == 0


def test_the_store_is_closed_when_the_sample_is_chosen_and_when_none_can_be(
    suite: Path, store: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Reader] = []

    def close(reader: Reader) -> None:
        closed.append(reader)

    monkeypatch.setattr(Reader, "close", close)
    planned(store.path, config(suite))
    with pytest.raises(ConfigurationError):
        planned(store.path, config(suite, calls=1))
    assert len(closed) == 2


def test_cells_are_told_in_order_whatever_order_their_tests_come_in(suite: Path) -> None:
    wanted = config(suite)
    tests = sorted(checked(wanted).selected, key=lambda test: -test.level)
    known = PlannedSample(tests=("suite/d/1/t0",) * 21, calls=20, score=0.5, half_width=0.1)
    turned = cast("CheckedTests", SimpleNamespace(selected=tests))
    assert plan_words(wanted, known, turned)[1:] == ["d: level 1 1 of 6, level 4 0 of 6"]
