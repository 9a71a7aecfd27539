"""Rollouts that ask how likely each option is, against a server on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli import call, write_suite
from tests.rows import each_row
from tests.server.likely import Kind, Likely, likely, logprob, tokens_of

FORM = {"context": "Which?\nAnswer:", "options": ["red", "deep blue"]}


def answered(tmp_path: Path, server: Likely, likelihood: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The sample of one test that was asked with this `likelihood`."""
    test = {"id": "t", "prompt": "Which?", "expected": "A", "evaluator_id": "loglikelihood", "likelihood": likelihood}
    suite, database = write_suite(tmp_path / "s", [test | more]), tmp_path / "m.db"
    where = ("--db", database)
    call(
        "run", "--headless", "--model", "openai/m", "--api-base", server.url, *where, "--suite", suite, "--exp-id", "e"
    )
    found: dict[str, Any] = json.loads(call("export", "e", "--format", "json", "--db", database).out)["samples"][0]
    return found


def test_each_option_is_kept_with_its_number_tokens_and_length(tmp_path: Path) -> None:
    with likely() as server:
        found = answered(tmp_path, server, FORM)
    asked, told = found["transcript"]
    context = tokens_of("Which?\nAnswer:")
    sums = [logprob(context, " red"), logprob(context, " deep") + logprob([*context, " deep"], " blue")]
    assert (asked["role"], asked["content"], told["way"]) == ("user", "Which?\nAnswer:", "continuation")
    assert [(one["name"], one["text"], one["tokens"], one["length"], one["bytes"]) for one in told["options"]] == [
        ("A", "red", 1, 3, 3),
        ("B", "deep blue", 2, 9, 9),
    ]
    assert [one["logprob"] for one in told["options"]] == sums
    assert found["response"] == told["content"] == ("A" if sums[0] >= sums[1] else "B")
    # The context, and the context with each option: their tokens and the one that is written behind each are counted.
    assert (found["prompt_tokens"], found["completion_tokens"]) == (3 * len(context) + 3, 3)
    assert (found["attempts"], found["flags"]) == (1, [])


def test_contexts_of_their_own_are_shown_apart(tmp_path: Path) -> None:
    form = {"context": ["The red", "The blue"], "options": ["red", "blue"], "continuation": "sea."}
    with likely() as server:
        found = answered(tmp_path, server, form)
    assert found["transcript"][0]["content"] == "The red\n---\nThe blue"
    assert [one["length"] for one in found["transcript"][1]["options"]] == [7, 8]


def test_letters_are_asked_behind_the_question(tmp_path: Path) -> None:
    with likely("next") as server:
        server.letters = "B"
        found = answered(tmp_path, server, FORM)
    asked, told = found["transcript"]
    assert asked["content"] == "Which?\nA. red\nB. deep blue\nAnswer:"
    assert (found["response"], told["way"]) == ("B", "letter")
    assert [(one["logprob"] is None, one["tokens"]) for one in told["options"]] == [(True, 1), (False, 1)]


@each_row(
    "row",
    [("next", {**FORM, "options": {"yes": "yes", "no": "no"}}, "no letters"), ("next", FORM, "none of A, B is")],
    ids=str,
)
def test_what_cannot_be_compared_is_an_error_that_says_so(
    row: tuple[Kind, dict[str, Any], str], tmp_path: Path
) -> None:
    kind, form, words = row
    with likely(kind) as server:
        server.letters = "X"
        found = answered(
            tmp_path / words, server, form, expected=next(iter(form["options"])) if "no let" in words else "A"
        )
    assert (found["status"], found["score"]) == ("error", None)
    assert words in found["error_message"]


def test_a_call_that_fails_is_tried_again_and_counted(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.001")
    with likely() as server:
        answered(tmp_path, server, FORM)
        server.breaks = [500]
        found = answered(tmp_path / "again", server, FORM)
    assert (found["status"] in ("passed", "failed"), len(server.asked)) == (True, 5)
