from __future__ import annotations

import json
from typing import Any

import jsonschema_rs

from modex.core.suite.bundled import bundled_root
from modex.core.suite.keys import Table
from modex.core.suite.schema import schemas
from modex.core.suite.tables import DATASET, DOMAIN, EVALUATOR, LEVEL, TEST, TOOL
from tests.core.suite.conftest import case
from tests.rows import each_row

TABLES = {"domain": DOMAIN, "level": LEVEL, "test": TEST, "dataset": DATASET, "evaluator": EVALUATOR, "tool": TOOL}


def valid(kind: str, value: Any) -> bool:
    return bool(jsonschema_rs.is_valid(schemas()[kind], value))


@each_row("name", TABLES)
def test_every_schema_is_one(name: str) -> None:
    jsonschema_rs.meta.validate(schemas()[name])


@each_row(("name", "table"), TABLES.items())
def test_every_key_that_the_loader_knows_is_in_its_schema(name: str, table: Table) -> None:
    body = schemas()[name]
    properties = body.get("properties") or body["anyOf"][0]["properties"]
    assert set(properties) == set(table.checks)
    assert all("description" in properties[key.name] for key in table.keys)


@each_row(
    ("kind", "value", "right"),
    [
        ("test", case(), True),
        ("test", case(created_at="x", system_prompt=None), True),
        ("test", {"id": "a"}, False),
        ("test", {"id": "a", "template": {"prompt": "{{a}}", "code": "{}"}}, True),
        ("test", case(max_iterations=51), False),
        ("test", case("a/b"), False),
        ("test", case(weight=0), False),
        ("test", case(rollout="fast"), False),
        ("test", case(tools=[{"name": "t", "response": 1}]), True),
        ("test", case(prompt=[{"role": "user", "content": "x"}]), True),
        ("evaluator", [{"id": "a", "type": "regex"}], True),
        ("evaluator", {"id": "a", "type": "regx"}, False),
        ("tool", {"function": {"type": "function", "function": {"name": "t"}}, "response": 1}, True),
        ("dataset", {"file": "x.jsonl", "limit": 0}, False),
        ("level", {"level": 6}, False),
    ],
)
def test_schema_and_loader_agree(kind: str, value: Any, right: bool) -> None:
    assert valid(kind, value) is right


def test_the_bundled_definitions_are_valid() -> None:
    checked = {name: jsonschema_rs.validator_for(schema) for name, schema in schemas().items()}
    root = bundled_root() / "test_definitions"
    for path in sorted(root.glob("*/level_*/*.json")):
        kind = "level" if path.name == "level.json" else "test"
        assert checked[kind].is_valid(json.loads(path.read_text(encoding="utf-8"))), path.name
