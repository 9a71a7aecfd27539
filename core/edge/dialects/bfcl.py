"""BFCL's single-turn files (questions, and `possible_answer` beside them) as tests of ours.

The form is that of the Berkeley Function Calling Leaderboard: a question a line with its functions, whose parameters name
the types of Python, Java or JavaScript, and a gold call with the allowed values of each argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.rows import BadRow, json_lines

_FILE = re.compile(r"(?:BFCL_v\d+_)?(.+)\.jsonl?")
_TYPES = {
    **dict.fromkeys(("dict", "object", "hashmap", "map", "dictionary", "hashtable"), "object"),
    **dict.fromkeys(("float", "number", "double"), "number"),
    **dict.fromkeys(("int", "integer", "long", "short", "byte", "bigint"), "integer"),
    **dict.fromkeys(("list", "array", "arraylist", "tuple", "set", "queue", "stack", "vector"), "array"),
    **dict.fromkeys(("bool", "boolean"), "boolean"),
    **dict.fromkeys(("str", "string", "char", "character"), "string"),
    "null": "null",
}
_LEVELS = {"simple": 1, "multiple": 2, "parallel": 3, "parallel_multiple": 4, "irrelevance": 2, "relevance": 2}
_NOT_SINGLE = ("memory", "web_search", "format_sensitivity")


@dataclass(slots=True)
class BfclTests:
    """The tests of one file; `left_out` says of each row that could not be carried over why."""

    category: str
    tests: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Each with its level."""
    left_out: list[str] = field(default_factory=list)
    evaluator: str = "tool_call"


def find_files(place: Path) -> list[Path]:
    """The question files at `place`: a file itself, or those of a folder.

    Raises:
        ConfigurationError: there is none.
    """
    if place.is_file():
        return [place]
    found = sorted(path for path in place.glob("*.json*") if path.is_file()) if place.is_dir() else []
    if not found:
        raise ConfigurationError(f"{place}: no BFCL file there; name a folder with BFCL_v3_*.json, or one such file")
    return found


def read_file(path: Path) -> BfclTests:
    """The tests of one question file; its golds stand in `possible_answer/` beside it, under the same name.

    Raises:
        ConfigurationError: the file, or its golds, cannot be read.
    """
    brought = BfclTests(category_of(path))
    if "multi_turn" in brought.category:
        brought.left_out.append(f"{path.name}: tests of several turns need BFCL's own classes; --run-code runs them")
        return brought
    if any(word in brought.category for word in _NOT_SINGLE):
        brought.left_out.append(f"{path.name}: the category '{brought.category}' is no single turn")
        return brought
    golds = dict(golds_of(path))
    for number, row in enumerate(rows_of(path), 1):
        if isinstance(row, str):
            brought.left_out.append(f"{path.name}: {row}")
            continue
        try:
            test = _test(row, golds.get(str(row.get("id"))), brought.category)
        except ValueError as problem:
            brought.left_out.append(f"{path.name}:{number}: {row.get('id')}: {problem}")
        else:
            brought.tests.append((_level(brought.category), test))
    return brought


def category_of(path: Path) -> str:
    """The category of a file, by its name."""
    match = _FILE.fullmatch(path.name)
    return match[1] if match else path.stem


def rows_of(path: Path) -> Iterator[dict[str, Any] | str]:
    """The rows of a file, an object a line though it ends in .json; a line that is none as a sentence that says so."""
    for row in json_lines(path):
        yield f"line {row.line}: {row.message}" if isinstance(row, BadRow) else row.data


def golds_of(path: Path) -> Iterator[tuple[str, Any]]:
    """The golds of a file of questions, by the test's id; nothing where they are not there."""
    beside = path.parent / "possible_answer" / path.name
    if not beside.is_file():
        return
    for row in rows_of(beside):
        if isinstance(row, dict):
            yield str(row.get("id")), row.get("ground_truth")


