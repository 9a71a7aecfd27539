"""A JSON schema where the model takes one: for PASS 2, judges and reasoning answers. Where it refuses: without, and said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import call, reading, write_suite
from tests.server import Reply, Request, serve

MODEL = "openai/gpt-4o-mini"
TEST: dict[str, Any] = {"id": "t0", "prompt": "What is 2 + 2?", "expected": 4}
ANSWERS: dict[str, dict[str, Any]] = {
    "extraction": {"answer": "4"},
    "verdict": {"reason": "Four is right.", "score": 1.0},
    "answer": {"reasoning": "2 and 2 make 4.", "answer": "4"},
}
CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    "PASS 2": ("extraction", {**TEST}, "two_pass"),
    "a judge": ("verdict", {**TEST, "expected": "four"}, "llm_judge"),
    "a reasoning answer": ("answer", {**TEST, "rollout": "reasoning", "expected": {"keywords": ["4"]}}, "keyword"),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


@pytest.mark.parametrize("refuses", [False, True], ids=["taken", "refused"])
@pytest.mark.parametrize("case", CASES)
def test_a_schema_is_sent_read_and_where_it_is_refused_left_out_and_said(
    case: str, refuses: bool, tmp_path: Path
) -> None:
    form, test, evaluator = CASES[case]
    asked: list[str | None] = []

    def answer(request: Request) -> Reply:
        schema = (request.body.get("response_format") or {}).get("json_schema")
        if schema is None:
            asked.append(None)
            return Reply("ANSWER: 4" if form == "extraction" else json.dumps(ANSWERS[form]))
        asked.append(schema["name"])
        if refuses:
            words = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
            return Reply(status=400, body={"error": {"message": words, "param": "response_format", "code": None}})
        assert schema["strict"]
        assert sorted(schema["schema"]["required"]) == sorted(ANSWERS[form])
        return Reply(json.dumps(ANSWERS[form]))

    suite, database = write_suite(tmp_path / "suite", [test], evaluator_id=evaluator), tmp_path / "modex.db"
    with serve(lambda _: Reply("That makes 4.")) as model, serve(answer) as server:
        asks_itself = form == "answer"
        more: tuple[str, ...] = {
            "extraction": ("--extractor-model", MODEL, "--extractor-api-base", server.url),
            "verdict": ("--judge-model", MODEL, "--judge-api-base", server.url),
            "answer": (),
        }[form]
        ended = call(
            "run", "--model", MODEL if asks_itself else "openai/m", "--api-base", server.url if asks_itself else model.url,
            "--suite", suite, "--exp-id", "e", "--db", database, "--headless", *more,
        )  # fmt: skip
    assert asked == ([form, None] if refuses else [form])
    assert (f"{MODEL} takes no response_format: asked without it" in ended.err) is refuses
    with reading(database) as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert sample.status == "passed", sample.error_message
    if asks_itself:
        assert sample.response == "4"
        assert ("dropped_response_format" in sample.flags) is refuses


def test_pass_2_and_judges_think_no_harder_because_the_model_does(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [TEST], evaluator_id="two_pass")
    write_suite(suite, [{**TEST, "id": "t1", "expected": "four"}], domain="judged", evaluator_id="llm_judge")

    def answer(request: Request) -> Reply:
        if "ANSWER:" in json.dumps(request.messages):
            return Reply("ANSWER: 4")
        return Reply(json.dumps(ANSWERS["verdict"]) if "score" in json.dumps(request.messages) else "That makes 4.")

    with serve(answer) as server:
        ended = call(
            "run", "--model", "openai/m", "--api-base", server.url, "--reasoning-effort", "high", "--judge-model", "openai/m",
            "--judge-api-base", server.url, "--suite", suite, "--exp-id", "e", "--db", tmp_path / "modex.db", "--headless",
        )  # fmt: skip
        asked = [(request.body.get("reasoning_effort"), request.body.get("temperature")) for request in server.requests]
    assert ended.code == 0, ended.err
    assert sorted(asked, key=str) == [("high", None)] * 2 + [(None, 0.0)] * 2
