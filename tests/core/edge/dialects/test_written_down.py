"""What other systems' files become, written down: `written_down.txt` was read through line by line.

`python -m tests.core.edge.dialects.test_written_down` writes it anew, to be read through again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modex.core.edge.dialects.evonic import Evonic
from modex.core.edge.dialects.evonic_golds import gold
from modex.core.edge.dialects.promptfoo import read_config
from modex.core.edge.dialects.promptfoo_asserts import _JSON, from_column, rubric_of
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.dialects import Context, Translated

WRITTEN = Path(__file__).with_name("written_down.txt")

EVALUATORS: list[dict[str, Any]] = [
    {"type": "hybrid", "eval_prompt": "p"},
    {"type": "hybrid", "eval_prompt": "p", "config": {"parts": []}},
    {"type": "hybrid"},
    {"type": "hybrid", "eval_prompt": "p", "config": 3},
    {"type": "regex", "config": {"use_expected_as_pattern": False}},
    {"type": "regex", "extraction_regex": "x", "config": {"required_keywords": ["a"]}},
    {"type": "regex", "extraction_regex": "x", "config": {"required_keywords": ["a"], "comparison": "found"}},
    {"type": "regex", "extraction_regex": "x", "config": {"required_keywords": "a"}},
    {"type": "regex", "config": {"use_expected_as_pattern": True}},
    {"type": "regex", "extraction_regex": "(?s)x"},
    {"type": "regex", "extraction_regex": "x", "config": {"comparison": "exact_number"}},
    {"type": "regex", "extraction_regex": "x", "config": {"comparison": "exact"}},
    {"type": "regex", "extraction_regex": "x", "config": {"comparison": "own"}},
    {"type": "custom", "eval_prompt": "p", "config": {"binary": True}},
    {"type": "custom", "eval_prompt": "p"},
    {"type": "custom", "eval_prompt": "from 0 to 10", "extraction_regex": "x"},
    {"type": "custom", "eval_prompt": "5-1", "extraction_regex": "x"},
    {"type": "custom", "eval_prompt": "0-5 then 1-10"},
    {"type": "custom", "eval_prompt": "0-5, in percent"},
    {"type": "custom", "eval_prompt": "p", "config": {"max_score": 7, "k": 1}},
    {"type": "custom", "eval_prompt": "p", "config": {"max_score": True}},
    {"type": "custom", "eval_prompt": "p", "config": {"max_score": 0}},
    {"type": "custom", "eval_prompt": "3-3"},
    {"type": "predefined", "id": "tool_call", "uses_pass2": True, "config": {"weights": 1, "odd": 2, "b": 3}},
    {"type": "builtin", "id": "tool_call", "uses_pass2": 1, "config": {"type": "t", "base": "b"}},
    {"type": "builtin", "id": "keyword", "uses_pass2": True},
    {"type": "keyword", "config": {}},
]
TOOLS: list[dict[str, Any]] = [
    {"id": "t"},
    {"id": "t", "response": 1},
    {"id": "t", "handler": "world:x"},
    {"id": "t", "mock_response": '{"a": 1}'},
    {"id": "t", "mock_response": "no json"},
    {"id": "t", "mock_response": {"a": 1}},
    {"id": "t", "mock_response": "x", "mock_response_type": "text"},
    {"id": "t", "mock_response": "1+1", "mock_response_type": "python"},
    {"id": "t", "mock_response": 3, "mock_response_type": "javascript"},
    {
        "id": "t",
        "function": {"name": "n", "mock_response": "1", "mock_response_type": "json", "parameters": {"type": "object"}},
    },
    {"id": "t", "function": {"name": "n", "mock_response": "1"}, "mock_response": "2"},
    {"id": "t", "no_mock": True},
    {"function": {"name": "n"}, "no_mock": True},
    {"id": "t", "no_mock": True, "mock_response": 1},
    {"id": "t", "function": 3},
]
TESTS: list[dict[str, Any]] = [
    {"id": "a", "evaluator_id": "", "domain_id": 3, "level": 2, "weight": 0},
    {"level": 1, "weight": 2, "evaluator_id": "x"},
    {"id": "a", "prompt": "Hi {{random_name}}", "expected": {"answer": "{{random_name}}"}},
    {"id": "a", "expected": {"answer": 1, "why": "w"}},
    {"id": "a", "expected": {"answer": 1, "why": "w"}, "metadata": {"k": 1}},
    {"id": "a", "expected": {"why": "w"}, "metadata": 3},
    {"id": "a", "expected": {"value": 1}},
    {"id": "a", "tools": [{"name": "n", "mock_response": 1}, 3], "expected": 1},
]
LAYERS: list[tuple[dict[str, Any], int | None]] = [
    ({"evaluator_id": "", "name": "", "level": 2}, 1),
    ({"evaluator_id": "x", "level": 1}, 1),
    ({"level": 2, "name": "{{random_name}}"}, None),
]
_SCHEMA: dict[str, dict[str, Any]] = {"f": {"properties": {"city": {}, "unit": {}}}, "g": {"properties": 3}}
GOLDS: dict[str, list[Any]] = {
    "two_pass": [
        {},
        {"value": 1},
        {"keywords": ["a", 2]},
        {"keywords": []},
        {"answer": ""},
        {"answer": None},
        {"answer": []},
        {"answer": {}},
        {"answer": {"a": 1}},
        {"answer": "x", "type": "Number"},
        {"answer": "3 kg", "type": "currency", "tolerance": 1, "unit": "kg"},
        {"answer": 3.5},
        {"answer": True},
        {"answer": "ya", "type": "yes_no"},
        {"answer": [1, 2.5]},
        {"answer": [1, "b"], "type": "numeric"},
        {"answer": "x" * 60},
        {"answer": "x" * 61},
        {"answer": "x", "type": "odd"},
        {"answer": "2024-01-01", "type": "date"},
        "plain",
        7,
        None,
        {"answer": "\\pi", "type": "math"},
        {"answer": "A", "type": "option"},
    ],
    "keyword": [
        {"keywords": ["a", 2, {"any": ["b"]}]},
        {"keywords": "a", "language": "id", "min_words": 1, "max_words": 5, "odd": 1},
        {"answer": "x"},
        {"answer": ["x", "y"], "keywords": []},
        {"answer": ""},
        {"keywords": [{"any": ["a"]}]},
        ["a"],
        "a",
        {"keywords": 3},
        None,
    ],
    "sql_executor": [
        {"schema": "s"},
        {"query": "q"},
        3,
        {"query_type": "SELECT", "table": "", "clause": ["where"], "functions": []},
        {"required_columns": ["a"], "forbidden_columns": ["b"], "min_rows": 1},
        {"odd": 1},
        {"max_rows": 2, "table": "t"},
    ],
    "tool_call": [
        {"calls": []},
        {"no_call": True},
        [],
        ["f"],
        3,
        {},
        {"tool": "f", "args": {"city": "x"}},
        {"tools": ["f", "g"], "args": ["city"], "k": 1},
        {"chain": [{"name": "f", "args": ["city", "Oslo", 3]}, {"tool": "g", "arguments": ["a", 4]}]},
        {"tools_used": "f"},
        {"tool": "f", "args": ["city", "unit"]},
        {"tool": "h", "args": ["any"]},
        {"tool": "f", "args": []},
        {"tools": [{"name": "f"}], "args": ["unit"]},
    ],
    "own": [
        "a",
        3,
        2.5,
        True,
        None,
        "",
        {},
        {"answer": "x", "k": 1},
        {"value": 3, "type": "t"},
        {"pattern": "p"},
        {"regex": ""},
        {"k": 1},
    ],
    "expecting": ["a(b)", None, {"regex": "x", "k": 1}, {}, 7],
    "other": ["a"],
}
ASSERTS: list[Any] = [
    [{"type": "equals", "value": "a.b"}],
    [{"type": "equals", "value": {"a": 1}}],
    [{"type": "equals", "value": 3}],
    [{"type": "not-equals", "value": "x"}],
    [{"type": "contains", "value": "X", "weight": 2, "metric": "m"}],
    [{"type": "contains", "value": "X", "weight": 0}],
    [{"type": "icontains", "value": "{{v}}"}],
    [{"type": "contains-all", "value": ["a", 2]}],
    [{"type": "contains-all", "value": 'a, "b, c" ,,d'}],
    [{"type": "not-contains-all", "value": ["a", "b"]}],
    [{"type": "icontains-any", "value": ["a", "b."]}],
    [{"type": "contains-any", "value": []}],
    [{"type": "starts-with", "value": "a"}],
    [{"type": "regex", "value": "a+"}],
    [{"type": "regex", "value": "("}],
    [{"type": "regex", "value": ""}],
    [{"type": "is-json", "value": {"k": 1}}],
    [{"type": "not-is-json"}],
    [{"type": "contains-json"}],
    [{"type": "llm-rubric", "value": "kind"}],
    [{"type": "factuality", "value": ["a", "b"]}],
    [{"type": "not-llm-rubric", "value": "rude"}],
    [{"type": "javascript", "value": "x"}],
    [{"type": "latency", "threshold": 1}],
    [{"type": "unheard"}],
    [3, {}, {"type": 3}],
    "none",
    [{"type": "contains", "value": "file://" + "x" * 90}],
    [
        {
            "type": "assert-set",
            "assert": [
                {"type": "contains", "value": "a"},
                {"type": "assert-set", "assert": [{"type": "contains", "value": "b"}]},
            ],
        }
    ],
    [{"type": "contains", "value": "a"}, {"type": "not-contains", "value": "b"}, {"type": "python"}],
]
CELLS = [
    "icontains: x",
    "not-regex: y",
    "is-json",
    " not-contains-json ",
    "plain",
    "fn: a",
    "eval:b",
    "grade: kind",
    "unheard: x",
    "contains(0.5): z",
    "contains:\n a\nb",
    "Contains: x",
    "",
]
CONFIG = """\
description: My Config!
providers: [a]
transform: x
env: {A: b}
defaultTest:
  vars: {tone: kind}
  assert: [{type: contains, value: "{{tone}}"}]
  options: {suffix: " End."}
