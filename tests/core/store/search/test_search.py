"""Words are found in what was asked and answered, in any script, as it stands now."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.control import delete_run
from core.store.reader import Reader
from core.store.reviews import Said, say
from core.store.search.find import Hit, find, folded, grep, hits, parse_search
from core.store.search.index import SearchIndex, index_path
from core.store.search.text import expression, indexed, words_of
from tests.fixtures.old_databases import NAMES, unpack
from tests.tui.stores import StoreMaker, sample

CALLS = [
    {"role": "user", "content": "What is the weather in Zürich?"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "1", "name": "get_weather", "arguments": {"city": "Zürich"}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": '{"sky": "drizzle"}'},
    {"role": "assistant", "content": "It rains."},
]
SAMPLES = [
    sample("math", 1, 1, "passed", response="The tolerance is five\nand the total is twelve."),
    sample(
        "math",
        2,
        2,
        "failed",
        response="I refuse.",
        reasoning="tolerance, tolerance, tolerance",
        system_prompt="A tutor",
    ),
    sample("sql", 3, 3, "failed", response="首都是北京，价格是十二元。", prompt="中国的首都在哪里？"),
    sample("sql", 4, 4, "failed", response="Harganya tidak diketahui, mungkin seratus rupiah."),
    sample("tool", 1, 5, "failed", response="It rains.", transcript=CALLS),
    sample("tool", 1, 6, "error", error_message="the provider said overloaded"),
    sample("tool", 1, 7, "pending", prompt="tolerance of what waits"),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


@pytest.fixture
def filled(store: StoreMaker) -> StoreMaker:
    store.run("r", samples=[*SAMPLES])
    return store


def in_step(reader: Reader) -> SearchIndex:
    index = SearchIndex(reader.path)
    for one in index.behind(reader):
        index.catch_up(reader, one.run_id, batch=2)
    return index


def found(store: StoreMaker, typed: str, runs: list[int] | None = None, *, begins: bool = False) -> list[str]:
    reader = store.manager.reader
    index = in_step(reader)
    search = parse_search(typed, runs, begins=begins)
    ids = find(reader, index, search).ids
    index.close()
    return [head.test_id for head in reader.heads_by_id(ids)]


def hit_of(store: StoreMaker, typed: str) -> Hit:
    reader = store.manager.reader
    index = in_step(reader)
    search = parse_search(typed)
    (hit,) = hits(reader, find(reader, index, search).ids, search)
    index.close()
    return hit


@pytest.mark.parametrize(
    ("typed", "tests"),
    [
        ("tolerance", {"math_1_1", "math_2_2"}),
        ("TOLERANCE five", {"math_1_1"}),
        ('"tolerance is five"', {"math_1_1"}),
        ('"five tolerance"', set()),
        ("toler*", {"math_1_1", "math_2_2"}),
        ("tolerance -five", {"math_2_2"}),
        ("role:thinking tolerance", {"math_2_2"}),
        ("role:answer,thinking tolerance status:failed", {"math_2_2"}),
        ("role:system tutor", {"math_2_2"}),
        ("tutor", set()),
        ("首都", {"sql_3_3"}),
        ("价格是", {"sql_3_3"}),
        ("是价格", set()),
        ("十二 北京", {"sql_3_3"}),
        ("rupiah mungkin", {"sql_4_4"}),
        ("zurich", {"tool_1_5"}),
        ("drizzle", {"tool_1_5"}),
        ("tool:get_weather", {"tool_1_5"}),
        ("tool:get_weather tolerance", set()),
        ("rains domain:tool score<0.5", {"tool_1_5"}),
        ("overloaded status:error", {"tool_1_6"}),
        ("rains run:other", set()),
        ("rains run:r model:gpt", {"tool_1_5"}),
        ("label:none tolerance", {"math_1_1", "math_2_2"}),
        ('"; DROP TABLE words; --', set()),
        ("AND OR NOT NEAR(", set()),
    ],
)
def test_what_is_typed_finds_the_samples_that_hold_it(filled: StoreMaker, typed: str, tests: set[str]) -> None:
    assert set(found(filled, typed)) == tests


def test_a_word_that_is_being_typed_is_found_by_its_beginning(filled: StoreMaker) -> None:
    assert found(filled, "toleran", begins=True) != []
    assert found(filled, "toleran") == []


def test_the_sample_that_is_most_about_it_comes_first(filled: StoreMaker) -> None:
    assert found(filled, "tolerance")[0] == "math_2_2"


def test_notes_are_found_as_soon_as_they_are_taken(filled: StoreMaker) -> None:
    reader = filled.manager.reader
    say(reader, reader.sample(4), "ann", Said(note="gold is rounded"))
    assert found(filled, "rounded") == ["sql_4_4"]
    assert found(filled, "rounded role:answer") == []
    assert found(filled, "gold role:note") == ["sql_4_4"]
    hit = hit_of(filled, "rounded")
    assert hit.place is not None
    assert (hit.place.role, hit.place.line) == ("note", "gold is rounded")


@pytest.mark.parametrize(
    ("typed", "role", "number", "line", "text"),
    [
        ("total", "answer", 2, "and the total is twelve.", "total"),
        ("首都 role:prompt", "prompt", 1, "中国的首都在哪里？", "首都"),
        ("zurich role:tools", "tools", 1, 'get_weather {"city": "Zürich"}', "Zürich"),
        ("drizzle", "tools", 2, '{"sky": "drizzle"}', "drizzle"),
    ],
)
def test_a_hit_stands_in_its_line(filled: StoreMaker, typed: str, role: str, number: int, line: str, text: str) -> None:
    place = hit_of(filled, typed).place
    assert place is not None
    assert (place.role, place.number, place.line, place.found) == (role, number, line, text)


def test_an_answer_that_changed_is_found_by_what_it_is_now(filled: StoreMaker) -> None:
    assert found(filled, "refuse") == ["math_2_2"]
    filled.finish(filled.run_id("r"), "math_2_2", "failed", response="I comply.")
    assert (found(filled, "refuse"), found(filled, "comply")) == ([], ["math_2_2"])


def test_a_deleted_run_is_found_no_more_and_one_that_takes_its_id_is(filled: StoreMaker) -> None:
    assert found(filled, "tolerance") != []
    filled.manager.delete_run(filled.run_id("r"))
    assert found(filled, "tolerance") == []
    filled.run(
        "s", samples=[sample("math", 1, 1, "passed", response="tolerance anew")], started_at="2027-01-01T00:00:00.000Z"
    )
    assert filled.run_id("s") == filled.run_id("r")
    assert found(filled, "tolerance") == ["math_1_1"]
    assert found(filled, "tolerance", [filled.run_id("s")]) == ["math_1_1"]
    assert found(filled, "tolerance", [99]) == []


@pytest.mark.parametrize("others", [3, 0])
def test_the_words_of_a_deleted_run_are_nowhere_in_the_index_any_more(store: StoreMaker, others: int) -> None:
    store.run("gone", samples=[sample("m", 1, 1, "passed", response="the quixotryx secret")])
    if others:
        kept = [sample("m", 1, number, "passed", response="kept saunteringly") for number in range(others)]
        store.run("kept", samples=kept)
    in_step(store.manager.reader).close()
    files = [path for path in store.path.parent.iterdir() if ".search" in path.name]
    assert any(b"quixotryx" in path.read_bytes() for path in files)
    delete_run(store.path, store.run_id("gone"))
    assert not any(b"quixotryx" in path.read_bytes() for path in files if path.exists())
    assert found(store, "quixotryx") == []
    assert len(found(store, "saunteringly")) == others


@pytest.mark.parametrize(("most", "left"), [(4, 0), (6, 20)])
def test_a_large_run_is_forgotten_with_the_whole_index_and_a_small_one_by_itself(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch, most: int, left: int
) -> None:
    monkeypatch.setattr("core.store.search.index.WORD_BY_WORD", most)
    store.run("gone", samples=[sample("m", 1, number, "passed", response="quixotryx " * 999) for number in range(6)])
    store.run("kept", samples=[sample("m", 2, number, "passed", response="saunteringly") for number in range(20)])
    in_step(store.manager.reader).close()
    delete_run(store.path, store.run_id("gone"))
    assert b"quixotryx" not in index_path(store.path).read_bytes()
    index = SearchIndex(store.path)
    assert index.rows("SELECT count(*) FROM documents", []) == [(left,)]
    index.close()
    assert len(found(store, "saunteringly")) == 20


_KILLED_FORGETTING = """
import os, signal, sqlite3, sys
from pathlib import Path
from core.store.reader import Reader
from core.store.search.index import SearchIndex
reader = Reader(Path(sys.argv[1]))
index = SearchIndex(reader.path)
def look(action, first, second, database, trigger):
    if database == "vacuum_db" and action == sqlite3.SQLITE_INSERT:
        os.kill(os.getpid(), signal.SIGKILL)
    return sqlite3.SQLITE_OK
