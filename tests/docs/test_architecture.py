"""The drawing of one test's walk in `docs/architecture.md` shows the files that are really walked through."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from benchmarks.server import ROOT

CORE = ROOT / "core"


def section() -> str:
    page = (ROOT / "docs" / "architecture.md").read_text()
    return page[page.index("## The walk of one test") : page.index("## How a call fails")]


def drawn() -> set[str]:
    """The files that are named in the section, relative to `core/`."""
    return set(re.findall(r"\b(?:[a-z_0-9]+/)*[a-z_0-9]+\.py\b", section()))


def test_every_file_of_the_drawing_is_there() -> None:
    assert sorted(name for name in drawn() if not (CORE / name).is_file()) == []


@pytest.mark.process
def test_one_test_walks_through_the_files_that_are_drawn_and_no_others() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "benchmarks.walk"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert found.returncode == 0, found.stderr + found.stdout
    walked = {line.removeprefix("core/") for line in found.stdout.splitlines() if line.startswith("core/")}
    assert sorted(walked - drawn()) == [], "draw them in docs/architecture.md, and say the count"
    assert sorted(drawn() - walked) == [], "no test comes there any more"
    assert f"they are {len(walked)}," in section()
