"""JSON within JSON within JSON: in an answer, in tool arguments, in suite files. Nothing is lost, and nothing breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import Modex, write_suite
from tests.server import Reply, Request, Stream, replies, serve

pytestmark = pytest.mark.process

DEPTHS = (500, 2_000)


def _nested(depth: int) -> str:
    return '{"a": ' * depth + "1" + "}" * depth


def _answer(depth: int) -> str:
    return f'{{"answer": "ok", "score": 1, "correct": true, "more": {_nested(depth)}}}'


TESTS: list[dict[str, Any]] = [
    {"id": "keyword", "evaluator_id": "keyword", "expected": {"keywords": ["ok"]}},
    {"id": "two_pass", "evaluator_id": "two_pass", "expected": "ok"},
    {"id": "number", "evaluator_id": "two_pass", "expected": 18},
    {"id": "maths", "evaluator_id": "two_pass", "expected": {"value": "x+1", "type": "math"}},
    {"id": "match", "evaluator_id": "match", "expected": "ok"},
    {"id": "judge", "evaluator_id": "llm_judge", "expected": "ok"},
    {"id": "custom", "evaluator_id": "deep", "expected": "ok"},
    {"id": "sql", "evaluator_id": "sql_executor", "expected": {"schema": "CREATE TABLE t(a);", "query": "SELECT 1"}},
    {"id": "tools", "evaluator_id": "tool_call", "expected": {"tool": "look", "args": {"q": "ok"}}, "tool_ids": ["look"]},
    {"id": "agent", "evaluator_id": "keyword", "expected": {"keywords": ["ok"]}, "rollout": "agentic", "tool_ids": ["look"]},
    {"id": "reason", "evaluator_id": "keyword", "expected": {"keywords": ["ok"]}, "rollout": "reasoning"},
]  # fmt: skip
TOOL = {
    "id": "look",
    "name": "look",
    "description": "Looks.",
    "parameters": {"type": "object", "properties": {"q": {"type": "string"}}},
    "responses": [{"response": {"found": "{{q}}"}}],
}


def _suite(root: Path) -> Path:
    (root / "tool_mocks").mkdir(parents=True)
    (root / "tool_mocks" / "look.json").write_text(json.dumps(TOOL))
    evaluators = root / "test_definitions" / "evaluators"
    evaluators.mkdir(parents=True)
    judged = {"id": "deep", "name": "deep", "type": "custom", "eval_prompt": "{prompt} {expected} {response}: score?"}
    (evaluators / "deep.json").write_text(json.dumps(judged))
    return write_suite(root, [{**test, "prompt": f"question {test['id']}"} for test in TESTS])


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deep_answer_is_kept_and_judged(modex: Modex, depth: int) -> None:
    suite = _suite(modex.home / "suite")
    with serve(Reply(content=_answer(depth), stream=Stream(characters=2_000))) as server:
        model = ("--judge-model", "openai/test-model", "--judge-api-base", server.url)
        ended = modex.run(*modex.headless(server.url, suite, *model))
        for words in (("show", "r"), ("show", "r", "--json"), ("export", "r", "--format", "html"), ("export", "r")):
            assert modex.run(*words).code == 0
    assert "internal" not in ended.err
    assert "Recursion" not in ended.err
    rows = modex.rows("test_id, status, stage, response, error_type, error_message")
    assert len(rows) == len(TESTS)
    for row in rows:
        assert _nested(depth) in (row["response"] or ""), row["test_id"]
        assert "recursion" not in (row["error_message"] or "").lower(), row
        if row["test_id"] in ("keyword", "agent", "reason", "match", "tools"):
            assert row["status"] != "error", row


@pytest.mark.parametrize(("form", "depth"), [("native", 500), ("native", 2_000), ("text", 500), ("xml", 500)])
def test_deep_tool_arguments_are_an_error_that_the_model_reads(modex: Modex, form: str, depth: int) -> None:
    suite = _suite(modex.home / "suite")
    told: list[str] = []

    def behave(request: Request) -> Reply:
        results = [message for message in request.messages if message["role"] == "tool"]
        if results:
            told.extend(str(message["content"]) for message in results)
            return Reply(content="ok")
        if form == "native":
            return replies.calls(replies.call("look", f'{{"q": {_nested(depth)}}}'))
        if form == "text":
            call = f'{{"name": "look", "arguments": {{"q": {_nested(depth)}}}}}'
            return Reply(content=f"<tool_call>{call}</tool_call>")
        called = f"<function=look><parameter=q>{_nested(depth)}</parameter></function>"
        return Reply(content=f"<tool_call>{called}</tool_call>")

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--test", "agent"))
    assert "internal" not in ended.err
    (row,) = modex.rows("status, error_message, transcript")
    assert row["status"] != "error", row["error_message"]
    assert told
    assert all("error" in text for text in told) or form == "xml"  # there, what is no argument is its text
    assert modex.run("show", "r", "--test", "agent").code == 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deep_suite_file_is_a_named_mistake(modex: Modex, depth: int) -> None:
    suite = _suite(modex.home / "suite")
    definitions = suite / "test_definitions"
    deep = _nested(depth)
    level = definitions / "faults" / "level_1"
    rows = modex.home / "d.jsonl"
    files = {
        level / "expected.json": f'{{"id": "d", "prompt": "p", "evaluator_id": "match", "expected": {deep}}}',
        level / "more.jsonl": f'\n{{"id": "e", "prompt": "p", "expected": 1, "metadata": {deep}}}\n',
        suite / "tool_mocks" / "deep.json": json.dumps({**TOOL, "id": "d"})[:-1] + f', "response": {deep}}}',
        definitions / "evaluators" / "d.json": f'{{"id": "d", "type": "regex", "config": {deep}}}',
        rows: f'{{"id": "d", "question": "q", "answer": {deep}}}\n',
    }
    for path, text in files.items():
        path.write_text(text)
    run = ("run", "--model", "demo", "--suite", suite, "--headless", "--evaluator", "match", "--dataset", rows)
    checked, ran = modex.run("check", suite), modex.run(*run)
    for ended in (checked, ran):
        assert ended.code == 2
        assert "internal" not in ended.err
        assert "recursion" not in (ended.out + ended.err).lower()
    named = [path for path in files if path != rows]
    assert all(path.name in checked.out for path in named), checked.out
    assert checked.out.count("too deeply") == len(named)
    assert "d.jsonl" in ran.err
    assert "too deeply" in ran.err
