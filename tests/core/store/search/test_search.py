"""Words are found in what was asked and answered, in any script, as it stands now."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.engine.control import delete_run
from modex.core.features.review.query import HumanVerdict, say
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.store.reader import Reader
from modex.core.store.search import find as find_module
from modex.core.store.search.find import (
    FoundAt,
    Hit,
    _in_line,
    _pattern,
    _place,
    count,
    find,
    folded,
    grep,
    hits,
    parse_search,
)
from modex.core.store.search.index import SearchIndex, index_path
from modex.core.store.search.text import SEARCHED, expression, indexed, words_of
from tests.fixtures.old_databases import NAMES, unpack
from tests.rows import each_row
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
    say(reader, reader.sample(4), "ann", HumanVerdict(note="gold is rounded"))
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
    monkeypatch.setattr("modex.core.store.search.index.WORD_BY_WORD", most)
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
from modex.core.store.reader import Reader
from modex.core.store.search.index import SearchIndex
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
from modex.core.engine.control import delete_run
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.store.reader import Reader
from modex.core.store.search.index import SearchIndex
reader = Reader(Path(sys.argv[1]))
index = SearchIndex(reader.path)
print("ready", flush=True)
for one in index.behind(reader):
    index.catch_up(reader, one.run_id, batch=3, progress=lambda taken: print(taken, flush=True))
"""


@pytest.mark.long
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


def test_signs_alone_are_no_words() -> None:
    assert words_of('- "-" -- -a b- "" -"c d"') == ["-a", "b-", "-c d"]


def test_a_line_begins_behind_the_end_of_the_one_before_also_where_that_is_empty() -> None:
    assert _place("answer", "\nabc", 1, 4) == FoundAt("answer", "abc", 0, 3, 2)
    assert _place("answer", "abc", 0, 3) == FoundAt("answer", "abc", 0, 3, 1)


def test_in_runs_that_are_none_nothing_is_found(filled: StoreMaker) -> None:
    reader = filled.manager.reader
    with closing(in_step(reader)) as index:
        for search in (parse_search("tolerance", []), parse_search("tolerance run:none")):
            assert find(reader, index, search, limit=5).ids == ()


def test_a_run_whose_rows_went_back_or_that_began_anew_is_taken_in_anew(filled: StoreMaker) -> None:
    reader = filled.manager.reader
    run = filled.run_id("r")
    with closing(in_step(reader)) as index:
        assert index.behind(reader) == []
        for change in ("seq = seq - 1", "seq = seq + 1"):
            filled.manager.database.run(f"UPDATE individual_test_results SET {change}")
            found = index.behind(reader)
            assert [one.run_id for one in found] == [run], change
            while index.take_batch(reader, run, 100):
                pass
            assert index.behind(reader) == []
        filled.manager.update_run(run, started_at="2020-01-01T00:00:00.000Z")
        assert [one.run_id for one in index.behind(reader)] == [run]


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


def test_what_is_typed_is_read_into_words_roles_and_filters() -> None:
    search = parse_search('"a b" -c role:answer,note model:gpt run:r score<0.5 tool:add', [3])
    assert (search.words, search.roles, search.notes, search.tools, search.run_ids) == (
        ("a b", "-c"), ("answer",), True, ("add",), (3,),
    )  # fmt: skip
    assert [one.field for one in search.conditions] == ["score"]
    assert [one.field for one in search.runs] == ["model", "run"]
    assert (search.problem, search.wants_nothing) == ("", False)
    plain = parse_search("a")
    assert (plain.roles, plain.notes, plain.run_ids, plain.conditions) == (SEARCHED, True, None, ())
    assert (parse_search("role:answer").notes, parse_search("role:note").roles) == (False, ())
    unknown = parse_search("role:odd,answer a")
    assert (unknown.roles, unknown.problem) == (
        ("answer",), "no role 'odd'; there are system, prompt, answer, thinking, tools, note",
    )  # fmt: skip
    assert [parse_search(typed).wants_nothing for typed in ("", "status:failed", "tool:a", "-a")] == [
        True,
        True,
        False,
        False,
    ]


