"""Calls in every form that a family of models writes, and what only looks like one. The labels were written before the code."""

from __future__ import annotations

import json
from typing import Any

from modex.core.llm.textcalls.reading import extract_tool_calls
from tests.rows import each_row

OFFERED: dict[str, dict[str, Any]] = {
    "get_weather": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "metric": {"type": "boolean"},
            "zip": {"type": ["string", "null"]},
        },
        "required": ["city"],
    },
    "search": {"type": "object", "properties": {"query": {"type": "string"}, "tags": {"type": "array"}}},
    "now": {"type": "object", "properties": {}},
}
OSLO = ("get_weather", {"city": "Oslo", "days": 2})
SEARCH = ("search", {"query": "fjord"})

FORMS: list[tuple[str, str, list[tuple[str, Any]]]] = [
    ("Hermes", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n</tool_call>', [OSLO]),
    (
        "Qwen, two calls",
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n</tool_call>\n'
        '<tool_call>\n{"name": "search", "arguments": {"query": "fjord"}}\n</tool_call>',
        [OSLO, SEARCH],
    ),
    (
        "Qwen-Coder",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n"
        "</function>\n</tool_call>",
        [OSLO],
    ),
    (
        "Qwen-Coder without the outer tag",
        "I look it up.\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n"
        "<parameter=days>\n2\n</parameter>\n</function>",
        [OSLO],
    ),
    ("Gemma 3, Python", '[get_weather(city="Oslo", days=2)]', [OSLO]),
    ("Gemma 3, fenced", '```tool_code\nget_weather(city="Oslo", days=2)\n```', [OSLO]),
    ("Gemma 4", '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|>', [OSLO]),
    (
        "FunctionGemma",
        "<start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:2}<end_function_call>",
        [OSLO],
    ),
    ("Llama 3 JSON", '{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}', [OSLO]),
    (
        "Llama 3 JSON, two by semicolon",
        '{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}; '
        '{"name": "search", "parameters": {"query": "fjord"}}',
        [OSLO, SEARCH],
    ),
    (
        "Llama 3 JSON of type function",
        '{"type": "function", "name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}',
        [OSLO],
    ),
    (
        "Llama 3 python_tag, JSON",
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}<|eom_id|>',
        [OSLO],
    ),
    ("Llama 3 python_tag, call", '<|python_tag|>search.call(query="fjord")', [SEARCH]),
    ("Llama 3.1 function tag", '<function=get_weather>{"city": "Oslo", "days": 2}</function>', [OSLO]),
    (
        "Llama 3.2 Python",
        "[get_weather(city='Oslo', days=2), search(query='fjord')]",
        [OSLO, SEARCH],
    ),
    ("Llama 4 Python", '<|python_start|>[get_weather(city="Oslo", days=2)]<|python_end|>', [OSLO]),
    ("Mistral, old", '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]', [OSLO]),
    (
        "Mistral, old with ids",
        '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}, "id": "VvvODy9mT"}]</s>',
        [OSLO],
    ),
    ("Mistral, new", '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "days": 2}', [OSLO]),
    (
        "Mistral, new with ids",
        '[TOOL_CALLS]get_weather[CALL_ID]VvvODy9mT[ARGS]{"city": "Oslo", "days": 2}'
        '[TOOL_CALLS]search[CALL_ID]a1[ARGS]{"query": "fjord"}',
        [OSLO, SEARCH],
    ),
    ("Mistral, new without ARGS", '[TOOL_CALLS]get_weather{"city": "Oslo", "days": 2}', [OSLO]),
    (
        "DeepSeek V3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
        '{"city": "Oslo", "days": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [OSLO],
    ),
    (
        "DeepSeek V3.1",
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo", "days": 2}<｜tool▁call▁end｜>'
        '<｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "fjord"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [OSLO, SEARCH],
    ),
    (
        "DeepSeek V3.2",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo'
        '</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
        "</｜DSML｜function_calls>",
        [OSLO],
    ),
    (
        "GLM-4.5",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n"
        "<arg_value>2</arg_value>\n</tool_call>",
        [OSLO],
    ),
    ("GLM-4.5 without arguments", "<tool_call>now\n</tool_call>", [("now", {})]),
    (
        "Kimi",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Oslo", "days": 2}<|tool_call_end|><|tool_calls_section_end|>',
        [OSLO],
    ),
    (
        "Phi-4-mini",
        '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]<|/tool_call|>',
        [OSLO],
    ),
    ("Phi-4-mini, functools", 'functools[{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]', [OSLO]),
    ("Granite 3", '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]', [OSLO]),
    (
        "Granite 20B",
        '<function_call> {"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}} <function_call> '
        '{"name": "search", "arguments": {"query": "fjord"}}',
        [OSLO, SEARCH],
    ),
    (
        "Jamba",
        '<tool_calls>[\n  {"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n]</tool_calls>',
        [OSLO],
    ),
    (
        "MiniMax M1",
        '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n'
        '{"name": "search", "arguments": {"query": "fjord"}}\n</tool_calls>',
        [OSLO, SEARCH],
    ),
    (
        "MiniMax M2",
        '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n'
        '<parameter name="days">2</parameter>\n</invoke>\n</minimax:tool_call>',
        [OSLO],
    ),
    (
        "InternLM",
        '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}<|action_end|>',
        [OSLO],
    ),
    (
        "harmony",
        "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>"
        '{"city": "Oslo", "days": 2}<|call|>',
        [OSLO],
    ),
    (
        "harmony, the recipient before the channel",
        '<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Oslo", "days": 2}<|call|>',
        [OSLO],
    ),
    (
        "Cohere, R7B and A",
        '<|START_ACTION|>[\n  {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}\n'
        "]<|END_ACTION|>",
        [OSLO],
    ),
    (
        "Cohere, Command R",
        'Action: ```json\n[\n  {"tool_name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}\n]\n```',
        [OSLO],
    ),
    (
        "function_calls",
        '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n'
        '<parameter name="days">2</parameter>\n</invoke>\n</function_calls>',
        [OSLO],
    ),
    (
        "function_calls, old",
        "<function_calls>\n<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Oslo</city>\n<days>2</days>\n"
        "</parameters>\n</invoke>\n</function_calls>",
        [OSLO],
    ),
    (
        "OLMo 3",
        '<function_calls>\nget_weather(city="Oslo", days=2)\nsearch(query="fjord")\n</function_calls>',
        [OSLO, SEARCH],
    ),
    ("LFM2", '<|tool_call_start|>[get_weather(city="Oslo", days=2)]<|tool_call_end|>', [OSLO]),
    ("Nemotron", '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]</TOOLCALL>', [OSLO]),
    ("Apertus", '<|tools_prefix|>[{"get_weather": {"city": "Oslo", "days": 2}}]<|tools_suffix|>', [OSLO]),
    (
        "Seed-OSS",
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n<parameter=days>2</parameter>\n"
        "</function>\n</seed:tool_call>",
        [OSLO],
    ),
    (
        "Step 3",
        '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">'
        '<steptml:parameter name="city">Oslo</steptml:parameter><steptml:parameter name="days">2</steptml:parameter>'
        "</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        [OSLO],
    ),
    ("Qwen-Agent", '✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Oslo", "days": 2}\n✿RESULT✿', [OSLO]),
    (
        "ReAct",
        'Thought: I need the weather.\nAction: get_weather\nAction Input: {"city": "Oslo", "days": 2}\nObservation:',
        [OSLO],
    ),
    ("tool_code of Gemini", '```tool_code\nprint(default_api.get_weather(city="Oslo", days=2))\n```', [OSLO]),
    ("fenced JSON", '```json\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n```', [OSLO]),
    (
        "fenced JSON behind a sentence",
        'I will look it up.\n\n```json\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n```\n',
        [OSLO],
    ),
    ("bare Python dictionary", "{'name': 'get_weather', 'arguments': {'city': 'Oslo', 'days': 2}}", [OSLO]),
    (
        "JSON list",
        '[{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}, '
        '{"name": "search", "arguments": {"query": "fjord"}}]',
        [OSLO, SEARCH],
    ),
    (
        "OpenAI's form as text",
        '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_weather", '
        '"arguments": "{\\"city\\": \\"Oslo\\", \\"days\\": 2}"}}]}',
        [OSLO],
    ),
    ("plain Python, one a line", "get_weather(city='Oslo', days=2)\nsearch(query='fjord')", [OSLO, SEARCH]),
    ("Python without names", "[get_weather('Oslo', 2)]", [OSLO]),
    (
        "JSON behind a sentence",
        'Let me check that for you.\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}',
        [OSLO],
    ),
]

