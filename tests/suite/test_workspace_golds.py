"""The bundled domain `workspace`: its solutions pass, five careless ones of each test do not, and nothing gives an answer away.

`careless_work.jsonl` says of each careless piece of work what is wrong with it: files, a command, or the test's own solution with
one text exchanged (`swap`).
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.workspace.evaluator import WorkspaceEvaluator
from modex.core.sandbox.workspace.box import WorkBox
from modex.core.sandbox.workspace.spec import WorkLimits, checks_of
from modex.core.sandbox.workspace.tree import Tree, changes, packed, tree_of, with_folders
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.workspaces import beginning_of, needs_missing
from modex.core.verdict import Workspace, find
from tests.cli import call, reading
from tests.core.evaluators.conftest import context
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.server import Reply, Request, serve
from tests.server import replies as answers
from tests.suite.golds import ROOT, golds

NIGHTLY = bool(os.environ.get("TEST_NIGHTLY"))
TESTS = golds("workspace")
Calls = list[tuple[str, dict[str, Any]]]


@cache
def careless() -> dict[str, list[dict[str, Any]]]:
    """The careless pieces of work, by test."""
    found: dict[str, list[dict[str, Any]]] = {}
    text = Path(__file__).with_name("careless_work.jsonl").read_text("utf-8")
    for line in text.splitlines():
        one = json.loads(line)
        found.setdefault(one["test"], []).append(one)
    return found


def deed(test: dict[str, Any], one: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """The files that somebody writes, and the command run after that."""
    if "swap" not in one:
        return dict(one.get("files", {})), str(one.get("run", ""))
    old, new = one["swap"]
    solution = test["sandbox"]["solution"]
    files: dict[str, str] = solution.get("files", {})
    run = str(solution.get("run", ""))
    assert old in run or any(old in text for text in files.values()), (test["id"], one["why"])
    return {path: text.replace(old, new) for path, text in files.items()}, run.replace(old, new)


def judged(test: dict[str, Any], files: dict[str, str], run: str) -> tuple[float, str]:
    """The score of what is left so, and why; by the evaluator, as in a run."""
    sandbox = test["sandbox"]
    beginning = with_folders(beginning_of(sandbox, ROOT))
    box = WorkBox(beginning, WorkLimits.of(sandbox))
    try:
        box.lay(with_folders(tree_of(files)))
        if run:
            box.shell(run)
        left = box.keep()
    finally:
        box.close()
    sample = EvaluationSample(
        prompt=test["prompt"],
        response="Done.",
        expected=test.get("expected"),
        definition=Definition(sandbox=sandbox),
        workspace={"calls": 1, "state": packed(changes(beginning, left))},
    )
    found = WorkspaceEvaluator().evaluate(sample, replace(context("workspace"), suite_root=ROOT))
    part = find(found.parts, Workspace)
    assert part is not None
    return found.score, part.why


def runnable() -> list[str]:
    """The tests whose programs are here."""
    return [test_id for test_id, test in TESTS.items() if needs_missing(test["sandbox"]) is None]


def visible(test: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All that a model may read, each with where it stands."""
    yield "the prompt", test["prompt"]
    tree: Tree = beginning_of(test["sandbox"], ROOT)
    for path, entry in tree.items():
        yield path, path
        yield path, entry.data.decode("utf-8", "replace")


def test_there_are_five_tests_of_each_level_each_with_five_careless_answers() -> None:
    assert Counter(test["level"] for test in TESTS.values()) == dict.fromkeys(range(1, 6), 5)
    assert {test_id: len(found) for test_id, found in careless().items()} == dict.fromkeys(TESTS, 5)
    for test_id, found in careless().items():
        assert len({one["why"] for one in found}) == 5
        pieces = {repr(deed(TESTS[test_id], one)) for one in found}
        assert len(pieces | {repr(deed(TESTS[test_id], TESTS[test_id]["sandbox"]["solution"]))}) == 6, test_id


def test_only_programs_of_an_ordinary_machine_are_needed() -> None:
    for test in TESTS.values():
        assert set(test["sandbox"].get("needs", ())) <= {"git", "make"}
        assert not test["sandbox"].get("packages")


