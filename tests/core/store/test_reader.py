"""What viewers ask of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import StoreError
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader, SampleQuery, expected_text, run_query
from modex.core.store.tables import EvaluationRun
from tests.core.store.stores import CONFIG, sample, store_finished


@pytest.fixture
def reader(manager: DBDataManager) -> Iterator[Reader]:
    opened = Reader(manager.path)
    yield opened
    opened.close()


def names(reader: Reader, **wanted: Any) -> list[str]:
    """The runs that match, by name."""
    return [run.exp_id for run in reader.runs(**wanted)]


@pytest.fixture
def runs(manager: DBDataManager) -> dict[str, int]:
    """Three finished runs with different figures."""
    ids = {}
    for number, (name, model) in enumerate([("alpha", "openai/gpt"), ("beta", "demo"), ("alpine", "OpenAI/GPT-b")]):
        ids[name] = manager.create_run(name, RunConfig(model=ModelSpec(model=model)))
        manager.update_run(
            ids[name],
            status="completed",
            started_at=f"2026-01-0{number + 1}T00:00:00.000Z",
            overall_score=[0.5, None, 0.9][number],
            cost_usd=float(number),
            error_tests=2 - number,
            duration_ms=[5, 9, 7][number],
        )
    return ids


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("started", ["alpine", "beta", "alpha"]),
        ("exp_id", ["alpha", "alpine", "beta"]),
        ("score", ["alpine", "alpha", "beta"]),
        ("cost", ["alpine", "beta", "alpha"]),
        ("duration", ["beta", "alpine", "alpha"]),
        ("errors", ["alpha", "beta", "alpine"]),
    ],
)
def test_runs_come_in_the_order_asked_for(
    reader: Reader, runs: dict[str, int], order: str, expected: list[str]
) -> None:
    assert names(reader, order=order) == expected


def test_unfinished_runs_stand_on_top(reader: Reader, runs: dict[str, int], manager: DBDataManager) -> None:
    manager.update_run(runs["alpha"], status="running")
    assert names(reader)[0] == "alpha"


def test_runs_are_found_by_part_of_name_or_model_in_any_case(reader: Reader, runs: dict[str, int]) -> None:
    assert names(reader, text="ALP") == ["alpine", "alpha"]
    assert names(reader, model="gpt") == ["alpine", "alpha"]
    assert names(reader, status="completed", text="b") == ["alpine", "beta"]
    assert reader.count_runs(text="%") == 0


def test_a_page_of_runs_is_a_page(reader: Reader, runs: dict[str, int]) -> None:
    assert names(reader, order="exp_id", limit=1, offset=1) == ["alpine"]


def test_a_run_is_found_by_the_only_name_that_begins_so(reader: Reader, runs: dict[str, int]) -> None:
    assert reader.run("be").exp_id == "beta"
    assert reader.run("alpha").exp_id == "alpha"


@pytest.mark.parametrize(("given", "said"), [("alp", "alpine, alpha"), ("betta", "beta"), ("", "`modex runs`")])
def test_an_unclear_name_is_answered_with_near_ones(
    reader: Reader, runs: dict[str, int], given: str, said: str
) -> None:
    with pytest.raises(StoreError, match=said):
        reader.run(given)


def test_a_run_that_nobody_holds_is_interrupted_not_running(
    reader: Reader, manager: DBDataManager, run_id: int
) -> None:
    assert (reader.run("e").state, reader.run("e").alive) == ("interrupted", False)
    with RunLock(manager.path, run_id, "e"):
        assert (reader.run("e").state, reader.run("e").alive) == ("running", True)
    assert reader.run("e").state == "interrupted"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (SampleQuery(), "abcd"),
        (SampleQuery(domains=("d",)), "acd"),
        (SampleQuery(levels=(2, 3)), "cd"),
        (SampleQuery(domains=("d",), levels=(1,)), "a"),
        (SampleQuery(test_ids=("b", "c")), "bc"),
        (SampleQuery(sources=("other",)), "d"),
        (SampleQuery(statuses=("skipped",)), "b"),
        (SampleQuery(text="NAME_"), "c"),
        (SampleQuery(text="100%"), "a"),
        (SampleQuery(text="\\"), "d"),
    ],
)
def test_samples_are_chosen_by_every_field(
    reader: Reader, manager: DBDataManager, run_id: int, query: SampleQuery, expected: str
) -> None:
    manager.plan(
        run_id,
        [
            sample("a", name="100%"),
            sample("b", domain="e", status="skipped"),
            sample("c", level=2, name="name_x"),
            sample("d", level=3, source="other", name="back\\slash"),
        ],
    )
    assert "".join(head.test_id for head in reader.heads(run_id, query)) == expected
    assert reader.count(run_id, query) == len(expected)
    assert "".join(item.test_id for item in reader.samples(run_id, query)) == expected
    ids = reader.head_ids(run_id, query)
    assert "".join(head.test_id for head in reader.heads_by_id(ids)) == expected


def test_a_head_holds_the_beginning_of_long_texts(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a", expected="x" * 5000)])
    store_finished(manager, run_id, response="y" * 5000)
    (head,) = reader.heads(run_id)
    assert head.extracted_answer == "y" * 200
    assert len(head.expected or "") == 200
    assert expected_text(head).startswith('"xxx')


@pytest.mark.parametrize(
    ("expected", "shown"),
    [(4, "4"), ("Paris", "Paris"), ({"type": "numeric", "value": 18}, "18"), (None, ""), (["a"], '["a"]')],
)
def test_an_expected_answer_is_shown_short(
    reader: Reader, manager: DBDataManager, run_id: int, expected: object, shown: str
) -> None:
    manager.plan(run_id, [sample("a", expected=expected)])
    assert expected_text(reader.heads(run_id)[0]) == shown


def test_changes_are_found_by_the_last_number_seen(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(5)])
    everything = reader.changes(run_id, 0)
    assert [head.test_id for head in everything] == list("01234")
    assert [head.test_id for head in reader.changes(run_id, everything[2].seq)] == ["3", "4"]
    assert [head.test_id for head in reader.changes(run_id, 0, limit=2)] == ["0", "1"]


def test_what_finished_is_told_once_and_what_was_only_planned_is_passed_over(
    reader: Reader, manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(5)])
    heads, seen = reader.finished(run_id, 0)
    assert (heads, seen) == ([], reader.run_by_id(run_id).seq)
    store_finished(manager, run_id)
    told: list[str] = []
    while (found := reader.finished(run_id, seen, limit=2))[1] != seen:
        told += [head.test_id for head in found[0]]
        seen = found[1]
    assert sorted(told) == list("01234")
    assert reader.finished(run_id, seen) == ([], seen)


def test_more_samples_than_a_page_come_once_each(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample(str(number)) for number in range(1201)])
    assert [item.test_id for item in reader.samples(run_id)] == [str(number) for number in range(1201)]


def test_what_is_gone_is_said_to_be_gone(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    with pytest.raises(StoreError, match="deleted"):
        reader.run_by_id(99)
    with pytest.raises(StoreError, match="gone"):
        reader.sample(99)
    assert reader.heads_by_id([99]) == []


def test_two_readers_in_two_threads_do_not_disturb_each_other(manager: DBDataManager, run_id: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    manager.plan(run_id, [sample(str(number)) for number in range(50)])
    reader = Reader(manager.path)

    def count(_: int) -> int:
        found = reader.count(run_id)
        reader.close()
        return found

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(count, range(20))) == {50}
    reader.close()


def test_configurations_of_lists_hold_no_secret_field(manager: DBDataManager) -> None:
    run_id = manager.create_run("k", CONFIG)
    assert not any("key" in name for name in manager.reader.run_by_id(run_id).config["model"])


def test_the_path_is_kept_for_messages(reader: Reader, manager: DBDataManager) -> None:
    assert reader.path == Path(manager.path)


def test_no_name_at_all_names_no_run(manager: DBDataManager, run_id: int) -> None:
    assert manager.reader.run("e").id == run_id
    with pytest.raises(StoreError, match="no run named ''"):
        manager.reader.run("")


def test_heads_come_in_the_order_in_which_they_are_asked_for(manager: DBDataManager, run_id: int) -> None:
    ids = manager.plan(run_id, [sample(name) for name in "abc"]).to_do
    wanted = [ids[2], 10**6, ids[0], ids[1]]
    assert [head.id for head in manager.reader.heads_by_id(wanted)] == [ids[2], ids[0], ids[1]]


def copied(manager: DBDataManager, table: str, times: int, **changed: str) -> None:
    """So many copies of the table's first row; `changed` are expressions of the copy's number `x`, from 1."""
    columns = [str(row[1]) for row in manager.database.rows(f"PRAGMA table_info({table})") if row[1] != "id"]
    manager.database.run(
        f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {times}) INSERT INTO {table}"
        f" ({', '.join(columns)}) SELECT {', '.join(changed.get(name, name) for name in columns)} FROM {table}, c"
        f" WHERE {table}.id = (SELECT min(id) FROM {table})"
    )


@pytest.mark.long
def test_lists_hold_so_many_unless_more_are_asked_for(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    store_finished(manager, run_id)
    copied(manager, "evaluation_runs", 1000, exp_id="'r' || x")
    copied(manager, "individual_test_results", 5000, test_id="'t' || x", position="x", seq="10 + x")
    manager.database.run(
        "INSERT INTO run_events (run_id, seq, at, kind, message) VALUES (?, 1, '', 'info', 'm')", [run_id]
    )
    copied(manager, "run_events", 1000, seq="x + 1")
    manager.database.run("UPDATE evaluation_runs SET seq = 5010 WHERE id = ?", [run_id])
    assert (len(reader.runs()), len(reader.runs(limit=1001)), reader.count_runs()) == (1000, 1001, 1001)
    assert (len(reader.heads(run_id)), len(reader.changes(run_id, 0))) == (1000, 5000)
    heads, seen = reader.finished(run_id, 0)
    assert (len(heads), seen) == (5000, heads[-1].seq)
    events = reader.events(run_id)
    assert (len(events), events[0].seq, events[-1].seq) == (1000, 2, 1001)
    assert [one.seq for one in reader.events(run_id, 999)] == [1000, 1001]
    ids = reader.head_ids(run_id)
    told: list[int] = []
    reader.on_samples = told.append
    assert [one.id for one in reader.samples(run_id)] == ids
    assert sum(told) == 5001
    assert [head.id for head in reader.heads_by_id(ids)] == ids
    assert [*reader.details_by_id(ids)] == ids


def test_what_was_found_of_limits_is_the_last_that_was_said(
    reader: Reader, manager: DBDataManager, run_id: int
) -> None:
    assert reader.found_limits(run_id) == ""
    for seq, kind, message in ((1, "limit", "four"), (2, "limit", "eight"), (3, "info", "other")):
        manager.database.run(
            "INSERT INTO run_events (run_id, seq, at, kind, message) VALUES (?, ?, '', ?, ?)",
            [run_id, seq, kind, message],
        )
    assert reader.found_limits(run_id) == "eight"
    assert reader.found_limits(99) == ""


@pytest.fixture
def measured(manager: DBDataManager) -> list[int]:
    """The ids of five samples: two of another domain's, with figures."""
    run_id = manager.create_run("m", CONFIG)
    figures = [
        ("a", 0.5, 30, 1, 10),
        ("b", None, 10, 5, 5),
        ("a", 0.25, 20, 9, 9),
        ("a", 1.0, 40, 2, 0),
        ("b", 0.5, 0, 0, 0),
    ]
    manager.plan(run_id, [sample(str(n), domain=domain) for n, (domain, *_) in enumerate(figures)])
    for number, (_, score, duration, prompt, completion) in enumerate(figures):
        manager.database.run(
            "UPDATE individual_test_results SET score = ?, duration_ms = ?, prompt_tokens = ?, completion_tokens = ?,"
            " details = ?, transcript = ? WHERE test_id = ?",
            [
                score,
                duration,
                prompt,
                completion,
                f'{{"n": {number}}}',
                '[{"a":"é"}]' if number == 1 else "[]",
                str(number),
            ],
        )
    return manager.reader.head_ids(run_id)


