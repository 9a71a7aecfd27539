"""Planning: the same run again does only what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from modex.core.foundation.errors import StoreError
from modex.core.safety.known import FLAG
from modex.core.store.commands import add_command, take_commands
from modex.core.store.lock import RunLock
from modex.core.store.manager import ChosenSamples, DBDataManager, Plan
from modex.core.store.reader import Reader
from modex.core.store.rows import HEAD_FIELDS
from modex.core.store.sample import OF_OTHER_RULES, OTHER_RULES, EvaluationSample
from modex.core.store.summary import outcomes
from modex.core.store.writer import Writer
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, store_finished, with_writer

COUNTS = ("new", "ask_again", "judge_again", "retry", "unchanged", "skipped")


def counts(plan: Plan) -> dict[str, int]:
    """What a plan found, without zeros."""
    return {name: getattr(plan, name) for name in COUNTS if getattr(plan, name)}


def planned(manager: DBDataManager, run_id: int, item: EvaluationSample) -> EvaluationSample:
    """The sample as it stands in the store."""
    (found,) = [known for known in manager.reader.samples(run_id) if known.test_id == item.test_id]
    return found


def leave(manager: DBDataManager, run_id: int, item: EvaluationSample) -> None:
    """Store a sample as `item` says."""
    known = planned(manager, run_id, item)
    item.id = known.id
    with_writer(manager, run_id, lambda writer: writer.save(item, FINISHED, before=known.status).result())


def test_new_samples_are_to_be_asked_in_order(manager: DBDataManager, run_id: int) -> None:
    plan = manager.plan(run_id, [sample("b"), sample("a"), sample("c")])
    assert counts(plan) == {"new": 3}
    assert [item.test_id for item in manager.load(plan.to_do)] == ["b", "a", "c"]


def test_finished_samples_are_left_alone(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    store_finished(manager, run_id)
    seq = manager.reader.run_by_id(run_id).seq
    before = list(manager.reader.samples(run_id))
    plan = manager.plan(run_id, [sample("a"), sample("b")])
    assert counts(plan) == {"unchanged": 2}
    assert not plan.to_do
    assert list(manager.reader.samples(run_id)) == before
    assert manager.reader.changes(run_id, seq) == []


@pytest.mark.parametrize("changed", [{"weight": 3.0}, {"cluster": "another document"}])
def test_what_only_weighs_or_groups_a_sample_is_stored_without_asking(
    manager: DBDataManager, run_id: int, changed: dict[str, Any]
) -> None:
    manager.plan(run_id, [sample("a", weight=1.0, cluster="document")])
    store_finished(manager, run_id)
    seq = manager.reader.run_by_id(run_id).seq
    plan = manager.plan(run_id, [sample("a", **{"weight": 1.0, "cluster": "document", **changed})])
    assert (counts(plan), list(plan.to_do)) == ({"unchanged": 1}, [])
    (found,) = manager.reader.samples(run_id)
    assert {name: getattr(found, name) for name in changed} == changed
    assert (found.status, found.stage) == ("passed", "judged")
    assert len(manager.reader.changes(run_id, seq)) == 1


def test_a_command_that_was_left_for_an_earlier_runner_reaches_no_later_one(
    manager: DBDataManager, run_id: int
) -> None:
    add_command(manager.database, run_id, "stop")
    manager.begin(run_id)
    assert take_commands(manager.database, run_id) == []


def test_what_stood_before_a_start_is_put_back_whole(manager: DBDataManager, run_id: int) -> None:
    manager.update_run(run_id, status="completed")
    before = manager.reader.run_by_id(run_id)
    assert not manager.restore(run_id)
    manager.begin(run_id, CONFIG.model_copy(update={"epochs": 7}))
    assert manager.reader.run_by_id(run_id).config["epochs"] == 7
    assert manager.restore(run_id)
    after = manager.reader.run_by_id(run_id)
    assert (after.config, after.status, after.live) == (before.config, "completed", {})


def test_a_sample_that_is_no_longer_selected_is_counted_and_kept(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    store_finished(manager, run_id)
    plan = manager.plan(run_id, [sample("a")])
    assert (plan.unchanged, plan.not_selected) == (1, 1)
    assert planned(manager, run_id, sample("b")).score is not None


def test_a_changed_question_is_asked_again(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    store_finished(manager, run_id)
    plan = manager.plan(run_id, [sample("a"), sample("b", asked="other", prompt="3+3?")])
    assert counts(plan) == {"ask_again": 1, "unchanged": 1}
    (again,) = manager.load(plan.to_do)
    assert (again.test_id, again.stage, again.status, again.prompt) == ("b", "init", "pending", "3+3?")


def test_a_changed_gold_is_judged_again_and_the_rollout_is_kept(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id, response="kept")
    plan = manager.plan(run_id, [sample("a", judged="other", expected=5)])
    assert counts(plan) == {"judge_again": 1}
    (again,) = manager.load(plan.to_do)
    assert (again.stage, again.response, again.expected) == ("judged", "kept", 5)


def test_a_verdict_that_stands_beside_another_gold_says_so_until_it_is_judged(
    manager: DBDataManager, run_id: int
) -> None:
    """A kill between planning and judging left `expected 18, got 18, failed`."""
    manager.plan(run_id, [sample("a"), sample("b"), sample("c")])
    store_finished(manager, run_id, score=0.0, reason="expected 4, got 5", verdict_flags=["gold_in_answer"])
    changed = [sample("a", judged="other", expected=5), sample("b", judged="another judge"), sample("c")]
    for _ in range(2):  # planned again it is said once
        manager.plan(run_id, changed)
    shown = [(one.expected, one.verdict_flags, one.why) for one in manager.reader.samples(run_id)]
    said = "by another gold or evaluator than stand here; `modex judge` judges it anew: expected 4, got 5"
    plain = (4, ["gold_in_answer"], "expected 4, got 5")
    assert shown == [(5, ["gold_in_answer", "other_rules"], said), plain, plain]
    assert next(head.reason for head in manager.reader.heads(run_id)) == said
    manager.plan(run_id, [sample("a"), sample("b"), sample("c")])
    assert [(one.expected, one.verdict_flags, one.why) for one in manager.reader.samples(run_id)] == [plain] * 3


def test_a_failed_rollout_is_asked_again(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    leave(manager, run_id, sample("a", stage="init", status="error", error_type="timeout"))
    plan = manager.plan(run_id, [sample("a")])
    assert counts(plan) == {"retry": 1}
    (again,) = manager.load(plan.to_do)
    assert (again.stage, again.status, again.error_type) == ("init", "pending", None)


def test_a_failed_judgement_is_repeated_without_asking(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    leave(manager, run_id, sample("a", stage="rollout", status="error", error_type="judge_error", response="r"))
    plan = manager.plan(run_id, [sample("a")])
    assert counts(plan) == {"retry": 1}
    (again,) = manager.load(plan.to_do)
    assert (again.stage, again.status, again.response) == ("rollout", "pending", "r")


def test_a_stored_rollout_without_a_verdict_is_judged(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    leave(manager, run_id, sample("a", stage="rollout", status="pending", response="r"))
    assert counts(manager.plan(run_id, [sample("a")], stages=("rollout",))) == {"unchanged": 1}
    assert counts(manager.plan(run_id, [sample("a")])) == {"judge_again": 1}


def test_judging_alone_asks_nothing(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    leave(manager, run_id, finished(sample("a")))
    plan = manager.plan(run_id, [sample("a"), sample("b"), sample("c")], stages=("judge",))
    assert not plan.to_do


def test_judging_everything_judges_what_did_not_change_too(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id)
    plan = manager.plan(run_id, [sample("a")], rejudge=True, stages=("judge",))
    assert counts(plan) == {"judge_again": 1}


def test_a_sample_in_work_at_a_crash_is_done_again(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    leave(manager, run_id, sample("a", stage="init", status="running"))
    assert len(manager.plan(run_id, [sample("a")]).to_do) == 1


@pytest.mark.parametrize("before", ["new", "finished"])
def test_an_invalid_test_is_skipped_and_asked_once_it_is_valid(
    manager: DBDataManager, run_id: int, before: str
) -> None:
    if before == "finished":
        manager.plan(run_id, [sample("a")])
        store_finished(manager, run_id)
    invalid = sample("a", asked="", status="skipped", error_type="invalid_test", error_message="no such tool")
    assert counts(manager.plan(run_id, [invalid])) == {"skipped": 1}
    stored = planned(manager, run_id, invalid)
    assert (stored.status, stored.error_message, stored.score) == ("skipped", "no such tool", None)
    assert manager.reader.run_by_id(run_id).skipped_tests == 1
    plan = manager.plan(run_id, [sample("a")])
    assert len(plan.to_do) == 1
    (again,) = manager.load(plan.to_do)
    assert (again.status, again.error_type) == ("pending", None)


def test_epochs_are_samples_of_their_own(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a", epoch=1)])
    store_finished(manager, run_id)
    plan = manager.plan(run_id, [sample("a", epoch=1), sample("a", epoch=2)])
    assert counts(plan) == {"new": 1, "unchanged": 1}


def test_added_tests_stand_behind_the_known_ones(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("b")])
    manager.plan(run_id, [sample("a"), sample("b")])
    assert [item.test_id for item in manager.reader.samples(run_id)] == ["b", "a"]


def test_more_samples_than_one_page_are_planned_once_each(manager: DBDataManager, run_id: int) -> None:
    def many() -> Sequence[EvaluationSample]:
        return [sample(f"t{number}") for number in range(4500)]

    steps: list[int] = []
    plan = manager.plan(run_id, many(), progress=steps.append)
    assert (plan.new, len(plan.to_do), steps) == (4500, 4500, [2000, 4000, 4500])
    assert manager.reader.run_by_id(run_id).total_tests == 4500
    again = manager.plan(run_id, many())
    assert again.new == 4500
    assert manager.reader.count(run_id) == 4500


def test_a_sample_that_comes_twice_is_stored_once_also_in_a_new_run(manager: DBDataManager, run_id: int) -> None:
    names = [*(f"t{number}" for number in range(2100)), "t7", "t2099", "new"]
    plan = manager.plan(run_id, [sample(name) for name in names[:2000]])
    assert counts(plan) == {"new": 2000}
    other = manager.create_run("other", CONFIG)
    with pytest.raises(StoreError):  # within one chunk
        manager.plan(other, [sample("a"), sample("a")])
    assert manager.reader.count(other) == 0
    assert manager.plan(other, [sample(name) for name in (*names[:2000], "t7", "new")]).stored == 2001
    assert manager.reader.count(other) == 2001
    assert len(set(manager.plan(other, [sample(name) for name in names[:2000]]).to_do)) == 2000


@pytest.mark.long
def test_samples_are_found_again_wherever_they_stand(manager: DBDataManager, run_id: int) -> None:
    names = [f"t{number}" for number in range(4500)]
    manager.plan(run_id, [sample(name) for name in names])
    store_finished(manager, run_id)
    shifted = ["first", *names[:3000], "between", *names[3000:]]
    plan = manager.plan(run_id, [sample(name) for name in shifted])
    assert counts(plan) == {"new": 2, "unchanged": 4500}
    assert [item.test_id for item in manager.load(plan.to_do)] == ["first", "between"]
    assert counts(manager.plan(run_id, [sample(name) for name in reversed(names)])) == {"unchanged": 4500}
    assert counts(manager.plan(run_id, [sample(name) for name in names[::7]])) == {"unchanged": 643}


def test_a_neighbour_that_cannot_be_read_keeps_no_sample_from_being_found(manager: DBDataManager, run_id: int) -> None:
    names = [f"t{number}" for number in range(5)]
    manager.plan(run_id, [sample(name) for name in names])
    store_finished(manager, run_id)
    for broken in ("x'ff'", "CAST(x'ff' AS TEXT)"):
        manager.database.run(f"UPDATE individual_test_results SET test_id = {broken} WHERE position = 2")
        assert counts(manager.plan(run_id, [sample(name) for name in ("t0", "t4")])) == {"unchanged": 2}


def test_planned_rows_hold_what_their_samples_hold(manager: DBDataManager, run_id: int) -> None:
    odd: list[dict[str, Any]] = [
        {"weight": 1}, {"weight": 2.5}, {"expected": None}, {"expected": [1, True, 1.0]}, {"expected": "it's \x00"},
        {"prompt_layers": [{"scope": "test", "text": "é"}]}, {"cluster": "c"}, {"pass2_used": True, "score": 0.0},
        {"name": "x" * 100}, {"definition": {"file": "f", "line": 2}},
    ]  # fmt: skip
    for number, fields in enumerate(odd):
        run = manager.create_run(str(number), CONFIG)
        items = [sample(f"t{n}", **(fields if n != 1 else {})) for n in range(3)]  # what all share, but for one
        alike = [sample(f"s{n}", **fields) for n in range(2)]
        manager.plan(run, items)
        manager.plan(run, alike)
        for stored, item in zip(manager.reader.samples(run), [*items, *alike], strict=True):
            item.id, item.seq = stored.id, stored.seq
            assert stored == item
            assert type(stored.expected) is type(item.expected)


def test_ids_with_strange_characters_are_found_again(manager: DBDataManager, run_id: int) -> None:
    names = ["a'b", "nul\x00", "\ud800", "ünï", "a\\b", "%_"]
    manager.plan(run_id, [sample(name) for name in names])
    store_finished(manager, run_id)
    assert counts(manager.plan(run_id, [sample(name) for name in names])) == {"unchanged": len(names)}


def test_two_runs_of_one_name_cannot_be(manager: DBDataManager, run_id: int) -> None:
    with pytest.raises(StoreError, match="exists already"):
        manager.create_run("e", CONFIG)


def test_the_configuration_comes_back_as_it_was(manager: DBDataManager, run_id: int) -> None:
    changed = CONFIG.model_copy(update={"epochs": 3, "max_cost_usd": 1.5})
    manager.set_configuration(run_id, changed)
    assert manager.configuration(run_id) == changed


def test_a_deleted_run_leaves_nothing_behind(manager: DBDataManager, run_id: int) -> None:
    other = manager.create_run("other", CONFIG)
    for each in (run_id, other):
        manager.plan(each, [sample("a")])
        store_finished(manager, each)
        with_writer(manager, each, lambda writer: writer.event("info", "hello"))
    manager.delete_run(run_id)
    for table in ("individual_test_results", "run_events"):
        assert manager.database.rows(f"SELECT DISTINCT run_id FROM {table}") == [(other,)]
    assert manager.reader.find_run("e") is None


def test_a_run_in_work_is_not_deleted(manager: DBDataManager, run_id: int) -> None:
    with RunLock(manager.path, run_id, "e"), pytest.raises(StoreError, match="stop it"):
        manager.delete_run(run_id)


def test_an_experiment_is_loaded_where_it_stopped(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    leave(manager, run_id, finished(sample("a")))
    assert [item.test_id for item in manager.get_samples("e", stage="judged")] == ["a"]
    assert [item.test_id for item in manager.get_samples("e", stage="init")] == ["b"]


def test_a_second_connection_sees_what_the_first_planned(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    reader = Reader(manager.path)
    assert reader.count(run_id) == 1
    reader.close()


def damaged(manager: DBDataManager, run_id: int, column: str, value: object) -> None:
    manager.database.run(f"UPDATE individual_test_results SET {column} = ? WHERE run_id = ?", [value, run_id])


@pytest.mark.parametrize(
    ("column", "value"), [("status", "excellent"), ("level", "hard"), ("details", "{no"), ("score", "much")]
)
def test_a_damaged_row_is_an_error_without_a_score(
    manager: DBDataManager, run_id: int, column: str, value: object
) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id)
    assert [item.status for item in manager.reader.samples(run_id)] == [
        "passed"
    ]  # rows of these types were sound before
    damaged(manager, run_id, column, value)
    (found,) = manager.reader.samples(run_id)
    (head,) = manager.reader.heads(run_id)
    assert (found.status, found.score, found.error_type) == ("error", None, "damaged_row")
    if column in HEAD_FIELDS:  # a head reads no details
        assert (head.status, head.score) == ("error", None)
    assert f"`{column}`" in (found.error_message or "")
    (outcome,) = outcomes(manager.database, run_id)
    assert isinstance(outcome.level, int)
    assert outcome.status == ("error" if column == "status" else "passed")
    manager.recount(run_id)
    assert manager.reader.run_by_id(run_id).error_tests == (1 if column == "status" else 0)


def test_a_viewer_misses_no_change_behind_what_a_killed_runner_left(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(name) for name in "abcde"])
    ids = manager.reader.head_ids(run_id)
    # The runner was killed: what it had begun with stays marked, and nobody settled it.

    def begin(writer: Writer) -> None:
        for id_ in ids[:3]:
            writer.mark_running(id_)

    with_writer(manager, run_id, begin)
    seen = manager.reader.changes(run_id, 0)[-1].seq
    seqs: list[int] = []
    missed = set(ids)

    def look(limit: int = 5000) -> None:
        while page := manager.reader.changes(run_id, seqs[-1] if seqs else seen, limit):
            seqs.extend(head.seq for head in page)
            missed.difference_update(head.id for head in page)

    manager.settle(run_id)
    look(limit=1)
    assert missed == set(ids[3:]), "each is a change of its own, whatever a look reads at once"
    # What comes next, as planning and as a runner's writer number it, is newer than all that was seen.
    manager.plan(run_id, [sample("d", asked="changed")])
    look()
    assert missed == {ids[4]}
    manager.settle(run_id)
    with_writer(manager, run_id, lambda writer: writer.mark_running(ids[4]))
    look()
    assert missed == set()
    assert len(set(seqs)) == len(seqs) == 5
    assert manager.reader.run_by_id(run_id).seq >= seqs[-1], "the run's own number follows"


@pytest.mark.parametrize(
    ("stage", "score", "status"),
    [("judged", 0.7, "passed"), ("judged", 0.69, "failed"), ("judged", None, "pending"), ("rollout", 1.0, "pending")],
)
def test_what_a_runner_left_running_is_what_its_verdict_says(
    manager: DBDataManager, run_id: int, stage: str, score: float | None, status: str
) -> None:
    manager.plan(run_id, [sample("a")])
    for column, value in (("stage", stage), ("score", score), ("status", "running")):
        damaged(manager, run_id, column, value)
    manager.settle(run_id)
    assert [item.status for item in manager.reader.samples(run_id)] == [status]


def test_asking_some_errors_again_goes_on_with_what_a_killed_start_had_begun(
    manager: DBDataManager, run_id: int
) -> None:
    (pending,) = manager.plan(run_id, [sample("a")]).to_do
    plan = manager.plan(run_id, [sample("a")], only={"truncated"})
    assert (counts(plan), list(plan.to_do)) == ({"unchanged": 1}, [pending])
    store_finished(manager, run_id)
    assert not manager.plan(run_id, [sample("a")], only={"truncated"}).to_do


def test_what_is_planned_is_everything_that_this_selection_holds() -> None:
    plan = Plan(
        new=1, ask_again=20, judge_again=300, retry=4_000, unchanged=50_000, skipped=600_000, not_selected=7_000_000
    )
    assert plan.planned == 654_321


STATES = [
    (stage, status, asked, judged)
    for stage in ("init", "rollout", "judged")
    for status in ("pending", "passed", "failed", "error", "skipped", "running")
    for asked in ("a", "other")
    for judged in ("j", "other")
]
"""How a sample may stand, and by which fingerprints; planned are `a` and `j`."""


def decided(
    state: tuple[str, str, str, str], *, rejudge: bool, stages: tuple[str, ...], ask_again: bool
) -> tuple[str, str | None]:
    """What planning a sample anew counts it as, and the stage from which it is worked on; None where nothing is to do."""
    stage, status, asked, judged = state
    if ask_again or asked != "a" or stage == "init":
        if "rollout" not in stages:
            return "unchanged", None
        return "retry" if status == "error" else "new" if stage == "init" else "ask_again", "init"
    if stage == "judged" and judged == "j" and status in ("passed", "failed") and not rejudge:
        return "unchanged", None
    if "judge" not in stages:
        return "unchanged", None
    return "retry" if status == "error" and stage == "rollout" else "judge_again", stage


def standing_so(manager: DBDataManager, run_id: int) -> list[EvaluationSample]:
    """A run with a sample in each of `STATES`, each with an answer and a score."""
    manager.plan(run_id, [sample(f"t{number}") for number in range(len(STATES))])
    for number, (stage, status, asked, judged) in enumerate(STATES):
        manager.database.run(
            "UPDATE individual_test_results SET stage = ?, status = ?, rollout_fingerprint = ?, judge_fingerprint = ?,"
            " response = 'r', score = 0.5, error_type = 'timeout' WHERE position = ?",
            [stage, status, asked, judged, number],
        )
    return [sample(f"t{number}") for number in range(len(STATES))]


@pytest.mark.parametrize("rejudge", [False, True])
@pytest.mark.parametrize("stages", [("rollout", "judge"), ("judge",), ("rollout",)])
@pytest.mark.parametrize("ask_again", [False, True])
def test_planned_again_a_sample_is_worked_on_from_the_stage_that_is_no_longer_what_it_would_be(
    manager: DBDataManager, run_id: int, rejudge: bool, stages: tuple[str, ...], ask_again: bool
) -> None:
    samples = standing_so(manager, run_id)
    before = list(manager.reader.samples(run_id))
    chosen = ChosenSamples(frozenset(one.id for one in before if one.id is not None), "ask") if ask_again else None
    plan = manager.plan(run_id, samples, rejudge=rejudge, stages=stages, chosen=chosen)
    expected = [decided(state, rejudge=rejudge, stages=stages, ask_again=ask_again) for state in STATES]
    assert counts(plan) == Counter(name for name, _ in expected)
    assert list(plan.to_do) == [one.id for one, (_, work) in zip(before, expected, strict=True) if work is not None]
    for was, now, (_, work) in zip(before, manager.reader.samples(run_id), expected, strict=True):
        if work is None:
            assert now == was
        else:
            stands = was.status if work == "judged" else "pending"  # a verdict stands until there is another one
            assert (now.stage, now.status, now.response) == (work, stands, "r")
            assert now.seq > was.seq
            asked = "a" if work == "init" else was.rollout_fingerprint
            assert (now.rollout_fingerprint, now.judge_fingerprint) == (asked, was.judge_fingerprint)
            assert now.error_type == ("timeout" if work == "judged" else None)


@pytest.mark.parametrize("only", [{"timeout"}, {"network"}, set[str]()])
def test_only_errors_of_some_types_are_asked_again_and_what_was_begun_goes_on(
    manager: DBDataManager, run_id: int, only: set[str]
) -> None:
    samples = standing_so(manager, run_id)
    before = list(manager.reader.samples(run_id))
    plan = manager.plan(run_id, samples, only=only)
    again = [
        decided(state, rejudge=False, stages=("rollout", "judge"), ask_again=False)[1] is not None
        if state[1] == "error" and "timeout" in only
        else state[1] == "pending"
        for state in STATES
    ]
    assert list(plan.to_do) == [one.id for one, wanted in zip(before, again, strict=True) if wanted]
    untouched = [one for one in before if not (one.status == "error" and "timeout" in only)]
    now = {one.id: one for one in manager.reader.samples(run_id)}
    assert all(now[one.id] == one for one in untouched)
    assert plan.unchanged >= len(untouched)


def test_of_chosen_samples_those_that_are_stored_are_planned_and_nothing_else(
    manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample(name) for name in "abc"])
    store_finished(manager, run_id)
    ids = manager.reader.head_ids(run_id)
    plan = manager.plan(
        run_id, [sample(name) for name in "abcd"], chosen=ChosenSamples(frozenset({ids[1], 999}), "ask")
    )
    assert (counts(plan), list(plan.to_do), plan.not_selected) == ({"ask_again": 1}, [ids[1]], 2)
    plan = manager.plan(run_id, [sample("a")], chosen=ChosenSamples(frozenset({ids[0]}), "judge"), rejudge=True)
    assert counts(plan) == {"judge_again": 1}


def test_what_may_not_have_changed_is_planned_as_if_it_were_read_again(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.core.store.manager.CHUNK", 2)
    states = [
        ("judged", "passed"), ("init", "error"), ("init", "pending"), ("rollout", "error"), ("rollout", "pending"),
        ("judged", "failed"), ("init", "pending"), ("init", "running"), ("init", "error"), ("judged", "pending"),
    ]  # fmt: skip
    other = manager.create_run("other", CONFIG)
    for each in (run_id, other):
        manager.plan(each, [sample(f"t{number}") for number in range(len(states))])
        for number, (stage, status) in enumerate(states):
            manager.database.run(
                "UPDATE individual_test_results SET stage = ?, status = ?, response = 'r', error_type = ?"
                " WHERE run_id = ? AND position = ?",
                [stage, status, "timeout" if status == "error" else None, each, number],
            )
    steps: list[int] = []
    plan = manager.plan_unchanged(run_id, len(states), progress=steps.append)
    whole = manager.plan(other, [sample(f"t{number}") for number in range(len(states))])
    assert plan is not None
    assert counts(plan) == counts(whole)
    assert (plan.not_selected, steps) == (0, [2, 4, 6])
    places = [[one.position for one in manager.load(found.to_do)] for found in (plan, whole)]
    assert places[0] == places[1] == [1, 2, 3, 4, 6, 7, 8, 9]
    told = [
        [(one.stage, one.status, one.response, one.error_type) for one in manager.reader.samples(each)]
        for each in (run_id, other)
    ]
    assert told[0] == told[1]
    assert manager.reader.run_by_id(run_id).passed_tests == 1
    assert manager.plan_unchanged(run_id, len(states) - 1) is None
    assert manager.plan_unchanged(run_id, len(states) + 1) is None
    manager.database.run(
        "UPDATE individual_test_results SET status = 'error', details = '{' WHERE run_id = ?", [run_id]
    )
    assert manager.plan_unchanged(run_id, len(states)) is None


def test_a_run_that_is_begun_is_held_before_anybody_sees_it_and_by_the_first_alone(manager: DBDataManager) -> None:
    found = manager.create_held_run("new", CONFIG, kind="speed")
    assert found is not None
    run_id, lock = found
    run = manager.reader.run_by_id(run_id)
    assert (run.exp_id, run.kind, run.model, run.alive) == ("new", "speed", CONFIG.model.model, True)
    assert set(run.live) == {"starting"}
    assert manager.create_held_run("new", CONFIG) is None
    lock.release()
    other = manager.create_held_run("other", CONFIG)
    assert other is not None
    other[1].release()
    assert manager.reader.run_by_id(other[0]).kind == "evaluation"


def test_a_start_notes_what_stood_before_and_keeps_the_configuration_where_none_is_given(
    manager: DBDataManager, run_id: int
) -> None:
    manager.update_run(run_id, status="stopped", reason="by hand")
    manager.begin(run_id)
    run = manager.reader.run_by_id(run_id)
    assert run.live["before"] | {"status": "stopped", "reason": "by hand"} == run.live["before"]
    assert (manager.configuration(run_id), "starting" in run.live) == (CONFIG, True)


def test_a_chunk_that_finds_no_room_is_tried_again_as_long_as_somebody_waits(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals, plan_chunk = ["full", "locked"], manager._plan_chunk
    waited: list[str] = []

    def refuse(*arguments: Any, **more: Any) -> None:
        if refusals:
            raise StoreError(refusals.pop())
        plan_chunk(*arguments, **more)

    def wait(error: StoreError) -> bool:
        waited.append(str(error))
        return True

    monkeypatch.setattr(manager, "_plan_chunk", refuse)
    assert counts(manager.plan(run_id, [sample("a")], wait=wait)) == {"new": 1}
    assert waited == ["locked", "full"]
    refusals.append("full")
    with pytest.raises(StoreError, match="full"):
        manager.plan(run_id, [sample("a")])


def test_a_stored_configuration_that_is_damaged_is_named_by_where(manager: DBDataManager, run_id: int) -> None:
    manager.database.run('UPDATE evaluation_runs SET config = \'{"epochs": "many"}\' WHERE id = ?', [run_id])
    with pytest.raises(StoreError, match="configuration of e is damaged"):
        manager.configuration(run_id)


@pytest.mark.parametrize("changed", [{"pass_needed": 1, "pass_of": 3}, {"pass_needed": 2, "pass_of": 2}])
def test_how_many_tries_must_pass_is_stored_without_asking(
    manager: DBDataManager, run_id: int, changed: dict[str, Any]
) -> None:
    manager.plan(run_id, [sample("a", pass_needed=1, pass_of=2)])
    store_finished(manager, run_id)
    plan = manager.plan(run_id, [sample("a", **changed)])
    assert (counts(plan), list(plan.to_do)) == ({"unchanged": 1}, [])
    (found,) = manager.reader.samples(run_id)
    assert {name: getattr(found, name) for name in changed} == changed


@pytest.mark.parametrize(
    ("stage", "status", "found"),
    [
        ("judged", "passed", "unchanged"), ("judged", "failed", "unchanged"), ("judged", "error", "retry"),
        ("rollout", "pending", "ask_again"), ("rollout", "passed", "ask_again"), ("rollout", "error", "retry"),
    ],
)  # fmt: skip
def test_an_answer_in_which_a_secret_was_masked_keeps_its_verdict_and_is_never_judged_again(
    manager: DBDataManager, run_id: int, stage: str, status: str, found: str
) -> None:
    manager.plan(run_id, [sample("a", flags=[FLAG])])
    manager.database.run("UPDATE individual_test_results SET stage = ?, status = ?", [stage, status])
    plan = manager.plan(run_id, [sample("a", judged="other")], rejudge=True)
    assert counts(plan) == {found: 1}
    assert len(plan.to_do) == (found != "unchanged")
    if found != "unchanged":
        assert next(iter(manager.reader.samples(run_id))).stage == "init"


def test_each_change_of_a_run_and_each_counting_is_one_that_viewers_are_told(
    manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample("a")])
    other = manager.create_run("other", CONFIG)
    at = manager.reader.run_by_id(run_id).seq, manager.reader.run_by_id(other).seq
    manager.update_run(run_id, reason="why")
    assert (manager.reader.run_by_id(run_id).seq, manager.reader.run_by_id(run_id).reason) == (at[0] + 1, "why")
    manager.recount(run_id)
    assert manager.reader.run_by_id(run_id).seq == at[0] + 2
    assert manager.reader.run_by_id(other).seq == at[1]


def test_nobody_waits_for_room_unless_somebody_is_asked_to(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.plan(run_id, [sample("a")])
    manager.database.run("UPDATE individual_test_results SET status = 'error', stage = 'rollout'")
    refusals = ["full", "full"]

    def refuse(*_: Any, **__: Any) -> None:
        if refusals:
            raise StoreError(refusals.pop())

    monkeypatch.setattr(manager, "_plan_chunk", refuse)
    with pytest.raises(StoreError, match="full"):
        manager.plan(run_id, [sample("a")])
    with pytest.raises(StoreError, match="full"):
        manager.plan_unchanged(run_id, 1)


@pytest.mark.parametrize(
    ("flags", "reason", "left", "said"),
    [
        ([OTHER_RULES], OF_OTHER_RULES, None, None),
        ([OTHER_RULES, "cut"], f"{OF_OTHER_RULES}: why", ["cut"], "why"),
        (["cut"], "why", ["cut"], "why"),
    ],
)
def test_a_verdict_whose_gold_came_back_is_marked_no_longer(
    manager: DBDataManager, run_id: int, flags: list[str], reason: str, left: list[str] | None, said: str | None
) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id, verdict_flags=flags, reason=reason)
    (one,) = manager.reader.head_ids(run_id)
    manager._unmark(one)
    found = manager.reader.sample(one)
    assert (found.verdict_flags, found.reason) == (left, said)


def test_a_closed_manager_holds_no_connection(manager: DBDataManager) -> None:
    assert not manager.database.is_closed()
    manager.close()
    assert manager.database.is_closed()


def test_a_line_of_the_log_has_the_runs_next_number(manager: DBDataManager, run_id: int) -> None:
    before = manager.reader.run_by_id(run_id).seq
    manager.add_event(run_id, "info", "making it")
    manager.add_event(run_id, "warning", "made")
    events = manager.reader.events(run_id, before)
    assert [(one.seq, one.kind, one.message) for one in events] == [
        (before + 1, "info", "making it"),
        (before + 2, "warning", "made"),
    ]
    assert manager.reader.run_by_id(run_id).seq == before + 2


def test_an_answer_stays_where_its_sandbox_or_tool_is_not_here_now_but_one_to_another_question_does_not(
    manager: DBDataManager, run_id: int
) -> None:
    def unjudgeable(name: str, **fields: Any) -> EvaluationSample:
        item = sample(name, **fields)
        item.status, item.error_type = "skipped", "sandbox_unavailable"
        return item

    manager.plan(run_id, [sample("a"), sample("b"), sample("c")])
    store_finished(manager, run_id)
    changed = unjudgeable("b")
    changed.rollout_fingerprint = "other"
    lost = sample("c")
    lost.status, lost.error_type = "skipped", "tool_unavailable"
    plan = manager.plan(run_id, [unjudgeable("a"), changed, lost, unjudgeable("d")])
    assert counts(plan) == {"unchanged": 2, "skipped": 2}
    assert not plan.to_do
    assert [planned(manager, run_id, sample(name)).status for name in "ac"] == ["passed", "passed"]
    assert {planned(manager, run_id, sample(name)).status for name in "bd"} == {"skipped"}
