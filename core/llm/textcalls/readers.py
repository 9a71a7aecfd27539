"""What stands between the marks of a form → calls, each as a name and the text of its arguments.

A reader gives nothing where what it reads is no call at all, and a call with raw text as its arguments where it is one that
cannot be read: the tool loop tells the model then.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from modex.core.foundation.lazy_regex import deferred
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm.textcalls.values import as_json, from_json, from_python, keyed, parsed, typed, unfenced

Offered = Mapping[str, Mapping[str, Any]]
"""The tools on offer: their names, each with the JSON Schema of its parameters."""
Found = tuple[str, str]
"""A call: the tool's name and the text of its arguments."""

NAMES = ("name", "tool_name", "tool", "function", "function_name", "action")
ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
BESIDE = frozenset({"id", "type", "index", "tool_call_id", "call_id"})
"""What may stand beside name and arguments in a call, and says nothing of it."""
_WRAPPED = ("function", "function_call", "tool_call")
_LISTED = ("tool_calls", "calls")
_NAME = deferred(r"""["'](?:name|tool_name)["']\s*:\s*["']([^"']*)["']""")
_CALL_NAME = re.compile(r"\s*call:\s*([^\s{]+)\s*")
_BARE_NAME = re.compile(r"\w[\w.-]*")
_ID = re.compile(r":\d+\Z")
_BETWEEN = re.compile(r"[\s;,]*+")
_DECODER = json.JSONDecoder(strict=False)
_MOST = 256


# JSON


def read_json(inner: str, offered: Offered) -> Iterator[Found]:
    """An object with a name and arguments, a list of such objects, or several of them one after the other."""
    source = unfenced(inner)
    try:
        values = json_values(source)
    except ValueError:
        yield from _broken(source, offered)
        return
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            yield from _named(item) or [("", source)]


def json_values(source: str) -> list[Any]:
    """The JSON values that a text consists of, set apart by space, commas or semicolons; one of Python's dictionaries too.

    Raises:
        ValueError: it holds something else.
    """
    values: list[Any] = []
    position = 0
    while position < len(source):
        try:
            value, position = _DECODER.raw_decode(source, position)
        except (ValueError, RecursionError):
            if values or source[:1] not in ("{", "["):
                raise ValueError("it is no JSON") from None
            value, position = from_python(parsed(source, "eval").body), len(source)
        if too_deep(value) or len(values) == _MOST:
            raise ValueError("it is too much")
        values.append(value)
        between = _BETWEEN.match(source, position)
        position = between.end() if between else position
    return values


def _named(item: Any) -> list[Found]:
    """The calls that a JSON value is; none where it has another shape."""
    if not isinstance(item, dict):
        return []
    for key in _LISTED:
        if isinstance(item.get(key), list):
            return [found for one in item[key][:_MOST] for found in _named(one)]
    for key in _WRAPPED:
        if isinstance(item.get(key), dict):
            return _named(item[key])
    name = next((item[key] for key in NAMES if isinstance(item.get(key), str)), None)
    if name is None:
        return []
    arguments: Any = next((item[key] for key in ARGUMENTS if key in item), {})
    if arguments is None:
        arguments = {}
    return [(name, arguments if isinstance(arguments, str) else as_json(arguments))]


def _broken(source: str, offered: Offered) -> Iterator[Found]:
    """A call that cannot be read, where it begins as one or names a tool first."""
    name = _NAME.search(source)
    if source.startswith(("{", "[")):
        yield (name[1] if name else ""), source
    elif (word := _BARE_NAME.match(source)) and word[0] in offered:
        yield "", source


# tags


