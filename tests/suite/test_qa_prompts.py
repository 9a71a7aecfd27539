from __future__ import annotations

import re
from pathlib import Path

from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.textcalls.reading import extract_tool_calls
from modex.core.suite.templates import Templates, render
from tests.rows import each_row

PROMPTS = Path(__file__).parents[2] / "prompts" / "qa"
PLACEHOLDERS = {
    "reasoning": {"snapshot_date"},
    "analysis": {"question", "snapshot_date", "tools"},
    "tool_selection": {"question", "snapshot_date", "analysis", "iteration", "max_iterations"},
    "text_protocol": {"tools"},
    "synthesis": {"question", "snapshot_date", "analysis", "results"},
}


@each_row("name", list(PLACEHOLDERS))
def test_a_prompt_holds_just_the_placeholders_it_needs(name: str) -> None:
    text = Templates(None).text(f"qa/{name}")
    assert set(re.findall(r"\{([a-z_]+)\}", text)) == PLACEHOLDERS[name]


@each_row("name", list(PLACEHOLDERS))
def test_values_that_look_like_placeholders_stay_inert(name: str) -> None:
    text = Templates(None).text(f"qa/{name}")
    filled = render(text, **dict.fromkeys(PLACEHOLDERS[name], "{question} {results}"))
    assert filled.count("{question} {results}") == len(re.findall(r"\{(" + "|".join(PLACEHOLDERS[name]) + r")\}", text))


@each_row(("name", "key"), [("reasoning", "answer"), ("synthesis", "answer"), ("analysis", "decision")])
def test_the_form_that_a_prompt_shows_is_the_form_that_is_read(name: str, key: str) -> None:
    found = parse_json_answer(Templates(None).text(f"qa/{name}"), key)
    assert found.value is not None
    assert key in found.value
    assert not found.repaired


def test_every_prompt_of_the_folder_is_known() -> None:
    assert {path.stem for path in PROMPTS.glob("*.md")} == set(PLACEHOLDERS)


def test_the_call_that_the_text_protocol_shows_is_read_as_a_call() -> None:
    text = render(Templates(None).text("qa/text_protocol"), tools='{"name": "add"}')
    shown = extract_tool_calls(text.strip().splitlines()[-1], {"add": {}})
    assert [(call.name, call.arguments) for call in shown.calls] == [("add", '{"a": 17, "b": 25}')]
    assert shown.text.strip() == ""