@each_row(
    ("text", "start", "end", "place"),
    [
        ("one two", 4, 7, ("one two", 4, 7, 1)),
        ("a\nbc\nd", 2, 4, ("bc", 0, 2, 2)),
        ("x" * 100 + "hit", 100, 103, ("x" * 60 + "hit", 60, 63, 1)),
        ("x" * 60 + "hit", 60, 63, ("x" * 60 + "hit", 60, 63, 1)),
        ("hit" + "y" * 300, 0, 3, ("hit" + "y" * 200, 0, 3, 1)),
        ("\n\nhit", 2, 5, ("hit", 0, 3, 3)),
    ],
)
def test_a_place_is_its_line_cut_around_it_where_it_is_long(
    text: str, start: int, end: int, place: tuple[str, int, int, int]
) -> None:
    found = _place("answer", text, start, end)
    assert (found.line, found.start, found.end, found.number) == place
    assert found.found == text[start:end]


@each_row(
    ("words", "begins", "text", "hit"),
    [
        (["cat"], False, "concat Cat", "Cat"),
        (["cat*"], False, "cats", "cat"),
        (["cat"], False, "cats", None),
        (["cat"], True, "cats", "cat"),
        (["dog", "cat"], True, "cats", "cat"),
        (["cat", "dog"], True, "cats", None),
        (["a b"], False, "A - B", "A - B"),
        (["-cat", "dog"], False, "cat dog", "dog"),
        (["都"], False, "首都是", "都"),
        (["zurich"], False, "in Zürich", "Zürich"),
        (["-cat"], False, "cat", None),
        (["cat"], False, "", None),
    ],
)
def test_a_line_is_found_by_whole_words_whatever_their_case_and_accents(
    words: list[str], begins: bool, text: str, hit: str | None
) -> None:
    place = _in_line("answer", text, _pattern(words, begins=begins))
    assert (place.found if place is not None else None) == hit


def test_many_runs_and_filters_are_looked_through_as_few_are(filled: StoreMaker) -> None:
    run = filled.run_id("r")
    assert found(filled, "tolerance", [run, *range(100, 160)]) == found(filled, "tolerance", [run])
    assert found(filled, "tolerance", list(range(100, 160))) == found(filled, "tolerance", []) == []
    reader = filled.manager.reader
    index = in_step(reader)
    search = parse_search("tolerance")
    one = find(reader, index, search, limit=1)
    assert (len(one.ids), one.more) == (1, True)
    both = find(reader, index, search, limit=2)
    assert (len(both.ids), both.more) == (2, False)
    assert (count(index, search), count(index, parse_search("role:note tolerance"))) == (2, 0)
    index.close()