@pytest.mark.parametrize(
    ("sort", "turned", "order"),
    [
        ("score", False, [2, 0, 4, 3, 1]),
        ("score", True, [3, 0, 4, 2, 1]),
        ("time", False, [3, 0, 2, 1, 4]),
        ("time", True, [4, 1, 2, 0, 3]),
        ("tokens", False, [2, 0, 1, 3, 4]),
        ("tokens", True, [4, 3, 1, 0, 2]),
    ],
)
def test_samples_are_sorted_the_worst_or_largest_first_and_those_without_a_score_last(
    reader: Reader, measured: list[int], sort: str, turned: bool, order: list[int]
) -> None:
    run = reader.run("m").id
    assert reader.sorted_ids(run, SampleQuery(), sort, turned=turned) == [measured[place] for place in order]
    assert reader.sorted_ids(run, SampleQuery(domains=("b",)), sort)[0] in (measured[1], measured[4])


def test_samples_around_one_are_those_before_and_from_it_on(reader: Reader, measured: list[int]) -> None:
    run, everything, a, b, c, d, e = reader.run("m").id, SampleQuery(), *measured
    assert reader.ids_around(run, everything, c, 1) == ([b], [c])
    assert reader.ids_around(run, everything, d, 2) == ([b, c], [d, e])
    assert reader.ids_around(run, SampleQuery(domains=("a",)), c, 9) == ([a], [c, d])
    assert reader.ids_around(run, SampleQuery(domains=("b",)), c, 1) == ([], [b])
    assert reader.ids_around(run, everything, None, 2) == ([], [a, b])


