"""Arguments that fit: what the schema asks for, from the question where it says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.jsonvalues.jsonargs import schema_faults
from modex.core.llm.demo.arguments import arguments_for, value_for
from modex.core.llm.demo.calls import schemas_of
from tests.rows import each_row
from tests.suite.golds import ROOT

SYMBOL = {"type": "string", "description": "Token symbol (e.g. AUR, HRN).", "minLength": 1}
CHAIN = {"type": "string", "enum": ["aurelia", "cinder"]}
DAY = {"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"}


@each_row(
    ("name", "schema", "question", "value"),
    [
        ("symbol", SYMBOL, "How many CND were there at the end of the day (UTC)?", "CND"),
        ("symbol", SYMBOL, "How many are there?", "AUR"),
        ("chain", CHAIN, "What happened on Cinder?", "cinder"),
        ("chain", CHAIN, "What happened?", "aurelia"),
        ("date", DAY, "What was it on 2026-05-14?", "2026-05-14"),
        ("date", DAY, "What was it?", "2026-01-15"),
        ("block_number", {"type": "integer", "minimum": 0}, "On 2026-05-14, block 40,000,000?", 40_000_000),
        ("days", {"type": "integer", "minimum": 2, "maximum": 9}, "Over 500 or 5 days?", 5),
        ("address", {"type": "string"}, "What did 'Causeway exploiter' hold?", "Causeway exploiter"),
        ("query", {"type": "string"}, "Who founded Heron?", "Who founded Heron?"),
        ("url", {"type": "string", "description": "e.g. https://a.example/b"}, "?", "https://a.example/b"),
        (
            "code",
            {"type": "string", "description": "Python, for example: import math\nmath.pi"},
            "?",
            "import math\nmath.pi",
        ),
        ("anything", {"type": "string"}, "What?", "text"),
    ],
)
def test_a_value_comes_from_the_question_or_from_what_is_described(
    name: str, schema: dict[str, Any], question: str, value: Any
) -> None:
    assert value_for(schema, question, name) == value


def test_sql_asks_a_table_that_the_tool_describes() -> None:
    about = "Runs one query. Tables:\naddresses(address, chain)"
    assert value_for({"type": "string"}, "How many?", "sql", about) == "SELECT COUNT(*) FROM addresses"


@pytest.mark.parametrize(
    ("question", "given"),
    [("When was block 12 of Cinder?", {"chain", "block_number"}), ("Which was the last on Cinder?", {"chain", "time"})],
)
def test_one_of_a_group_is_given(question: str, given: set[str]) -> None:
    properties = {"chain": CHAIN, "time": {"type": "string"}, "block_number": {"type": "integer"}}
    about = "Converts. Give exactly one of time and block_number."
    schema = {"description": about, "properties": properties, "required": ["chain"]}
    assert set(arguments_for(schema, question)) == given


@each_row("path", sorted((ROOT / "tool_mocks").glob("*.json")), ids=lambda path: path.stem)
def test_the_arguments_fit_every_bundled_tool(path: Path) -> None:
    content = json.loads(path.read_text("utf-8"))
    for tool in content if isinstance(content, list) else [content]:
        for name, schema in schemas_of([tool]).items():
            for question in ("", "How many CND did 'Old fund' hold in block 4,000 of Aurelia on 2026-05-14?"):
                assert schema_faults(arguments_for(schema, question), dict(schema)) == [], name
