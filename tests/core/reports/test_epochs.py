from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.features.export.export import export
from modex.core.pipeline.stat import stat
from modex.core.reports.epochs import Epochs, TestEpochs, epoch_lines, epochs_of, rates, scored_epochs
from modex.core.reports.formats import Format
from modex.core.statistics.epochs import ScoredEpochs, repeated
from modex.core.statistics.k_of_n import Required
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.writer import Writer
from modex.tui.plain.summary import summary_json, summary_text
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer

PASSED: dict[str, list[int | None]] = {
    "never": [0, 0, 0],
    "always": [1, 1, 1],
    "mostly": [1, 1, 0],
    "once": [0, 1, 0],
    "cut": [1, 0, None],
}


def run_of(manager: DBDataManager, epochs: int = 3) -> RunRow:
    """Five tests asked three times, one answer of which is an error."""
    run_id = manager.create_run("e", CONFIG.model_copy(update={"epochs": epochs}))
    names = [(name, number) for name in PASSED for number in range(1, 4)]
    manager.plan(run_id, [sample(name, epoch=number) for name, number in names])
    stored = list(manager.reader.samples(run_id))

    def work(writer: Writer) -> None:
        for item in stored:
            score = PASSED[item.test_id][item.epoch - 1]
            done = finished(item, score=float(score or 0))
            if score is None:
                done.status, done.stage, done.score, done.error_type = "error", "rollout", None, "timeout"
            writer.save(done, FINISHED, before="pending")

    with_writer(manager, run_id, work)
    stat(manager, run_id)
    return manager.reader.run_by_id(run_id)


def test_epochs_are_summed_up_over_tests(manager: DBDataManager) -> None:
    found = epochs_of(manager.reader, run_of(manager))
    assert found is not None
    assert (found.together.tests, found.together.epochs, found.together.flaky) == (5, 14, 3)
    assert found.together.pass_at[1] == pytest.approx((0 + 1 + 2 / 3 + 1 / 3 + 1 / 2) / 5)
    assert found.together.pass_at[3] == pytest.approx(3 / 4)
    assert found.together.pass_hat[3] == pytest.approx(1 / 4)
    assert found.together.n == {1: 5, 2: 5, 3: 4}
    assert [one.name for one in found.flaky] == ["d/1/cut", "d/1/mostly", "d/1/once"]


def test_they_are_said_in_words_and_to_scripts(manager: DBDataManager) -> None:
    run = run_of(manager)
    found = epochs_of(manager.reader, run)
    assert found is not None
    assert epoch_lines(found) == [
        "3 epochs: pass@1 46.7 to 53.3 %, pass@2 66.7 to 73.3 %, pass@3 80.0 %, pass^2 26.7 to 33.3 %, pass^3 20.0 %"
        " (n 5, 1 try without a verdict)",
        "3 flaky: d/1/cut 1/2, d/1/mostly 2/3, d/1/once 1/3",
    ]
    assert epoch_lines(found, most=1)[1] == "3 flaky: d/1/cut 1/2 and 2 more"
    assert "pass^3 20.0 %" in summary_text(manager.reader, run)
    said = json.loads(json.dumps(summary_json(manager.reader, run)))["epochs"]
    assert (said["pass_at_k"]["3"], said["pass_hat_k"]["3"], said["n"]["3"]) == (0.75, 0.25, 4)
    assert (said["if_all_wrong"]["pass_at_k"]["1"], said["without_verdict"]) == (pytest.approx(7 / 15), 1)
    assert (said["if_all_right"]["pass_at_k"]["1"], said["if_all_right"]["pass_hat_k"]["3"]) == (
        pytest.approx(8 / 15),
        0.2,
    )
    assert said["flaky"][0] == {"test": "d/1/cut", "source": "suite", "passed": 1, "scored": 2}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("json", '"pass_hat_k"'),
        ("md", "pass@3 80.0 %"),
        ("html", "pass^3 20.0 %"),
        ("junit", '<property name="pass^3" value="0.250000"/>'),
        ("junit", '<property name="pass@1.if_all_wrong" value="0.466667"/>'),
        ("csv", ",yes"),
    ],
)
def test_every_export_holds_them(manager: DBDataManager, kind: Format, said: str) -> None:
    run = run_of(manager)
    assert said in "".join(export(manager.reader, run, kind)).replace("\\", "")


def test_a_run_of_one_epoch_says_nothing_of_epochs(manager: DBDataManager) -> None:
    run = run_of(manager, epochs=1)
    assert epochs_of(manager.reader, run) is None
    assert "pass@" not in summary_text(manager.reader, run)
    assert summary_json(manager.reader, run)["epochs"] is None


def _test(name: str, passed: int, total: int, required: Required | None = None) -> TestEpochs:
    return TestEpochs("suite", "d", 1, name, ScoredEpochs(passed, total), required)