def test_parts_of_samples_are_read_by_themselves(reader: Reader, measured: list[int]) -> None:
    run = reader.run("m").id
    assert reader.details_by_id([measured[3], 999, measured[0]]) == {measured[0]: {"n": 0}, measured[3]: {"n": 3}}
    assert [*reader.names(run)] == [(domain, 1, str(n)) for n, domain in enumerate("abaab")]
    assert [*reader.names(run, SampleQuery(domains=("b",)))] == [("b", 1, "1"), ("b", 1, "4")]
    assert [reader.bytes_of_transcript(id_) for id_ in (measured[1], measured[0], 999)] == [12, 2, 0]
    whole, without = reader.sample(measured[1]), reader.sample_without_transcript(measured[1])
    assert (whole.transcript, without.transcript, without.details) == ([{"a": "é"}], [], {"n": 1})
    with pytest.raises(StoreError, match="sample 999 is gone"):
        reader.sample_without_transcript(999)
    assert [one.id for one in reader.samples_by_id([measured[2], 999, measured[0]])] == [measured[2], measured[0]]
    assert reader.samples_by_id([]) == []


def test_scores_of_domains_and_cells_are_those_that_were_stored(reader: Reader, manager: DBDataManager) -> None:
    runs = [manager.create_run(name, CONFIG) for name in ("one", "two", "three")]
    for run, domain, level, score in (
        (runs[0], "z", None, 0.5),
        (runs[0], "a", None, None),
        (runs[0], "z", 1, 0.9),
        (runs[1], "b", None, 1),
    ):
        manager.database.run(
            "INSERT INTO test_results (run_id, domain, level, score, status, total_tests, passed_tests, failed_tests,"
            " error_tests, total_tokens, duration_ms) VALUES (?, ?, ?, ?, '', 0, 0, 0, 0, 0, 0)",
            [run, domain, level, score],
        )
    manager.database.run(
        "INSERT INTO test_results (run_id, domain, score, status, total_tests, passed_tests, failed_tests,"
        " error_tests, total_tokens, duration_ms) VALUES (?, 'c', 'x', '', 0, 0, 0, 0, 0, 0)",
        [runs[1]],
    )
    assert reader.domain_scores(runs[:2]) == {runs[0]: [("z", 0.5), ("a", None)], runs[1]: [("b", 1.0), ("c", None)]}
    assert reader.domain_scores([runs[2]]) == {}


