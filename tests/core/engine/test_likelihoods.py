"""A run that compares options by likelihood, against a server on loopback: asked once, kept, gone on with, shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.datasets.likelihoods import lettered
from tests.cli import call, keyword_tests, write_suite
from tests.server.likely import Likely, likely, logprob, tokens_of

COUNT = 6


def rows(tmp_path: Path) -> Path:
    path = tmp_path / "arc.jsonl"
    lines: list[dict[str, Any]] = [
        {
            "id": f"q{number}",
            "question": f"What is {number}?",
            "choices": {"label": ["A", "B", "C"], "text": ["one thing", "two", f"the {number} rings"]},
            "answerKey": "ABC"[number % 3],
        }
        for number in range(COUNT)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def run(tmp_path: Path, server: Likely, *more: str, reading: str = "loglikelihood") -> Any:
    return call(
        "run", "--headless", "--model", "openai/m", "--api-base", server.url, "--db", tmp_path / "m.db", "--exp-id", "e",
        "--reading", reading, *more,
    )  # fmt: skip


def samples(tmp_path: Path) -> dict[str, Any]:
    found = json.loads(call("export", "e", "--format", "json", "--db", tmp_path / "m.db").out)
    return {one["test_id"]: one for one in found["samples"]}


def best(server: Likely, row: dict[str, Any], by: Any) -> str:
    context = tokens_of(f"Question: {row['question']}\nAnswer:")
    sums: dict[str, float] = {}
    for name, text in zip(row["choices"]["label"], row["choices"]["text"], strict=True):
        tokens = tokens_of(f" {text}")
        sums[name] = sum(logprob([*context, *tokens[:n]], token) for n, token in enumerate(tokens)) / by(text)
    return max(sums, key=lambda name: sums[name])


def test_options_are_summed_and_both_choices_are_kept(tmp_path: Path) -> None:
    path = rows(tmp_path)
    with likely() as server:
        ran = run(tmp_path, server, "--dataset", str(path), "--preset", "arc")
    assert ran.code == 0, ran.err
    assert "by likelihood: the server tells the log-probabilities of a prompt" in ran.err
    assert len(server.asked) == 1 + COUNT  # the one that found out how, and one a question
    found = samples(tmp_path)
    for row in map(json.loads, path.read_text().splitlines()):
        one = found[row["id"]]
        (part,) = [part for part in one["details"]["parts"] if part["kind"] == "likelihood"]
        assert one["response"] == part["chosen"] == best(server, row, lambda text: 1)
        assert part["by_length"] == best(server, row, len)
        assert one["status"] == ("passed" if part["chosen"] == row["answerKey"] else "failed")
        assert one["expected"] == row["answerKey"]


def test_a_server_that_tells_the_next_token_is_asked_for_letters(tmp_path: Path) -> None:
    path = rows(tmp_path)
    with likely("next") as server:
        ran = run(tmp_path, server, "--dataset", str(path), "--preset", "arc")
    assert "options are compared by their letters" in ran.err
    row = json.loads(path.read_text().splitlines()[0])
    options = dict(zip("ABC", row["choices"]["text"], strict=True))
    assert lettered(row["question"], options)["context"] in [
        one["prompt"].replace("\n\n", "\n") for one in server.asked[1:]
    ]
    assert all(
        entry["way"] == "letter"
        for one in samples(tmp_path).values()
        for entry in one["transcript"]
        if "options" in entry
    )


def test_what_is_finished_is_not_asked_again_and_what_failed_is(tmp_path: Path) -> None:
    path = rows(tmp_path)
    with likely() as server:
        assert run(tmp_path, server, "--dataset", str(path), "--preset", "arc", "--limit", "4").code == 0
        before = len(server.asked)
        assert run(tmp_path, server, "--dataset", str(path), "--preset", "arc").code == 0
        assert len(server.asked) - before == 1 + COUNT - 4
        assert call("resume", "e", "--headless", "--db", tmp_path / "m.db").code == 0
        assert len(server.asked) - before == 1 + COUNT - 4  # which way is known, and nothing is left


def test_another_reading_asks_anew(tmp_path: Path) -> None:
    path = rows(tmp_path)
    with likely() as server:
        run(tmp_path, server, "--dataset", str(path), "--preset", "arc")
        before = len(server.asked)
    with likely("next") as other:
        run(tmp_path, other, "--dataset", str(path), "--preset", "arc")
    assert before == len(other.asked) == 1 + COUNT


def test_a_run_is_not_judged_by_another_kind_of_reading(tmp_path: Path) -> None:
    with likely() as server:
        run(tmp_path, server, "--dataset", str(rows(tmp_path)), "--preset", "arc")
    for more in ((), ("--dry-run",)):
        refused = call("judge", "e", "--reading", "modex", "--db", tmp_path / "m.db", *more)
        assert refused.code == 2
        assert "asked for the likelihood of options" in refused.err
    again = call("judge", "e", "--all", "--db", tmp_path / "m.db")
    assert again.code == 0, again.err


def test_tests_without_options_are_left_out_by_name(tmp_path: Path) -> None:
    choice = {"type": "choice", "value": "A", "options": {"A": "red", "B": "blue"}}
    suite = write_suite(
        tmp_path / "s",
        [
            *keyword_tests(1),
            {"id": "c", "prompt": "Which?\nA. red\nB. blue", "expected": choice, "evaluator_id": "two_pass"},
        ],
    )
    with likely() as server:
        ran = run(tmp_path, server, "--suite", str(suite))
    assert ran.code == 0, ran.err
    assert "--reading loglikelihood leaves out 1 test without options to compare: d/1/t0" in ran.err
    assert server.asked[-1]["prompt"][1] == "Which?\nA. red\nB. blue\nAnswer: A"


def test_without_any_options_nothing_is_asked(tmp_path: Path) -> None:
    with likely() as server:
        ran = run(tmp_path, server, "--suite", str(write_suite(tmp_path / "s", keyword_tests(1))))
    assert (ran.code, server.asked) == (2, [])
    assert "--reading loglikelihood left out 1 without options to compare" in ran.err


@pytest.mark.parametrize("kind", ["bare", "none"])
def test_a_server_that_can_neither_is_said_before_a_question_is_asked(tmp_path: Path, kind: Any) -> None:
    with likely(kind) as server:
        ran = run(tmp_path, server, "--dataset", str(rows(tmp_path)), "--preset", "arc")
    assert ran.code == 2
    assert "log-probabilities" in ran.err
    assert "vLLM" in ran.err
    assert len(server.asked) <= 1


def test_a_suite_says_itself_that_a_test_is_compared(tmp_path: Path) -> None:
    likelihood = {"context": "The sky is", "options": ["blue", "green"]}
    test = {
        "id": "t",
        "prompt": "The sky is",
        "expected": "A",
        "evaluator_id": "loglikelihood",
        "likelihood": likelihood,
    }
    suite = write_suite(tmp_path / "s", [test], system_prompt="Be right.")
    with likely() as server:
        ran = run(tmp_path, server, "--suite", str(suite), reading="modex")
    assert ran.code == 0, ran.err
    assert server.asked[-1]["prompt"][0] == "Be right.\n\nThe sky is"
    shown = call("show", "e", "--test", "t", "--db", tmp_path / "m.db").out
    assert " a character) blue: right" in shown
    assert "of each option's continuation" in shown
