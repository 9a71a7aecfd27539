"""What a reader makes of each row: its settings, its files, its place, and what it says of rows that it leaves out."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.attachments import MAX_TOGETHER, Attachment
from modex.core.suite.datasets import reader as reading
from modex.core.suite.datasets.mapping import level_of
from modex.core.suite.datasets.presets import PRESETS, deciphered, preset_of
from modex.core.suite.datasets.reader import DatasetReader, read_suite_dataset
from modex.core.suite.datasets.rows import json_lines
from modex.core.suite.definitions import Location, PromptLayer, SuiteDataset
from tests.rows import each_row

QA: dict[str, Any] = {"question": "a?", "answer": "x"}
PNG = b"\x89PNG\r\n\x1a\nrest"


def _reader(folder: Path, rows: list[Any], name: str = "facts.jsonl", **options: Any) -> DatasetReader:
    fields = options.pop("fields", {})
    path = folder / name
    text = "".join(json.dumps(row) + "\n" for row in rows) if name.endswith("l") else json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    return DatasetReader(DatasetSpec(path=str(path), **fields), **options)


def _dataset(folder: Path, rows: list[Any], **options: Any) -> SuiteDataset:
    reader = _reader(folder, rows)
    given = {"domain": "d", "file": reader.path, "spec": reader.spec, "source": "s", "evaluator_id": None}
    return SuiteDataset(**{**given, "location": Location("d/dataset.json", 1), **options})


def _layer(text: str) -> PromptLayer:
    return PromptLayer("domain", text, "append", Location("prompts/domain.md"))


def test_a_reader_says_how_it_reads(tmp_path: Path) -> None:
    plain = _reader(tmp_path, [QA])
    assert (plain.rows, plain.without_gold) == (0, 0)
    assert (plain.source, plain.evaluator, plain.rollout, plain.kind) == ("facts", "two_pass", "direct", "exact_match")
    assert (plain.shown_path, plain.has_prompt) == (str(tmp_path / "facts.jsonl"), False)
    named = _reader(tmp_path, [QA], source="s", evaluator="match", rollout="agentic", shown_path="d/facts.jsonl")
    assert (named.source, named.evaluator, named.rollout, named.kind) == ("s", "match", "agentic", None)
    assert named.shown_path == "d/facts.jsonl"
    (test,) = named
    assert (test.source, test.domain, test.location, test.rollout) == (
        "s",
        "s",
        Location("d/facts.jsonl", 1),
        "agentic",
    )
    preset = _reader(tmp_path, [{"problem": "q?", "answer": "x"}], fields={"preset": "browsecomp"})
    assert (preset.source, preset.evaluator, preset.guesses[0]) == (
        "browsecomp", "browsecomp", "preset browsecomp: judged by browsecomp",
    )  # fmt: skip
    judged = _reader(tmp_path, [{"problem": "q?", "answer": "x"}], fields={"preset": "browsecomp"}, evaluator="match")
    assert (judged.source, judged.evaluator, [test.evaluator_id for test in judged]) == (
        "browsecomp",
        "match",
        ["match"],
    )


def test_a_suites_dataset_gives_its_rows_what_its_file_says(tmp_path: Path) -> None:
    rows = [{**QA, "level": 1}, {**QA, "level": 2, "kind": "odd"}]
    dataset = _dataset(
        tmp_path, rows, evaluator_id="match", rollout="reasoning", layers=(_layer("all"),), level_layers={2: (_layer("two"),)},
        tool_ids=("x",), given={"weight": 2.0, "timeout_ms": 5}, enabled=False, invalid="broken",
    )  # fmt: skip
    reader = read_suite_dataset(dataset, tmp_path)
    one, two = reader
    assert (reader.has_prompt, reader.shown_path, one.location.path) == (True, "facts.jsonl", "facts.jsonl")
    assert ([one.layers[0].text], [two.layers[0].text], len(one.layers), len(two.layers)) == (["all"], ["two"], 1, 1)
    assert (one.source, one.evaluator_id, one.rollout, one.tool_ids) == ("s", "match", "reasoning", ("x",))
    assert (one.weight, one.timeout_ms, one.disabled_by, one.invalid) == (2.0, 5, "domain", "broken")
    other = read_suite_dataset(dataset, tmp_path / "elsewhere", evaluator="two_pass", rollout="direct")
    assert (other.evaluator, other.rollout, other.shown_path) == ("two_pass", "direct", str(tmp_path / "facts.jsonl"))
    plain = read_suite_dataset(replace(dataset, layers=(_layer(""),), enabled=True, invalid=None), tmp_path)
    assert (plain.has_prompt, [test.disabled_by for test in plain]) == (False, [None, None])
    assert read_suite_dataset(replace(dataset, layers=(_layer("a"), _layer(""))), tmp_path).has_prompt
    few = replace(dataset, filters=("kind=odd",), limit=1)
    assert [test.level for test in read_suite_dataset(few, tmp_path)] == [2]
    assert [test.level for test in read_suite_dataset(replace(dataset, limit=1), tmp_path)] == [1]
    assert len(list(read_suite_dataset(replace(dataset, sample=1, seed=4), tmp_path))) == 1


def test_a_dataset_of_a_suite_may_hold_rows_without_an_answer_where_none_is_needed(tmp_path: Path) -> None:
    dataset = _dataset(tmp_path, [QA, {"question": "b?", "answer": ""}, {"question": "c?", "answer": ""}])
    asked = read_suite_dataset(dataset, tmp_path, golds_needed=False)
    assert [test.expected is None for test in asked] == [False, True, True]
    assert (asked.without_gold, asked.check(), asked.without_gold) == (2, [], 2)
    assert len(read_suite_dataset(dataset, tmp_path).check()) == 2
    twice = _reader(tmp_path, [{**QA, "answer": "", "id": "a"}] * 2, golds_needed=False)
    assert (len(twice.check()), twice.without_gold) == (1, 2)


@each_row(
    ("rows", "why"),
    [
        ([], "it is empty"),
        ([[1], [2]], "a row must be an object (line 1)"),
        ([""], "a row must be an object (line 1)"),
    ],
)
def test_a_file_without_rows_says_what_its_first_line_is(tmp_path: Path, rows: list[Any], why: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        _reader(tmp_path, rows)
    assert f"no row can be read ({why}); correct the file" in str(refused.value)


@each_row(
    ("row", "fields", "told"),
    [
        ({"question": "a", "context": "b", "answer": "x"}, {}, {"prompt": "a", "metadata": {"context": "b"}}),
        ({"instruction": "a \n", "input": "b", "output": "x"}, {}, {"prompt": "a\n\nb", "metadata": {}}),
        ({"instruction": "a", "input": 3, "output": "x"}, {}, {"prompt": "a", "metadata": {}}),
        ({"instruction": [{"role": "user", "content": "t"}], "input": "b", "output": "x"}, {},
         {"prompt": ({"role": "user", "content": "t"},)}),
        ({"q.a": "a?", "answer": "x"}, {"question_field": "q.a"}, {"prompt": "a?", "metadata": {}}),
        ({"q": {"a": "a?"}, "answer": "x"}, {"question_field": "q.a"}, {"prompt": "a?", "metadata": {"q": {"a": "a?"}}}),
        ({"question": "a?"}, {}, {"expected": None}),
        ({"question": [{"role": "user", "content": "a?"}], "answer": "x", "root_url": "u"}, {"preset": "webwalkerqa"},
         {"prompt": ({"role": "user", "content": "a?"},)}),
        ({"question": "a?", "text": "b?", "correct_answers": "x"}, {"preset": "truthfulqa", "question_field": "text"},
         {"prompt": "b?"}),
        ({**QA, "cluster": " c "}, {}, {"cluster": "c", "metadata": {}}),
        ({**QA, "cluster": True}, {}, {"cluster": None}),
        ({**QA, "cluster": 7.0}, {}, {"cluster": "7"}),
        ({**QA, "id": 7.5}, {}, {"test_id": "7.5"}),
        ({**QA, "id": " a b "}, {}, {"test_id": "a b"}),
        ({**QA, "id": "a..b/..c"}, {}, {"test_id": "a..b/..c"}),
        ({**QA, "category": "law"}, {}, {"domain": "law", "source": "facts"}),
        ({**QA, "source": "mmlu"}, {}, {"domain": "mmlu", "source": "mmlu", "evaluator_id": PRESETS["mmlu"].evaluator}),
        ({**QA, "source": "other"}, {}, {"domain": "other", "source": "other", "evaluator_id": "two_pass"}),
        ({**QA, "source": "mmlu"}, {"preset": "truthfulqa"}, {"evaluator_id": "llm_judge", "expected": ["x"]}),
        ({"question": "a?", "correct_answers": "x; y ;; "}, {"preset": "truthfulqa"}, {"expected": ["x", "y"]}),
        ({"question": "a?", "correct_answers": ["x;y"]}, {"preset": "truthfulqa"}, {"expected": ["x;y"]}),
        ({"question": "a?", "answer": "x;y"}, {}, {"expected": {"type": "exact_match", "value": "x;y"}}),
        ({"question": "Which?", "choices": ["a", "b"], "answer": 1}, {},
         {"prompt": "Which?\n\nA. a\nB. b", "metadata": {"choices": ["a", "b"]},
          "expected": {"type": "choice", "value": "B", "options": {"A": "a", "B": "b"}}}),
        ({"question": [{"role": "user", "content": "Which?"}], "choices": ["a", "b"], "answer": 1}, {},
         {"prompt": ({"role": "user", "content": "Which?"},)}),
        ({"question": "a?", "answer": "x", "root_url": "u"}, {"preset": "webwalkerqa"}, {"prompt": "a?\n\nStart from: u"}),
        ({"question": "a? \n", "answer": "x", "root_url": ""}, {"preset": "webwalkerqa"}, {"prompt": "a? \n"}),
        ({"question": "a?", "answer": "x", "root_url": 3}, {"preset": "webwalkerqa"}, {"prompt": "a?"}),
        ({"question": "a?", "answer": "x", "root_url": "u"}, {}, {"prompt": "a?"}),
        ({"question": {"stem": "Which?", "choices": {"label": ["A", "B"], "text": ["a", "b"]}}, "answerKey": "B"},
         {"preset": "arc"}, {"prompt": "Which?\n\nA. a\nB. b"}),
    ],
)  # fmt: skip
def test_a_row_becomes_a_test_of_its_columns_and_of_its_benchmark(
    tmp_path: Path, row: dict[str, Any], fields: dict[str, str], told: dict[str, Any]
) -> None:
    (test,) = _reader(tmp_path, [row], fields=fields)
    assert {name: getattr(test, name) for name in told} == told


def test_the_form_that_a_benchmark_asks_for_is_the_last_layer(tmp_path: Path) -> None:
    (gaia,) = _reader(tmp_path, [{"Question": "a?", "Final answer": "x"}], fields={"preset": "gaia"})
    (layer,) = gaia.layers
    assert (layer.scope, layer.text, layer.mode) == ("test", PRESETS["gaia"].answer_format, "append")
    assert layer.location == Location("preset gaia")
    rows = list(_reader(tmp_path, [{"Question": "a?", "Final answer": "x"}, [1]], fields={"preset": "gaia"}))
    assert len(rows) == 1
    (bare,) = _reader(tmp_path, [{"question": "a?", "correct_answers": "x"}], fields={"preset": "truthfulqa"})
    assert bare.layers == ()


def test_choices_count_only_where_every_row_of_the_first_has_them(tmp_path: Path) -> None:
    rows = [{**QA, "choices": ["a", "b"]}, {**QA, "choices": "none"}]
    reader = _reader(tmp_path, rows)
    assert reader.fields.options is None
    assert [test.prompt for test in reader] == ["a?", "a?"]
    both = _reader(tmp_path, [rows[0], rows[0]])
    assert both.guesses[-2] == "options: column 'choices', shown below the question where it does not hold them"


def test_golds_of_lists_are_looked_at_one_by_one_for_their_type(tmp_path: Path) -> None:
    rows = [{"question": "a?", "answer": answer} for answer in (["1", "2"], "", None, 3)]
    reader = _reader(tmp_path, rows)
    assert (reader.kind, reader.guesses[-1]) == ("numeric", "answer type: numeric, from the first 3 answers")


def test_rows_beyond_the_first_two_hundred_settle_nothing(tmp_path: Path) -> None:
    rows = [{"question": f"{number}?", "answer": str(number)} for number in range(200)]
    assert (
        _reader(tmp_path, [*rows, {**QA, "level": "x"}]).guesses[-1]
        == "answer type: numeric, from the first 200 answers"
    )
    assert _reader(tmp_path, [*rows[:199], QA]).kind == "exact_match"


@each_row(
    ("rows", "taken", "told"),
    [
        ([{**QA, "id": "a"}, {**QA, "id": "a"}, {**QA, "id": "a", "level": 2}], ["a", "a"], [(2, "is there already, on line 1")]),
        ([{**QA, "id": "a"}, {**QA, "id": "a", "source": "o"}], ["a", "a"], []),
        ([{**QA, "id": "x" * 90}, {**QA, "id": "x" * 90}], ["x" * 90], [(2, f"test id '{'x' * 80}' is there already")]),
        ([{**QA, "id": "a/b"}, {**QA, "id": "/" + "x" * 90}], ["a/b"], [(2, f"the id '/{'x' * 79}' reads as a path")]),
        ([{**QA, "id": "a"}, {**QA, "id": ".."}], ["a"], [(2, "the id '..' reads as a path")]),
        ([{**QA, "category": [], "id": "a"}, QA], ["1"], [(1, "the category is not a text or a number")]),
        ([{**QA, "id": "a"}, [1], {**QA, "id": "a"}], ["a"], [(2, "an object"), (3, "is there already, on line 1")]),
        ([QA, {**QA, "question": None}], ["0"], [(2, "the question ('question') is missing or no text")]),
    ],
)  # fmt: skip
def test_rows_that_give_no_test_are_told_with_line_and_reason(
    tmp_path: Path, rows: list[Any], taken: list[str], told: list[tuple[int, str]]
) -> None:
    reader = _reader(tmp_path, rows)
    assert [test.test_id for test in reader] == taken
    assert [
        (problem.line, part in problem.message) for problem, (_, part) in zip(reader.problems, told, strict=True)
    ] == [(line, True) for line, _ in told]


def test_a_level_that_is_none_is_told_in_forty_characters(tmp_path: Path) -> None:
    reader = _reader(tmp_path, [{**QA, "level": 1}, {**QA, "level": "x" * 50}], fields={"level_field": "level"})
    assert [problem.message for problem in reader.check()] == [
        f"the level is '{'x' * 40}'; it must be 1 to 5, or easy, medium, hard"
    ]


def test_rows_of_json_have_a_number_and_no_line(tmp_path: Path) -> None:
    reader = _reader(tmp_path, [QA, {"question": ""}], name="facts.json")
    (problem,) = reader.check()
    assert (problem.line, problem.message[:6], problem.path) == (0, "row 2:", str(tmp_path / "facts.json"))


def test_problems_are_named_up_to_a_thousand(tmp_path: Path) -> None:
    exact = _reader(tmp_path, [QA, *[{"question": ""}] * 1000]).check()
    assert (len(exact), exact[-1].line) == (1000, 1001)
    more = _reader(tmp_path, [QA, *[{"question": ""}] * 1001]).check()
    assert (len(more), more[-1].line, more[-1].message) == (1001, 0, "1 more rows have problems; correct these first")


def test_rows_that_answer_once_more_are_known_by_question_gold_and_place(tmp_path: Path) -> None:
    rows = [
        {**QA, "id": "a"},
        {**QA, "id": "a", "category": "c"},
        {**QA, "id": "a"},
        {**QA, "id": "a", "category": "c"},
    ]
    again = _reader(tmp_path, rows, answered=True)
    assert [(test.domain, test.test_id) for test in again] == [("facts", "a"), ("c", "a")]
    assert again.problems == []
    chats = [{"messages": "x", "prompt": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"},
              {"role": "tool", "content": "r"}, {"role": "assistant", "content": "b"}], "answer": "x"}]  # fmt: skip
    assert [test.prompt for test in _reader(tmp_path, chats, answered=True)] == [({"role": "user", "content": "q"},)]
    assert list(_reader(tmp_path, [QA, *chats])) == list(_reader(tmp_path, [QA]))
    other = _reader(
        tmp_path, [{**QA, "epoch": 1}, {**QA, "epoch": 1, "answer": "y"}, {**QA, "epoch": 2}], answered=True
    )
    assert [test.test_id for test in other] == ["0", "1"]


def _part(kind: str, value: str) -> dict[str, str]:
    return {"type": kind, kind: value}


def test_files_that_a_row_names_lie_beside_the_dataset(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    (tmp_path / "b.txt").write_text("b")
    parts = [_part("text", "see"), _part("image", "a.png"), _part("text", "and")]
    rows = [
        {**QA, "files": "a.png"}, {**QA, "files": ["a.png", "b.txt"]}, {**QA, "files": ""},
        {"question": [{"role": "user", "content": parts}], "answer": "x", "files": "b.txt"},
    ]  # fmt: skip
    reader = _reader(tmp_path, rows)
    tests = list(reader)
    assert [[one.name for one in test.attachments] for test in tests] == [
        ["a.png"],
        ["a.png", "b.txt"],
        [],
        ["a.png", "b.txt"],
    ]
    assert [(one.turn, one.at, one.unsent) for one in tests[3].attachments] == [(0, 3, ""), (None, None, "")]
    assert tests[3].prompt == ({"role": "user", "content": "see\n\nand"},)
    assert reader.unsent == []
    (only,) = _reader(tmp_path, [{"question": rows[3]["question"], "answer": "x"}])
    assert [one.name for one in only.attachments] == ["a.png"]


def test_a_file_that_cannot_be_sent_is_told_and_its_row_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**QA, "files": "gone.png"}, {**QA, "files": "x.zip"}, QA]
    (tmp_path / "x.zip").write_bytes(b"z")
    reader = _reader(tmp_path, rows)
    tests = list(reader)
    assert [bool(one.unsent) for test in tests for one in test.attachments] == [True, True]
    assert [(one.line, one.message.partition(": ")[0]) for one in reader.unsent] == [
        (1, "not asked, since its file is not sent"), (2, "not asked, since its file is not sent"),
    ]  # fmt: skip
    monkeypatch.setattr(reading, "MAX_PROBLEMS", 3)
    many = _reader(tmp_path, [{**QA, "files": "gone.png"}] * 4)
    assert (len(list(many)), len(many.unsent)) == (4, 3)


def test_a_later_row_whose_column_names_no_files_says_so(tmp_path: Path) -> None:
    rows = [{**QA, "files": "a.png"}] * 200 + [{**QA, "files": {"k": "v" * 90}}]
    (tmp_path / "a.png").write_bytes(PNG)
    *_, last = _reader(tmp_path, rows)
    name = str({"k": "v" * 90})[:80]
    assert last.attachments == (Attachment(name, "", "", 0, "", unsent="'files' names no files"),)


def test_files_that_are_too_large_together_are_not_sent(tmp_path: Path) -> None:
    for name in "ab":
        with (tmp_path / f"{name}.png").open("wb") as file:
            file.write(PNG)
            file.truncate(MAX_TOGETHER // 2 + 1)
    reader = _reader(tmp_path, [{**QA, "files": ["a.png", "b.png"]}, {**QA, "files": ["a.png", "gone.png"]}])
    both, gone = reader
    assert ["too large together" in one.unsent for one in both.attachments] == [True, True]
    assert [bool(one.unsent) for one in gone.attachments] == [False, True]


def _sealed(text: str, key: bytes) -> str:
    data = text.encode()
    return base64.b64encode(bytes(byte ^ key[at % len(key)] for at, byte in enumerate(data))).decode()


def test_only_a_row_with_a_canary_and_of_a_benchmark_that_enciphers_is_deciphered() -> None:
    sealed = _sealed("a question that is long", b"key")
    row = {
        "prompt": sealed,
        "answer": "no base64!",
        "canary": "key",
        "reference_steps": 3,
    }
    xbench, gaia = PRESETS["xbench"], PRESETS["gaia"]
    assert deciphered(row, xbench) == {**row, "prompt": "a question that is long"}
    assert deciphered(row, gaia) == row
    for canary in ("", None, 3):
        assert deciphered({**row, "canary": canary}, xbench) == {**row, "canary": canary}
    spaced = f"{sealed[:4]} {sealed[4:]}"
    assert deciphered({**row, "prompt": spaced}, xbench)["prompt"] == spaced


def test_a_column_inside_another_is_found_by_its_dotted_name_alone() -> None:
    webwalker = PRESETS["webwalkerqa"]
    assert webwalker.column("level", {"info": {"difficulty_level": "easy"}}) == "info.difficulty_level"
    assert webwalker.column("level", {"difficulty": "easy", "info": {}}) == "difficulty"
    assert webwalker.column("category", {"info": 3}) is None
    assert preset_of("MM-LU_") is PRESETS["mmlu"]
    assert preset_of("mmlu pro") is None


@each_row(
    ("words", "level"),
    [
        ("trivial, very easy, easy, beginner, basic, simple, Very-Easy", 1),
        ("medium, moderate, intermediate, normal", 3),
        ("hard, difficult, advanced, expert, very hard, VERY_HARD", 5),
    ],
)
def test_words_for_levels_are_the_first_the_third_and_the_fifth(words: str, level: int) -> None:
    assert {word: level_of(word) for word in words.split(", ")} == dict.fromkeys(words.split(", "), level)


def test_lines_of_any_file_are_read_as_objects(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text('{"a": 1}\n\n  \n[1]\n{"a": 1, "a": 2}\nno\n', encoding="utf-8")
    found = list(json_lines(path))
    assert [(row.line, getattr(row, "data", None)) for row in found] == [(1, {"a": 1}), (4, None), (5, None), (6, None)]
    with pytest.raises(ConfigurationError, match="gone"):
        list(json_lines(tmp_path / "gone"))
    assert [test.prompt for test in DatasetReader(DatasetSpec(path=str(_reader(tmp_path, [QA]).path)))] == ["a?"]