def test_of_more_samples_than_are_ranked_the_newest_are_and_it_is_said(
    filled: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = filled.manager.reader
    index = in_step(reader)
    monkeypatch.setattr(find_module, "RANKED", 2)
    assert not find(reader, index, parse_search("tolerance")).more
    monkeypatch.setattr(find_module, "RANKED", 1)
    newest = find(reader, index, parse_search("tolerance"))
    assert (len(newest.ids), newest.more) == (1, True)
    assert len(find(reader, index, parse_search("tolerance level>0")).ids) == 2
    index.close()


def test_notes_come_first_and_once_and_a_regular_expression_looks_into_them_too(filled: StoreMaker) -> None:
    reader = filled.manager.reader
    ids = {head.test_id: head.id for head in reader.heads(filled.run_id("r"))}
    say(reader, reader.sample(ids["sql_4_4"]), "ann", HumanVerdict(note="Tolerance is off"))
    say(reader, reader.sample(ids["math_1_1"]), "ann", HumanVerdict(note="tolerance again"))
    say(reader, reader.sample(ids["math_1_1"]), "bob", HumanVerdict(note="tolerance, once more"))
    assert found(filled, "tolerance") == ["math_1_1", "sql_4_4", "math_2_2"]
    assert found(filled, "tolerance -five role:note") == ["math_1_1", "sql_4_4"]
    assert found(filled, "-tolerance") == []
    search = parse_search("tolerance")
    places = [hit.place for hit in hits(reader, [ids["math_1_1"], 999, ids["sql_4_4"]], search)]
    assert [(place.role, place.line) for place in places if place] == [
        ("note", "tolerance, once more"),
        ("note", "Tolerance is off"),
    ]
    assert {hit.head.test_id for hit in grep_all(reader, "is off|tutor")} == {"sql_4_4"}
    assert [hit.head.test_id for hit in grep_all(reader, "is off", typed="role:answer")] == []
    hit = next(iter(grep_all(reader, "is off")))
    assert (hit.run_id, hit.exp_id, hit.model) == (filled.run_id("r"), "r", "openai/gpt-5-mini")
    with pytest.raises(ConfigurationError, match=r"-E .*correct it"):
        grep_all(reader, "(")


def test_every_run_is_looked_through_the_newest_first(store: StoreMaker) -> None:
    many = [sample("m", 1, number, "passed", response="needle") for number in range(51)]
    store.run("old", samples=many)
    store.run("new", samples=many[:2])
    found_ = grep_all(store.manager.reader, "needle")
    assert [hit.exp_id for hit in found_] == ["new"] * 2 + ["old"] * 51
    assert len(grep_all(store.manager.reader, "needle", typed="run:old")) == 51


def test_an_index_stands_beside_its_database_or_among_the_caches_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index_path(tmp_path / "m.db") == tmp_path / "m.db.search"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("modex.core.store.search.index.os.access", lambda *_: False)
    elsewhere = index_path(tmp_path / "m.db")
    assert elsewhere.parent == tmp_path / "cache" / "modex"
    assert elsewhere.name.startswith("search-")
    assert len(elsewhere.stem) == len("search-") + 16
    assert index_path(tmp_path / "n.db") != elsewhere


def test_an_index_of_another_form_is_made_anew(filled: StoreMaker) -> None:
    index = in_step(filled.manager.reader)
    index._connection.execute("UPDATE meta SET value = '0'")
    index.close()
    again = SearchIndex(filled.path)
    assert again.rows("SELECT value FROM meta WHERE name = 'format'", []) == [("1",)]
    assert again.rows("SELECT count(*) FROM documents", []) == [(0,)]
    assert [(one.run_id, one.samples) for one in again.behind(filled.manager.reader)] == [(filled.run_id("r"), 7)]
    with pytest.raises(StoreError, match="the search index cannot be used"):
        again.rows("SELECT nothing FROM documents", [])
    again.close()


def test_a_batch_takes_what_changed_since_and_what_was_never_asked_is_no_document(filled: StoreMaker) -> None:
    reader, run = filled.manager.reader, filled.run_id("r")
    index = SearchIndex(filled.path)
    assert [index.take_batch(reader, run, 3) for _ in range(4)] == [3, 3, 1, 0]
    assert index.rows("SELECT count(*) FROM documents", []) == [(6,)]
    assert index.behind(reader) == []
    filled.finish(run, "tool_1_7", "passed", response="now")
    assert [one.samples for one in index.behind(reader)] == [1]
    told: list[int] = []
    asked = iter([False, True])
    assert index.catch_up(reader, run, batch=1, progress=told.append, stop=lambda: next(asked)) is False
    assert index.catch_up(reader, run, progress=told.append) is True
    assert told == [1, 0]
    assert index.rows("SELECT count(*) FROM documents", []) == [(7,)]
    index.close()


@pytest.mark.parametrize(
    ("given", "kept", "taken_out", "waste"),
    [
        (1001, 667, 0, True),
        (1001, 668, 0, False),
        (1000, 0, 0, False),
        (1500, 999, 0, True),
        (1500, 1000, 0, False),
        (1500, 400, 900, False),
    ],
)
def test_an_index_is_mostly_waste_where_a_third_of_what_it_was_given_is_gone(
    store: StoreMaker, given: int, kept: int, taken_out: int, waste: bool
) -> None:
    index = SearchIndex(store.path)
    connection = index._connection
    connection.execute("INSERT INTO documents (docid, result_id, run_id, digest) VALUES (?, 0, 0, '')", [given])
    connection.execute("DELETE FROM documents")
    connection.execute(
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < ?) INSERT INTO documents"
        " SELECT x, x, 0, '' FROM c WHERE ? > 0",
        [kept, kept],
    )
    connection.execute("INSERT INTO meta VALUES ('taken_out', ?)", [taken_out])
    assert index._mostly_waste() is waste
    index.close()
