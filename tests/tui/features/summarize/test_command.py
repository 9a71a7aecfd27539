"""A note on a run, by a person or by a model that must cite counted facts."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli import call, keyword_tests, reading, write_suite
from tests.server import Reply, serve


def ran(tmp_path: Path) -> Path:
    suite = write_suite(tmp_path / "suite", [*keyword_tests(2, word="the"), *keyword_tests(1, word="zebra", level=2)])
    database = tmp_path / "m.db"
    with serve() as server:
        server.behave(Reply("The answer is in the text, and the reader finds it there without any help."))
        call(
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--headless", "--exp-id", "e",
            "--db", database,
        )  # fmt: skip
    return database


def test_a_person_notes(tmp_path: Path) -> None:
    database = ran(tmp_path)
    assert call("note", "e", "the first try", "--db", database).code == 0
    assert call("note", "e", "--db", database).out.strip() == "the first try"
    assert call("note", "e", "--clear", "--db", database).code == 0
    assert call("note", "e", "--db", database).out == ""
    assert call("note", "e", "x", "--clear", "--db", database).code == 2


def test_a_model_sums_up_only_what_was_counted(tmp_path: Path) -> None:
    database = ran(tmp_path)
    call("note", "e", "mine", "--db", database)
    reply = {
        "strengths": [
            {"text": "2 of 3 tests pass.", "facts": ["F2"]},
            {"text": "It is fast.", "facts": []},
            {"text": "99 tests pass.", "facts": ["F2"]},
            {"text": "It is known.", "facts": ["F99"]},
        ],
        "weaknesses": [{"text": "Level 2 fails.", "facts": ["F5"]}],
        "patterns": "none",
    }
    with serve() as server:
        server.behave(Reply(json.dumps(reply)))
        called = call("summarize", "e", "--model", "openai/w", "--api-base", server.url, "--db", database, "--json")
        assert called.code == 0, called.err
        asked = server.requests[-1].messages[0]["content"]
    assert "F2: 2 of 3 scored tests passed" in asked
    assert [(row["kind"], row["text"]) for row in called.data["statements"]] == [
        ("strengths", "2 of 3 tests pass."), ("weaknesses", "Level 2 fails."),
    ]  # fmt: skip
    assert called.data["left_out"] == 3
    with reading(database) as reader:
        note = reader.run("e").note or ""
    assert note.startswith("mine\n\nWritten by openai/w from ")
    assert "2 of 3 tests pass. [2 of 3 scored tests passed]" in note
    assert "99 tests" not in note


def test_a_reply_without_a_summary_leaves_the_note_alone(tmp_path: Path) -> None:
    database = ran(tmp_path)
    with serve() as server:
        server.behave(Reply("It went well."))
        called = call("summarize", "e", "--with", "openai/w", "--api-base", server.url, "--db", database)
    assert (called.code, "no summary in the form" in called.err) == (2, True)
    with reading(database) as reader:
        assert reader.run("e").note is None
