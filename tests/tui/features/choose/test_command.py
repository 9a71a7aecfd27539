"""`modex choose`: from a file of questions and two servers to a decision, or to the right refusal; counted at the servers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Called, call
from tests.core.llm.served.weights import write_gguf
from tests.server import Reply, Request, ServerHandle, serve
from tests.server.replies import unauthorized


def right(request: Request) -> Reply:
    """The sum that is asked for."""
    one, other = re.search(r"(\d+) plus (\d+)", str(request.body)).groups()  # type: ignore[union-attr]
    return Reply(f"Answer: {int(one) + int(other)}")


def wrong(request: Request) -> Reply:
    del request
    return Reply("Answer: 7000")


@pytest.fixture
def servers() -> Iterator[tuple[ServerHandle, ServerHandle]]:
    with serve(right) as first, serve(wrong) as second:
        yield first, second


def questions(root: Path, number: int, **more: str) -> Path:
    """A file of sums."""
    path = root / "sums.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["question", "gold", *more])
        writer.writeheader()
        for n in range(number):
            writer.writerow({"question": f"What is {n + 3} plus {7 * n + 1}?", "gold": 8 * n + 4, **more})
    return path


def choose(root: Path, *words: object, models: tuple[str, ...] = ("openai/good", "openai/bad")) -> Called:
    return call("choose", *models, *map(str, words), "--db", root / "modex.db")


def at(*servers: ServerHandle) -> tuple[str, ...]:
    return tuple(word for server in servers for word in ("--api-base", server.url))


@pytest.mark.long
def test_from_a_csv_of_ten_questions_and_two_servers_to_a_decision(
    tmp_path: Path, servers: tuple[ServerHandle, ServerHandle]
) -> None:
    good, bad = servers
    found = choose(tmp_path, questions(tmp_path, 10), *at(good, bad), "--evaluator", "match")
    assert found.code == 0, found.err
    lines = found.out.splitlines()
    assert lines[0] == "take openai/good: it is better than openai/bad, decided after 9 of 10 questions"
    assert [line for line in lines if line.startswith("caveat: wording")]
    assert [line for line in lines if line.startswith("open: modex compare choose-sums-")]
    for words in (
        "sums.csv: question: column 'question'", "sums.csv: answer: column 'gold'",
        "10 questions can decide between 2 models where one is ahead by 80 points or more", "openai/good answers: 3 of 3",
    ):  # fmt: skip
        assert words in found.err
    assert {one.model for one in good.requests} == {"good"}
    assert {one.model for one in bad.requests} == {"bad"}
    assert (good.hits, bad.hits) == (9, 9)  # the first three are asked once
    again = choose(tmp_path, questions(tmp_path, 10), *at(good, bad), "--evaluator", "match", "--json")
    assert (again.code, good.hits, bad.hits) == (0, 9, 9)
    told = again.data
    assert (told["decision"], told["best"], told["race"]["ending"]) == ("decided", "openai/good", "decided")
    assert told["can_show"]["least_points"] == pytest.approx(80.0)
    assert [(one["model"], one["answered"]) for one in told["models"]] == [("openai/good", 9), ("openai/bad", 9)]
    assert [name.partition("@")[2] for name in told["runs"]] == ["openai/good", "openai/bad"]
    shown = call("show", told["exp_id"], "--db", tmp_path / "modex.db").out
    assert "caveat: noise" in shown


@pytest.mark.long
def test_what_is_alike_is_not_told_apart(tmp_path: Path, servers: tuple[ServerHandle, ServerHandle]) -> None:
    good, _ = servers
    found = choose(tmp_path, questions(tmp_path, 10), *at(good, good), "--evaluator", "match", "--headless")
    assert found.code == 4
    assert found.out.startswith("cannot tell openai/good and openai/bad apart after")
    assert "more questions of the same kind in the file" in found.out


def test_three_questions_cannot_tell_and_nothing_is_asked(
    tmp_path: Path, servers: tuple[ServerHandle, ServerHandle]
) -> None:
    path = questions(tmp_path, 3)
    found = choose(tmp_path, path, *at(*servers))
    assert (found.code, found.out) == (4, "")
    assert "cannot tell: 3 questions decide nothing between 2 models" in found.err
    told = choose(tmp_path, path, *at(*servers), "--json").data
    assert (told["decision"], told["can_show"]["least_units"], told["race"]) == ("cannot tell", None, None)
    assert [server.hits for server in servers] == [0, 0]
    assert not (tmp_path / "modex.db").exists()


def test_a_dead_server_is_said_before_the_other_is_asked(
    tmp_path: Path, servers: tuple[ServerHandle, ServerHandle]
) -> None:
    good, _ = servers
    words = (questions(tmp_path, 10), *at(good), "--api-base", "http://127.0.0.1:9/v1")
    found = choose(tmp_path, *words)
    assert (found.code, found.out, good.hits) == (3, "", 0)
    assert "openai/bad does not answer: http://127.0.0.1:9/v1: no connection" in found.err
    assert not (tmp_path / "modex.db").exists()


@pytest.mark.long
def test_an_entry_whose_server_takes_no_key_ends_it_and_the_same_command_goes_on_once_it_does(
    tmp_path: Path, servers: tuple[ServerHandle, ServerHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = servers
    entries = "".join(
        f'[models.{name}]\nmodel = "openai/m"\napi_base = "{one.url}"\n' for name, one in (("big", good), ("old", bad))
    )
    (tmp_path / "models.toml").write_text(entries)
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    bad.behave(unauthorized)
    words: tuple[Any, ...] = (questions(tmp_path, 10), "--evaluator", "match")
    found = choose(tmp_path, *words, models=("big", "old"))
    assert found.code == 3
    assert "old does not answer: " in found.err
    assert good.hits == 3
    name = re.search(r"(choose-sums-\w+):", found.err)[1]  # type: ignore[index]
    stored = call("show", name, "--db", tmp_path / "modex.db").out
    assert "aborted" in stored.splitlines()[0]
    bad.behave(wrong)
    again = choose(tmp_path, *words, models=("big", "old"))
    assert again.out.startswith("take big: it is better than old")
    assert good.hits == 9


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (("openai/good", "openai/good"), "openai/good is named twice"),
        (("one", "two"), "one and two are the same model, asked alike"),
    ],
)
def test_one_model_twice_is_refused_by_either_name(
    tmp_path: Path,
    servers: tuple[ServerHandle, ServerHandle],
    monkeypatch: pytest.MonkeyPatch,
    models: tuple[str, ...],
    words: str,
) -> None:
    good, _ = servers
    entries = "".join(f'[models.{name}]\nmodel = "openai/good"\napi_base = "{good.url}"\n' for name in ("one", "two"))
    (tmp_path / "models.toml").write_text(entries)
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    found = choose(tmp_path, questions(tmp_path, 10), *(at(good) if "/" in models[0] else ()), models=models)
    assert (found.code, good.hits) == (2, 0)
    assert words in found.err


@pytest.mark.parametrize("command", ["choose", "race"])
def test_files_of_the_same_weights_are_one_model_twice_before_anything_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    server = tmp_path / "llama-server"
    server.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\nexit 1\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    files = {name: write_gguf(tmp_path / f"{name}.gguf") for name in ("one", "two")}
    entries = "".join(f'[models.{name}]\ngguf = "{path}"\n' for name, path in files.items())
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    path = questions(tmp_path, 10)
    words: list[str | Path] = [
        "one",
        "two",
        *([path] if command == "choose" else ["--dataset", path]),
        "--evaluator",
        "match",
    ]
    (tmp_path / "models.toml").write_text(entries)
    found = call(command, *words, "--headless", "--db", tmp_path / "modex.db")
    assert (found.code, (tmp_path / "started").exists()) == (2, False)
    assert "one and two are one model twice: the same weights" in found.err
    (tmp_path / "models.toml").write_text(f"{entries}serve = {{ slots = 2 }}\n")
    found = call(command, *words, "--headless", "--db", tmp_path / "modex.db")
    assert "one and two are the same weights; they differ in concurrency 4 and 2, serve.slots 4 and 2" in found.err


def test_a_file_that_needs_a_judge_says_how_to_name_one(
    tmp_path: Path, servers: tuple[ServerHandle, ServerHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    found = choose(tmp_path, questions(tmp_path, 10), *at(*servers), "--evaluator", "llm_judge")
    assert found.code == 2
    assert "--judge-model" in found.err
    assert [server.hits for server in servers] == [0, 0]


def test_words_that_name_no_file_or_too_few_models_are_refused(tmp_path: Path) -> None:
    gone = choose(tmp_path, tmp_path / "gone.csv")
    assert (gone.code, "gone.csv' is not there" in gone.err) == (2, True)
    none = call("choose", "--db", tmp_path / "modex.db")
    assert (none.code, "and none is named" in none.err) == (2, True)
    alone = choose(tmp_path, questions(tmp_path, 10), models=("openai/good",))
    assert (alone.code, "at least two models" in alone.err) == (2, True)


def test_rows_without_gold_are_mistakes_by_line(tmp_path: Path, servers: tuple[ServerHandle, ServerHandle]) -> None:
    path = tmp_path / "bare.csv"
    path.write_text("question,notes\n" + "".join(f"What is {n} plus 1?,x\n" for n in range(12)))
    found = choose(tmp_path, path, *at(*servers))
    assert found.code == 2
    assert "bare.csv:2: the expected value is empty" in found.err
    assert [server.hits for server in servers] == [0, 0]
