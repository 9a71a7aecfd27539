"""evonic's expected values in our form, by the evaluator that reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from modex.core.suite.dialects import Context

TOLERANCE = 0.01
"""evonic's own tolerance, where a test gives none."""
MAX_EXTRA_CALLS = 50
"""evonic counts no call as too much; this many more than expected are let pass."""
_TYPES = {
    **dict.fromkeys(("numeric", "number", "integer", "int", "float", "decimal", "currency", "percentage"), "numeric"),
    **dict.fromkeys(("exact_match", "string", "exact", "word", "code", "sequence", "list"), "exact_match"),
    **dict.fromkeys(("text", "free_text", "long_text", "explanation"), "text"),
    **dict.fromkeys(("boolean", "bool", "yes_no"), "boolean"),
    **dict.fromkeys(("choice", "multiple_choice", "option"), "choice"),
    "date": "date",
    "math": "math",
}
_INDONESIAN = re.compile(
    r"(?i)\brp\.?\s*\d|\b(?:yang|dan|berapa|adalah|jika|untuk|dengan|hitung|dari|apakah|tentukan|setiap|buat|sebuah)\b"
)
_TRUTHS = frozenset({"yes", "no", "ya", "tidak"})
"""Answers that are a verdict though no type says so: what is unsure or both (`Tidak tahu`, `Ya dan tidak`) is none."""
SQL_PARTS = ("query_type", "table", "clause", "functions")
"""Parts of a query that a test asks for, here by the same names."""
_NO_GOLD = "no gold: evonic asks for no particular call here, so that any one would pass"


@dataclass(slots=True)
class TranslatedGold:
    """An expected value in our form."""

    expected: Any = None
    forms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unusable: str = ""
    beside: dict[str, Any] = field(default_factory=dict)
    """Keys that decide nothing, kept with the test."""


def gold(expected: Any, context: Context, prompt: str, parameters: Mapping[str, Mapping[str, Any]]) -> TranslatedGold:
    """What `expected` says, for the evaluator of `context`; None in `expected` where nothing had to be said otherwise."""
    if context.evaluator_id == "two_pass":
        return _answer(expected, prompt)
    if context.evaluator_id == "keyword":
        return _keywords(expected)
    if context.evaluator_id == "sql_executor":
        return _sql(expected, context.fixture)
    if context.evaluator_id == "tool_call":
        return _calls(expected, parameters)
    if context.evaluator_type == "regex":
        return _pattern(expected, context)
    return TranslatedGold()


def _answer(expected: Any, prompt: str) -> TranslatedGold:
    if isinstance(expected, dict) and "answer" not in expected:
        if "value" in expected:
            return TranslatedGold()
        if "keywords" in expected and expected.get("keywords"):
            return TranslatedGold(
                {"type": "text", "value": "; ".join(map(str, expected["keywords"]))}, ("keywords under two_pass",)
            )
        return TranslatedGold(None, (), (), "no gold: the test names no answer", dict(expected))
    document = expected if isinstance(expected, dict) else {"answer": expected}
    value, named = document["answer"], document.get("type")
    if value in (None, "", [], {}):
        return TranslatedGold(None, (), (), "no gold: the answer is empty", document)
    kind = _TYPES.get(str(named).lower()) if named else None
    notes = () if kind or not named else (f"the answer type '{named}' is read by the answer's own form",)
    kind = kind or _kind_of(value)
    if kind == "numeric" and isinstance(value, str) and not re.search(r"\d", value):
        kind = "exact_match"
    said: dict[str, Any] = {"type": kind, "value": value}
    if isinstance(value, list):
        said |= {"gold": "parts", "ordered": True}
        said["type"] = "numeric" if all(isinstance(item, int | float) for item in value) else "exact_match"
    if isinstance(value, dict):
        return TranslatedGold(None, (), (), "no gold that can be compared: the answer is an object", document)
    if said["type"] == "numeric":
        said["tolerance"] = document.get("tolerance", TOLERANCE)
    if said["type"] in ("numeric", "boolean", "date") and _INDONESIAN.search(prompt):
        said["locale"] = "id"
    if said["type"] == "boolean" and isinstance(value, str):
        said.pop("locale", None)
    beside = {key: item for key, item in document.items() if key not in ("answer", "type", "tolerance")}
    return TranslatedGold(said, (f"answer ({said['type']})",), notes, beside=beside)


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "numeric"
    if isinstance(value, str) and value.strip().casefold() in _TRUTHS:
        return "boolean"
    return "text" if isinstance(value, str) and len(value) > 60 else "exact_match"


