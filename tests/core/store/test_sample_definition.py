"""What a test says beside its question is one typed value: read from any file, read as a mapping, refused where it is none."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.pipeline.preparation import preprocess_one
from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.store.columns import DamagedValueError
from modex.core.store.definition import Definition
from modex.core.store.exact import decode_json
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.sample import (
    SAMPLE_COLUMNS,
    SAMPLE_FIELDS,
    EvaluationSample,
    stored_values,
    turns_of,
    without_verdict,
)
from modex.core.store.simulated import SimulatedUser
from tests.core.store.stores import CONFIG, sample, store_finished
from tests.fixtures.old_databases import NAMES, unpack
from tests.rows import each_row

FULL: dict[str, Any] = {
    "file": "test_definitions/d/level_1/t.json",
    "line": 3,
    "rollout": "agentic",
    "tool_ids": ["clock"],
    "tools": [{"id": "own", "name": "own"}],
    "timeout_ms": 500,
    "max_iterations": 8,
    "tool_faults": {"clock": ["error"]},
    "tool_state": {"held": "A"},
    "tool_setup": {"rooms": 2},
    "sandbox": {"packages": ["numpy==2.3"], "limits": {"seconds": 3}},
    "simulated_user": {"goal": "to leave"},
    "likelihood": {"context": "Q", "options": ["a", "b"]},
    "metadata": {"k": [1, "\ud800"]},
    "turns": [{"role": "user", "content": "a\x00"}],
    "attachments": [{"name": "a.png", "path": "/s/a.png", "digest": "0"}],
    "mine": {"of": "a plugin"},
}


@pytest.mark.process
def test_every_field_is_stored_by_its_name_and_comes_back(tmp_path: Path) -> None:
    assert set(FULL) - {"mine"} == {item.name for item in fields(Definition)} - {"more"}
    manager = DBDataManager(tmp_path / "modex.db")
    run_id = manager.create_run("r", CONFIG)
    manager.plan(run_id, [sample("a", definition=FULL), sample("b")])
    full, empty = manager.reader.samples(run_id)
    manager.close()
    for name in set(FULL) - {"mine"}:
        assert getattr(full.definition, name) == FULL[name], name
    assert full.definition.more == {"mine": {"of": "a plugin"}}
    assert full.definition.as_json() == FULL
    assert (empty.definition.as_json(), empty.definition.rollout, empty.definition.line) == ({}, "direct", 1)
    assert stored_values(full)["definition"] == {**FULL, "attachments": [{"name": "a.png", "digest": "0"}]}


_DEFINITIONS = (
    "{}", '{"file":"a","line":3}', '{"line":3,"file":"a"}', '{"file":"","line":1}', '{"file":"a","line":true}', '{"line":2}',
    '{"file":"a","line":3,"metadata":{},"mine":1}', '{"file":3,"line":1}', "[]", "{",
    '{"attachments":[{"name":"a.png","path":"/s/a.png"}],"file":"a","line":1}',
)  # fmt: skip


def test_a_sample_as_a_document_says_what_the_sample_says(tmp_path: Path) -> None:
    manager = DBDataManager(tmp_path / "modex.db")
    run_id = manager.create_run("r", CONFIG)
    manager.plan(run_id, [sample(str(n)) for n in range(len(_DEFINITIONS))])
    store_finished(manager, run_id, details={"got": "5", "expected": "4"})
    rows = [(text, number) for number, text in enumerate(_DEFINITIONS, start=1)]
    manager.database.run_many("UPDATE individual_test_results SET definition = ? WHERE id = ?", rows)
    manager.database.run("UPDATE individual_test_results SET reason = 'so' WHERE id = 2")
    manager.database.run('UPDATE individual_test_results SET simulated_user = \'{"turns": 2, "odd": 1}\' WHERE id = 3')
    manager.database.run("UPDATE individual_test_results SET score = 'much' WHERE id = 4")
    said = [{**stored_values(one), "reason": one.why} for one in manager.reader.samples(run_id)]
    documents = [dict(zip(SAMPLE_FIELDS, values, strict=True)) for values in manager.reader.documents(run_id)]
    assert [*map(json.dumps, documents)] == [*map(json.dumps, said)]
    assert {one["error_type"] for one in said} == {None, "damaged_row"}
    manager.close()


@pytest.mark.parametrize("name", NAMES)
def test_what_0_1_0_stored_is_read_whole(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        stored = dict(connection.execute("SELECT id, definition FROM individual_test_results").fetchall())
    reader = Reader(path)
    read = {one.id: one.definition for run in reader.runs() for one in reader.samples(run.id)}
    reader.close()
    assert {id_: found.as_json() for id_, found in read.items()} == {id_: decode_json(v) for id_, v in stored.items()}
    assert all(found.file for found in read.values())


def test_a_plugin_reads_it_as_the_mapping_it_was() -> None:
    found = Definition.of(FULL)
    assert (found["turns"], found.get("timeout_ms"), "mine" in found) == (FULL["turns"], 500, True)
    assert dict(found) == {**found} == FULL == found
    assert set(found) == set(FULL)
    assert len(found) == len(FULL)
    plain = Definition(file="t.json")
    assert (plain.get("metadata", {}), plain.get("rollout", "direct"), plain["line"]) == ({}, "direct", 1)
    assert "turns" not in plain
    with pytest.raises(KeyError):
        plain["turns"]


@each_row(
    "wrong",
    [
        {"file": 1}, {"line": "1"}, {"line": True}, {"rollout": "loud"}, {"tool_ids": "clock"}, {"tool_ids": [1]},
        {"tools": ["own"]}, {"timeout_ms": "soon"}, {"max_iterations": 1.5}, {"metadata": []}, {"turns": ["hello"]},
    ],
)  # fmt: skip
def test_what_is_none_is_named_by_its_key(wrong: dict[str, Any]) -> None:
    (key,) = wrong
    with pytest.raises(ValueError, match=f"`{key}`"):
        EvaluationSample(definition=wrong)  # type: ignore[arg-type]
    with pytest.raises(DamagedValueError, match=f"`definition` holds `{key}`"):
        SAMPLE_COLUMNS["definition"].decode(SAMPLE_COLUMNS["definition"].encode(wrong))


class _Changing(BaseProcesser):
    source = "changing"

    def preprocess_one(self, sample: EvaluationSample) -> EvaluationSample:
        """Change the definition in the way that the prompt names."""
        given: dict[str, Any] = {"dict": {"timeout_ms": 5}, "replace": replace(sample.definition, timeout_ms=5)}
        sample.definition = given.get(sample.prompt, {"turns": 7})
        return sample


def test_a_processer_may_leave_another_one_or_a_dict_and_is_told_of_what_is_none() -> None:
    PROCESSER_FACTORY.register(_Changing)
    try:
        for way in ("dict", "replace"):
            found = preprocess_one(EvaluationSample(source="changing", prompt=way))
            assert found is not None
            assert type(found.definition) is Definition
            assert found.definition.timeout_ms == 5
        refused = preprocess_one(EvaluationSample(source="changing", prompt="else"))
        assert refused is not None
        assert refused.status == "skipped"
        assert "_Changing.preprocess_one left a `definition`" in str(refused.error_message)
        assert "`turns`" in str(refused.error_message)
        assert type(refused.definition) is Definition
    finally:
        PROCESSER_FACTORY._classes.pop("changing")
        PROCESSER_FACTORY._instances.pop("changing", None)


@pytest.mark.process
def test_who_played_the_user_is_stored_and_said_as_json(tmp_path: Path) -> None:
    user = SimulatedUser(
        "demo/hasty", turns=3, ended="left", fault="left_early", why="w", prompt_tokens=5, cost_usd=None
    )
    manager = DBDataManager(tmp_path / "modex.db")
    run_id = manager.create_run("r", CONFIG)
    manager.plan(run_id, [sample("a", simulated_user=user, tool_state={"held": {"a": 1}}), sample("b")])
    full, empty = manager.reader.samples(run_id)
    manager.close()
    assert (full.simulated_user, full.tool_state) == (user, {"held": {"a": 1}})
    assert (empty.simulated_user, empty.tool_state) == (None, None)
    assert stored_values(full)["simulated_user"] == user.as_json()
    assert SimulatedUser.of({**user.as_json(), "more": 1}) == user
    for wrong in ({"turns": "3"}, {"model": 1}, {"cost_usd": "a"}, {"turns": True}):
        with pytest.raises(ValueError, match="of another form"):
            SimulatedUser.of(wrong)


KINDS: dict[str, tuple[list[Any], list[Any]]] = {
    "file": (["", "a"], [None, 1]),
    "line": ([1, 7], [None, "1", True, 1.5]),
    "rollout": (["direct", "agentic", "reasoning"], [None, "loud", 1]),
    "tool_ids": ([[], ["a"]], [None, "a", ["a", 1]]),
    "tools": ([[], [{}]], [None, {}, [{}, "a"]]),
    "timeout_ms": ([None, 5, 0.5], ["5", True]),
    "max_iterations": ([None, 3], [1.5, True, "3"]),
    "tool_faults": ([{}, {"a": ["error"]}], [None, [], {"a": "error"}, {"a": ["b"], "c": [1]}]),
    "tool_state": ([{}, {"a": 1}], [None, []]),
    "tool_setup": ([{}, {"a": 1}], [None, "a"]),
    "simulated_user": ([{}, {"a": 1}], [None, "a"]),
    "metadata": ([None, {}, {"a": 1}], [[], "a"]),
    "turns": ([None, [], [{"a": 1}]], [{}, ["a"]]),
    "attachments": ([None, [], [{"a": 1}]], [{}, ["a"]]),
}
"""What each field may hold, and what it may not."""


@each_row("name", KINDS)
def test_a_field_holds_what_it_can_and_is_stored_where_it_is_not_at_its_default(name: str) -> None:
    right, wrong = KINDS[name]
    default = getattr(Definition(), name)
    for value in right:
        found = Definition.of({name: value, "mine": 1})
        assert getattr(found, name) == (default if value is None else value)
        stored = found.as_json()
        assert stored.pop("mine") == 1
        if name in ("file", "line"):
            assert stored == ({} if value == default else {"file": "", "line": 1, name: value})
        else:
            assert stored == ({} if value in (None, default) else {name: value})
    for value in wrong:
        with pytest.raises(ValueError, match=f"`{name}` of another form"):
            Definition.of({name: value})


@each_row(
    ("value", "kept"),
    [
        ({"file": "a", "line": 1}, True),
        ({"file": "", "line": 2}, True),
        ({"file": "", "line": 1}, False),
        ({"line": 2, "file": "a"}, False),
        ({"file": "a", "line": 1, "mine": 1}, False),
    ],
)
def test_most_that_is_stored_is_what_would_be_stored(value: dict[str, Any], kept: bool) -> None:
    found = Definition.normal(value)
    assert (found is value) == kept
    assert found == Definition.of(value).as_json()
    for wrong in ({"file": 1, "line": 1}, {"file": "a", "line": True}):
        with pytest.raises(ValueError, match="of another form"):
            Definition.normal(wrong)


def test_what_is_no_object_is_no_definition_and_one_that_is_is_itself() -> None:
    one = Definition(file="a")
    assert Definition.of(one) is one
    with pytest.raises(ValueError, match="list, which is no object"):
        Definition.of(["file"])  # type: ignore[arg-type]


def test_a_sample_without_a_verdict_keeps_its_answer_and_where_it_stands() -> None:
    judged = EvaluationSample(
        response="r",
        status="passed",
        stage="judged",
        score=1.0,
        reason="so",
        details={"a": 1},
        judge_fingerprint="j",
        error_type="e",
    )
    without_verdict(judged)
    assert judged == EvaluationSample(response="r", status="passed", stage="judged", error_type="e")
    assert turns_of(EvaluationSample(prompt="p")) == ["p"]
    asked = EvaluationSample(prompt="p", definition={"turns": [{"content": "a"}, {}]})  # type: ignore[arg-type]
    assert turns_of(asked) == ["a", ""]
    assert EvaluationSample(flags=["a"], verdict_flags=["b"]).noted == ("a", "b")
    assert EvaluationSample(flags=["a"]).noted == ("a",)