index._connection.set_authorizer(look)
index.forget_run(reader, int(sys.argv[2]))
"""


def test_a_kill_while_an_index_is_made_small_leaves_it_whole(store: StoreMaker) -> None:
    texts = [sample("m", 1, number, "passed", response=f"quixotryx{number} common") for number in range(50)]
    run = store.run("r", samples=texts)
    in_step(store.manager.reader).close()
    killed = subprocess.run([sys.executable, "-c", _KILLED_FORGETTING, store.path, str(run)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(found(store, "common")) == 50
    delete_run(store.path, run)
    files = [path for path in store.path.parent.iterdir() if ".search" in path.name]
    assert not any(b"quixotryx" in path.read_bytes() for path in files)


def test_an_index_from_which_taking_out_was_cut_short_is_whole_after_the_next_search(store: StoreMaker) -> None:
    run = store.run("r", samples=[sample("m", 1, number, "passed", response="sauntering") for number in range(9)])
    store.run("s", samples=[sample("m", 2, number, "passed", response="other") for number in range(20)])
    reader = store.manager.reader
    index = in_step(reader)
    index._forget_batch(reader, run, 0, 4)
    index.close()
    assert len(found(store, "sauntering")) == 9


def test_a_judgement_takes_nothing_into_the_index_again(filled: StoreMaker) -> None:
    in_step(filled.manager.reader).close()
    filled.finish(filled.run_id("r"), "math_2_2", "passed")
    index = in_step(filled.manager.reader)
    ((documents, given),) = index.rows("SELECT count(*), max(docid) FROM documents", [])
    index.close()
    assert documents == given


def test_an_index_that_is_mostly_of_what_was_is_made_anew(store: StoreMaker) -> None:
    run = store.run(
        "r", samples=[sample("m", 1, number, "passed", response=f"first {number}") for number in range(600)]
    )
    in_step(store.manager.reader).close()
    for word in ("second", "third"):
        database = store.manager.database
        database.run("UPDATE evaluation_runs SET seq = seq + 1000 WHERE id = ?", [run])
        database.run("UPDATE individual_test_results SET response = ? || id, seq = seq + 1000", [f"{word} "])
        in_step(store.manager.reader).close()
    assert len(found(store, "third*")) == 500
    index = SearchIndex(store.path)
    assert index.rows("SELECT max(docid) FROM documents", []) == [(600,)]
    index.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_an_older_modex_is_searched_and_not_changed(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    before = path.read_bytes()
    reader = Reader(path)
    index = in_step(reader)
    first = next(head for run in reader.runs() for head in reader.heads(run.id) if head.stage == "judged")
    word = next(word for word in words_of(reader.sample(first.id).prompt) if len(word) > 3)
    search = parse_search(f'"{word}"')
    assert first.id in find(reader, index, search, limit=5000).ids
    index.close()
    reader.close()
    assert path.read_bytes() == before
    assert index_path(path).stat().st_mode & 0o777 == 0o600


def test_a_damaged_index_is_made_anew(filled: StoreMaker) -> None:
    assert found(filled, "tolerance") != []
    for suffix in ("-wal", "-shm"):
        Path(f"{index_path(filled.path)}{suffix}").unlink(missing_ok=True)
    index_path(filled.path).write_bytes(b"SQLite format 3\0 is not what follows" * 100)
    assert found(filled, "tolerance") != []


_KILLED = """
import sys
from pathlib import Path
from core.engine.control import delete_run
from core.store.reader import Reader
from core.store.search.index import SearchIndex
reader = Reader(Path(sys.argv[1]))
index = SearchIndex(reader.path)
print("ready", flush=True)
for one in index.behind(reader):
    index.catch_up(reader, one.run_id, batch=3, progress=lambda taken: print(taken, flush=True))
