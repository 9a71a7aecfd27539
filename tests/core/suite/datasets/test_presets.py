"""Files of known benchmarks are read by name: forty rows of each shape, asked in both modes, judged, summed up."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from modex.core.config.options import BY_NAME
from modex.core.config.runconfig import DatasetSpec
from modex.core.suite.datasets.presets import PRESETS
from modex.core.suite.datasets.reader import DatasetReader
from modex.core.suite.datasets.rubrics import rubric_of
from modex.core.suite.definitions import TestCase
from tests.cli import call, reading

ROWS = 40


def gaia(number: int) -> dict[str, Any]:
    return {"task_id": f"g-{number}", "Question": f"What is {number} + 1?", "Level": number % 3 + 1,
            "Final answer": str(number + 1), "file_name": ""}  # fmt: skip


def webwalker(number: int) -> dict[str, Any]:
    return {"question": f"Which day is talk {number}?", "answer": f"day {number}", "root_url": "https://conf.example/",
            "info": {"difficulty_level": ("easy", "medium", "hard")[number % 3], "domain": "conference"}}  # fmt: skip


def caia(number: int) -> dict[str, Any]:
    items = [
        {"target": "ANSWER", "points": 5, "criterion": f"The price of token {number} is given."},
        {"target": "REASONING", "points": 3, "criterion": "It compares prices."},
        {"target": "TOOL_USE", "points": 2, "criterion": "A price tool was used."},
    ]
    return {"task_id": f"c{number}", "question": f"What did token {number} cost?", "level": number % 5 + 1,
            "category": "prices", "evaluate": {"items": items}}  # fmt: skip


SHAPES = {"gaia": gaia, "webwalkerqa": webwalker, "caia": caia}


def written(folder: Path, rows: list[dict[str, Any]], name: str = "file.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", encoding="utf-8")
    return path


def rows_of(path: Path, **fields: Any) -> list[TestCase]:
    reader = DatasetReader(DatasetSpec(path=str(path), **fields))
    found = list(reader)
    assert reader.problems == []
    return found


def test_every_preset_is_an_option_by_its_name() -> None:
    assert BY_NAME["preset"].choices == tuple(PRESETS)


@pytest.mark.long
@pytest.mark.parametrize("rollout", ["reasoning", "agentic"])
@pytest.mark.parametrize("name", SHAPES)
def test_forty_rows_are_asked_judged_and_summed_up(name: str, rollout: str, tmp_path: Path) -> None:
    path = written(tmp_path, [SHAPES[name](number) for number in range(ROWS)])
    called = call(
        "run", "--model", "demo", "--dataset", path, "--preset", name, "--rollout", rollout, "--headless",
        "--exp-id", "e", "--db", tmp_path / "m.db",
    )  # fmt: skip
    assert called.code == 0, called.err
    with reading(tmp_path / "m.db") as reader:
        run = reader.run("e")
        samples = list(reader.samples(run.id))
    assert {sample.status for sample in samples} <= {"passed", "failed"}
    assert len(samples) == ROWS
    assert {sample.source for sample in samples} == {name}
    metrics = (run.metrics or {})[name]
    assert sum(group["n"] for group in metrics["by_level"].values()) == ROWS
    assert set(metrics["by_level"]) == {"gaia": {"1", "2", "3"}, "webwalkerqa": {"1", "3", "5"}}.get(name, set("12345"))


def test_gaia_rows(tmp_path: Path) -> None:
    first = rows_of(written(tmp_path, [gaia(1), gaia(2)]), preset="gaia")[0]
    assert (first.test_id, first.level, first.expected, first.evaluator_id, first.source) == (
        "g-1",
        2,
        "2",
        "gaia",
        "gaia",
    )
    assert "FINAL ANSWER" in first.layers[-1].text


def test_webwalkerqa_rows_show_where_to_start_and_their_difficulty(tmp_path: Path) -> None:
    tests = rows_of(written(tmp_path, [webwalker(n) for n in range(3)]), preset="webwalkerqa")
    assert [test.level for test in tests] == [1, 3, 5]
    assert str(tests[0].prompt).endswith("Start from: https://conf.example/")
    assert tests[0].domain == "conference"


def test_caia_rows_become_rubrics_with_points(tmp_path: Path) -> None:
    (test,) = rows_of(written(tmp_path, [caia(7)]), preset="caia")
    assert (test.test_id, test.level, test.evaluator_id) == ("c7", 3, "caia")
    assert [(item["points"], item["group"]) for item in test.expected["items"]] == [
        (5, "answer"), (3, "reasoning"), (2, "tool_use"),
    ]  # fmt: skip


def test_rubrics_in_other_words_and_what_is_none() -> None:
    found = rubric_of(
        {"items": [{"content": "Says so.", "score": 2, "type": "tool call"}, {"text": "And so.", "points": True}]}
    )
    assert found is not None
    assert [(item["points"], item["group"]) for item in found["items"]] == [(2, "tool_use"), (1, "answer")]
    none: tuple[Any, ...] = (None, [], {"items": []}, {"items": ["x"]}, {"items": [{"points": 1}]}, "text", 3)
    assert [rubric_of(value) for value in none] == [None] * len(none)


@pytest.mark.parametrize("name", ["browsecomp", "xbench"])
def test_enciphered_rows_are_read(name: str, tmp_path: Path) -> None:
    canary = "a canary that nobody trains on"
    key = hashlib.sha256(canary.encode()).digest() if name == "browsecomp" else canary.encode()

    def sealed(text: str) -> str:
        return base64.b64encode(bytes(b ^ key[n % len(key)] for n, b in enumerate(text.encode()))).decode()

    question = "problem" if name == "browsecomp" else "prompt"
    rows = [
        {"id": "1", question: sealed("Wer war's? 谁?"), "answer": sealed("niemand"), "canary": canary},
        {"id": "2", question: "Plain?", "answer": "yes", "canary": ""},
    ]
    tests = rows_of(written(tmp_path, rows), preset=name)
    assert [(test.prompt, test.expected) for test in tests] == [("Wer war's? 谁?", "niemand"), ("Plain?", "yes")]
    assert tests[0].evaluator_id == name


@pytest.mark.parametrize(
    ("name", "row", "expected", "shown"),
    [
        ("gsm8k", {"question": "2+2?", "answer": "2+2=4\n#### 4"}, "4", "2+2?"),
        ("mmlu", {"question": "Q?", "choices": ["a", "b", "c", "d"], "answer": 2, "subject": "law"}, "C", "C. c"),
        ("mmlu", {"Question": "Q?", "A": "a", "B": "b", "C": "c", "D": "d", "Answer": "B", "Subject": "law"}, "B", "B. b"),
        ("arc", {"id": "x", "question": "Q?", "choices": {"text": ["u", "v"], "label": ["1", "2"]}, "answerKey": "2"},
         "B", "B. v"),
        ("arc", {"id": "x", "question": {"stem": "Q?", "choices": [{"text": "u", "label": "A"}, {"text": "v", "label": "B"}]},
                 "answerKey": "B"}, "B", "B. v"),
        ("truthfulqa", {"question": "Q?", "correct_answers": ["one", "another"], "incorrect_answers": ["no"]},
         ["one", "another"], "Q?"),
        ("truthfulqa", {"Question": "Q?", "Best Answer": "one", "Correct Answers": "one; another"}, ["one", "another"], "Q?"),
    ],
)  # fmt: skip
def test_rows_of_the_other_presets(name: str, row: dict[str, Any], expected: Any, shown: str, tmp_path: Path) -> None:
    (test,) = rows_of(written(tmp_path, [row]), preset=name)
    assert test.expected == expected
    assert shown in str(test.prompt)
    assert test.evaluator_id == PRESETS[name].evaluator


def ifeval(key: int, *types: str, **told: Any) -> dict[str, Any]:
    nothing = {"num_words": None, "relation": None}
    return {
        "key": key,
        "prompt": "Write.",
        "instruction_id_list": list(types),
        "kwargs": [nothing | told for _ in types],
    }


def test_ifeval_rows_are_read_as_published(tmp_path: Path) -> None:
    rows = [ifeval(1000, "length_constraints:number_words", num_words=3), ifeval(1001, "punctuation:no_comma")]
    first, second = rows_of(written(tmp_path, rows), preset="ifeval")
    assert (first.test_id, first.evaluator_id, first.prompt) == ("1000", "instructions", "Write.")
    assert first.expected == {name: rows[0][name] for name in ("instruction_id_list", "kwargs")}
    assert first.metadata == {}
    assert first.layers == ()
    assert second.test_id == "1001"


def test_ifeval_answers_are_imported_with_their_tests_or_beside_them(tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    rows = [
        ifeval(1000, "length_constraints:number_words", "punctuation:no_comma"),
        ifeval(1001, "punctuation:no_comma"),
    ]
    rows[0]["kwargs"] = [{"num_words": 3}, {}]
    path = written(tmp_path, rows)
    answers = [
        {"key": row["key"], "response": text} for row, text in zip(rows, ("one, two three", "none"), strict=True)
    ]
    beside = written(tmp_path, answers, "answers.jsonl")
    whole = written(tmp_path, [row | answer for row, answer in zip(rows, answers, strict=True)], "whole.jsonl")
    for name, flags in (("beside", (beside, "--dataset", path)), ("whole", (whole,))):
        called = call("import", "answers", *flags, "--preset", "ifeval", "--exp-id", name, "--db", database)
        assert called.code == 0, called.err
        shown = call("show", name, "--db", database).out
        assert "ifeval: instructions followed: by prompt 50.0 strict, 50.0 loose (of 2)" in shown
        assert "by instruction 66.7 strict, 66.7 loose (of 3)" in shown
        exported = call("export", name, "--format", "md", "--db", database).out
        assert "by instruction 66.7 strict, 66.7 loose" in exported
    with reading(database) as reader:
        run = reader.run("whole")
        assert run.metrics["ifeval"]["instructions"]["by_type"]["punctuation:no_comma"]["strict"]["n"] == 2
        (failed,) = (one for one in reader.samples(run.id) if one.status == "failed")
    assert failed.why == "1 of 2 instructions followed: 1 comma"


def test_an_ifeval_row_with_a_mistake_is_told_by_its_line(tmp_path: Path) -> None:
    rows = [ifeval(1, "punctuation:no_comma"), ifeval(2, "punctuation:no_coma")]
    called = call("run", "--model", "demo", "--dataset", written(tmp_path, rows), "--preset", "ifeval", "--headless",
                  "--db", tmp_path / "m.db")  # fmt: skip
    assert called.code == 2
    assert "file.jsonl:2: " in called.err
    assert "did you mean 'punctuation:no_comma'?" in called.err


def test_a_rows_own_source_names_its_source_and_its_judge(tmp_path: Path) -> None:
    rows = [
        {"source": "GAIA", "question": "1+1?", "answer": "2", "level": 1},
        {"source": "BrowseComp", "question": "Who?", "answer": "Ann", "level": 2},
        {"source": "mine", "question": "Where?", "answer": "here", "level": 1},
    ]
    path = written(tmp_path, rows)
    tests = rows_of(path)
    assert [(test.source, test.evaluator_id) for test in tests] == [
        ("GAIA", "gaia"), ("BrowseComp", "browsecomp"), ("mine", "two_pass"),
    ]  # fmt: skip
    assert "Exact Answer" in tests[1].layers[-1].text
    called = call("run", "--model", "demo", "--dataset", path, "--headless", "--exp-id", "e", "--db", tmp_path / "m.db")
    assert called.code == 0, called.err
    with reading(tmp_path / "m.db") as reader:
        metrics = reader.run("e").metrics or {}
    assert {name: found["processer"] for name, found in metrics.items()} == {
        "GAIA": "GaiaProcesser", "BrowseComp": "BrowseCompProcesser", "mine": "SuiteProcesser",
    }  # fmt: skip
    assert "calibration" in metrics["BrowseComp"]


def test_a_column_of_addresses_is_no_source(tmp_path: Path) -> None:
    path = written(tmp_path, [{"question": "Q?", "answer": "a", "source": "https://example.org/page?x=1"}])
    (test,) = rows_of(path)
    assert (test.source, test.metadata["source"]) == ("file", "https://example.org/page?x=1")


def test_llama_factory_rows(tmp_path: Path) -> None:
    rows = [
        {"instruction": "Translate.", "input": "Guten Tag", "output": "Good day"},
        {"instruction": "Say hi.", "input": "", "output": "hi"},
    ]
    tests = rows_of(written(tmp_path, rows))
    assert [test.prompt for test in tests] == ["Translate.\n\nGuten Tag", "Say hi."]
    assert [test.expected["value"] for test in tests] == ["Good day", "hi"]


def test_task_id_is_an_id(tmp_path: Path) -> None:
    (test,) = rows_of(written(tmp_path, [{"task_id": "t-9", "question": "Q?", "answer": "a"}]))
    assert test.test_id == "t-9"


def test_rows_without_gold_are_asked_and_judged_once_they_have_one(tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    path = written(tmp_path, [{"task_id": "a", "question": "1+1?"}, {"task_id": "b", "question": "2+2?"}])
    flags = ("--dataset", path, "--evaluator", "match", "--headless", "--exp-id", "e", "--db", database)
    assert call("run", "--model", "demo", *flags).code == 2
    called = call("run", "--model", "demo", *flags, "--until", "rollout")
    assert called.code == 0, called.err
    with reading(database) as reader:
        before = {sample.test_id: sample for sample in reader.samples(reader.run("e").id)}
    assert {sample.stage for sample in before.values()} == {"rollout"}
    written(
        tmp_path,
        [{"task_id": "a", "question": "1+1?", "answer": "2"}, {"task_id": "b", "question": "2+2?", "answer": "4"}],
    )
    called = call("run", "--model", "demo", *flags)
    assert called.code in (0, 1), called.err
    with reading(database) as reader:
        after = {sample.test_id: sample for sample in reader.samples(reader.run("e").id)}
    assert {sample.stage for sample in after.values()} == {"judged"}
    assert {name: sample.response for name, sample in after.items()} == {n: s.response for n, s in before.items()}


def test_a_suites_own_dataset_can_name_a_preset(tmp_path: Path) -> None:
    folder = tmp_path / "suite" / "test_definitions" / "general"
    folder.mkdir(parents=True)
    written(folder, [gaia(1)], "rows.jsonl")
    (folder / "dataset.json").write_text('{"file": "rows.jsonl", "preset": "gaia"}')
    listed = call("tests", tmp_path / "suite", "--json")
    assert [(row["id"], row["evaluator"]) for row in listed.data] == [("gaia/2/g-1", "gaia")]
    (folder / "dataset.json").write_text('{"file": "rows.jsonl", "preset": "gaja"}')
    called = call("check", tmp_path / "suite")
    assert (called.code, "there is no preset 'gaja'; did you mean 'gaia'?" in called.out) == (2, True)


def test_the_names_of_the_settling_rules_are_one_list() -> None:
    from modex.core.config.options import Settle

    assert BY_NAME["judge_settle"].choices == get_args(Settle)


MMLU: dict[str, Any] = {
    "question": "Which of 4, 6, 7 and 9 is prime?",
    "choices": ["4", "6", "7", "9"],
    "answer": 2,
    "subject": "maths",
}
GAP: dict[str, Any] = {
    "sentence": "Ann paid Bob, since _ owed money.",
    "option1": "Ann",
    "option2": "Bob",
    "answer": "1",
    "qID": "q",
}
ARC: dict[str, Any] = {
    "id": "a",
    "question": "Is it ice or fog?",
    "choices": {"text": ["ice", "fog"], "label": ["A", "B"]},
    "answerKey": "B",
}


@pytest.mark.parametrize(
    ("name", "row", "below"),
    [
        ("mmlu", MMLU, "\n\nA. 4\nB. 6\nC. 7\nD. 9"),
        ("winogrande", GAP, "\n\nA. Ann\nB. Bob"),
        ("arc", ARC, "\n\nA. ice\nB. fog"),
    ],
)
def test_options_are_shown_though_their_words_stand_in_the_question(
    name: str, row: dict[str, Any], below: str, tmp_path: Path
) -> None:
    (test,) = rows_of(written(tmp_path, [row]), preset=name)
    assert str(test.prompt).endswith(below)
    asked = "sentence" if name == "winogrande" else "question"
    (again,) = rows_of(written(tmp_path, [row | {asked: f"{row[asked]}{below}"}]), preset=name)
    assert again.prompt == test.prompt


@pytest.mark.parametrize(
    ("name", "sound", "odd", "problem"),
    [
        (
            "mmlu",
            MMLU,
            {"choices": ["1", None, "3", "0"]},
            "the options ('choices') are \"['1', None, '3', '0']\"; they must be a list",
        ),
        (
            "mmlu",
            MMLU,
            {"choices": "['4' '6' '7' '9']"},
            "the options ('choices') are \"['4' '6' '7' '9']\"; they must be a list",
        ),
        ("mmlu", MMLU, {"choices": None}, "the options ('choices') are missing"),
        ("mmlu", MMLU, {"answer": 7}, "the answer is '7', which is none of its options (A, B, C, D)"),
        ("mmlu", MMLU, {"answer": -1}, "the answer is '-1', which is none of its options (A, B, C, D)"),
        ("arc", ARC, {"answerKey": "E"}, "the answer is 'E', which is none of its options (A, B)"),
    ],
)
def test_an_odd_row_is_named_and_undoes_no_other(
    name: str, sound: dict[str, Any], odd: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    rows = [sound | {"id": "a"}, sound | odd | {"id": "b"}, sound | {"id": "c"}]
    alone = rows_of(written(tmp_path, [sound]), preset=name)[0]
    reader = DatasetReader(DatasetSpec(path=str(written(tmp_path, rows)), preset=name))
    assert [(test.test_id, test.prompt, test.expected) for test in reader] == [
        (one, alone.prompt, alone.expected) for one in "ac"
    ]
    assert [problem_.line for problem_ in reader.problems] == [2]
    assert reader.problems[0].message.startswith(problem)


PRO: dict[str, Any] = {
    "question": "Q?",
    "options": ["a", "b", "c"],
    "answer": "B",
    "answer_index": 1,
    "category": "law",
}
GPQA: dict[str, Any] = {
    "Question": "Q?", "Correct Answer": "w", "Incorrect Answer 1": "x", "Incorrect Answer 2": "y", "Incorrect Answer 3": "z",
    "Record ID": "r",
}  # fmt: skip
STEM: dict[str, Any] = {
    "question": {"stem": "Is it ice?", "choices": [{"label": "A", "text": "ice"}, {"label": "B", "text": "fog"}]},
    "choices": None,
}


@pytest.mark.parametrize(
    ("name", "sound", "odd", "gold", "shown"),
    [
        ("mmlu_pro", PRO, {"answer": None}, "B", "A. a\nB. b\nC. c"),
        ("mmlu_pro", PRO, {"answer": None, "answer_index": "2"}, "C", "A. a\nB. b\nC. c"),
        ("mmlu", MMLU, {"choices": ["1", "2", "3", "0"], "answer": "3"}, "D", "C. 3\nD. 0"),
        ("mmlu", MMLU, {"answer": "7"}, "C", "C. 7\nD. 9"),
        ("arc", ARC, STEM, "B", "A. ice\nB. fog"),
        ("arc", ARC, {"choices": {"text": ["2", "1"], "label": ["1", "2"]}, "answerKey": "1"}, "A", "A. 2\nB. 1"),
        (
            "arc",
            ARC,
            {"choices": [{"label": 1, "text": "u"}, {"label": 2, "text": "v"}], "answerKey": 2},
            "B",
            "A. u\nB. v",
        ),
    ],
)
def test_an_odd_row_that_can_be_read_is_read(
    name: str, sound: dict[str, Any], odd: dict[str, Any], gold: str, shown: str, tmp_path: Path
) -> None:
    tests = rows_of(written(tmp_path, [sound | {"id": "a"}, sound | odd | {"id": "b"}]), preset=name)
    assert [test.expected for test in tests][1:] == [gold]
    assert str(tests[1].prompt).endswith(shown)


def test_gpqa_with_an_empty_wrong_answer_has_three_options_and_without_its_right_one_is_named(tmp_path: Path) -> None:
    rows = [
        GPQA,
        GPQA | {"Incorrect Answer 3": None, "Record ID": "s"},
        GPQA | {"Correct Answer": "", "Record ID": "t"},
    ]
    reader = DatasetReader(DatasetSpec(path=str(written(tmp_path, rows)), preset="gpqa"))
    whole, fewer = reader
    assert sorted(str(whole.prompt).split("\n\n")[1].splitlines())[3].startswith("D. ")
    assert sorted(line[3:] for line in str(fewer.prompt).split("\n\n")[1].splitlines()) == ["w", "x", "y"]
    assert f"{fewer.expected}. w" in str(fewer.prompt)
    assert [(problem.line, problem.message) for problem in reader.problems] == [
        (3, "the options ('options') are missing")
    ]


def test_rows_of_a_mixed_file_have_their_own_options(tmp_path: Path) -> None:
    """ARC's digits become letters there, too, and rows of other sources need no options."""
    numbered = {"text": ["u", "v"], "label": ["1", "2"]}
    rows: list[dict[str, Any]] = [
        {"source": "gsm8k", "id": "1", "question": "2+2?", "answer": "#### 4"},
        {"source": "mmlu", "id": "2", "question": "Q?", "choices": ["3", "1", "2"], "answer": "2"},
        {"source": "arc", "id": "3", "question": "Q?", "choices": numbered, "answer": "2"},
    ]
    tests = rows_of(written(tmp_path, rows))
    assert [(test.source, test.expected) for test in tests] == [("gsm8k", "4"), ("mmlu", "C"), ("arc", "B")]
    assert [str(test.prompt).count("\n") for test in tests] == [0, 4, 3]