def read_tagged(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands in `<tool_call>`: JSON, a function in tags, or a name with its arguments in pairs of tags."""
    source = inner.strip()
    if source.startswith("<function="):
        yield from read_function(source.removeprefix("<function="), offered)
    elif (bare := _BARE_NAME.match(source)) and (bare.end() == len(source) or "<arg_key>" in source):
        name = bare[0]
        if "<arg_key>" in source or name in offered:
            yield name, _typed_arguments(name, between(source, "<arg_key>", "</arg_value>", _pair), offered)
    else:
        yield from read_json(inner, offered)


def _pair(piece: str) -> Found:
    key, _, value = piece.partition("</arg_key>")
    return key.strip(), value.partition("<arg_value>")[2]


def read_function(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands behind `<function=`: a name, then JSON or parameters in tags."""
    name, _, rest = inner.partition(">")
    name = name.strip().strip("\"'")
    if _BARE_NAME.fullmatch(name) is None:
        return
    rest = rest.rpartition("</function>")[0] if "</function>" in rest else rest
    if "<parameter=" in rest or not rest.strip():
        yield name, _typed_arguments(name, between(rest, "<parameter=", "</parameter>", _parameter), offered)
    else:
        yield name, unfenced(rest)


def _parameter(piece: str) -> Found:
    name, _, value = piece.partition(">")
    return name.strip().strip("\"'"), _without_line_ends(value)


def read_invoke(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands behind `<invoke name=`: a name in quotes, then parameters in tags."""
    name, _, rest = inner.partition(">")
    name = name.strip().strip("\"'")
    if _BARE_NAME.fullmatch(name) is None:
        return
    arguments = between(_plain_tags(rest), "<parameter name=", "</parameter>", _attribute)
    yield name, _typed_arguments(name, arguments, offered)


def _attribute(piece: str) -> Found:
    head, _, value = piece.partition(">")
    quote = head[:1]
    name = head[1:].partition(quote)[0] if quote in "\"'" and quote else head.partition(" ")[0]
    return name, value


def _plain_tags(text: str) -> str:
    for prefix in ("｜DSML｜", "steptml:", "antml:"):
        text = text.replace(f"<{prefix}", "<").replace(f"</{prefix}", "</")
    return text


def read_old_invoke(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands in `<invoke>`: `<tool_name>` and `<parameters>` with a tag for each."""
    name = inner.partition("<tool_name>")[2].partition("</tool_name>")[0].strip()
    body = inner.partition("<parameters>")[2].partition("</parameters>")[0]
    arguments: list[Found] = []
    while (opened := body.partition("<"))[1]:
        key, closed, rest = opened[2].partition(">")
        value, ended, body = rest.partition(f"</{key}>")
        if not closed or not ended:
            break
        arguments.append((key, value))
    if name:
        yield name, _typed_arguments(name, arguments, offered)


def between(text: str, opens: str, closes: str, read: Callable[[str], Found]) -> list[Found]:
    """What stands between two marks, again and again; the last may lack its end."""
    return [read(piece.partition(closes)[0]) for piece in text.split(opens)[1 : _MOST + 1]]


def _without_line_ends(value: str) -> str:
    return value.removeprefix("\n").removesuffix("\n")


def _typed_arguments(name: str, found: Sequence[Found], offered: Offered) -> str:
    properties = offered.get(name, {}).get("properties")
    schemas: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    return as_json({key: typed(value, schemas.get(key)) for key, value in found})


# keys without quotes


def read_keys(inner: str, offered: Offered) -> Iterator[Found]:
    """`call:name{key:<|"|>text<|"|>,n:3}`, also with `<escape>` around texts; else JSON."""
    named = _CALL_NAME.match(inner)
    if named is None:
        yield from read_json(inner, offered)
        return
    rest = inner[named.end() :].strip()
    if rest and not rest.startswith("{"):
        yield from read_json(inner, offered)
        return
    yield named[1], keyed(rest or "{}", "<escape>" if "<escape>" in rest else '<|"|>')


# Python


def read_python(inner: str, offered: Offered) -> Iterator[Found]:
    """Calls as Python writes them, alone or in a list; JSON where it is that."""
    source = unfenced(inner)
    try:
        found = python_calls(source, offered)
    except ValueError:
        found = None
    if found is not None:
        yield from found
    elif source[:1] in ("{", "["):
        yield from read_json(source, offered)
    elif (word := _BARE_NAME.match(source)) and word[0] in offered:
        yield word[0], source


def python_calls(source: str, offered: Offered) -> list[Found]:
    """The calls that a piece of Python consists of: one a statement, in a list, printed, or given a name.

    Raises:
        ValueError: it holds anything else.
    """
    found: list[Found] = []
    for statement in parsed(source, "exec").body:
        match statement:
            case ast.Expr(value=value) | ast.Assign(value=value):
                for one in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
                    found.append(_python_call(one, offered))
            case _:
                raise ValueError("it is no call")
    if not found or len(found) > _MOST:
        raise ValueError("it is no call")
    return found


def _python_call(node: ast.expr, offered: Offered) -> Found:
    match node:
        case ast.Call(func=ast.Name(id="print"), args=[ast.Call() as inner], keywords=[]) if "print" not in offered:
            return _python_call(inner, offered)
        case ast.Call(func=called, args=args, keywords=given):
            name = _python_name(called, offered)
            order = _parameter_names(name, offered)
            if len(args) > len(order) or any(one.arg is None for one in given):
                raise ValueError("its arguments have no names")
            arguments = {key: from_python(value) for key, value in zip(order, args, strict=False)}
            arguments |= {str(one.arg): from_python(one.value) for one in given}
            return name, as_json(arguments)
    raise ValueError("it is no call")


def _python_name(node: ast.expr, offered: Offered) -> str:
    """The name of what is called, without the module that models put before it, or the `.call` behind it."""
    whole = ast.unparse(node)
    if any(not part.isidentifier() for part in whole.split(".")):
        raise ValueError("it has no name")
    module, _, last = whole.rpartition(".")
    return whole if whole in offered or not module else module if last == "call" else last


def _parameter_names(name: str, offered: Offered) -> list[str]:
    properties = offered.get(name, {}).get("properties")
    return list(properties) if isinstance(properties, Mapping) else []


# the rest


def read_by_name(inner: str, offered: Offered) -> Iterator[Found]:
    """A list of objects of one key each: the tool's name, with its arguments."""
    try:
        value = from_json(unfenced(inner))
    except ValueError:
        yield from _broken(unfenced(inner), offered)
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield from ((name, as_json(arguments)) for name, arguments in item.items())


def read_list_or_named(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands behind `[TOOL_CALLS]`: a list, or a name with `[CALL_ID]` and `[ARGS]` before its arguments."""
    source = inner.strip()
    if source.startswith(("[", "{")) and not source.startswith(("[ARGS]", "[CALL_ID]")):
        yield from read_json(source, offered)
        return
    name = _BARE_NAME.match(source)
    if name is None:
        return
    rest = source[name.end() :]
    arguments = rest.partition("[ARGS]")[2] if "[ARGS]" in rest else rest
    arguments = _first_value(arguments)
    if arguments.startswith("{") or name[0] in offered:
        yield name[0], arguments or "{}"


def read_marked(inner: str, _: Offered) -> Iterator[Found]:
    """A name, a mark, then JSON, which may stand in a fence: `functions.name:0<mark>{…}`, `function<mark>name\\n{…}`."""
    mark = "<｜tool▁sep｜>" if "<｜tool▁sep｜>" in inner else "<|tool_call_argument_begin|>"
    head, rest = _cut(inner, mark)
    if head.strip() == "function" and not rest.lstrip().startswith("{"):
        head, rest = _cut(rest, "\n")
    name = _ID.sub("", head.strip()).removeprefix("functions.")
    if name:
        yield name, unfenced(rest) or "{}"


def _cut(text: str, mark: str) -> tuple[str, str]:
    before, _, behind = text.partition(mark)
    return before, behind


def read_channel(inner: str, _: Offered) -> Iterator[Found]:
    """What stands behind `to=functions.`: a name, channel and kind in marks, then the arguments."""
    name = _BARE_NAME.match(inner)
    head, message, rest = inner.partition("<|message|>")
    if name is not None and message and len(head) < 200:
        yield name[0], unfenced(rest) or "{}"


def read_lines(inner: str, offered: Offered) -> Iterator[Found]:
    """A name on offer, then its arguments behind a mark of their own (`✿ARGS✿:`, `Action Input:`); or JSON of such names."""
    mark = next((mark for mark in ("✿ARGS✿:", "Action Input:") if mark in inner), None)
    if mark is None:
        source = _first_value(unfenced(inner))
        found = list(read_json(source, offered)) if source[:1] in ("[", "{") else []
    else:
        name, _, rest = inner.partition(mark)
        found = [(name.strip().strip("`\"'"), _first_value(unfenced(rest)) or "{}")]
    yield from (one for one in found if one[0] in offered)


def read_functools(inner: str, offered: Offered) -> Iterator[Found]:
    """What stands behind `functools[`: a list of objects without its first bracket."""
    if inner.lstrip().startswith("{"):
        yield from read_json(_first_value(f"[{inner}"), offered)


def _first_value(source: str) -> str:
    """The JSON value that a text begins with; all of the text where there is none."""
    text = source.strip()
    try:
        _, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return text
    return text[:end]


READERS: dict[str, Callable[[str, Offered], Iterator[Found]]] = {
    "json": read_json,
    "tagged": read_tagged,
    "function": read_function,
    "invoke": read_invoke,
    "old invoke": read_old_invoke,
    "keys": read_keys,
    "python": read_python,
    "by name": read_by_name,
    "list or named": read_list_or_named,
    "marked": read_marked,
    "channel": read_channel,
    "lines": read_lines,
    "functools": read_functools,
}
