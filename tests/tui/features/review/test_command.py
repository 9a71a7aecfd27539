"""`modex review` and `modex labels` without a screen."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.manager import DBDataManager
from tests.server import Reply
from tests.tui.commands.conftest import Shell, assert_clean


def give(shell: Shell, test_id: str, said: HumanVerdict, author: str = "ann") -> None:
    with contextlib.closing(DBDataManager(shell.database)) as manager:
        reader = manager.reader
        (found,) = (item for item in reader.samples(reader.run("e").id) if item.test_id == test_id)
        say(reader, found, author, said)


def test_a_draw_goes_out_without_verdicts_and_comes_back_with_labels(mixed: Shell, tmp_path: Path) -> None:
    called = mixed("review", "e", "--draw", "-", "--as", "ann", "--order", "failures")
    records = [json.loads(line) for line in called.out.splitlines()]
    assert [record["test_id"] for record in records] == ["w"]
    assert not {"status", "score"} & records[0].keys()
    assert_clean(called)
    path = tmp_path / "filled.jsonl"
    path.write_text(json.dumps({**records[0], "label": "said no", "verdict": "agree"}))
    assert "1 stored" in mixed("review", "e", "--import", path).err
    assert "1 as they stand" in mixed("review", "e", "--import", path).err
    (item,) = mixed("review", "e", "--json").data["items"]
    assert (item["author"], item["verdict"], item["own_verdict"], item["label"]) == (
        "ann",
        "agree",
        "failed",
        "said no",
    )
    assert mixed("review", "e", "--export", "-", "--format", "csv").out.startswith("run,source,domain,level,test_id,")


def test_a_label_with_a_comma_is_found_in_quotes(mixed: Shell, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"test_id": "w", "label": "wrong unit, sign"}\n')
    assert mixed("review", "e", "--import", path).code == 0
    for filter_, found in (('label:"wrong unit, sign"', 1), ("label:other,'wrong unit, sign'", 1), ("label:other", 0)):
        called = mixed("show", "e", "--filter", filter_, "--json")
        assert (called.code, len(called.data)) == (0, found), called.err


def test_what_cannot_be_brought_in_is_named_and_the_exit_code_says_so(mixed: Shell, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"test_id": "nope", "label": "a"}\n{"test_id": "w", "label": "b"}\n')
    called = mixed("review", "e", "--import", path)
    assert called.code == 2
    assert f"{path}:1: e: nope: no such sample; correct the line" in called.err
    assert "1 stored" in called.err


def test_labels_survive_a_judgement_and_a_changed_prompt_marks_them_stale(mixed: Shell) -> None:
    give(mixed, "w", HumanVerdict("failed", label="said no", note="again"))
    mixed("judge", "e", "--all")
    assert mixed("labels", "--json").data["labels"][0]["label"] == "said no"
    mixed("resume", "e", "--headless")
    assert mixed("labels", "--json").data["stale"] == 0
    mixed.suite([{"id": "w", "prompt": "wrong!", "expected": {"keywords": ["no"]}, "level": 2}])
    mixed.server.behave(lambda _: Reply("no, never"))
    mixed.run()
    data = mixed("labels", "e", "--json").data
    assert (data["read"], data["stale"], data["labels"]) == (0, 1, [])
    assert "changed since" in mixed("labels").out
    (item,) = mixed("review", "e", "--json").data["items"]
    assert (item["label"], item["note"], item["stale"]) == ("said no", "again", True)


def test_labels_are_counted_and_renamed(mixed: Shell) -> None:
    assert "nobody has reviewed" in mixed("labels").out
    give(mixed, "w", HumanVerdict("failed", label="said no"))
    give(mixed, "h", HumanVerdict("failed", label="\x1b[31mred"), "bob")
    called = mixed("labels", "e")
    assert "2 answers read by 2, 2 with a label" in called.out
    assert_clean(called)
    data = mixed("labels", "--json").data
    assert [(one["label"], one["number"], one["read"]) for one in data["labels"]] == [
        ("\x1b[31mred", 1, 2),
        ("said no", 1, 2),
    ]
    assert data["agreement"]["agreed"]["number"] == 1
    assert "1 review: said no is now refused" in mixed("labels", "--rename", "said no", "refused").err
    assert [one["label"] for one in mixed("labels", "--as", "ann", "--json").data["labels"]] == ["refused"]


def test_a_screen_that_cannot_open_says_what_works_without_one(mixed: Shell) -> None:
    called = mixed("review", "e")
    assert called.code == 2
    assert "--draw, --export and --import work without a screen" in called.err
    assert mixed("review", "e", "--draw", "-", "--export", "-").code == 2
    assert "did you mean status" in mixed("review", "e", "--draw", "-", "--filter", "statu:x").err


def test_what_has_a_label_is_shown_exported_compared_judged_and_asked_again(mixed: Shell) -> None:
    give(mixed, "w", HumanVerdict("failed", label="said no"))
    wanted = ("--filter", 'label:"said no"')
    assert [one["test_id"] for one in mixed("show", "e", *wanted, "--json").data] == ["w"]
    assert [one["test_id"] for one in mixed("export", "e", *wanted).data["samples"]] == ["w"]
    hits = len(mixed.server.requests)
    mixed("judge", "e", *wanted)
    assert len(mixed.server.requests) == hits
    mixed("resume", "e", *wanted, "--headless")
    assert len(mixed.server.requests) == hits + 1
    mixed.run(*wanted, exp_id="other")
    assert [one["test_id"] for one in mixed("export", "other").data["samples"]] == ["w"]
    compared = mixed("compare", "e", "other", *wanted, "--json").data
    assert (compared["only_first"], list(compared["domains"])) == ([], ["d"])
    assert "nobody said so" in mixed.run("--filter", "label:gone", exp_id="third").err
    assert "no sample matches" in mixed("resume", "e", "--filter", "label:gone", "--headless").err