prompts:
  - "Say {{word}} {{ who.name }} {{gone}}"
  - {raw: '[{"role": "system", "content": "s"}, {"role": "user", "content": "{{word}}"}]', label: chat}
  - file://two.txt
  - prompt.py
  - "exec: x"
  - 3
  - file://x.png
  - file://../out.txt
  - file://turns.yaml
  - "{% if x %}"
assertionTemplates:
  mild: {type: icontains, value: mild}
scenarios:
  - config: [{vars: {word: s1}}, {vars: {word: s2}}]
    tests: [{description: In Scenario, assert: [{type: contains, value: z}]}]
tests:
  - {description: First one, vars: {word: [a, b], who: {name: N}}, metadata: {level: 3, k: 1},
     assert: [{$ref: "#/assertionTemplates/mild"}]}
  - {vars: {word: [a, b]}, threshold: 0.5, metadata: {level: 9},
     options: {disableVarExpansion: true, prefix: "P ", transform: t, provider: p}}
  - {vars: {word: file://word.txt}, assert: [{type: javascript, value: x}]}
  - {vars: {word: file://word.py}}
  - {vars: {word: file://more.yaml}}
  - file://rows.csv
  - rows.jsonl
  - more.yaml
  - gone.json
  - service.py
"""
FILES = {
    "config.yaml": CONFIG,
    "two.txt": "One {{word}}\n---\n\n---\nTwo {{word}}\n",
    "turns.yaml": "- {role: user, content: 'Turn {{word}}'}\n",
    "word.txt": "from a file\n\n",
    "more.yaml": "- {vars: {word: y}, description: '  '}\n- 3\n",
    "rows.csv": "word,__expected,__expected2,__description\nc,contains: q,,Row\nd,,is-json,\n",
    "rows.jsonl": '{"vars": {"word": "l"}}\n\n',
    "bare.yaml": "prompts: file://two.txt\ntests: {vars: {word: w}, assert: [{type: equals, value: w}]}\ndefaultTest: file://x\n",
    "empty.yaml": "tests: [{vars: {prompt: ' '}, assert: [{type: equals, value: w}]}, {vars: {prompt: p}}]\n",
    "none.yaml": "[1]\n",
    "wrong.yaml": "prompts: [\n",
}


def _said(one: Translated) -> str:
    return f"{one.data!r} forms={one.forms!r} notes={one.notes!r} unusable={one.unusable!r}"


def _filled(text: str) -> str:
    return text.replace("{{v}}", "filled")


def _lines(folder: Path) -> Iterator[str]:
    evonic = Evonic()
    for data in EVALUATORS:
        yield f"evaluator {data!r} {evonic.is_evaluator(data)} → {_said(evonic.evaluator(data))}"
    for data in TOOLS:
        yield f"tool {data!r} {evonic.is_tool(data)} → {_said(evonic.tool(data))}"
    for data in TESTS:
        said = evonic.test(data, Context("two_pass", "two_pass", {}, {}, "stem", 1, ""))
        yield f"test {data!r} → {_said(said)}"
    for data, level in LAYERS:
        yield f"layer {data!r} {level} → {_said(evonic.layer(data, level))}"
    for evaluator, golds in GOLDS.items():
        config = {"comparison": "use_expected_as_pattern"} if evaluator == "expecting" else {}
        kind = "regex" if evaluator in ("own", "expecting") else "custom"
        for one in golds:
            yield f"gold {evaluator} {one!r} → {gold(one, Context(evaluator, kind, config, {}, '', 1, ''), '', _SCHEMA)!r}"
    there = Context("two_pass", "", {}, {}, "", 1, "")
    for expected, prompt in (
        ({"answer": 3}, "Berapa harga?"),
        ({"answer": "ya", "type": "bool"}, "Apakah"),
        ({"answer": 3}, "Rp 5"),
    ):
        yield f"gold {expected!r} of {prompt!r} → {gold(expected, there, prompt, {}).expected!r}"
    for asserts in ASSERTS:
        made = rubric_of(asserts, _filled)
        yield f"asserts {asserts!r} → {made.expected!r} lost={made.lost!r}"
    for cell in CELLS:
        yield f"cell {cell!r} → {from_column(cell)!r}"
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    for name in ("config.yaml", "bare.yaml", "empty.yaml", "none.yaml", "wrong.yaml", "gone.yaml"):
        try:
            brought = read_config(folder / name)
        except ConfigurationError as error:
            yield f"{name} refused: {error}"
            continue
        yield f"{name} name={brought.name!r}"
        yield from (f"{name} level {level} {test!r}" for level, test in brought.tests)
        yield from (f"{name} lost {line}" for line in brought.lost)
        yield from (f"{name} left out {line}" for line in brought.left_out)


def _shown(folder: Path) -> list[str]:
    json = repr(_JSON)[1:-1]  # four hundred characters that are tried where they are used
    return [line.replace(f"{folder}/", "").replace(json, "<JSON>").replace("\n", "\\n") for line in _lines(folder)]


def test_other_systems_files_become_what_is_written_down(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert _shown(folder) == WRITTEN.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        below = Path(place) / "folder"
        below.mkdir()
        WRITTEN.write_text("".join(f"{line}\n" for line in _shown(below)), encoding="utf-8")
