"""Answers that were made elsewhere, taken as rollouts."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.pipeline.rollout.agent_option import PREFIX, file_of
from modex.core.pipeline.rollout.answers import answers_of, digest_of
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.by_answers import roll_out_by_answers
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row


def _config(path: Path, **fields: Any) -> RunConfig:
    return RunConfig(model=ModelSpec(model="demo/x"), agent=f"{PREFIX}{path}", **fields)


def _file(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def _taken(folder: Path, row: dict[str, Any], **fields: Any) -> Asking:
    answers = answers_of(_config(_file(folder, {"test_id": "t", **row})))
    assert answers is not None
    context: Any = SimpleNamespace(tools_of=lambda _sample: ())
    asking = Asking(EvaluationSample(domain="d", test_id="t", prompt="p", **fields), context)
    roll_out_by_answers(asking, answers)
    return asking


@each_row(
    ("agent", "path"),
    [(None, None), ("python a.py", None), ("answers:a/b.jsonl", Path("a/b.jsonl")), ("x answers:a", None)],
)
def test_a_run_takes_answers_where_its_agent_is_a_file_of_them(agent: str | None, path: Path | None) -> None:
    assert file_of(agent) == path


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"test_id": "other", "answer": "a"}, "the file of answers has none for epoch 1 of this test"),
        ({"answer": "a", "error": "boom"}, "the answer failed where it was made: boom"),
        ({"answer": None, "question": ""}, "the row holds no response"),
    ],
)
def test_without_an_answer_the_sample_is_an_error_of_the_agent(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    path = _file(tmp_path, {"test_id": "t", **row}, {"test_id": "second", "answer": "b"})
    answers = answers_of(_config(path))
    assert answers is not None
    context: Any = SimpleNamespace(tools_of=lambda _sample: ())
    with pytest.raises(ModelCallError) as refused:
        roll_out_by_answers(Asking(EvaluationSample(domain="d", test_id="t", prompt="p"), context), answers)
    assert (str(refused.value), refused.value.error_type) == (said, ErrorType.AGENT_ERROR)


def test_thinking_in_an_answer_is_kept_apart_and_thinking_without_an_end_is_no_answer(tmp_path: Path) -> None:
    rollout = _taken(tmp_path, {"answer": "<think>hm</think>4"}).rollout
    assert (rollout.response, rollout.reasoning) == ("4", ["hm"])
    assert _taken(tmp_path, {"answer": "4 "}).rollout.reasoning == []
    with pytest.raises(ModelCallError) as refused:
        _taken(tmp_path, {"answer": "<think>hm"})
    assert refused.value.error_type == ErrorType.TRUNCATED_REASONING


def test_what_was_asked_stands_before_the_answer_with_the_system_prompt_where_there_is_one(tmp_path: Path) -> None:
    def told(**fields: Any) -> list[tuple[str, str]]:
        return [
            (entry["role"], entry["content"])
            for entry in _taken(tmp_path, {"answer": "4"}, **fields).rollout.transcript
        ]

    assert told() == [("user", "p"), ("assistant", "4")]
    assert told(system_prompt="s") == [("system", "s"), ("user", "p"), ("assistant", "4")]


def test_a_conversation_is_the_transcript_and_holds_the_answer_once(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "q"}, {"role": "assistant", "content": " 4 "}]
    for row, last in (
        ({"messages": chat}, [("user", "q"), ("assistant", " 4 ")]),
        ({"messages": chat, "answer": "4"}, [("user", "q"), ("assistant", " 4 ")]),
        ({"messages": chat, "answer": "5"}, [("user", "q"), ("assistant", " 4 "), ("assistant", "5")]),
        (
            {"messages": chat, "answer": "5", "steps": [{"content": "hm"}]},
            [("user", "p"), ("assistant", "hm"), ("assistant", "5")],
        ),
    ):
        transcript = _taken(tmp_path, row).rollout.transcript
        assert [(entry["role"], entry["content"]) for entry in transcript] == last


def test_a_cost_counts_with_tokens_that_nobody_counted(tmp_path: Path) -> None:
    for row, cost, tokens in (
        ({"cost_usd": "$0.5"}, 0.5, 0),
        ({"cost_usd": 0.25, "usage": {"prompt_tokens": 3, "completion_tokens": 2}}, 0.25, 3),
    ):
        rollout = _taken(tmp_path, {"answer": "4", **row}).rollout
        assert (rollout.cost_usd, rollout.usage.prompt) == (cost, tokens)


def test_another_answer_is_another_digest_and_none_has_one_too(tmp_path: Path) -> None:
    def digest(test_id: str, **row: Any) -> str:
        answers = answers_of(_config(_file(tmp_path, {"test_id": "t", **row})))
        assert answers is not None
        return digest_of(EvaluationSample(domain="d", test_id=test_id, prompt="p"), answers)

    assert len(digest("t", answer="a")) == 32
    assert digest("t", answer="a", x=1) == digest("t", x=1, answer="a")
    assert (
        len({digest("t", answer="a"), digest("t", answer="bb"), digest("t", answer="a", xy=1), digest("u", answer="a")})
        == 4
    )
    assert digest("u", answer="a") == digest("u", answer="bb")


def test_columns_are_those_of_the_run_and_of_the_dataset_it_asks(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        {"nr": "1", "asked": "q", "right": "g", "said": "r"},
        {"nr": "2", "asked": "z", "right": "g", "said": "s"},
    )
    fields = {"question_field": "asked", "answer_field": "right", "id_field": "nr"}

    def columns(*datasets: dict[str, Any]) -> tuple[str | None, ...]:
        found = answers_of(
            _config(path, response_field="said", selection=Selection.model_validate({"datasets": datasets}))
        )
        assert found is not None
        return found.columns.response, found.columns.id, found.columns.question, found.columns.gold

    assert columns({"path": str(path), **fields}) == ("said", "nr", "asked", "right")
    assert columns({"path": str(tmp_path / "other.jsonl"), **fields}) == ("said", "nr", "asked", None)
    assert columns({"path": str(tmp_path / "x.jsonl")}, {"path": str(path), **fields}) == (
        "said",
        "nr",
        "asked",
        "right",
    )
    assert answers_of(RunConfig(model=ModelSpec(model="demo/x"))) is None