"""


@pytest.mark.process
def test_an_index_whose_maker_was_killed_is_whole_and_goes_on(store: StoreMaker) -> None:
    texts = [sample("m", 1, number, "passed", response=f"word{number} common") for number in range(3000)]
    store.run("r", samples=texts)
    with subprocess.Popen([sys.executable, "-c", _KILLED, store.path], stdout=subprocess.PIPE, text=True) as maker:
        assert maker.stdout is not None
        for _ in range(5):
            assert maker.stdout.readline()
        os.kill(maker.pid, signal.SIGKILL)
    reader = store.manager.reader
    index = SearchIndex(store.path)
    assert index.rows("PRAGMA quick_check", []) == [("ok",)]
    ((documents, reach),) = index.rows("SELECT (SELECT count(*) FROM documents), (SELECT seq FROM runs)", [])
    assert 0 < documents == reach < 3000
    assert index.behind(reader)[0].samples == 3000 - documents
    index.close()
    index = in_step(reader)
    assert index.rows("SELECT count(*) FROM words WHERE words MATCH 'common'", []) == [(3000,)]
    index.close()


def test_regular_expressions_are_looked_for_in_every_text(filled: StoreMaker) -> None:
    reader = filled.manager.reader
    assert [hit.head.test_id for hit in grep_all(reader, r"total.*twel\w+")] == ["math_1_1"]
    (hit,) = grep_all(reader, r"^价格|北.，")
    assert hit.place is not None
    assert hit.place.found == "北京，"
    assert grep_all(reader, "TOTAL") == []
    assert [hit.head.test_id for hit in grep_all(reader, "TOTAL", ignore_case=True)] == ["math_1_1"]
    assert grep_all(reader, "rains", typed="status:passed") == []


def test_a_pattern_that_never_ends_is_given_up_for_a_text_and_said(store: StoreMaker) -> None:
    store.run("r", samples=[sample("m", 1, 1, "passed", response="a" * 60 + "!")])
    found = list(
        grep(store.manager.reader, r"(a|aa)+$", parse_search("role:answer"), ignore_case=False, timeout_s=0.05)
    )
    assert [item for item in found if isinstance(item, Hit)] == []
    assert "could not be searched" in str(found[0])


def grep_all(reader: Reader, pattern: str, *, typed: str = "", ignore_case: bool = False) -> list[Hit]:
    found = list(grep(reader, pattern, parse_search(typed), ignore_case=ignore_case))
    assert not [item for item in found if isinstance(item, str)]
    return [item for item in found if isinstance(item, Hit)]


@given(st.text())
def test_nothing_that_is_typed_is_an_error_of_the_index(typed: str) -> None:
    import sqlite3

    search = parse_search(typed, begins=True)
    asked = expression(list(search.words), search.roles, search.tools, begins=True) if search.roles else ""
    with sqlite3.connect(":memory:") as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5(system, prompt, answer, thinking, tools, tags, content='')"
        )
        if asked:
            connection.execute(
                "SELECT rowid FROM words WHERE words MATCH ?",
                [asked.encode("utf-8", "replace").decode().replace("\0", " ")],
            )
    connection.close()


@given(st.text())
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    assert len(folded(text)) == len(text)


@given(st.text(alphabet="首都是北京价格", min_size=1), st.text(), st.text())
def test_any_part_of_a_text_without_spaces_is_a_phrase_of_it(part: str, before: str, after: str) -> None:
    assert indexed(part).split() == list(part)
    assert indexed(part) in indexed(before + part + after)


def test_turns_are_searched_as_they_read(store: StoreMaker) -> None:
    turns: list[dict[str, Any]] = [{"role": "user", "content": "first\nsecond"}]
    store.run("r", samples=[sample("m", 1, 1, "passed", prompt=json.dumps(turns))])
    assert found(store, "second") == ["m_1_1"]
    assert found(store, "content") == []
