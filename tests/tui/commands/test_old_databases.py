"""Every command on databases that older versions wrote: no traceback, sensible codes, and looking changes no byte."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import get_args

import pytest

from modex.core.reports.formats import Format
from modex.core.store.reader import Reader
from modex.tui.cli import COMMANDS
from tests.cli import call
from tests.fixtures.old_databases import NAMES, unpack
from tests.forked import ran

RUNS = {
    "finished": ("first", "second"),
    "interrupted": ("cut", "cut"),
    "errors": ("faulty", "nobody"),
    "thousand": ("sums",) * 2,
    "first_020": ("first", "second"),
}
TESTS = {"thousand": "q0000"}
"""A test of the file, where it is not the one below."""
LOOKING: dict[str, tuple[tuple[str, ...], ...]] = {
    "runs": (("runs",), ("runs", "--json")),
    "tidy": (("tidy", "--dry-run"),),
    "show": (("show", "A"), ("show", "B", "--json")),
    "compare": (("compare", "A", "B"),),
    "leaderboard": (("leaderboard",), ("leaderboard", "--json")),
    "changes": (("changes", "A", "B"), ("changes", "A", "B", "--json")),
    "history": (("history", "TEST"), ("history", "TEST", "--json"), ("history", "--suite")),
    "gate": (("gate", "A", "B"),),
    "noise": (("noise", "A", "--stored"),),
    "review": (
        ("review", "A"),
        ("review", "A", "--draw", "-", "--number", "3"),
        ("review", "A", "--export", "-", "--format", "csv"),
    ),
    "labels": (("labels",), ("labels", "A", "--json")),
    "grep": (("grep", "answer"), ("grep", "answer", "A", "--json")),
    "mcp": (("mcp",),),
    "shell": (("shell", "A", "TEST"),),
    "export": tuple(("export", "A", "--format", kind) for kind in get_args(Format)),
    "doctor": (("doctor",), ("doctor", "--suite"), ("doctor", "--suite", "--json")),
    "completion": (("completion", "bash"),),
    "models": (("models",),),
    "check": (("check",),),
    "tests": (("tests", "--domain", "math"),),
    "prompt": (("prompt", "plain_equation"),),
    "schema": (("schema",),),
    "init": (("init", "FOLDER"),),
    "import": (("import", "evonic", "EVONIC", "FOLDER"),),
    "attach": (("attach", "A"),),
    "datasets": (("datasets",), ("datasets", "gpqa", "--json")),
    "fetch": (("fetch", "--list"),),
}
"""What only looks, with the arguments tried; A and B are runs of the file."""
WRITING: dict[str, tuple[tuple[str, ...], ...]] = {
    "pause": (("pause", "A"),),
    "import": (("import", "inspect", "LOG"),),
    "stop": (("stop", "A"),),
    "note": (("note", "A", "mine"), ("note", "A"), ("note", "A", "--clear")),
    "summarize": (("summarize", "A", "--with", "demo"),),
    "archive": (("archive", "A"), ("archive", "A", "--undo")),
    "rename": (("rename", "A", "other"), ("rename", "other", "A")),
    "labels": (("labels", "--rename", "vague", "too vague"),),
    "certify": (("certify", "A"),),
    "ablate": (("ablate", "demo", "--exp-id", "ablated", "--test", "plain_equation"),),
    "stat": (("stat", "A"),),
    "judge": (("judge", "A"),),
    "resume": (("resume", "A", "--headless"),),
    "run": (("run", "--model", "demo", "--headless", "--exp-id", "new", "--test", "plain_equation"),),
    "race": (("race", "demo", "demo/weak", "--exp-id", "race", "--test", "plain_equation"),),
    "choose": (("choose", "demo", "demo/weak", "QUESTIONS", "--exp-id", "chosen"),),
    "noise": (("noise", "race@demo", "--times", "1"),),
    "speed": (("speed", "--model", "demo", "--exp-id", "quick", "--concurrency", "1", "--requests", "1"),),
    "delete": (("delete", "A", "--yes"),),
}
"""What may write, in this order on one file."""
ONCE = {"ablate", "run", "race", "choose", "noise", "speed"}
"""What asks a suite of today, and not what the file holds: tried on one file."""
ALONE = {"mcp"}
"""What takes stdin and stdout for itself, and needs a process of its own."""
WITHOUT_DATABASE = {"check", "prompt", "schema", "models", "completion", "tests", "init", "import", "datasets", "fetch"}


def words_of(words: tuple[str, ...], name: str, path: Path) -> list[str]:
    first, second = RUNS[name]
    stands = {
        "A": first,
        "B": second,
        "FOLDER": str(path.parent / f"{words[0]}-suite"),
        "LOG": str(Path(__file__).parents[2] / "fixtures" / "foreign" / "sums.eval"),
        "QUESTIONS": str(Path(__file__).parents[2] / "fixtures" / "questions.csv"),
        "EVONIC": str(Path(__file__).parents[2] / "fixtures" / "evonic"),
        "TEST": TESTS.get(name, "bottles_in_crates"),
    }
    said = [stands.get(word, word) for word in words]
    return said if words[0] in WITHOUT_DATABASE and "LOG" not in words else [*said, "--db", str(path)]


def test_every_command_is_tried() -> None:
    assert {*LOOKING, *WRITING} == set(COMMANDS), "add the new command to the table that fits"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.01")


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_what_looks_understands_an_older_file_and_leaves_it_alone(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    for command, calls in LOOKING.items():
        if command in WITHOUT_DATABASE and name != "finished":
            continue
        for words in calls:
            if command in ALONE:
                ended = ran(*words_of(words, name, path))
                assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr
                continue
            called = call(*words_of(words, name, path))
            assert called.code in (0, 1, 4) or "no terminal here" in called.err, (words, called.err)
            assert "internal error" not in called.err, words
            assert "no such column" not in called.out + called.err, words
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_what_writes_brings_it_up_to_date_and_goes_on(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    for command, calls in WRITING.items():
        if command in ONCE and name != "finished":
            continue
        for words in calls:
            called = call(*words_of(words, name, path))
            assert called.code in (0, 1, 2, 4), (words, called.err)
            assert "internal error" not in called.err, words
            if called.code == 2:
                gone = (
                    "there is nothing to",
                    "nothing was scored",
                    "none to certify",
                    "is no such file",
                    "no file",
                    "cannot be read",
                    "not found",
                    "mistake",
                    "suite",
                )
                assert any(text in called.err for text in gone), (words, called.err)
    (backup,) = tmp_path.glob(f"{path.name}.before-*.backup")
    for file, lacking in ((backup, True), (path, False)):
        reader = Reader(file)
        assert bool(reader.lacks) is lacking
        reader.close()


@pytest.mark.long
def test_doctor_migrates_when_told_and_says_where_the_backup_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = unpack("finished", tmp_path)
    assert "older modex" in call("doctor", "--db", path).out
    assert call("doctor", "--migrate", "--db", path).code in (0, 1)
    (backup,) = tmp_path.glob("*.backup")
    assert str(backup) in caplog.text
    assert "nothing to migrate" in call("doctor", "--migrate", "--db", path).err
