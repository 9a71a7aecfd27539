from __future__ import annotations

import json

import pytest

from modex.core.features.export.export import export
from modex.core.pipeline.stat import stat
from modex.core.reports.epochs import epoch_lines, epochs_of
from modex.core.reports.formats import Format
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
    assert (found.together.tests, found.together.tries, found.together.flaky) == (5, 14, 3)
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
        "3 epochs: pass@1 46.7 to 53.3 %, pass@3 80.0 %, pass^3 20.0 % (n 5, 1 try without a verdict)",
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
