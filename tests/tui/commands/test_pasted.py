"""A command that a message tells can be pasted into a shell, however the run is called."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.races import begin_race, end_race
from tests.server import Reply, Request
from tests.tui.commands.conftest import MIXED, Shell, answering

NAME, RACE, SCORELESS = "what it's worth $HOME", "a race; of two", "no score (yet)"
_TOLD = re.compile(r"`(modex (?!\w+ --help)[^`]+)`|(?<!Usage): (modex .+)$", re.MULTILINE)
_GRADER = {
    "id": "grader", "name": "Grader", "type": "custom", "eval_prompt": "Right? {prompt} {response}", "config": {}
}  # fmt: skip


def _answer(request: Request) -> Reply:
    if "Right?" in request.prompt:
        return Reply(json.dumps({"verdict": "CORRECT", "score": 1.0, "reasoning": "r"}))
    return answering(request)


@pytest.fixture
def named(shell: Shell) -> Shell:
    """Two runs and a race with names that a shell would take apart."""
    judged = {"id": "j", "prompt": "judged", "expected": "yes", "evaluator_id": "grader"}
    root = shell.suite([*MIXED, judged])
    (root / "test_definitions" / "evaluators").mkdir()
    (root / "test_definitions" / "evaluators" / "grader.json").write_text(json.dumps(_GRADER))
    shell.server.behave(_answer)
    judge = ("--judge-model", "openai/judge", "--judge-api-base", shell.server.url)
    for name, model in ((NAME, "openai/one"), ("two words", "openai/other")):
        assert shell.run(*judge, exp_id=name, model=model).code == 1
    shell.run("--test", "r", exp_id=SCORELESS)
    manager = DBDataManager(shell.database)
    contenders = [{"exp_id": name, "model": "demo", "config": None} for name in (NAME, "two words")]
    race_id, lock = begin_race(manager.reader, RACE, {"contenders": contenders, "tests": 5, "peek": False})
    end_race(manager.reader, race_id, "completed", None)
    lock.release()
    manager.close()
    return shell


def test_the_command_that_a_message_tells_can_be_pasted(named: Shell) -> None:
    for words, name in (
        (("stop", NAME), NAME),
        (("stop", SCORELESS), SCORELESS),
        (("stop", RACE), RACE),
        (("pause", RACE), RACE),
        (("resume", RACE), RACE),
        (("show", NAME, "--test", "nowhere"), NAME),
        (("show", SCORELESS, "--test", "r"), SCORELESS),
        (("resume", NAME, "--test", "nowhere"), NAME),
        (("judge", NAME, "--filter", "domain=nowhere"), NAME),
        (("attach", NAME), NAME),
        (("certify", NAME), NAME),
        (("summarize", SCORELESS, "--with", "demo"), SCORELESS),
        (("leaderboard",), NAME),
    ):
        assert_pasteable(named, words, name)


def test_so_can_that_of_a_run_somebody_works_on(named: Shell) -> None:
    manager = DBDataManager(named.database)
    lock = RunLock(named.database, manager.reader.run(NAME).id, NAME)
    try:
        for words in (("resume", NAME, "--headless"), ("pause", NAME)):
            assert_pasteable(named, words, NAME)
    finally:
        lock.release()
        manager.close()


def assert_pasteable(shell: Shell, words: tuple[str, ...], name: str) -> None:
    """`words` tell commands, and each is split by a shell into `modex`, a command and names of runs, `name` among them."""
    called = shell(*words)
    told = [one or other for one, other in _TOLD.findall(called.out + called.err)]
    assert told, called.out + called.err
    for command in told:
        assert name in shlex.split(command), command
