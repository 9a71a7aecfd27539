"""What a bug report holds, and what never."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from modex.core.features.doctor.bundle import (
    _config,
    _places_of_faults,
    _unquoted,
    _without_hosts,
    _without_places,
    write_bundle,
)
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.location import runner_log
from modex.core.store.manager import DBDataManager
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row

_LOG = """\
working on it
Traceback (most recent call last):
  File "/somewhere/a/b/c/d.py", line 12, in work
    call("the prompt")
openai.RateLimitError: the prompt again
KeyboardInterrupt
"""


@each_row(
    ("value", "left"),
    [
        ("https://example.org:8080/v1?key=x#y", "https://[host]:8080/v1"),
        ("https://example.org/v1", "https://[host]/v1"),
        ("http://user:word@localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://[::1]:80/", "http://::1:80/"),
        ("http://host:port/", "[address]"),
        ("example.org", "example.org"),
        (["http://a/", 3, None], ["http://[host]/", 3, None]),
        ({"x": {"y": "http://a/"}}, {"x": {"y": "http://[host]/"}}),
    ],
)
def test_hosts_that_are_not_this_machine_are_left_out_of_addresses(value: Any, left: Any) -> None:
    assert _without_hosts(value) == left


@each_row(
    ("config", "content", "kept"),
    [
        ({"agent": "python agent.py --key x"}, True, {"agent": "python [arguments]"}),
        ({"agent": "python"}, True, {"agent": "python"}),
        ({"agent": None}, False, {"agent": None}),
        ({"selection": {"filters": ["a", "b"], "limit": 3}}, False, {"selection": {"filters": ["[2 filters]"], "limit": 3}}),
        ({"selection": {"filters": ["a"]}}, True, {"selection": {"filters": ["a"]}}),
        ({"selection": {"filters": []}}, False, {"selection": {"filters": []}}),
        ({"selection": "damaged"}, False, {"selection": "damaged"}),
    ],
)  # fmt: skip
def test_arguments_of_an_agent_are_never_kept_and_filters_only_where_asked_for(
    config: dict[str, Any], content: bool, kept: dict[str, Any]
) -> None:
    assert _config(config, content=content) == kept


@each_row(
    ("finding", "kept"),
    [
        ({"good": True, "words": "'a' is there"}, {"good": True, "words": "'a' is there"}),
        ({"good": False, "words": "'a' and \"b\" 'c\nd'"}, {"good": False, "words": "[quoted] and [quoted] 'c\nd'"}),
        ({"mark": 1}, {"mark": 1, "words": ""}),
    ],
)
def test_what_a_mistake_quotes_from_a_file_is_left_out(finding: dict[str, Any], kept: dict[str, Any]) -> None:
    assert _unquoted(finding) == kept


def test_of_a_log_places_and_kinds_of_faults_are_kept() -> None:
    assert list(_places_of_faults(_LOG)) == [
        "  b/c/d.py:12 in work",
        "openai.RateLimitError",
        "KeyboardInterrupt",
    ]


def _written(out: Path, database: Path, *, content: bool) -> dict[str, str]:
    names = write_bundle(out, [{"good": False, "words": "'secret'"}], database, content=content)
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == names
        return {name: archive.read(name).decode() for name in names}


@pytest.mark.parametrize("content", [False, True])
def test_content_is_there_only_where_it_is_asked_for(
    manager: DBDataManager, store: Store, tmp_path: Path, content: bool
) -> None:
    samples = [failing("1", prompt="the prompt"), scored("2", 0.0), scored("3", 1.0)]
    run = store("private name", samples)
    manager.update_run(run.id, note="a note")
    runner_log(manager.path).write_text(_LOG)
    found = _written(tmp_path / "out.zip", manager.path, content=content)
    assert stat.S_IMODE((tmp_path / "out.zip").stat().st_mode) == 0o600
    assert list(found) == [
        "README.txt", "doctor.json", "machine.json", "runner.log", "database.json", "runs/00.json",
        *(["runs/00.samples.jsonl"] if content else []),
    ]  # fmt: skip
    for words in ("the prompt", "private name", "a note", "secret"):
        assert (words in "".join(found.values())) == content, words
    told = json.loads(found["runs/00.json"])
    assert (told["total_tests"], told["errors"], told["model"]) == (3, {"timeout": 1}, "openai/test-model")
    assert json.loads(found["database.json"])["runs"] == 1
    if content:
        lines = [json.loads(line) for line in found["runs/00.samples.jsonl"].splitlines()]
        assert [line["test_id"] for line in lines] == ["1", "2"]


def test_without_a_database_there_is_the_rest_and_one_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert list(_written(tmp_path / "a.zip", tmp_path / "none.db", content=True)) == [
        "README.txt",
        "doctor.json",
        "machine.json",
    ]
    (tmp_path / "bad.db").write_bytes(b"no database" * 100)
    assert "error" in json.loads(_written(tmp_path / "b.zip", tmp_path / "bad.db", content=False)["database.json"])


def test_a_file_that_is_there_is_left_alone_and_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_text("mine")
    for place, words in (("out.zip", "there is such a file already"), ("no/out.zip", "cannot be written")):
        with pytest.raises(ConfigurationError, match=words):
            write_bundle(tmp_path / place, [], tmp_path / "none.db", content=False)
    assert (tmp_path / "out.zip").read_text() == "mine"


@pytest.mark.parametrize(("home", "said"), [("/home/ann", "~/x and ~"), ("/", "/home/ann/x and /home/ann")])
def test_the_home_folder_is_left_out_but_not_where_it_is_the_root(
    monkeypatch: pytest.MonkeyPatch, home: str, said: str
) -> None:
    monkeypatch.setenv("HOME", home)
    assert _without_places("/home/ann/x and /home/ann") == said


def test_the_name_of_the_home_folder_and_the_machines_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("MODEX_SUITE", "/home/somebody/suite")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("LANG", "/home/somebody/x")
    monkeypatch.setenv("https_proxy", "http://proxy")
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    monkeypatch.delenv("http_proxy", raising=False)
    found = json.loads(_written(tmp_path / "a.zip", tmp_path / "none.db", content=True)["machine.json"])
    assert (found["terminal"]["TERM"], found["terminal"]["LANG"]) == ("dumb", "~/x")
    assert "HTTPS_PROXY" in found["set"]
    assert "HTTP_PROXY" not in found["set"]
    assert "MODEX_SUITE" in found["modex_variables"]