@pytest.fixture(scope="module")
def figured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DBDataManager]:
    """Four runs with every figure that lists are ordered by and filters ask for."""
    manager = DBDataManager(tmp_path_factory.mktemp("figured") / "m.db")
    rows: list[dict[str, Any]] = [
        {
            "overall_score": 0.5,
            "bound_low": 0.1,
            "unsettled": 1,
            "bound_high": 0.9,
            "pace": {"tokens_per_s": {"median": 20}, "first_ms": {"median": 500}},
            "archived": True,
            "note": "Kept",
            "total_tests": 3,
            "passed_tests": 2,
        },
        {
            "overall_score": 0.25,
            "pace": {"tokens_per_s": {"median": 30}, "first_ms": {"median": 1500}},
            "prompt_tokens": 5,
            "completion_tokens": 7,
        },
        {"overall_score": None, "pace": {}, "kind": "speed", "duration_ms": 1500, "status": "stopped"},
        {"overall_score": 0.75, "pace": {"first_ms": {"median": 100}}, "error_tests": 2, "cost_usd": 0.5},
    ]
    for number, (name, columns) in enumerate(zip("wxyz", rows, strict=True)):
        run = manager.create_run(name, RunConfig(model=ModelSpec(model=f"m{number % 2}")))
        manager.update_run(
            run, **{"status": "completed", "started_at": f"2026-01-0{number + 1}T00:00:00.000Z", **columns}
        )
    yield manager
    manager.close()