LOOK_ALIKES: list[tuple[str, str, bool]] = [
    ("plain prose", "The weather in Oslo will be mild for two days.", False),
    ("the name in prose", "I have a get_weather tool, but I know the answer: it is mild.", False),
    ("the name in prose with a city", "get_weather needs a city. Which city do you mean?", False),
    ("a call in a sentence", "I would call get_weather(city='Oslo', days=2) to find out.", True),
    ("a call in code in a sentence", "Use `get_weather(city='Oslo')` for this.", True),
    (
        "a mark in code",
        'Write `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>` to call it.',
        True,
    ),
    (
        "a mark in a fence",
        'Here is how a call looks:\n```\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n```',
        True,
    ),
    ("a mark named in prose", "Models wrap calls in <tool_call> and </tool_call> tags.", False),
    ("an empty mark", "<tool_call></tool_call>", False),
    (
        "an example in a fence",
        'For example:\n```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```',
        True,
    ),
    (
        "a fence with prose behind it",
        '```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```\nThis would return the weather.',
        True,
    ),
    (
        "a schema",
        '```json\n{"name": "get_weather", "description": "Weather", "parameters": {"type": "object"}}\n```',
        True,
    ),
    ("a schema alone", '{"name": "get_weather", "description": "The weather", "parameters": {"city": "string"}}', True),
    ("another tool's name", '{"name": "send_email", "arguments": {"to": "a@example.org"}}', False),
    ("a person", '{"name": "Ada", "arguments": ["for", "against"]}', False),
    ("an answer in JSON", '{"city": "Oslo", "days": 2}', False),
    ("an answer in JSON with a name", '{"name": "Oslo", "population": 700000}', False),
    ("a list of numbers", "[1, 2, 3]", False),
    ("a list of names", "[get_weather, search]", False),
    ("a list of texts", '["get_weather", "search"]', False),
    ("Python of its own", "```python\nprint('Oslo'.upper())\n```", False),
    ("a function of that name", "```python\ndef get_weather(city):\n    return 'mild'\n```", True),
    (
        "a program that calls it",
        "```python\nfor city in ['Oslo', 'Rome']:\n    print(get_weather(city=city))\n```",
        True,
    ),
    ("a call whose arguments are no values", "get_weather(city=user.city)", True),
    ("a call without an end", '{"name": "get_weather", "arguments": {"city": "Os', True),
    ("arguments that are no object", '{"name": "get_weather", "arguments": ["Oslo"]}', True),
    ("no arguments", '{"name": "get_weather"}', True),
    ("more than a call", '{"name": "get_weather", "arguments": {"city": "Oslo"}, "confidence": 0.9}', True),
    ("a question first", 'Do you want me to run this?\n{"name": "get_weather", "arguments": {"city": "Oslo"}}', True),
    ("a conditional", 'If you agree, I run\n{"name": "get_weather", "arguments": {"city": "Oslo"}}', True),
    ("a denial", 'I cannot run\n{"name": "get_weather", "arguments": {"city": "Oslo"}}', True),
    ("a plan", "Plan:\n1. get_weather\n2. search\n3. answer", False),
    ("HTML", "<function>get_weather</function>", False),
    ("JavaScript", "```js\nawait get_weather({city: 'Oslo'})\n```", True),
    ("a shell command", "```bash\ncurl https://example.org/get_weather?city=Oslo\n```", False),
    ("JSON lines, one no call", '{"name": "get_weather", "arguments": {"city": "Oslo"}}\n{"done": true}', True),
    ("an action in prose", "Action: call your bank today.", False),
    ("an action of no tool", "Action: sleep\nAction Input: eight hours", False),
    ("a final answer of ReAct", "Thought: I know it.\nFinal Answer: mild", False),
    ("a quoted transcript", '> Action: get_weather asked for\n> and the answer was "mild"', False),
    ("a mark's name in a list", "- [TOOL_CALLS]\n- [ARGS]", False),
    ("functools", "```python\nimport functools\nfunctools.lru_cache(maxsize=2)\n```", False),
    ("functools in prose", "You can use functools[...] notation? No: functools is a module.", False),
    ("an address", "Write to=functions@example.org for help.", False),
    ("a table", "| tool | argument |\n|---|---|\n| get_weather | city |", False),
    ("YAML", "name: get_weather\narguments:\n  city: Oslo", True),
    ("a result, not a call", '{"tool": "get_weather", "result": {"city": "Oslo", "sky": "clear"}}', True),
    ("a result in tags", '<tool_result name="get_weather">mild</tool_result>', False),
    ("an invoke named in prose", "In that API one writes <invoke name=...> with parameters.", False),
    ("a refusal", "I'm sorry, I can't access real-time weather data.", False),
    ("two fences, one of prose", "```\nhello\n```\n```json\n[1]\n```", False),
    ("math", "f(x) = x**2, so f(3) = 9", False),
    ("a list of calls to others", "[lookup(city='Oslo')]", False),
    ("an import", "```python\nfrom tools import search\n```", False),
    ("a comparison", "search(query) is slower than now()", True),
    ("a citation", "See [search](https://example.org/search).", False),
    ("an empty object", "{}", False),
    ("an empty list", "[]", False),
    ("nothing", "   \n", False),
    ("a signature", "The signature is get_weather(city: str, days: int) -> dict.", True),
    ("a template", '{"name": "get_weather", "arguments": {"city": "<city>"}} is the format to use.', True),
]


def _found(text: str) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in extract_tool_calls(text, OFFERED).calls]


@each_row(("who", "text", "calls"), FORMS, ids=lambda who: str(who)[:60])
def test_a_call_is_read_in_every_form_that_models_write(who: str, text: str, calls: list[tuple[str, Any]]) -> None:
    found = extract_tool_calls(text, OFFERED)
    assert [(call.name, json.loads(call.arguments)) for call in found.calls] == calls
    assert found.form
    assert all(call.form == found.form for call in found.calls)
    assert not found.looks_like
    assert not any(mark in found.text for mark in ("<|", "｜", "[TOOL_CALLS]", "function_calls", "</"))


@each_row(("what", "text", "looks_like"), LOOK_ALIKES, ids=lambda what: str(what)[:60])
def test_what_only_looks_like_a_call_is_none(what: str, text: str, looks_like: bool) -> None:
    found = extract_tool_calls(text, OFFERED)
    assert found.calls == ()
    assert found.text == text
    assert bool(found.looks_like) is looks_like


def test_nothing_is_a_call_where_no_tool_is_offered() -> None:
    for _, text, _ in FORMS:
        found = extract_tool_calls(text, {})
        assert (found.calls, found.text, found.looks_like) == ((), text, "")
