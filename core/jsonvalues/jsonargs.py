"""JSON arguments as a model writes them: decoded under caps, checked against a JSON Schema in bounded time."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import Any

MAX_CHARS = 200_000
MAX_DEPTH = 64
_SHOWN_ERRORS = 5
_CACHED = 512
_BACKTRACKS = 100_000
_validators: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


def decode_arguments(text: str) -> dict[str, Any] | str:
    """The JSON object in `text`, or why there is none; no text, and null, stand for no arguments."""
    if text.strip() in ("", "null"):
        return {}
    if len(text) > MAX_CHARS:
        return f"the arguments have {len(text):,} characters; at most {MAX_CHARS:,} are read"
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return f"the arguments are not JSON: {error.msg} at line {error.lineno} column {error.colno}"
    except RecursionError:
        return f"the arguments are nested deeper than {MAX_DEPTH} levels"
    except ValueError as error:
        return f"the arguments are not JSON: {error}"
    if not isinstance(value, dict):
        return f"the arguments must be a JSON object, not {_kind(value)}"
    if too_deep(value):
        return f"the arguments are nested deeper than {MAX_DEPTH} levels"
    return value


def schema_faults(arguments: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """What the JSON Schema has against `arguments`, at most five messages; patterns cannot hang."""
    if not schema:
        return []
    try:
        validator = _validator(schema)
        faults = []
        for error in validator.iter_errors(arguments):
            where = ".".join(str(step) for step in error.instance_path)
            faults.append(f"{where}: {error.message[:300]}" if where else error.message[:300])
            if len(faults) == _SHOWN_ERRORS:
                break
        return faults
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return [f"the arguments cannot be checked: {str(error)[:200]}"]


def _validator(schema: dict[str, Any]) -> Any:
    import jsonschema_rs

    key = json.dumps(schema, sort_keys=True)
    with _lock:
        if key in _validators:
            _validators.move_to_end(key)
            return _validators[key]
    if '"nullable": true' in key or '"default": null' in key:
        schema = _with_null(schema)
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS)
    built = jsonschema_rs.validator_for(schema, pattern_options=options, offline=True)
    with _lock:
        _validators[key] = built
        while len(_validators) > _CACHED:
            _validators.popitem(last=False)
    return built


def _with_null(schema: Any) -> Any:
    """The schema with null allowed where `nullable` says so, which OpenAPI 3.0 has, or null is the default itself."""
    if isinstance(schema, list):
        return [_with_null(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _with_null(item) for name, item in schema.items()}
    if (found.get("nullable") is True or found.get("default", 0) is None) and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        if isinstance(found.get("enum"), list) and None not in found["enum"]:
            found["enum"] = [*found["enum"], None]
    return found


def too_deep(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether a decoded JSON value nests deeper than `limit` levels; whoever walks a value by recursion asks this first."""
    layer, depth = [value], 0
    while layer:
        depth += 1
        if depth > limit:
            return True
        layer = [
            item
            for holder in layer
            if isinstance(holder, dict | list)
            for item in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return False


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
