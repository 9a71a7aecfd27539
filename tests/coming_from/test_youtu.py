"""youtu-agent's rows as they are: sources, levels from 0 on, lists as golds, rows without gold; and its judges' words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading
from tests.rows import each_row
from tests.server import Reply, Request, serve

ROWS: list[dict[str, Any]] = [
    {"source": "GAIA", "index": 1, "question": "Legs of a spider?", "answer": "8", "level": 2, "topic": ""},
    {"source": "WebWalkerQA", "index": 2, "question": "When?", "answer": "May 3", "level": "hard"},
    {"source": "BrowseComp", "index": 3, "question": "Who wrote it?", "answer": "Ada", "level": 0, "topic": "books"},
    {"source": "BrowseComp_ZH", "index": 4, "question": "谁写的?", "answer": "鲁迅", "level": -1},
    {"source": "XBench", "index": 5, "question": "几个?", "answer": "12", "level": 7},
    {"source": "AIME", "index": 6, "question": "2+2?", "answer": ["4", "four"], "level": 1},
    {"source": "AIME", "index": 7, "question": "Who knows?", "answer": None, "level": 3},
    {"source": "GAIA", "index": 8, "question": "And who this?", "answer": "", "level": None},
]
SAID = {
    "Legs": "FINAL ANSWER: 8",
    "When?": "It is on May the third.",
    "Who wrote": "Explanation: known\nExact Answer: Ada\nConfidence: 90%",
    "谁写的": "Exact Answer: 鲁迅\nConfidence: 80%",
    "几个": "最终答案: 12\n置信度: 70%",
    "2+2": "four",
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0000")


def run(
    folder: Path, rows: list[dict[str, Any]], said: dict[str, str], verdict: str, *words: str
) -> tuple[Called, dict[str, EvaluationSample], list[str]]:
    """Rows asked of a model that says `said` by the words of a question, judged by one that says `verdict`."""
    (folder / "mixed.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def reply(request: Request) -> Reply:
        if request.model == "judge":
            return Reply(verdict)
        asked = str(request.body["messages"][-1]["content"])
        return Reply(next((text for words, text in said.items() if words in asked), "I do not know."))

    with serve(reply) as server:
        judge = ("--judge-model", "openai/judge", "--judge-api-base", server.url)
        called = call(
            "run", "--headless", "--model", "openai/test-model", "--api-base", server.url, "--dataset",
            folder / "mixed.jsonl", "--exp-id", "e", "--db", folder / "m.db", *judge, *words,
        )  # fmt: skip
        judged = [str(one.body["messages"][0]["content"]) for one in server.requests if one.model == "judge"]
    with reading(folder / "m.db") as reader:
        return called, {one.test_id: one for one in reader.samples(reader.run("e").id)}, judged


def test_each_row_of_a_mixed_file_is_as_there(tmp_path: Path) -> None:
    called, found, judged = run(tmp_path, ROWS, SAID, "EXPLANATION: the same day\nGRADE: CORRECT")
    assert called.code == 0, called.err
    assert {name: one.level for name, one in found.items()} == {
        "1": 2, "2": 5, "3": 1, "4": 1, "5": 5, "6": 1, "7": 3, "8": 1,
    }  # fmt: skip
    assert {name: one.evaluator_id for name, one in found.items()} == {
        "1": "gaia", "2": "webwalkerqa", "3": "browsecomp", "4": "browsecomp_zh", "5": "xbench", "6": "llm_judge",
        "7": "llm_judge", "8": "gaia",
    }  # fmt: skip
    assert {name: (one.stage, one.status) for name, one in found.items()} == {
        **{str(n): ("judged", "passed") for n in range(1, 7)},
        **{str(n): ("rollout", "pending") for n in (7, 8)},
    }
    assert len(judged) == 1, "answers that are the gold, word for word, ask no judge"
    assert "It is on May the third." in judged[0]
    for line in (
        "levels outside 1 to 5 are taken as the nearest: -1 is 1, 0 is 1, 7 is 5",
        "where no level is given it is 1",
        "judged by llm_judge, since a judge is named and no preset is for such rows of a mixed file: AIME (alone: --preset aime)",
        "2 rows have no gold: asked, and judged once there is one (`modex judge`)",
    ):
        assert line in called.err


def test_a_row_with_a_mistake_is_skipped_by_its_line_and_shuts_out_no_other(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"source": "GAIA", "question": "2+2?", "answer": "4", "level": 1}\n'
        '{"source": "GAIA", "question": "", "answer": "5", "level": 1}\n'
        '{"source": "GAIA", "question": "3+3?", "answer": "6", "level": NaN}\n'
    )
    given = ("run", "--headless", "--model", "demo", "--dataset", tmp_path / "d.jsonl", "--db", tmp_path / "m.db")
    called = call(*given, "--exp-id", "e")
    assert called.code == 1
    assert f"skipped: d/1/unreadable:2 ({tmp_path}/d.jsonl:2): the question ('question') is missing" in called.err
    assert f"skipped: d/1/unreadable:3 ({tmp_path}/d.jsonl:3): NaN is not JSON" in called.err
    assert "plan: 1 to ask, 2 skipped" in called.err
    with reading(tmp_path / "m.db") as reader:
        assert [one.status for one in reader.samples(reader.run("e").id)] == ["passed", "skipped", "skipped"]
    strict = call(*given, "--exp-id", "f", "--strict")
    assert (strict.code, "2 mistakes in the suite; nothing was asked" in strict.err) == (2, True)


@pytest.mark.long
def test_a_row_without_gold_is_judged_once_it_has_one_and_not_asked_again(tmp_path: Path) -> None:
    row = {"source": "BrowseComp", "id": "a", "question": "Who wrote it?", "answer": ""}
    _, before, judged = run(tmp_path, [row], SAID, "")
    assert (before["a"].stage, before["a"].status, judged) == ("rollout", "pending", [])
    called = call("judge", "e", "--db", tmp_path / "m.db")
    assert called.code == 0, called.err
    _, after, _ = run(tmp_path, [{**row, "answer": "Ada"}], {"Who": "another answer"}, "")
    assert (after["a"].status, after["a"].response) == ("passed", before["a"].response)
    _, again, _ = run(tmp_path, [row], {}, "")
    assert (again["a"].stage, again["a"].status, again["a"].score) == ("rollout", "pending", None)


def test_without_a_judge_named_an_unknown_source_asks_none(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(json.dumps(ROWS[5]) + "\n")
    given = ("--dataset", tmp_path / "d.jsonl", "--exp-id", "e", "--db", tmp_path / "m.db")
    called = call("run", "--headless", "--model", "demo", *given)
    with reading(tmp_path / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert (called.code, sample.evaluator_id) == (0, "two_pass")


def test_an_evaluator_that_is_named_decides_about_every_source(tmp_path: Path) -> None:
    _, found, _ = run(tmp_path, ROWS[:6], SAID, "", "--evaluator", "match")
    assert {one.evaluator_id for one in found.values()} == {"match"}


def test_a_judges_own_row_without_a_source_keeps_the_files_evaluator(tmp_path: Path) -> None:
    rows = [ROWS[5], {"index": 9, "question": "3+3?", "answer": "6"}]
    _, found, _ = run(tmp_path, rows, {"2+2": "4", "3+3": "Answer: 6"}, "")
    assert {name: one.evaluator_id for name, one in found.items()} == {"6": "llm_judge", "9": "two_pass"}


@each_row(
    ("source", "answer", "response", "status"),
    [
        ("GAIA", ["Paris", "Lutetia"], "FINAL ANSWER: Paris", "passed"),
        ("GAIA", ["Paris", "Lutetia"], "FINAL ANSWER: Lutetia", "passed"),
        ("GAIA", ["Paris", "", None], "FINAL ANSWER: Paris", "passed"),
        ("GAIA", ["Paris", "Lutetia"], "FINAL ANSWER: Lyon", "failed"),
        ("BrowseComp", ["Ada", "Ada L."], "Exact Answer: Ada L.", "passed"),
        ("BrowseComp_ZH", ["鲁迅", "周树人"], "Exact Answer: 周树人", "passed"),
        ("WebWalkerQA", ["May 3", "3 May"], "3 May", "passed"),
        ("XBench", [12, "十二"], "最终答案: 12", "passed"),
        ("AIME", ["4", "four"], "four", "passed"),
    ],
)
def test_golds_that_are_lists_are_alternatives_for_every_source(
    source: str, answer: Any, response: str, status: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    row = {"source": source, "id": "a", "question": "Q?", "answer": answer}
    called, found, judged = run(tmp_path_factory.mktemp("lists"), [row], {"Q?": response}, "")
    assert (found["a"].status, judged) == (status, [])
    assert "1 gold is a list: any one of the items is right" in called.err


@each_row("source", ["BrowseComp", "BrowseComp_ZH", "WebWalkerQA", "XBench", "AIME", "CAIA"])
def test_a_judge_is_told_that_any_gold_of_a_list_is_right(
    source: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    row = {"source": source, "id": "a", "question": "Q?", "answer": ["Ada", "Ada L."]}
    verdict = '{"reason": "r", "score": 1}'
    _, found, judged = run(tmp_path_factory.mktemp("told"), [row], {"Q?": "It may be her."}, verdict)
    assert (found["a"].status, "any one of these:\n- Ada\n- Ada L." in judged[0]) == ("passed", True)
    _, _, judged = run(tmp_path_factory.mktemp("told"), [row], {"Q?": "Ada"}, verdict, "--gold", "parts")
    assert "all of these:\n- Ada\n- Ada L." in judged[0]


_ANSWER = "extracted_final_answer: Ada\n\n[correct_answer]: Ada L.\n\nreasoning: the same.\n\n"


@pytest.mark.long
@each_row(
    ("source", "verdict", "status"),
    [
        ("BrowseComp", _ANSWER + "correct: yes\n\nconfidence: 90%", "passed"),
        ("BrowseComp", _ANSWER + "**correct:** no\n\nconfidence: 90", "failed"),
        ("BrowseComp", _ANSWER + "The answer is incorrect: yes\n", "error"),
        ("BrowseComp", _ANSWER + "correct: maybe", "error"),
        ("BrowseComp", '{"reason": "r", "score": 0}', "failed"),
        ("BrowseComp", '{"reason": "r", "score": 7}\ncorrect: yes', "error"),
        ("BrowseComp_ZH", "extracted_final_answer: 鲁迅\nreasoning: 一致\ncorrect: yes\nconfidence: 80%", "passed"),
        ("AIME", _ANSWER + "correct: yes", "passed"),
        ("WebWalkerQA", "EXPLANATION: it is.\nGRADE: CORRECT", "passed"),
        ("WebWalkerQA", "EXPLANATION: it is not.\n**GRADE: INCORRECT**", "failed"),
        ("XBench", "最终答案: 12\n解释: 一致\n结论: 正确", "passed"),
        ("XBench", "最终答案: 13\n解释: 不一致\n**结论**: 错误", "failed"),
    ],
)
def test_the_replies_of_its_judges_are_read(
    source: str, verdict: str, status: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    row = {"source": source, "id": "a", "question": "Q?", "answer": "Ada L."}
    _, found, judged = run(tmp_path_factory.mktemp("said"), [row], {"Q?": "It may be Ada."}, verdict)
    assert found["a"].status == status, found["a"].why
    assert len(judged) == (2 if status == "error" else 1)


@pytest.mark.long
@each_row(
    ("source", "answer", "response", "asked"),
    [
        ("AIME", "four", " four\n", False),
        ("AIME", ["4", "four"], "four", False),
        ("AIME", "four", "It is four.", True),
        ("AIME", "four", "Four", True),
        ("AIME", 4, "4", False),
        ("BrowseComp", "Ada", "Exact Answer: Ada", False),
        ("BrowseComp", "Ada", "Exact Answer: Ada\nExact Answer: Bob", True),
        ("BrowseComp", "Ada", "Exact Answer: Bob", True),
        ("XBench", "12", "解释。\n最终答案：12", False),
        ("XBench", "12", "Exact Answer: 12", True),
        ("WebWalkerQA", "May 3", "May 3", False),
    ],
)
def test_an_answer_that_is_the_gold_passes_without_a_judge(
    source: str, answer: Any, response: str, asked: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    row = {"source": source, "id": "a", "question": "Q?", "answer": answer}
    _, found, judged = run(tmp_path_factory.mktemp("same"), [row], {"Q?": response}, '{"reason": "r", "score": 0}')
    assert (found["a"].status, bool(judged)) == ("failed" if asked else "passed", asked)
    if not asked:
        assert found["a"].details["exact match"] == str(answer if isinstance(answer, str | int) else "four")
