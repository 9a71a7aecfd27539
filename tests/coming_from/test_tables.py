"""The tables of `docs/coming-from.md` are what the command finds; every claim of `docs/claims.md` has a test that is there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from benchmarks.coming_from import main
from benchmarks.coming_from_rows import caia, youtu
from tests.coming_from.test_caia import OUTPUT, TASK

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).with_name("youtu.jsonl")
PAGE = (ROOT / "docs" / "coming-from.md").read_text("utf-8")


def checkout(folder: Path) -> Path:
    """A folder as CAIA's repository has it, with samples of our own."""
    (folder / "dataset").mkdir()
    tasks = [{"task_id": f"q-{n}", "question": f"What on day {n}?", "level": 1, "category": "c"} for n in range(3)]
    scores = [{"task_id": "x", "total_score": 10, "answer_score": 1, "reasoning_score": 5, "tool_use_score": 4}]
    for name, rows in (
        ("dataset/benchmark_tasks.json", tasks), ("dataset/example_evaluate_data.json", [TASK]),
        ("dataset/example_agent_output.json", [OUTPUT]), ("example_score_result.json", scores),
    ):  # fmt: skip
        (folder / name).write_text(json.dumps(rows))
    return folder


def test_of_caia_everything_is_here_and_every_score_is_that_of_its_rule(tmp_path: Path) -> None:
    (table,), wrong = caia(checkout(tmp_path))
    assert wrong == []
    assert [tuple(row[:3]) for row in table.rows] == [
        ("tasks in its task file", "3", "3"),
        ("answers in its agent output", "1", "1"),
        ("tool calls in it", "2", "2"),
        ("steps of reasoning in it", "2", "2"),
        ("fields of its score file", "5", "5"),
        ("rows of its score file", "1", "1"),
        ("scores of judged answers", "4", "4"),
    ]
    assert main(["caia", str(tmp_path)]) == 0


def test_what_is_missing_of_caia_is_told(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    (folder / "example_score_result.json").write_text(json.dumps([{"task_id": "x", "total_score": 9, "answer_score": 1,
                                                                   "reasoning_score": 5, "tool_use_score": 3}]))  # fmt: skip
    assert caia(folder)[1] == ["rows of its score file: 1 there, 0 here"]
    assert main(["caia", str(folder)]) == 1


def test_of_youtu_every_difference_has_its_reason_and_the_page_says_so(tmp_path: Path) -> None:
    (table,), unexplained = youtu(SAMPLES)
    assert unexplained == []
    for row in table.rows:
        assert f"| {' | '.join(row)} |" in PAGE
    assert main(["youtu", str(SAMPLES)]) == 0
    odd = {"source": "AIME", "answer": "4", "response": "5", "judge": '{"score": 0}', "theirs": "passed"}
    (tmp_path / "odd.jsonl").write_text(json.dumps(odd) + "\n")
    assert main(["youtu", str(tmp_path / "odd.jsonl")]) == 1


def test_sixty_claims_have_each_a_test_that_is_there() -> None:
    claims = re.findall(
        r"^\| (.+) \| `(tests/[\w/]+\.py)::(test_\w+)` \|$", (ROOT / "docs" / "claims.md").read_text("utf-8"), re.M
    )
    assert len({claim for claim, _, _ in claims}) == 60
    known = {
        name: {one.name for one in ast.parse((ROOT / name).read_text("utf-8")).body if isinstance(one, ast.FunctionDef)}
        for name in {path for _, path, _ in claims}
    }
    assert [f"{path}::{test}" for _, path, test in claims if test not in known[path]] == []
