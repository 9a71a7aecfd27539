"""A benchmark with a rule of its own, from its file to the published figure beside the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.features.compare.figure import PublishedFigure, figure_lines
from tests.cli import Called, call

OPTIONS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ANSWERS = {
    "q0": ("The answer is (C).", "C"),
    "q1": ("The answer is (B).", "C"),
    "q2": ("The correct answer is (H) or (I).", "H"),
    "q3": ("Charge is told in units of J, so I cannot say.", "I"),
    "q4": ("Nothing of the kind.", "A"),
}


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """The database with a run of five answers to MMLU-Pro's questions."""
    rows = [
        {
            "question_id": name,
            "question": f"Which is number {name}?",
            "options": OPTIONS,
            "answer": gold,
            "answer_index": "ABCDEFGHIJ".index(gold),
            "category": "math",
            "src": "ours",
        }
        for name, (_, gold) in ANSWERS.items()
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = [{"id": name, "response": response} for name, (response, _) in ANSWERS.items()]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    database = tmp_path / "m.db"
    called = call(
        "import", "answers", tmp_path / "a.jsonl", "--dataset", tmp_path / "q.jsonl", "--preset", "mmlu_pro",
        "--exp-id", "e", "--db", database,
    )  # fmt: skip
    assert called.code == 0, called.err
    return database


def show(database: Path, *arguments: str) -> Called:
    return call("show", "e", *arguments, "--db", database)


def test_both_verdicts_are_kept_and_said_and_those_that_differ_open(imported: Path) -> None:
    line = next(line for line in show(imported).out.splitlines() if "MMLU-Pro's rule" in line)
    assert line == (
        "20.0 % right by our reading, 60.0 % by MMLU-Pro's rule; 2 of 5 differ; of 1 it reads no answer"
        " (`modex show e --filter flag:official_differs`)"
    )
    listed = show(imported, "--filter", "flag:official_differs", "--json").data
    assert [one["test_id"] for one in listed] == ["q2", "q3"]
    assert show(imported, "--json").data["reading"]["official"] == [
        {
            "rule": "MMLU-Pro's rule",
            "scored": 5,
            "right": 3,
            "ours": 1,
            "differ": 2,
            "unread": 1,
            "counts": False,
        }
    ]
    assert "official  by MMLU-Pro's rule: H, right" in show(imported, "--test", "math/1/q2").out


def test_the_rule_counts_where_that_is_asked_and_no_more_where_it_is_not(imported: Path) -> None:
    def scores(reading: str) -> list[float]:
        call("judge", "e", "--reading", reading, "--db", imported)
        return [one["score"] for one in call("export", "e", "--format", "json", "--db", imported).data["samples"]]

    assert scores("official") == [1.0, 0.0, 1.0, 1.0, 0.0]
    assert "60.0 % by MMLU-Pro's rule, which counts here" in show(imported).out
    assert scores("modex") == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_a_dry_run_says_which_verdicts_the_rule_would_turn(imported: Path) -> None:
    said = call("judge", "e", "--reading", "official", "--dry-run", "--json", "--db", imported).data
    assert sorted(one["test_id"] for one in said["changes"] if one["flips"]) == ["q2", "q3"]


def figure(database: Path, value: str, *more: str) -> Any:
    return call("compare", "e", "--figure", value, "--json", "--db", database, *more).data


def test_a_published_figure_is_laid_beside_the_run(imported: Path) -> None:
    inside = figure(imported, "40")
    assert (inside["what"], inside["score"], inside["n"], inside["inside"]) == ("accuracy", 0.2, 5, True)
    assert inside["more_questions"] > 5
    assert inside["by_rule"]["right"] == 3
    assert any("five worked examples" in line for line in inside["otherwise"])
    assert "the answers were made elsewhere" in inside["otherwise"]
    outside = figure(imported, "99")
    assert (outside["inside"], outside["more_questions"]) == (False, None)
    assert figure(imported, "20")["more_questions"] is None


def test_it_is_said_in_words(imported: Path) -> None:
    said = call("compare", "e", "--figure", "99.5", "--db", imported).out.splitlines()
    assert said[0].startswith("99.5 is published; accuracy here 20.0 (")
    assert said[0].endswith("n 5): the published figure lies above the interval, which chance alone does not explain")
    said = call("compare", "e", "--figure", "40", "--db", imported).out.splitlines()
    assert said[1].startswith("to tell a difference of 20.0 points from chance, about ")
    assert "reading: ours 20.0, by MMLU-Pro's rule 60.0 (2 of 5 differ; `--reading official` lets it count)" in said


@pytest.mark.parametrize(
    ("typed", "share", "said"),
    [
        ("0.948", 0.948, ["0.948 is read as a share, 94.8 of 100; `0.948%` is the score of 0 to 100"]),
        ("0.9 %", 0.009, []),
        ("94.8%", 0.948, []),
        ("94.8", 0.948, []),
        ("1", 1.0, ["1 is read as a share, 100 of 100; `1%` is the score of 0 to 100"]),
        ("0", 0.0, []),
    ],
)
def test_a_figure_up_to_1_is_a_share_and_it_is_said(typed: str, share: float, said: list[str], imported: Path) -> None:
    assert figure(imported, typed)["figure"] == pytest.approx(share)
    lines = call("compare", "e", "--figure", typed, "--db", imported).out.splitlines()
    assert lines[0].startswith(f"{100 * share:.1f} is published")
    assert [line for line in lines if "is read as" in line] == said


def test_a_figure_stands_beside_one_run(imported: Path) -> None:
    assert "beside one run" in call("compare", "e", "e", "--figure", "3", "--db", imported).err
    assert "two runs, or one and --figure" in call("compare", "e", "--db", imported).err
    assert call("compare", "e", "--figure", "101", "--db", imported).code == 2


def test_that_published_figures_are_made_by_likelihood_is_said(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(
        json.dumps({"question": "2 + 2?", "subject": "maths", "choices": ["3", "4", "5", "6"], "answer": 1})
    )
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "0", "response": "Answer: B"}))
    dataset = ("--dataset", tmp_path / "q.jsonl", "--preset", "mmlu", "--exp-id", "e", "--db", tmp_path / "m.db")
    assert call("import", "answers", tmp_path / "a.jsonl", *dataset).code == 0
    said = call("compare", "e", "--figure", "70", "--db", tmp_path / "m.db").out
    assert (
        "published figures of it are mostly of another kind, by likelihood: the likelihood of each letter after five worked"
        " examples of its subject"
    ) in said
    assert "by simple-evals' rule 100.0 (0 of 1 differ" in said


def test_a_figure_outside_the_interval_that_lost_verdicts_could_explain_is_said_to_be_so() -> None:
    for figure, ends, open_ in (
        (0.3, (0.03, 0.6), True),
        (0.03, (0.03, 0.6), False),
        (0.6, (0.03, 0.6), True),
        (0.7, (0.03, 0.6), False),
        (0.3, None, False),
        (0.02, (0.03, 0.6), False),
        (0.1, (0.03, 0.6), False),
    ):
        found = PublishedFigure(figure, 0.1, 0.03, 0.25, 15, "accuracy", None, (), 21, ends)
        first = next(figure_lines(found))
        assert (found.is_open, first.endswith(", but the answers without a verdict may")) == (open_, open_)
