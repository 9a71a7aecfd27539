"""`modex export`: every format from the command line; what they hold is in tests/core/reports."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import get_args
from xml.etree import ElementTree

from modex.core.reports.formats import Format
from tests.tui.commands.conftest import Shell


def untimed(written: str) -> str:
    """The text without the second in which a record of Every Eval Ever was made."""
    return re.sub(r'"retrieved_timestamp": "\d+"', "", written)


def test_a_file_holds_what_stdout_would(mixed: Shell) -> None:
    for kind in get_args(Format):
        printed = mixed("export", "e", "--format", kind)
        path = mixed.root / f"out.{kind}"
        written = mixed("export", "e", "--format", kind, "--out", path)
        assert (printed.code, written.code) == (0, 0)
        assert (written.out, written.err) == ("", f"{path}\n")
        assert untimed(path.read_bytes().decode()) == untimed(printed.out)
        assert path.stat().st_mode & 0o777 == 0o600


def test_json_csv_and_junit_are_what_they_say(mixed: Shell) -> None:
    assert len(json.loads(mixed("export", "e").out)["samples"]) == 5
    assert len(list(csv.DictReader(io.StringIO(mixed("export", "e", "--format", "csv").out, newline="")))) == 5
    suites = ElementTree.fromstring(mixed("export", "e", "--format", "junit").out)
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("5", "1", "1")


def test_what_failed_can_be_taken_out_alone(mixed: Shell) -> None:
    only = ["--status", "failed", "--status", "error"]
    samples = json.loads(mixed("export", "e", *only).out)["samples"]
    assert sorted(sample["test_id"] for sample in samples) == ["r", "w"]
    written = mixed("export", "e", "--format", "md", *only).out
    assert "d/1/t0" not in written
    assert "d/2/w" in written


def test_a_place_that_cannot_be_written_is_named(mixed: Shell) -> None:
    called = mixed("export", "e", "--out", mixed.root / "no" / "such" / "x.json")
    assert called.code == 2
    assert "x.json" in called.err


def test_an_unknown_format_lists_the_known_ones(mixed: Shell) -> None:
    called = mixed("export", "e", "--format", "pdf")
    assert called.code == 2
    assert "junit" in called.err


def test_a_folder_gets_a_file_named_by_the_run_and_a_log_of_inspect_one_that_its_viewer_lists(mixed: Shell) -> None:
    folder = mixed.root / "logs"
    folder.mkdir()
    for kind in ("inspect", "html", "eee"):
        assert mixed("export", "e", "--format", kind, "--out", folder).code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names[1:] == ["e.eee.json", "e.html"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\+00-00_e_\d+\.json", names[0])