@pytest.mark.parametrize(
    ("order", "names_", "turned"),
    [
        ("started", "zyxw", "wxyz"),
        ("model", "ywzx", "xzwy"),
        ("score", "zxwy", "wxzy"),
        ("speed", "xwyz", "wxyz"),
        ("first", "zwxy", "xwzy"),
        ("errors", "zyxw", "wxyz"),
        ("exp_id", "wxyz", "zyxw"),
        ("duration", "ywxz", None),
        ("cost", "zwxy", None),
    ],
)
def test_a_list_of_runs_can_be_turned_round_and_a_run_be_found_in_it(
    figured: DBDataManager, order: Any, names_: str, turned: str | None
) -> None:
    reader = figured.reader
    assert "".join(names(reader, order=order)) == names_
    if turned is not None:
        assert "".join(names(reader, order=order, turned=True)) == turned
    ids = {run.exp_id: run.id for run in reader.runs()}
    if len({*names_}) == 4 and order not in ("duration", "cost"):
        assert [reader.place_of_run(ids[name], order=order) for name in names_] == [0, 1, 2, 3]
    assert reader.place_of_run(ids["w"], text="m1") is None
    assert reader.place_of_run(ids["w"], archived=False) is None
    assert reader.place_of_run(999) is None


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("score>=50", "zw"),
        ("score<26", "x"),
        ("tests=3", "w"),
        ("passed>1", "w"),
        ("errors=2", "z"),
        ("cost>0.4", "z"),
        ("tokens=12", "x"),
        ("seconds=1.5", "y"),
        ("speed>25", "x"),
        ("first<=0.5", "zw"),
        ("first>1.4", "x"),
        ("archived=yes", "w"),
        ("archived=no", "zyx"),
        ("kind=speed", "y"),
        ("note~kept", "w"),
        ("status=stopped", "y"),
        ("run=w", "w"),
        ("model=m1", "zx"),
        ("started>2026-01-03", "zy"),
    ],
)
def test_runs_are_filtered_by_what_they_show(figured: DBDataManager, typed: str, found: str) -> None:
    reader = figured.reader
    conditions = run_query(typed).conditions
    assert "".join(names(reader, conditions=conditions)) == found
    assert reader.count_runs(conditions=conditions) == len(found)


