"""Three suites that hold a bit of everything: one of mistakes, one of what is right, one of another system. Paths are below the
suite's root."""

from __future__ import annotations

from typing import Any

from tests.core.suite.conftest import case

D = "test_definitions"
_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}

_MISTAKEN: dict[str, Any] = {
    # domains and levels
    "a b/domain.json": {"id": "x"},
    "d/domain.json": {"id": "d", "evaluator_id": "two_pass", "tool_ids": ["clock"], "icon": "i"},
    "d/Level-2/t.json": case("u"),
    "d/7/t.json": case("u"),
    "d/notes/t.json": case("u"),
    "d/datset.json": {},
    "d/cards.json": {},
    "d/readme.md": "words",
    "d/level_1/level.json": {"level": 2, "weight": 2},
    "d/level_1/t.json": {"id": "t", "prompt": "q", "expected": 1},
    "d/level_1/sub/t.json": case("u"),
    "d/level_2/level.json": {"level": True, "evaluator_id": "nobody", "tool_ids": ["clok"]},
    "d/level_3/level.json": "{",
    "d/level_3/t.json": case("t3"),
    "d/level_5/level.json": {"level": 9},
    "e/domain.json": {"id": "d"},
    "empty/readme.md": "words",
    "other/domain.json": {"id": "own", "name": "Own", "metadata": {"k": 1}, "topic": "odd", "enabled": None},
    # tests
    "d/level_4/a.json": case("a", domain="e"),
    "d/level_4/b.json": case("b", level=1),
    "d/level_4/c.json": case("c", level=5),
    "d/level_4/d.json": case("d", level=True),
    "d/level_4/e.json": case("level_1", system_prompt="s"),
    "d/level_4/f.json": case("domain", system_prompt="s"),
    "d/level_4/g.json": case("g", tools=["x"]),
    "d/level_4/h.json": case("h", tools=[{"name": "x", "response": 1}, {"name": "x", "id": "y", "response": 1}]),
    "d/level_4/i.json": case("i", tool_ids=["clock", "gone", "broken", "live_web_search"]),
    "d/level_4/j.json": case("j", evaluator_id="two_pas"),
    "d/level_4/k.json": case("k", evaluator_id="a b"),
    "d/level_4/l.json": case("l", evaluator_id="half"),
    "d/level_4/m.json": case("m", tool_state={"a.b": 1, "c": {"[d": 1, " ": 2}}),
    "d/level_4/n.json": case("n", rollout="conversation"),
    "d/level_4/o.json": case("o", simulated_user={"goal": "g"}),
    "d/level_4/p.json": case(
        "p", rollout="conversation", simulated_user={"goal": "g", "must_say": ["(", "ok"], "stop_words": [" ", "bye"], "gaol": 1}
    ),
    "d/level_4/q.json": case("q", files=["gone.png", "x.txt"], file_name="../out.txt"),
    "d/level_4/r.json": case("r", file_name=3, files=["http://a/b.png"]),
    "d/level_4/s.json": case("s", prompt=[{"role": "user", "content": [{"type": "image", "image": "gone.png"}]}]),
    "d/level_4/t.json": {"id": "t4", "expected": 1, "template": {"prompt": 3, "dawr": {}}},
    "d/level_4/u.json": {"id": "u4", "template": {"code": "{}", "prompt": [{"role": "user", "content": [{"type": "text",
     "text": "a"}]}, 3]}},
    "d/level_4/v.json": case("v", template=3),
    "d/level_4/w.json": case("a"),
    "d/level_4/x.json": case("a b"),
    "d/level_4/y.json": {**case(), "id": 3},
    "d/level_4/z.jsonl": '{"id": "a", "prompt": "q"}\n\n  \n[1]\n{"id": 3}\n{oops\n{"id": "line", "prompt": "q", "expected": 1}',
    "d/level_4/z0.NDJSON": b"\xff",
    "d/level_4/z1.txt": "words",
    # datasets
    "rows/dataset.json": {
        "file": "rows.jsonl", "evaluator_id": "two_pas", "tool_ids": ["gone"], "filters": ["level=1", "=="], "preset": "mmul",
         "seed": "x",
        "source": "", "weight": 3, "enabled": False, "description": "rows of ours",
    },
    "rows/rows.jsonl": '{"question": "q", "answer": "a"}\n',
    "rows2/dataset.json": {"file": "gone.jsonl", "preset": "x" * 50, "seed": True},
    "rows3/dataset.json": {"file": "../../../etc/passwd"},
    "rows4/dataset.json": {"file": "folder"},
    "rows4/folder/x.txt": "",
    "rows5/dataset.json": {"filters": ["level=1"]},
    "rows6/dataset.json": {"file": "rows.json", "evaluator_id": "half", "seed": 3.5},
    "rows6/rows.json": [{"question": "q", "answer": "a"}],
    # evaluators
    "evaluators/a.json": [
        {"id": "half", "type": "regex", "extraction_regex": "(a"},
        {"id": "fine", "type": "regex", "extraction_regex": "(a)", "verdict_regex": "x"},
        {"id": "fine", "type": "regex", "extraction_regex": "(b)"},
        {"id": "verdicts", "type": "custom", "eval_prompt": "{question} {respons}", "verdict_regex": "(",
         "config": {"verdict_regex": "b"}},
        {"type": "regex"},
        {"id": "own", "type": "predefined"},
        {"id": "own2", "type": "builtin", "config": {"base": "two_pas"}},
        {"id": 3, "type": "regex"},
    ],
    "evaluators/b.json": [
        {"id": "one", "type": "hybrid", "config": {"parts": [{"evaluator": "two"}]}},
        {"id": "two", "type": "hybrid", "config": {"parts": [{"evaluator": "three"}, {"evaluator": "keyword"}]}},
        {"id": "three", "type": "hybrid", "config": {"parts": [{"evaluator": "one"}, {"fallback": "keywrd"}]}},
        {"id": "self", "type": "hybrid", "config": {"parts": [{"evaluator": "self"}]}},
        {"id": "outer", "type": "hybrid", "config": {"judge": "own", "parts": [{"evaluator": "self"}]}},
    ],
    "evaluators/notes.txt": "words",
    # tools
    "tools/clock.json": {"id": "clock", "name": "clock", "response": 1, "parameters": _SCHEMA},
    "tools/mistaken.json": [
        {"id": "clock", "name": "other", "response": 1},
        {"id": "broken", "name": "a b", "response": 1},
        {"id": "t0", "response": 1, "error": "e"},
        {"id": "t1", "name": "x" * 65, "response": None},
        {"id": "t2", "name": "t2"},
        {"id": "t3", "name": "t3", "handler": "World:x", "latency_ms": -1},
        {"id": "t4", "name": "t4", "responses": [], "latency_ms": 600_001},
        {"id": "t5", "name": "t5", "responses": ["x", {"response": 1, "error": "e"}, {"error": None}, {"response": 1,
         "latency_ms": True}]},
        {"id": "t6", "name": "t6", "responses": [{"when": {"a": [{"$regex": "("}, {"$regex": 3}]}, "response": 1}]},
        {"id": "t7", "name": "t7", "responses": [{"when": {"$cal": 1, "$state.a": 1, "$state.": 1, "b": {"$call": 1}},
         "response": 1}]},
        {"id": "t8", "name": "t8", "responses": [{"set": {"a.b": 1, "a..b": 1, "[x].y": 1, "a{": 1, "{{x}}..": 1},
         "response": 1}]},
        {"id": "t9", "name": "t9", "parameters": {"type": "array"}, "response": 1},
        {"id": "t11", "name": "t11", "parameters": _SCHEMA, "response": ["{{ cty }} {{city}}"],
         "error": {"a": "{{citty}} {{else}}"}},
        {"id": "t12", "function": {"name": "t12", "function": 3}, "response": 1},
        {"id": "t13", "function": {"function": {"name": "t 13"}}, "response": 1},
        {"id": "t14", "name": "t14", "parameters": 3, "response": 1},
        {"name": 3, "response": 1},
        {"id": "t15", "name": "t15", "responses": 3},
        3,
    ],
    "tools/mcp.json": [
        {"mcp": 3, "tools": [{"name": "m0"}]},
        {"mcp": {"command": ["x"], "url": "http://a"}},
        {"mcp": {}},
        {"mcp": {"command": "x"}},
        {"mcp": {"command": [3]}},
        {"mcp": {"url": "ftp://a"}},
        {"mcp": {"url": "http://a", "timeout_s": 0}},
        {"mcp": {"url": "http://a", "timeout_s": 3600.5}},
        {"mcp": {"url": "http://a", "timeout_s": True}},
        {"mcp": {"url": "http://a", "comand": 1}, "tools": [3, {"name": "a b"}, {"name": "m1"}, {"id": "clock",
         "name": "clock"}]},
    ],
}  # fmt: skip
MISTAKEN = {f"{D}/{path}": content for path, content in _MISTAKEN.items()}