def _epochs(*tests: TestEpochs, required: tuple[TestEpochs, ...] = (), open_: int = 0) -> Epochs:
    together = repeated(one.scored for one in tests)
    flaky = tuple(one for one in tests if one.scored.flaky)
    return Epochs(2, together, flaky, required, open_)


def test_each_k_has_a_rate_few_of_many_and_how_many_tests_it_is_of_where_not_all() -> None:
    three = _epochs(_test("a", 2, 3), _test("b", 1, 2))
    assert rates(three) == [
        "pass@1 58.3 %", "pass@2 100.0 %", "pass@3 100.0 % (n 1)", "pass^2 16.7 %", "pass^3 0.0 % (n 1)",
    ]  # fmt: skip
    assert [rate.split()[0] for rate in rates(three, few=True)] == ["pass@1", "pass@3", "pass^3"]
    ten = [rate.split()[0] for rate in rates(_epochs(_test("a", 9, 10)))]
    assert ten == ["pass@1", "pass@2", "pass@4", "pass@8", "pass@10", "pass^2", "pass^4", "pass^8", "pass^10"]
    assert len(rates(_epochs(_test("a", 7, 8)))) == 15
    assert rates(_epochs()) == []


def test_without_open_tries_a_rate_is_one_number_and_the_first_flaky_tests_are_named() -> None:
    several = [_test(f"{number:02}", 1, 2) for number in range(11)]
    found = _epochs(*several, _test("right", 2, 2))
    assert rates(found) == ["pass@1 54.2 %", "pass@2 100.0 %", "pass^2 8.3 %"]
    first, second = epoch_lines(found)
    assert first == "2 epochs: pass@1 54.2 %, pass@2 100.0 %, pass^2 8.3 % (n 12)"
    assert second == f"11 flaky: {', '.join(f'd/1/{number:02} 1/2' for number in range(10))} and 1 more"
    ten = epoch_lines(_epochs(*several[:10]))[1]
    assert ten.startswith("10 flaky: ")
    assert ten.endswith("d/1/09 1/2")
    assert epoch_lines(_epochs(_test("a", 2, 2)))[1] == "no test is flaky"
    assert "2,000 tries without a verdict" in epoch_lines(_epochs(_test("a", 2, 2), open_=2000))[0]
    assert _test("a", 0, 0).open == 0


def test_tests_of_which_some_tries_must_pass_are_told_apart_from_those_that_are_averaged() -> None:
    two = Required(2, 3)
    held, missed, waiting = _test("h", 2, 2, two), _test("m", 0, 2, two), _test("w", 1, 2, two)
    assert [one.verdict for one in (held, missed, waiting, _test("x", 0, 3))] == [True, False, None, None]
    alone = _epochs(required=(held, missed, waiting))
    assert epoch_lines(alone) == [
        "k of n: 1 of 3 tests hold, 1 undecided; 6 of 9 tries were needed",
        "too few: d/1/m 0/2 where 2 of 3 must pass",
    ]
    assert epoch_lines(_epochs(required=(held,))) == ["k of n: 1 of 1 tests hold; 2 of 3 tries were needed"]
    both = _epochs(_test("a", 2, 2), required=(held, missed, missed))
    assert len(epoch_lines(both)) == 4
    assert epoch_lines(both, most=1)[1] == "too few: d/1/m 0/2 where 2 of 3 must pass and 1 more"
    assert [one["verdict"] for one in alone.as_dict()["required"]] == ["passed", "failed", "undecided"]


def test_tests_with_k_of_n_are_in_no_rate(manager: DBDataManager) -> None:
    run_id = manager.create_run("k", CONFIG.model_copy(update={"epochs": 2}))
    tries: dict[str, Any] = {"pass_needed": 1, "pass_of": 2}
    planned = [sample(name, epoch=number, **more) for name, more in (("a", {}), ("b", tries)) for number in (1, 2)]
    manager.plan(run_id, planned)

    def work(writer: Writer) -> None:
        for item in list(manager.reader.samples(run_id)):
            writer.save(finished(item, score=float(item.epoch == 1)), FINISHED, before="pending")

    with_writer(manager, run_id, work)
    run = manager.reader.run_by_id(run_id)
    found = epochs_of(manager.reader, run)
    assert found is not None
    assert (found.together.tests, found.together.epochs, [one.test_id for one in found.flaky]) == (1, 2, ["a"])
    assert ([one.test_id for one in found.required], found.ends, found.open) == (["b"], None, 0)
    told = scored_epochs(manager.reader, run)
    assert told == {("suite", "d", 1, "a"): ScoredEpochs(1, 2), ("suite", "d", 1, "b"): ScoredEpochs(1, 2)}
    for epochs in (1, None, "2"):
        manager.update_run(run_id, config={**run.config, "epochs": epochs})
        assert scored_epochs(manager.reader, manager.reader.run_by_id(run_id)) == {}