def test_checks_that_import_what_was_written_ask_for_a_last_word() -> None:
    for test_id, test in TESTS.items():
        for one in checks_of(test["sandbox"]):
            assert one.prints is not None, test_id


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_nothing_that_a_model_may_read_gives_an_answer_away() -> None:
    for test_id in runnable():
        test = TESTS[test_id]
        sandbox = test["sandbox"]
        shown = list(visible(test))
        kept = sandbox.get("files", {}).values()
        hidden = [text for text in sandbox.get("tests", {}).values() if text not in kept]
        hidden += [one.prints for one in checks_of(sandbox) if len(one.prints or "") > 20 and one.stdin]
        hidden += sandbox["solution"].get("files", {}).values()
        hidden += [path for path in sandbox.get("tests", {}) if "hidden" in path]
        for secret in hidden:
            assert not [place for place, text in shown if secret in text], (test_id, secret)
        # A name among many is no answer; a file that is there and holds it alone would be.
        for path, wanted in (test.get("expected") or {}).get("files", {}).items():
            if path not in sandbox.get("files", {}):
                answer = wanted if isinstance(wanted, str) else json.dumps(wanted)
                assert not [place for place, text in shown if text.strip() == answer.strip()], test_id
                assert answer not in test["prompt"]


@pytest.mark.long
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_solutions_pass_and_doing_nothing_does_not() -> None:
    done = call("check", ROOT, "--solutions", "--domain", "workspace", "--json")
    assert done.code == 0, done.out + done.err


@pytest.mark.long
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize("level", range(1, 6))
def test_every_careless_answer_fails(level: int) -> None:
    """Overnight each of the five; else one of each test, another one from test to test."""
    chosen = [careless()[test_id] if NIGHTLY else [careless()[test_id][n % 5]] for n, test_id in enumerate(runnable())]
    work = [(TESTS[one["test"]], one) for pieces in chosen for one in pieces]
    work = [(test, one) for test, one in work if test["level"] == level]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: judged(each[0], *deed(*each)), work))
    passed = [(test["id"], one["why"]) for (test, one), (score, _) in zip(work, found, strict=True) if score > 0]
    assert passed == []
    assert all(why for _, why in found)


THIEF = """cat > thief.txt <<'X'
import sys, re, os
source = open(sys.modules['__main__'].__file__).read()
for call in re.findall(r"print\\((.*)\\)", source):
    try:
        last = eval(call, {})
    except Exception:
        continue
print(last)
sys.stdout.flush()
os._exit(0)
X
find . -name '*.py' -not -path './.git/*' | while read f; do cp thief.txt "$f"; done"""
"""Makes every module print what the test that imports it would print last, and end it."""


@pytest.mark.long
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_who_reads_the_last_words_of_a_hidden_test_passes_nothing() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda test_id: judged(TESTS[test_id], {}, THIEF)[0], runnable()))
    assert [test_id for test_id, score in zip(runnable(), found, strict=True) if score > 0] == []


def played(test: dict[str, Any]) -> Calls:
    """How an agent carries the solution out: it looks around, writes files, runs the command."""
    solution = test["sandbox"]["solution"]
    calls: Calls = [("list_files", {})]
    calls += [("write_file", {"path": path, "content": text}) for path, text in solution.get("files", {}).items()]
    if "run" in solution:
        calls.append(("shell", {"command": solution["run"]}))
    return [*calls, ("shell", {"command": "ls"})]


def agent(request: Request) -> Reply:
    """Plays the solution of the test that it is asked, call by call."""
    prompt = next(one["content"] for one in request.body["messages"] if one["role"] == "user")
    test = next(one for one in TESTS.values() if one["prompt"] == prompt)
    made = sum(one["role"] == "tool" for one in request.body["messages"])
    calls = played(test)
    if made >= len(calls):
        return Reply("Done.")
    name, given = calls[made]
    return answers.calls(answers.call(name, json.dumps(given), f"c{made}"))


@pytest.mark.long
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_an_agent_that_solves_them_by_calls_of_tools_passes_all(tmp_path: Path) -> None:
    database = tmp_path / "modex.db"
    with serve(agent) as server:
        done = call(
            "run", "--model", "openai/agent", "--api-base", server.url, "--suite", ROOT, "--exp-id", "e", "--db", database,
            "--domain", "workspace", "--headless", "--concurrency", "4",
        )  # fmt: skip
    assert "Traceback" not in done.err
    with reading(database) as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert len(samples) == 25
    could = {one.test_id: one for one in samples if one.status != "skipped"}
    assert set(could) == set(runnable())
    assert [(one.test_id, one.why, one.error_message) for one in could.values() if one.status != "passed"] == []
    for test_id, one in could.items():
        assert one.workspace is not None
        assert one.workspace["calls"] == len(played(TESTS[test_id]))


def test_they_are_asked_only_when_they_are_named() -> None:
    listed = call("tests", ROOT).out
    assert not re.search(r"^workspace/", listed, re.MULTILINE)
    named = call("tests", ROOT, "--domain", "workspace").out
    assert len(re.findall(r"^workspace/", named, re.MULTILINE)) == 25