def test_runs_are_chosen_by_whether_they_were_put_away_and_by_the_state_that_is_shown(figured: DBDataManager) -> None:
    reader = figured.reader
    assert (names(reader, archived=True), names(reader, archived=False)) == (["w"], ["z", "y", "x"])
    assert reader.count_runs(archived=True, text="w") == 1
    run = figured.create_run("going", CONFIG)
    assert (names(reader, status="interrupted"), names(reader, status="running")) == (["going"], [])
    with RunLock(figured.path, run, "going"):
        assert (
            names(reader, status="running")
            == names(reader, conditions=run_query("status=running").conditions)
            == ["going"]
        )
    figured.delete_run(run)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ('{"query": "SELECT 1", "type": "sql"}', "SELECT 1"),
        ('{"reference": ["a"]}', '["a"]'),
        ('{"other": 1}', ""),
        ('{"value": null, "query": 2}', "null"),
        ('{"type": "n", "value": "a \\"b\\" and lo', 'a \\"b\\" and lo'),
        ('{"query":"SEL', "SEL"),
        ('{"other": "x', ""),
        ('["a", "b', '["a", "b'),
    ],
)
def test_an_expected_answer_that_was_cut_off_is_shown_as_far_as_it_goes(
    reader: Reader, manager: DBDataManager, run_id: int, stored: str, shown: str
) -> None:
    manager.plan(run_id, [sample("a")])
    manager.database.run("UPDATE individual_test_results SET expected = ?", [stored])
    assert expected_text(reader.heads(run_id)[0]) == shown


def test_near_names_are_told_of_a_name_that_begins_no_run_the_newest_six_of_those_that_begin_so(
    reader: Reader, manager: DBDataManager
) -> None:
    for number in range(8):
        manager.create_run(f"run-{number}", CONFIG)
    with pytest.raises(StoreError, match=r"did you mean run-7, run-6, run-5, run-4, run-3, run-2[?]"):
        reader.run("run")
    with pytest.raises(StoreError, match="; `modex runs` lists them"):
        reader.run("entirely else")


def test_earlier_verdicts_come_the_oldest_first(reader: Reader, manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a"), sample("b")])
    ids = reader.head_ids(run_id)
    for id_, judge in ((ids[0], "one"), (ids[1], "other"), (ids[0], "two")):
        manager.database.run(
            "INSERT INTO earlier_verdicts (run_id, result_id, judge_fingerprint, evaluator_id, status, details, pass2_used)"
            " VALUES (?, ?, ?, 'e', 'failed', '{\"a\": 1}', 0)",
            [run_id, id_, judge],
        )
    found = reader.earlier_verdicts(ids[0])
    assert [one["judge_fingerprint"] for one in found] == ["one", "two"]
    assert (found[0]["details"], found[0]["status"]) == ({"a": 1}, "failed")


def test_a_run_that_ends_while_it_is_looked_at_is_not_called_interrupted(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def becomes(status: str) -> None:
        manager.database.change(EvaluationRun.update({"status": status}).where(EvaluationRun.id == run_id))

    def held(_path: Path, _run: int) -> bool:
        becomes("completed")
        return False

    becomes("running")

    monkeypatch.setattr("modex.core.store.reader.is_held", held)
    assert manager.reader.run("e").state == "completed"