def _keywords(expected: Any) -> TranslatedGold:
    document = expected if isinstance(expected, dict) else {"keywords": expected}
    words = document.get("keywords")
    form = "keywords"
    if not words and (answer := document.get("answer")) not in (None, "", []):
        words, form = answer if isinstance(answer, list) else [answer], "answer under keyword"
    if isinstance(words, str):
        words = [words]
    if not isinstance(words, list) or not words:
        return TranslatedGold(None, (), (), "no gold: the test names no keyword", document)
    if all(isinstance(word, dict | list) for word in words):
        return TranslatedGold()
    fields: dict[str, Any] = {"keywords": [_word(word) for word in words], "formula": "mentions"}
    fields |= {key: document[key] for key in ("language", "min_words", "max_words") if key in document}
    beside = {key: item for key, item in document.items() if key not in ("keywords", *fields)}
    return TranslatedGold(fields, (form,), beside=beside)


def _word(word: Any) -> Any:
    """evonic looks for the letters anywhere, so that inflected words count: here they may begin a word."""
    return {"any": [str(word)], "prefix": True} if isinstance(word, str | int | float) else word


def _sql(expected: Any, fixture: str) -> TranslatedGold:
    if not isinstance(expected, dict) or any(
        key in expected for key in ("schema", "seed", "fixture", "fixtures", "query")
    ):
        return TranslatedGold()
    said = {key: expected[key] for key in SQL_PARTS if expected.get(key)}
    if columns := expected.get("required_columns"):
        said["selects"] = columns
    lost = [key for key in ("forbidden_columns", "min_rows", "max_rows") if key in expected]
    beside = {key: value for key, value in expected.items() if key not in (*SQL_PARTS, "required_columns")}
    if not said:
        return TranslatedGold(None, (), (), "no gold: nothing is asked of the query", beside)
    if fixture:
        said["fixture"] = fixture
    notes = (f"{', '.join(lost)}: only the query's parts are asked for, and that it runs",) if lost else ()
    return TranslatedGold(said, ("parts of a query",), notes, beside=beside)


def _calls(expected: Any, parameters: Mapping[str, Mapping[str, Any]]) -> TranslatedGold:
    if isinstance(expected, dict) and any(key in expected for key in ("calls", "no_call", "bfcl", "forbidden")):
        return TranslatedGold()
    document = {"tools": expected} if isinstance(expected, list) else expected
    if not isinstance(document, dict):
        return TranslatedGold(None, (), (), _NO_GOLD)
    form = next((key for key in ("tool", "tools", "chain", "tools_used") if document.get(key)), None)
    if form is None:
        return TranslatedGold(None, (), (), _NO_GOLD, dict(document))
    names = [document[form]] if form == "tool" else document[form]
    if not isinstance(names, list):
        return TranslatedGold(None, (), (), _NO_GOLD, dict(document))
    calls = [_call(item, document.get("args") if len(names) == 1 else None, parameters) for item in names]
    beside = {key: item for key, item in document.items() if key not in (form, "args")}
    label = f"{form} with args" if "args" in document else form
    order = {"order": "strict"} if form == "chain" else {}
    return TranslatedGold({"calls": calls, "max_extra_calls": MAX_EXTRA_CALLS, **order}, (label,), beside=beside)


def _call(item: Any, args: Any, parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """One call: arguments by name, or a list of which each is an argument's name or one of its values."""
    if isinstance(item, dict):
        args = item.get("args", item.get("arguments", args))
        item = item.get("name") or item.get("tool")
    call: dict[str, Any] = {"name": str(item)}
    properties = parameters.get(str(item), {}).get("properties")
    known: Sequence[str] = list(properties) if isinstance(properties, dict) else []
    if isinstance(args, dict):
        call |= {"args": args, "partial": True}
    elif isinstance(args, list) and args:
        named = {
            str(value): {"$any": True} for value in args if isinstance(value, str) and (value in known or not known)
        }
        values = [value for value in args if not (isinstance(value, str) and value in named)]
        call |= {"args": named, "partial": True}
        if values:
            call["values"] = values
    return call


def _pattern(expected: Any, context: Context) -> TranslatedGold:
    if isinstance(expected, dict):
        value = next((expected[key] for key in ("answer", "value", "pattern", "regex") if key in expected), None)
        beside = {
            key: item for key, item in expected.items() if key not in ("answer", "value", "pattern", "regex", "type")
        }
    else:
        value, beside = expected, {}
    by_pattern = context.evaluator_config.get("comparison") == "use_expected_as_pattern"
    if value in (None, "", {}):
        if by_pattern:
            return TranslatedGold(None, (), (), "no gold: the test names no pattern", beside)
        return TranslatedGold("", ("pattern alone",), beside=beside)
    if by_pattern:
        return TranslatedGold(f"(?s){value}", ("expected pattern",), beside=beside)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return TranslatedGold(
            {"type": "numeric", "value": value, "tolerance": TOLERANCE}, ("expected under regex",), beside=beside
        )
    return TranslatedGold(value, ("expected under regex",), beside=beside)
