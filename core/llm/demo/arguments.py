"""Arguments of the scripted model's calls: such as the schema asks for, taken from the question where it holds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.jsonvalues.jsonargs import schema_faults
from modex.core.llm.demo.example import example_of

_TYPED: dict[str, Any] = {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}, "null": None}
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_QUOTED = re.compile(r"(?<!\w)['‘“]([^'\"’”\n]{2,60})['’”](?!\w)")
_SYMBOL = re.compile(r"\b[A-Z]{3,6}\b")
_NO_SYMBOLS = frozenset(
    ["UTC", "USD", "EUR", "YYYY", "TVL", "APY", "APR", "RSI", "SMA", "EMA", "ATR", "MACD", "SQL", "DEX"]
)
_COUNT = re.compile(r"\b\d{1,3}(?:,\d{3})+\b|\b\d+\b")
_EXAMPLES = re.compile(r"\be\.g\. +('[^']+'|https?://\S+|[^\s,;)]+)")
_CODE = re.compile(r"\b(?:for example|e\.g\.):? *(\w[\s\S]*\S)\s*$")
_EITHER = re.compile(r"\b(?:exactly|at least) one of ((?:\w+, )*\w+(?:,? (?:and|or) \w+)?)")
_TABLE = re.compile(r"\b([a-z_]{3,})\(\w+(?:, \w+)*\)")
_BLOCK = re.compile(r"\bblock [\d#]")
_FALLBACK_DATE = "2026-01-15"
_QUERY = 60


def arguments_for(schema: Mapping[str, Any], question: str = "") -> dict[str, Any]:
    """Arguments that satisfy a schema: the required ones, and of a group that its `description` names ("exactly one of
    `time` and `block_number`") one.
    """
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    wanted = [name for name in schema.get("required") or () if name in properties]
    wanted += _of_groups(schema, properties, question)
    about = str(schema.get("description") or "")
    return {name: value_for(properties[name], question, name, about) for name in wanted}


def _of_groups(schema: Mapping[str, Any], properties: Mapping[str, Any], question: str) -> Iterator[str]:
    """One property of each group of which a call needs one: a block's number where the question speaks of blocks."""
    about = str(schema.get("description") or "")
    for group in _EITHER.findall(about):
        names = [name for name in re.split(r",? and |,? or |, ", group) if name in properties]
        fitting = [name for name in names if _kind(properties[name]) == "integer"] if _BLOCK.search(question) else []
        fitting += ["address"] if "address" in names and _QUOTED.search(question) else []
        yield from [*fitting, *names][:1]
    if "at least one of them" in about and properties and not schema.get("required"):
        yield next(iter(properties))


def value_for(schema: Any, question: str = "", name: str = "", about: str = "") -> Any:
    """A value that a property's schema allows; `about` is what the tool's description says."""
    if not isinstance(schema, Mapping):
        return "text"
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    if schema.get("enum"):
        folded = question.casefold()
        return next((one for one in schema["enum"] if str(one).casefold() in folded), schema["enum"][0])
    if schema.get("examples"):
        return schema["examples"][0]
    kind = _kind(schema)
    if kind in {"integer", "number"}:
        return _number(schema, question, kind)
    if kind == "array":
        return [value_for(schema.get("items", {}), question)] if schema.get("minItems") else []
    if kind == "object":
        return arguments_for(schema, question)
    if kind in _TYPED:
        return _TYPED[kind]
    return _text(schema, question, name, about)


def _kind(schema: Any) -> Any:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return next(iter(kind), None) if isinstance(kind, list) else kind


def _number(schema: Mapping[str, Any], question: str, kind: str) -> Any:
    """The first number of the question that is no date and that the schema allows, else its least."""
    for found in _COUNT.findall(_DATE.sub(" ", question)):
        number = int(found.replace(",", ""))
        if not schema_faults({"n": number}, {"properties": {"n": dict(schema)}}):
            return number
    least = schema.get("minimum")
    return least if isinstance(least, int | float) else _TYPED[kind]


def _text(schema: Mapping[str, Any], question: str, name: str, about: str) -> str:
    """The first of the texts that the schema allows."""
    for candidate in _candidates(schema, question, name, about):
        if not schema_faults({"t": candidate}, {"properties": {"t": dict(schema)}}):
            return candidate
    return "text"


def _candidates(schema: Mapping[str, Any], question: str, name: str, about: str) -> Iterator[str]:
    described = str(schema.get("description") or "")
    examples = [found.strip("'").rstrip(".") for found in _EXAMPLES.findall(described)]
    if "pattern" in schema:
        yield from (*_DATE.findall(question), *examples)
        built = example_of(str(schema["pattern"]))
        yield _FALLBACK_DATE if built is None or re.fullmatch(r"\d{4}-\d{2}-\d{2}", built) else built
    folded = name.casefold()
    if re.search(r"code|script", folded) and (found := _CODE.search(described)):
        yield found[1]
    if re.search(r"sql", folded):
        tables = _TABLE.findall(about)
        yield f"SELECT COUNT(*) FROM {tables[0]}" if tables else "SELECT 1"
    if re.search(r"url|link", folded):
        yield from (*re.findall(r"https?://[^\s)]+", question), *examples, "https://example.com/page")
    if re.search(r"symbol|token|ticker", folded):
        yield from (one for one in _SYMBOL.findall(question) if one not in _NO_SYMBOLS)
    if re.search(r"address|hash|label", folded):
        yield from (*_ADDRESS.findall(question), *_QUOTED.findall(question))
    if re.search(r"time|date|day|moment", folded):
        yield from (*_DATE.findall(question), *_DATE.findall(described), _FALLBACK_DATE)
    if re.search(r"query|words|search|text", folded) and question.strip():
        yield " ".join(question.split())[:_QUERY].strip()
    yield from examples
