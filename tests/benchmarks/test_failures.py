"""The corpus of planted failures, read by somebody who knows the help and no more: the kinds come out, every note traceable."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.failures import EXP_ID, KINDS, fill, planted
from modex.core.statistics.intervals import wilson
from tests.cli import call
from tests.server import Reply, serve

READER: dict[str, Callable[[str], bool]] = {
    "wrong unit": lambda said: " km" in said,
    "refused": lambda said: "cannot help" in said,
    "cut off": lambda said: not said.rstrip().endswith((".", "!")),
    "other language": lambda said: "Jawabannya" in said,
    "ignored a constraint": lambda said: "two sentences" in said,
    "off by ten": lambda said: "shifting the decimal" in said,
}
"""What a person sees in an answer, from the text alone."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "modex.db"
    fill(path)
    return path


def test_the_kinds_come_out_of_reading_and_every_note_is_traceable(database: Path, tmp_path: Path) -> None:
    drawn = call(
        "review", EXP_ID, "--draw", "-", "--order", "failures", "--number", "120", "--as", "reader", "--db", database
    )
    records = [json.loads(line) for line in drawn.out.splitlines()]
    assert len(records) == 120
    for number, record in enumerate(records):
        kind = next(name for name, sees in READER.items() if sees(record["response"]))
        record |= {
            "label": kind,
            "own_verdict": "failed",
            "created_at": f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}.000Z",
        }
        record["note"] = f"seen in {record['test_id']}"
    filled = tmp_path / "filled.jsonl"
    filled.write_text("\n".join(json.dumps(record) for record in records))
    assert "120 stored" in call("review", EXP_ID, "--import", filled, "--db", database).err
    counted = call("labels", EXP_ID, "--json", "--db", database).data
    assert {one["label"]: one["number"] for one in counted["labels"]} == dict.fromkeys(KINDS, 20)
    assert all((one["ci_low"], one["ci_high"]) == wilson(20, 120) for one in counted["labels"])
    assert counted["saturation"]["curve"][-1] == 6
    assert counted["saturation"]["since_new"] >= 20
    assert re.search(r"6 kinds in 120 read; the last \d+ read brought no new kind", counted["saturation"]["said"])
    assert sum(one["number"] for shares in counted["by_domain"].values() for one in shares) == 120
    truth = {sample.test_id: kind for kind, sample in planted()}
    items = call("review", EXP_ID, "--json", "--db", database).data["items"]
    assert {item["test_id"]: item["label"] for item in items} == truth
    assert all(item["note"] == f"seen in {item['test_id']}" for item in items)
    (found,) = call("grep", '"seen in rope_007"', "--json", "--db", database).data["items"]
    assert (found["test_id"], found["role"]) == ("rope_007", "note")
    shown = call("show", EXP_ID, "--filter", 'label:"off by ten"', "--json", "--db", database).data
    assert {one["test_id"] for one in shown} == {test for test, kind in truth.items() if kind == "off by ten"}


def test_a_model_proposes_kinds_and_nothing_counts_before_a_person_confirms(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reads(prompt: str) -> Reply:
        answers = [json.loads(line) for line in prompt.splitlines() if line.startswith('{"answer"')]
        kinds = [
            {"name": kind, "description": "d", "answers": [one["answer"] for one in answers if sees(one["said"])]}
            for kind, sees in READER.items()
        ]
        kinds.append({"name": "nothing", "answers": [999, "x"]})
        return Reply("Here it is:\n```json\n" + json.dumps({"kinds": kinds}) + "\n```")

    with serve(lambda request: reads(request.prompt)) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        called = call("review", EXP_ID, "--propose", "--model", "openai/reader", "--number", "30", "--db", database)
    assert called.code == 0, called.err
    assert "no price of it is known" in called.err
    proposed = called.data
    assert {one["name"] for one in proposed["kinds"]} <= set(KINDS)
    assert sum(len(one["samples"]) for one in proposed["kinds"]) == 30
    assert call("labels", "--json", "--db", database).data["labelled"] == 0
    path = tmp_path / "kinds.json"
    path.write_text(json.dumps({"kinds": proposed["kinds"][:2]}))
    assert "2 kinds" in call("review", EXP_ID, "--confirm", path, "--as", "ann", "--db", database).err
    counted = call("labels", "--json", "--db", database).data
    assert {one["label"] for one in counted["labels"]} == {one["name"] for one in proposed["kinds"][:2]}
    path.write_text("{}")
    assert "must be" in call("review", EXP_ID, "--confirm", path, "--db", database).err


def test_a_proposal_that_may_cost_more_than_is_allowed_asks_nobody(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serve(lambda _: Reply("{}")) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        for model, words in (("openai/gpt-4o", "at most $0."), ("openai/reader", "no price of it is known")):
            called = call("review", EXP_ID, "--propose", "--with", model, "--max-cost", "0.001", "--db", database)
            assert called.code == 2
            assert words in called.err
        assert server.requests == []
