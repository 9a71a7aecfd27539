"""A comment that a later one of the same model over the same suite finds and replaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modex.core.reports.comment import MOST_CHARACTERS, as_comment, marker_line
from modex.core.store.rows import RunRow
from tests.rows import each_row


@each_row(
    ("selection", "told"),
    [
        (None, "bundled suite"),
        ("damaged", "bundled suite"),
        ({"suite": "/evals/mine"}, "mine"),
        ({"datasets": [{"path": "/data/a.csv"}, "odd", {"path": "b.csv"}]}, "a.csv, b.csv"),
        ({"suite": "/evals/mine", "datasets": [{"path": "a.csv"}]}, "a.csv"),
        ({"suite": "/evals/a--b<!>"}, "a-b_"),
    ],
)
def test_the_first_line_names_model_and_suite(selection: Any, told: str) -> None:
    run = RunRow(1, model="openai/m", config={"selection": selection})
    assert marker_line(run) == f"<!-- modex: openai/m over {told} -->\n"


def test_a_folder_of_a_repository_is_named_from_its_root(tmp_path: Path) -> None:
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    run = RunRow(1, model="m", config={"selection": {"suite": str(tmp_path / "checkout" / "evals" / "mine")}})
    assert marker_line(run) == "<!-- modex: m over evals/mine -->\n"


@each_row(
    ("pieces", "end"),
    [
        (["a\n", "b\n"], "a\nb\n"),
        (["a\n", "x" * MOST_CHARACTERS, "b"], "a\n\n\nMore than a comment holds: `modex export --format md`\n"),
        (["<details>x", "y", "x" * MOST_CHARACTERS],
         "<details>xy\n</details>\n\nMore than a comment holds: `modex export --format md`\n"),
        (["<details>x", "</details>", "x" * MOST_CHARACTERS],
         "<details>x</details>\n\nMore than a comment holds: `modex export --format md`\n"),
    ],
)  # fmt: skip
def test_a_comment_ends_before_it_is_too_long_with_what_is_folded_closed(pieces: list[str], end: str) -> None:
    run = RunRow(1, model="m")
    assert "".join(as_comment(run, pieces)) == marker_line(run) + end


def test_a_comment_that_is_just_long_enough_is_whole() -> None:
    run = RunRow(1, model="m")
    room = MOST_CHARACTERS - len(marker_line(run))
    assert len("".join(as_comment(run, ["x" * room]))) == MOST_CHARACTERS
    assert "More than a comment" in "".join(as_comment(run, ["x" * (room + 1)]))
