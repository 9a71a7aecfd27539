"""The configured evaluators of the bundled suite are complete, compile and are used."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import regex

from tests.rows import each_row
from tests.suite.golds import DEFINITIONS, golds

BUILT_IN = {
    "keyword", "two_pass", "sql_executor", "tool_call", "regex", "custom", "hybrid", "llm_judge", "match",
}  # fmt: skip
COMPARISONS = {"exact", "exact_number", "choice", "use_expected_as_pattern", "required_keywords"}


def files() -> dict[str, dict[str, Any]]:
    """The evaluator files by id."""
    loaded = [json.loads(path.read_text("utf-8")) for path in sorted((DEFINITIONS / "evaluators").glob("*.json"))]
    return {evaluator["id"]: evaluator for evaluator in loaded}


FILES = files()


def of_type(kind: str) -> list[str]:
    return [name for name, evaluator in FILES.items() if evaluator["type"] == kind]


@cache
def used() -> set[str]:
    """The evaluators that tests, domains, levels and hybrids name."""
    names: set[str] = set()
    for domain in sorted(path.parent.name for path in DEFINITIONS.glob("*/domain.json")):
        names.update(test.get("evaluator_id") or "" for test in golds(domain).values())
        for path in (DEFINITIONS / domain).rglob("*.json"):
            content = json.loads(path.read_text("utf-8"))
            names.add(content.get("evaluator_id") or "")
    for evaluator in FILES.values():
        names.update(part["evaluator"] for part in evaluator["config"].get("parts", []))
    return names


@each_row("name", FILES)
def test_a_file_is_named_after_its_id_and_says_what_it_does(name: str) -> None:
    assert (DEFINITIONS / f"evaluators/{name}.json").is_file()
    assert FILES[name]["name"]
    assert FILES[name]["description"].endswith(".")


@each_row("name", FILES)
def test_no_evaluator_lies_unused(name: str) -> None:
    assert name in used() or name in BUILT_IN


@each_row("name", of_type("regex"))
def test_patterns_compile_and_name_a_comparison(name: str) -> None:
    pattern = regex.compile(FILES[name]["extraction_regex"])
    assert pattern.groups == 1
    assert FILES[name]["config"]["comparison"] in COMPARISONS