def _level(category: str) -> int:
    bare = category.removeprefix("exec_").removeprefix("live_")
    bare = {"java": "multiple", "javascript": "multiple"}.get(bare.removeprefix("simple_"), bare)
    level = _LEVELS.get(bare.removesuffix("_python"), 2)
    return min(5, level + 1) if category.startswith("live_") else level


def _test(row: Mapping[str, Any], gold: Any, category: str) -> dict[str, Any]:
    """One row as a test.

    Raises:
        ValueError: it has no such form; the message says what is missing.
    """
    functions = row.get("function")
    functions = [functions] if isinstance(functions, dict) else functions
    if not isinstance(functions, list) or not all(isinstance(one, dict) and one.get("name") for one in functions):
        raise ValueError("no list of functions")
    language = next((name for name in ("javascript", "java") if name in category), None)
    gold = gold if gold is not None else row.get("ground_truth")
    return {
        "id": str(row.get("id") or ""),
        "prompt": _prompt(row.get("question")),
        "expected": _expected(gold, category, language),
        "evaluator_id": "tool_call",
        "tools": [as_tool(one) for one in functions],
    }


def _prompt(question: Any) -> Any:
    turns = question
    if isinstance(turns, list) and turns and isinstance(turns[0], list):
        if len(turns) > 1:
            raise ValueError("the question has several turns")
        turns = turns[0]
    if isinstance(turns, str):
        return turns
    if not isinstance(turns, list) or not all(isinstance(turn, dict) and "content" in turn for turn in turns):
        raise ValueError("no question")
    stated = [{"role": turn.get("role", "user"), "content": str(turn["content"])} for turn in turns]
    return stated[0]["content"] if len(stated) == 1 and stated[0]["role"] == "user" else stated


def _expected(gold: Any, category: str, language: str | None) -> dict[str, Any]:
    if "irrelevance" in category:
        return {"no_call": True}
    if "relevance" in category:
        return {"any_call": True}
    if not isinstance(gold, list) or not gold:
        raise ValueError("no possible answer; it stands in possible_answer/ under the file's name")
    if all(isinstance(item, str) for item in gold):
        return {"calls": [_written(item) for item in gold]}
    return {"bfcl": gold, **({"language": language} if language else {})}


def _written(text: str) -> dict[str, Any]:
    """A gold call of an `exec_` category, written as Python.

    Raises:
        ValueError: it is no call with constant arguments.
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError
        name = ast.unparse(call.func).replace(".", "_")
        return {"name": name, "args": {str(key.arg): _plain(ast.literal_eval(key.value)) for key in call.keywords}}
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"the gold {text[:60]!r} is no call with named arguments") from None


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    return {str(key): _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def as_tool(function: Mapping[str, Any]) -> dict[str, Any]:
    """A function as a tool that answers that it was called; its name as OpenAI allows it."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", str(function["name"]))[:64]
    parameters = _schema(function.get("parameters") or {})
    parameters["type"] = "object"
    parameters.setdefault("properties", {})
    return {
        "id": name,
        "function": {"name": name, "description": str(function.get("description") or ""), "parameters": parameters},
        "response": {"status": "ok"},
    }


def _schema(given: Any) -> Any:
    """A schema in JSON Schema's own words: the types of Python, Java and JavaScript become its types, an unknown one any."""
    if isinstance(given, list):
        return [_schema(item) for item in given]
    if not isinstance(given, dict):
        return given
    said: dict[str, Any] = {}
    for key, value in given.items():
        if key == "type" and isinstance(value, str):
            if (kind := _TYPES.get(value.casefold())) is not None:
                said["type"] = kind
        elif key == "properties" and isinstance(value, dict):
            said[key] = {name: _schema(item) for name, item in value.items()}
        elif key == "required" and not isinstance(value, list):
            continue
        elif key in ("optional", "nullable", "format", "default"):
            if key == "default" and value is not None:
                said[key] = value
        else:
            said[key] = _schema(value) if key in ("items", "anyOf", "oneOf", "allOf", "additionalProperties") else value
    return said