SOUND: dict[str, Any] = {
    "prompts/d/domain.md": "All of d.",
    "prompts/d/level_2.md": "---\nmode: overwrite\n---\nOnly two.",
    "prompts/d/own.md": "Of the test.",
    "prompts/rows/level_3.md": "Of level three.",
    f"{D}/d/domain.json": {
        "id": "d", "name": "Dee", "description": "words", "evaluator_id": "two_pass", "tool_ids": ["clock"], "icon": "i",
        "color": "c", "tool_state": {"a": {"x": 1}, "b": 2}, "weight": 2, "metadata": {"k": 1}, "more": 2,
    },
    f"{D}/d/level_1/plain.json": {"id": "plain", "prompt": "q", "expected": 1},
    f"{D}/d/level_1/full.json": {
        "id": "full", "name": "Full", "description": "d", "prompt": "q", "expected": {"type": "numeric", "value": 1},
         "evaluator_id": "exact",
        "tool_ids": ["other"], "tool_ids_mode": "append", "tools": [{"name": "inner", "response": 1}], "weight": 3,
         "timeout_ms": 5,
        "max_iterations": 4, "cluster": "c", "epochs": {"pass": 1, "of": 2}, "tool_state": {"a": {"y": 2}}, "domain": "d",
         "level": 1,
        "enabled": False, "metadata": {"m": 1}, "odd": 3, "$schema": "s", "expected_note": None,
    },
    f"{D}/d/level_2/level.json": {
        "level": 2, "name": "Two", "description": "harder", "evaluator_id": "exact", "tool_ids": ["other"],
         "tool_ids_mode": "append",
        "enabled": False, "timeout_ms": 7, "tool_state": {"b": 3},
    },
    f"{D}/d/level_2/own.json": {"id": "own", "prompt": "q", "expected": "x", "name": "", "timeout_ms": None},
    f"{D}/d/level_2/said.json": {"id": "said", "prompt": "q", "expected": "x", "system_prompt": "Here.",
     "system_prompt_mode": "append"},
    f"{D}/d/level_3/lines.jsonl": (
        '{"id": "l1", "prompt": "q", "expected": 1, "tool_ids": []}\n\n'
        '{"id": "l2", "prompt": [{"role": "user", "content": [{"type": "text", "text": "see"}, '
        '{"type": "file", "file": "a.txt"}]}]}\n'
    ),
    f"{D}/d/level_4/drawn.json": {
        "id": "drawn", "template": {"draw": {"n": {"int": [1, 2]}}, "code": "{'n': n}", "prompt": "{n}?", "expected": "{n}"},
    },
    f"{D}/d/level_4/written.json": {
        "id": "written", "prompt": "q", "expected": 2, "template": {"code": "{}", "prompt": [{"role": "user", "content": "q"}]},
    },
    f"{D}/d/level_5/talk.json": {
        "id": "talk", "prompt": "q", "rollout": "conversation",
        "simulated_user": {"goal": "g", "facts": ["f"], "must_say": ["ok"], "max_turns": 3}, "files": ["a.txt"],
         "file_name": "b.png",
    },
    f"{D}/off/domain.json": {"enabled": False, "evaluator_id": "two_pass"},
    f"{D}/off/level_1/t.json": {"id": "t", "prompt": "q", "expected": 1},
    f"{D}/rows/dataset.json": {
        "file": "rows.jsonl", "name": "Rows", "description": "of ours", "evaluator_id": "exact", "tool_ids": ["clock"],
         "preset": "mmlu",
        "filters": ["level=1"], "limit": 3, "sample": 2, "seed": 4, "weight": 2, "rollout": "reasoning",
         "system_prompt": "Said here.",
        "icon": "j", "color": "b", "question_field": "q", "tool_state": {"z": 1},
    },
    f"{D}/rows/rows.jsonl": '{"q": "q", "answer": "a"}\n',
    f"{D}/rows/level_2/level.json": {"system_prompt": "Of level two."},
    f"{D}/more/domain.json": {"name": "More", "description": "own", "evaluator_id": "two_pass", "enabled": False},
    f"{D}/more/dataset.json": {"file": "more.json", "name": "Less", "description": "d", "source": "s"},
    f"{D}/more/more.json": [{"question": "q", "answer": "a"}],
    f"{D}/evaluators/exact.json": {
        "id": "exact", "name": "Exact", "type": "regex", "extraction_regex": "(a)", "description": "words", "uses_pass2": False,
    },
    f"{D}/evaluators/custom.json": [
        {"id": "asks", "type": "custom", "eval_prompt": "{prompt} {response}", "verdict_regex": "b",
         "config": {"description": "own"}},
        {"id": "both", "type": "hybrid", "config": {"parts": [{"evaluator": "asks"}, {"evaluator": "keyword"}]}},
        {"id": "named", "type": "predefined", "config": {"base": "keyword"}},
    ],
    f"{D}/tools/clock.json": {"id": "clock", "function": {"name": "time", "description": "says"}, "response": 1, "latency_ms": 5},
    "tool_mocks/other.json": [
        {"id": "other", "name": "other", "responses": [{"when": {"$state.a.x": 1}, "response": 2, "latency_ms": 1},
         {"error": "e"}],
         "latency_ms": 9, "read_only": True, "category": "c", "description": "outer",
         "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}},
        {"id": "off", "name": "off", "response": 1, "enabled": False},
        {"type": "function", "function": {"name": "wrapped", "function": {"name": "inner2", "parameters": {"type": "object"}}},
         "handler": "world:x"},
        {"name": "code", "python": "1"},
    ],
    "tool_mocks/mcp.json": {"mcp": {"url": "https://a", "env": ["KEY"], "timeout_s": 3600}, "tools": [{"name": "far",
     "description": "d"}]},
    "files/a.txt": "a", "a.txt": "a", "b.png": b"\x89PNG\r\n\x1a\nrest",
}  # fmt: skip

FOREIGN: dict[str, Any] = {
    # evonic's, though no file says so: the tool with a `mock_response` does.
    f"{D}/d/domain.json": {"id": "d", "name": "Dee", "evaluator_id": "two_pass", "tool_ids": ["rooms"], "level": 4},
    f"{D}/d/level_1/answer.json": {"id": "answer", "prompt": "How many?", "expected": {"answer": 4}},
    f"{D}/d/level_1/no_id.json": {"prompt": "Who?", "expected": {"answer": "Ann"}, "weight": 0, "level": 3},
    f"{D}/d/level_1/lines.jsonl": '{"id": "l1", "prompt": "q", "expected": {"answer": 1}}\n{"prompt": "q", "expected": 1}\n',
    f"{D}/d/level_1/wrong.json": {"id": "wrong", "prompt": 3, "expected": 1},
    f"{D}/d/level_2/level.json": {"level": 5, "evaluator_id": "", "tool_ids": ["room"], "name": "Two"},
    f"{D}/d/level_2/own_tool.json": {
        "id": "own_tool", "prompt": "q", "evaluator_id": "tool_call", "expected": ["inner"],
        "tools": [{"id": "inner", "function": {"name": "inner", "mock_response": "{}"}}],
    },
    f"{D}/d/level_2/needs.json": {"id": "needs", "prompt": "q", "evaluator_id": "tool_call", "expected": ["room"]},
    f"{D}/d/level_2/needs_absent.json": {
        "id": "needs_absent", "prompt": "q", "evaluator_id": "tool_call", "expected": ["mailer", "sender"],
        "tool_ids": ["sender", "mailer", "broken"],
    },
    f"{D}/d/level_2/typo.json": {"id": "typo", "prompt": "q", "evaluator_id": "two_pas", "expected": {"answer": 1}},
    f"{D}/d/level_3/query.json": {
        "id": "query", "prompt": "q", "evaluator_id": "sql_executor", "expected": {"query_type": "SELECT", "table": "t"},
    },
    f"{D}/d/level_3/file.json": {"id": "file", "prompt": "q", "expected": {"answer": 1}, "files": ["gone.png"]},
    f"{D}/d/level_3/judged.json": {"id": "judged", "prompt": "q", "evaluator_id": "judge", "expected": None},
    f"{D}/d/level_3/ruled.json": {"id": "ruled", "prompt": "q", "evaluator_id": "own_code", "expected": 1},
    f"{D}/d/level_3/many.json": {
        "id": "many", "prompt": "q", "expected": {"answer": 1}, "tool_ids": ["f", "e", "database_query", "m1", "m2", "m3", "m4"],
    },
    "custom_tests/more/domain.json": {"id": "more", "evaluator_id": "own_code"},
    "custom_tests/more/level_1/a.json": {"id": "a", "prompt": "q", "expected": {"answer": 1}},
    "custom_tests/tools/late.json": {"id": "late", "mock_response": "x", "mock_response_type": "text"},
    f"{D}/evaluators/judge.json": {
        "id": "judge", "type": "hybrid", "eval_prompt": "From 0 to 10: {response} {unheard}", "extraction_regex": "score: (.)",
    },
    f"{D}/evaluators/own_code.json": {"id": "own_code", "type": "predefined"},
    "custom_evaluators/found.json": {
        "id": "found", "type": "regex", "extraction_regex": "a", "config": {"required_keywords": ["a"]},
    },
    "tool_mocks/rooms.json": {"id": "rooms", "mock_response": "{\"free\": 2}", "mock_response_type": "json"},
    "tool_mocks/broken.json": {"id": "broken", "name": "a b", "mock_response": "1"},
    "tools/rooms.json": {"id": "rooms", "mock_response": "the second of this name"},
    "tools/mailer.json": {"id": "mailer", "no_mock": True},
    "tools/as_in_its_code.json": [
        {"id": "calculator", "mock_response": "1"}, {"id": "api_call", "no_mock": True},
        {"id": "write_file", "name": "a b", "mock_response": "1"},
    ],
    "tools/sender.json": {"function": {"name": "sender"}, "no_mock": True},
    "plugins/own.py": "",
    "seed/test_db.sql": "create table t (a);",
}  # fmt: skip
