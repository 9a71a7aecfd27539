"""The suites written out in the documentation load without a mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from modex.core.suite.layers import fold
from modex.core.suite.loading import load_suite

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def written_out(page: str, folder: Path) -> Path:
    """The example files of a page, as a suite in `folder`."""
    examples = EXAMPLE.findall((DOCS / page).read_text("utf-8"))
    assert examples
    for name, text in examples:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("page", ["writing-tests.md", "prompts.md"])
def test_the_examples_of_a_page_are_a_suite_without_mistakes(page: str, tmp_path: Path) -> None:
    suite = load_suite(written_out(page, tmp_path))
    assert [str(problem) for problem in suite.problems] == []
    assert suite.tests


def test_the_three_layers_fold_as_the_page_says(tmp_path: Path) -> None:
    suite = load_suite(written_out("prompts.md", tmp_path))
    assert fold(suite.tests[0].layers) == (
        "You answer for the harbour office.\n\n"
        "Give every time in the 24-hour form.\n\n"
        "The last ferry leaves at twenty to ten in the evening."
    )
