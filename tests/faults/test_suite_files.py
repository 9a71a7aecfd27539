"""Suite files as an attack: named errors in bounded time, nothing outside is read, and only allowed plugins run."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.faults.harness import Finished, Modex, keyword_tests, write_suite
from tests.pace import stretched
from tests.server import Reply, Request, serve

pytestmark = pytest.mark.process

OK = Reply(content="ok")


def _named(ended: Finished, *words: str) -> None:
    assert ended.code == 2, ended
    assert "Traceback" not in ended.err + ended.out
    assert "internal error" not in ended.err
    for word in words:
        assert word in ended.err + ended.out, ended.err + ended.out


def _both(modex: Modex, suite: Path, *words: str) -> None:
    """`check` and `run` say the same, before any call."""
    with serve(OK) as server:
        _named(modex.here("check", suite), *words)
        _named(modex.run(*modex.headless(server.url, suite)), *words)
        assert server.hits == 0


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 50_000, '{"id": "x", "prompt": ' + "[" * 3000 + "]" * 3000 + "}"],
    ids=["lists", "objects", "a deep prompt"],
)
def test_deep_nesting_is_named(modex: Modex, tmp_path: Path, text: str) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    (suite / "test_definitions/faults/level_1/deep.json").write_text(text)
    _both(modex, suite, "deep.json")


def test_a_huge_definition_is_named_in_bounded_time(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    with (suite / "test_definitions/faults/level_1/huge.json").open("wb") as file:
        file.truncate(20 * 1024**3)
    begun = time.monotonic()
    _both(modex, suite, "huge.json", "larger than")
    assert time.monotonic() - begun < stretched(15)


@pytest.mark.parametrize(
    "identity", ["../../etc/passwd", "..", "a/../../b", "/etc/passwd", "a\\..\\b", "x\x1b[2J", "", " "]
)
def test_an_id_that_could_steer_a_path_is_named(modex: Modex, tmp_path: Path, identity: str) -> None:
    suite = write_suite(tmp_path / "suite", [{**keyword_tests(1)[0], "id": identity}])
    _both(modex, suite, "tests.jsonl:1")


def test_references_and_links_out_of_the_suite_are_named_and_never_read(modex: Modex, tmp_path: Path) -> None:
    secret = tmp_path / "secret.sql"
    secret.write_text("canary-file-content")
    test = {
        "id": "s",
        "prompt": "q",
        "evaluator_id": "sql_executor",
        "expected": {"fixture": "../../../../secret.sql", "query": "SELECT 1"},
    }
    suite = write_suite(tmp_path / "suite", [test])
    _both(modex, suite, "outside")
    linked = write_suite(tmp_path / "linked", keyword_tests(1))
    (linked / "test_definitions/faults/level_1/evil.json").symlink_to(secret)
    ended = modex.here("check", linked)
    assert "canary-file-content" not in ended.out + ended.err
    assert "Traceback" not in ended.err


def test_a_pipe_among_the_definitions_does_not_block(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    os.mkfifo(suite / "test_definitions/faults/level_1/pipe.json")
    _both(modex, suite, "pipe.json")


def test_a_catastrophic_pattern_costs_bounded_time_and_the_run_goes_on(modex: Modex, tmp_path: Path) -> None:
    patterns = "(a+)+$", "(.*a){25}$"
    suite = write_suite(
        tmp_path / "suite",
        [
            {"id": "regex", "prompt": "q", "expected": "x", "evaluator_id": "evil"},
            {
                "id": "keyword",
                "prompt": "q",
                "expected": {"keywords": [{"regex": patterns[0]}]},
                "evaluator_id": "keyword",
            },
            *keyword_tests(1, word="fine"),
        ],
    )
    evaluators = suite / "test_definitions/evaluators"
    evaluators.mkdir()
    (evaluators / "evil.json").write_text(
        json.dumps({"id": "evil", "name": "evil", "type": "regex", "extraction_regex": patterns[1]})
    )
    begun = time.monotonic()
    with serve(Reply(content="fine " + "a" * 5000 + "!" + " b" * 5000 + "!")) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--no-runaway"))
    assert time.monotonic() - begun < stretched(20)
    assert ended.code in (0, 1), ended.err
    assert modex.rows("status")[-1] == {"status": "passed"}


def test_templates_in_data_are_data(modex: Modex, tmp_path: Path) -> None:
    injected = "{expected} {response} {0.__class__} {prompt} $x ${x} {{7*7}} %s <<<"
    tests = [{"id": "a", "prompt": injected, "expected": "18", "system_prompt": injected}]
    suite = write_suite(tmp_path / "suite", tests)

    def behave(request: Request) -> Reply:
        return Reply(content=f"ANSWER: 18\n{injected}")

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite))
        assert ended.code in (0, 1), ended.err
        asked = server.requests[0]
        assert asked.prompt == injected
        assert asked.system == injected
        extraction = json.dumps(server.requests[1].body["messages"])
        assert "{0.__class__}" in extraction
        assert "<class" not in extraction


WITNESS = "from pathlib import Path\nPath({path!r}).write_text('ran')\n"


def test_plugins_run_only_after_they_were_allowed_and_not_once_they_change(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    witness = tmp_path / "ran"
    plugin = suite / "plugins" / "own.py"
    plugin.parent.mkdir()
    plugin.write_text(WITNESS.format(path=str(witness)))
    with serve(OK) as server:
        plain = modex.headless(server.url, suite)
        refused = modex.run(*plain)
        _named(refused, "own.py", "--allow-plugins")
        for words in (("check", suite), ("prompt", "t0000", "--suite", suite)):
            modex.run(*words)
        assert not witness.exists(), "looking at a suite runs nothing of it"
        assert server.hits == 0

        assert modex.run(*plain, "--allow-plugins").code == 0
        assert witness.exists()
        witness.unlink()
        assert modex.run(*modex.headless(server.url, suite, exp="again")).code == 0
        assert witness.exists(), "allowed once is allowed for these files"

        plugin.write_text(plugin.read_text() + "# changed\n")
        _named(modex.run(*modex.headless(server.url, suite, exp="changed")), "changed since")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise ValueError('no')", ("own.py:1", "ValueError")),
        ("def f(:", ("own.py:1", "SyntaxError")),
        ("import nothing_like_this", ("own.py:1", "nothing_like_this")),
        ("raise SystemExit(7)", ("own.py:1", "SystemExit")),
    ],
)
def test_a_plugin_that_fails_is_named_with_its_line(
    modex: Modex, tmp_path: Path, source: str, words: tuple[str, ...]
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    (suite / "plugins").mkdir()
    (suite / "plugins" / "own.py").write_text(source + "\n")
    with serve(OK) as server:
        _named(modex.run(*modex.headless(server.url, suite, "--allow-plugins")), *words)


def test_code_outside_plugins_never_runs(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    witness = tmp_path / "ran"
    for place in (
        "conftest.py",
        "test_definitions/evil.py",
        "sitecustomize.py",
        "json.py",
        "plugins.py",
        "prompts/evil.py",
    ):
        file = suite / place
        file.parent.mkdir(exist_ok=True)
        file.write_text(WITNESS.format(path=str(witness)))
    with serve(OK) as server:
        assert modex.run(*modex.headless(server.url, suite), cwd=suite).code == 0
        words = [str(word) for word in modex.headless(server.url, suite, exp="d") if word != "--headless"]
        assert modex.run(*words, "--detach", cwd=suite).code == 0
    assert not witness.exists()
