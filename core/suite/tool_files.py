"""Tool files: the OpenAI function schema a model sees, and the mock answers or the handler behind it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.jsonvalues.matching import COMPARATORS
from modex.core.sandbox.syntax import syntax_fault
from modex.core.suite.definitions import Location, McpServer, ToolDefinition
from modex.core.suite.dialects import Dialect, every_dialect
from modex.core.suite.evaluator_files import pattern_fault
from modex.core.suite.files import FileFaultError, read_text
from modex.core.suite.positions import JsonPath, objects_in
from modex.core.suite.report import Source
from modex.core.suite.runnable import command_digest
from modex.core.suite.state import Loading
from modex.core.suite.suggest import did_you_mean, near_miss
from modex.core.suite.tables import FUNCTION, MCP_FILE, MCP_SERVER, RESPONSE, TOOL

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w{0,99})\s*\}\}")
_SET_PATH = re.compile(r"(?:[^.\[\]{}]{1,100}|\[\w{1,100}\])(?:\.(?:[^.\[\]{}]{1,100}|\[\w{1,100}\]))*")
_STATE_KEY = re.compile(r"\$state(?:\.(?:[\w@+:-]{1,100}|\[\w{1,100}\]))+")
_HANDLER = re.compile(r"[a-z][a-z0-9_]*:[A-Za-z0-9_.-]+")
_NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}
MAX_LATENCY_MS = 600_000
MAX_SERVER_S = 3600.0
_ANSWERS = ("response", "error", "python", "javascript")
"""What answers in a mock's entry."""
_CODE = {"python": "Python", "javascript": "JavaScript"}
"""Which of these are code."""


def load_tools(loading: Loading) -> None:
    """Read `test_definitions/tools/` and `tool_mocks/` into the suite."""
    dialect = loading.dialect
    others = [*(f"{folder}/tools" for folder in dialect.folders), *dialect.tool_folders] if dialect else []
    for folder in dict.fromkeys((loading.under("tools"), "tool_mocks", *others)):
        for name in loading.folder(folder).files:
            if not name.endswith(".json") or (dialect is not None and name == "domain.json"):
                continue
            for source, at, given in loading.objects(f"{folder}/{name}"):
                data = given
                if "mcp" in given:
                    for where, tool in _read_server(loading, source, at, given):
                        _add(loading, source, where, tool)
                    continue
                if loading.dialect is not None:
                    said = loading.dialect.tool(given)
                    data = loading.say(source, at, said)
                    source.as_written = loading.dialect.names
                    if said.unusable:
                        why = str(Problem(source.path, source.line_of((*at, "id")), said.unusable))
                        loading.absent_tools.setdefault(called(data), why)
                        continue
                else:
                    loading.look_for_signs(_signs_in(given))
                _add(loading, source, at, read_tool(loading, source, at, data))
    if dialect is not None:
        _stand_in(loading, dialect)


def called(tool: dict[str, Any]) -> str:
    """The id of a tool's object, or its function's name."""
    inner = tool.get("function")
    return str(tool.get("id") or (inner.get("name") if isinstance(inner, dict) else None) or tool.get("name"))


def look_into_tool_folders(loading: Loading) -> None:
    """Look for another system's signs in the folders that only it has for tools; of what is no tool there nothing is said."""
    for dialect in every_dialect():
        for folder in dialect.tool_folders:
            for name in loading.folder(folder).files if os.path.isdir(loading.full(folder)) else ():  # noqa: PTH112
                if not name.endswith(".json"):
                    continue
                try:
                    found = json.loads(read_text(loading.full(f"{folder}/{name}")))
                except (FileFaultError, ValueError, RecursionError):
                    continue
                for data in found if isinstance(found, list) else [found]:
                    if isinstance(data, dict):
                        loading.look_for_signs(_signs_in(data))


def _stand_in(loading: Loading, dialect: Dialect) -> None:
    """Take the tools of the other system's own code that no file of the suite defines."""
    suite = loading.suite
    for name, data in dialect.stand_ins.items():
        if name in suite.tools or name in loading.broken_tools or name in loading.absent_tools:
            continue
        source = Source(f"({dialect.name})", json.dumps(data, ensure_ascii=False))
        if (tool := read_tool(loading, source, (), data)) is not None:
            suite.tools[name], loading.stand_ins[name] = tool, data


def _signs_in(data: dict[str, Any]) -> Callable[[Dialect], bool]:
    return lambda dialect: dialect.is_tool(data)


def _add(loading: Loading, source: Source, at: JsonPath, tool: ToolDefinition | None) -> None:
    known = loading.suite.tools.get(tool.id) if tool is not None else None
    if known is not None and loading.dialect is not None:
        return  # its copies stand where each of its versions looked for them; the first is taken
    if known is not None:
        source.add((*at, "id"), f"tool '{known.id}' is defined already in {known.location}; give another id")
    elif tool is not None:
        loading.suite.tools[tool.id] = tool


def _read_server(
    loading: Loading, source: Source, at: JsonPath, data: dict[str, Any]
) -> Iterator[tuple[JsonPath, ToolDefinition]]:
    """The tools of an MCP server, and where each stands; with the mistakes remembered.

    Their definitions stand in the file, so that a suite is checked and its answers are kept apart without asking anybody.
    """
    loading.report.check(source, data, MCP_FILE, at)
    server = _server(loading, source, (*at, "mcp"), data.get("mcp"))
    tools = data.get("tools")
    for number, given in enumerate(tools if isinstance(tools, list) else ()):
        where = (*at, "tools", number)
        if not isinstance(given, dict):
            words = (
                "a tool must be an object with 'name', 'description' and 'parameters'; `modex import mcp` writes them"
            )
            source.add(where, words)
            continue
        tool = read_tool(loading, source, where, given, server=server)
        if tool is not None and server is not None:
            yield where, tool


def _server(loading: Loading, source: Source, at: JsonPath, data: Any) -> McpServer | None:
    if not isinstance(data, dict):
        source.add(at, "'mcp' must be an object with 'command' or 'url'")
        return None
    loading.report.check(source, data, MCP_SERVER, at)
    command, url, seconds = data.get("command"), data.get("url"), data.get("timeout_s", 60.0)
    fault: tuple[str, str] | None = None
    if (command is None) == (url is None):
        fault = "command", "'mcp' has either 'command' or 'url'"
    elif command is not None and not (
        isinstance(command, list) and command and all(isinstance(one, str) for one in command)
    ):
        fault = "command", "'command' is a list of texts: the program and its arguments"
    elif url is not None and not str(url).startswith(("http://", "https://")):
        fault = "url", "'url' begins with http:// or https://"
    elif isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MAX_SERVER_S:
        fault = "timeout_s", f"'timeout_s' must be a number of seconds up to {MAX_SERVER_S:g}"
    if fault is not None:
        source.add((*at, fault[0]), fault[1])
        return None
    folder = str(loading.suite.root) if command else None
    try:
        digest = command_digest(command or (), folder)
    except FileFaultError as error:
        source.add((*at, "command"), f"the suite's folder or a file of it that the command may run {error.message}")
        return None
    return McpServer(
        tuple(command or ()),
        url,
        tuple(data.get("env") or ()),
        folder,
        float(seconds),
        data.get("shared") is True,
        data.get("reset"),
        data.get("begin"),
        data.get("state"),
        digest,
    )


def read_tool(
    loading: Loading, source: Source, at: JsonPath, data: dict[str, Any], *, server: McpServer | None = None
) -> ToolDefinition | None:
    """One tool, answered by `server` where given; None with the mistakes remembered, or where it is switched off."""
    before = len(source.found)
    loading.report.check(source, data, TOOL, at)
    function, where = _function(source, at, data)
    if function is not data:
        loading.report.check(source, function, FUNCTION, where)
    name = function.get("name") or data.get("name") or data.get("id")
    identity = data.get("id") or name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        words = "has no name" if name is None else f"is named '{str(name)[:80]}'"
        source.add((*where, "name"), f"the tool {words}; a name has 1 to 64 letters, digits, _ or -")
    parameters = function.get("parameters")
    if parameters is None:
        parameters = data.get("parameters") or _NO_ARGUMENTS
    if loading.whole and isinstance(parameters, dict) and (fault := _schema_fault(parameters)):
        source.add((*where, "parameters"), f"'parameters' {fault}; correct it")
    handler, mock = (None, None) if server is not None else _answer(loading, source, at, data)
    _check_placeholders(source, at, data, parameters)
    if len(source.found) > before:
        if isinstance(identity, str):
            why = f"tool '{identity}' has a mistake: {source.first_since(before)}"
            loading.broken_tools[identity] = why
        return None
    identity = str(identity)
    if data.get("enabled") is False:
        loading.broken_tools[identity] = f"tool '{identity}' is switched off (`enabled` is false in {source.path})"
        return None
    return ToolDefinition(
        id=identity,
        name=str(name),
        description=function.get("description") or data.get("description") or "",
        parameters=parameters,
        location=Location(source.path, source.line_of((*at, "id"))),
        mock=mock,
        handler=handler,
        server=server,
        category=data.get("category"),
        read_only=data.get("read_only") is True,
        claims=data.get("claims") or None,
    )


def _function(source: Source, at: JsonPath, data: dict[str, Any]) -> tuple[dict[str, Any], JsonPath]:
    """The function definition and where it stands: bare, wrapped in {type, function}, or the tool's own keys."""
    function = data.get("function")
    if not isinstance(function, dict):
        return data, at
    where = (*at, "function")
    inner = function.get("function")
    if isinstance(inner, dict):
        return inner, (*where, "function")
    if "function" in function:
        source.add((*where, "function"), "'function' must be an object")
    return function, where


def _schema_fault(parameters: dict[str, Any]) -> str | None:
    """What is wrong with the JSON Schema of the arguments, or None."""
    if parameters.get("type", "object") != "object":
        return 'must describe an object ("type": "object")'
    if parameters is _NO_ARGUMENTS:
        return None
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(parameters)
    except jsonschema_rs.ValidationError as error:
        return f"is no JSON Schema: {error.message[:200]}"
    except (ValueError, RecursionError) as error:
        return f"is no usable JSON Schema: {str(error)[:200]}"
    return None


def _answer(loading: Loading, source: Source, at: JsonPath, data: dict[str, Any]) -> tuple[str | None, Any]:
    """Who answers: a handler, or mock entries."""
    given = [
        key
        for key in ("response", "responses", "error", "python", "javascript", "handler")
        if key in data and (key == "response" or data[key] is not None)
    ]
    if not given:
        source.add(
            at, "the tool has no answer: give 'response', 'responses', 'error', 'python', 'javascript' or 'handler'"
        )
    elif len(given) > 1:
        source.add((*at, given[1]), f"'{given[0]}' and '{given[1]}' both answer; give one")
    latency = data.get("latency_ms")
    _check_latency(source, (*at, "latency_ms"), latency)
    handler = data.get("handler")
    if isinstance(handler, str):
        if not _HANDLER.fullmatch(handler):
            source.add((*at, "handler"), f"'handler' must read 'world:<name>' or 'python:<name>', not '{handler[:80]}'")
        return handler, None
    entries: list[dict[str, Any]]
    responses = data.get("responses")
    if isinstance(responses, list):
        entries = [dict(entry) for entry in responses if isinstance(entry, dict)]
        if not responses:
            source.add((*at, "responses"), "'responses' is empty; add one")
        for number, entry in enumerate(responses):
            _check_entry(loading, source, (*at, "responses", number), entry)
    else:
        entries = [{key: data[key] for key in _ANSWERS if key in data}]
        _check_code(loading, source, at, data)
    if latency is not None:
        for entry in entries:
            entry.setdefault("latency_ms", latency)
    return None, entries


def _check_entry(loading: Loading, source: Source, at: JsonPath, entry: Any) -> None:
    if not isinstance(entry, dict):
        source.add(at, "an entry of 'responses' must be an object with 'response' or 'error'")
        return
    loading.report.check(source, entry, RESPONSE, at)
    if sum(key in entry and (key == "response" or entry[key] is not None) for key in _ANSWERS) != 1:
        source.add(at, "an entry of 'responses' has one of 'response', 'error', 'python' and 'javascript'")
    _check_latency(source, (*at, "latency_ms"), entry.get("latency_ms"))
    _check_code(loading, source, at, entry)
    for where, found in objects_in(entry.get("when"), (*at, "when")):
        if "$regex" not in found or "$regex" in where:
            continue
        if not isinstance(pattern := found["$regex"], str):
            source.add((*where, "$regex"), "'$regex' must be a text")
        elif loading.whole and (fault := pattern_fault(pattern)):
            source.add((*where, "$regex"), f"'$regex' {fault}; correct it")
    _check_comparators(source, (*at, "when"), entry.get("when"))
    places = entry.get("set")
    for name in places if isinstance(places, dict) else ():
        if "{{" not in name and not _SET_PATH.fullmatch(name):
            words = (
                f"'{name[:80]}' is no place in the state: names set apart by '.', '[argument]' for an argument's value"
            )
            source.add((*at, "set", name), words)


def _check_code(loading: Loading, source: Source, at: JsonPath, entry: dict[str, Any]) -> None:
    """Name code that does not parse; nothing of it is run."""
    for key, language in _CODE.items():
        code = entry.get(key)
        if loading.whole and isinstance(code, str) and (fault := syntax_fault(key, code)):
            source.add((*at, key), f"its {language} does not parse: {fault}; correct it")


def _check_comparators(source: Source, at: JsonPath, when: Any) -> None:
    """Name comparators that nobody knows, which would make the entry one that never matches."""
    for path, key in ((path, key) for path, found in objects_in(when, at) for key in found if key.startswith("$")):
        if path == at and (key == "$call" or _STATE_KEY.fullmatch(key)):
            continue
        if key not in COMPARATORS:
            known = COMPARATORS | {"$call", "$state.<name>"} if path == at else COMPARATORS
            hint = did_you_mean(key, sorted(known)) or f"; there are {', '.join(sorted(known))}"
            source.add((*path, key), f"there is no comparator '{key[:80]}'{hint}")


def _check_placeholders(source: Source, at: JsonPath, data: dict[str, Any], parameters: Any) -> None:
    """Name placeholders of the answers that nearly, but not quite, meet an argument of the tool."""
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    if not isinstance(properties, dict):
        return
    for key in ("response", "error", "responses"):
        stack: list[tuple[Any, JsonPath]] = [(data.get(key), (*at, key))]
        while stack:
            here, where = stack.pop()
            if isinstance(here, dict):
                stack.extend((item, (*where, name)) for name, item in here.items())
            elif isinstance(here, list):
                stack.extend((item, (*where, number)) for number, item in enumerate(here))
            elif isinstance(here, str):
                for word in dict.fromkeys(_PLACEHOLDER.findall(here)):
                    if word not in properties and (meant := near_miss(word, properties)):
                        source.add(where, f"unknown placeholder '{{{{{word}}}}}'; did you mean '{{{{{meant}}}}}'?")


def _check_latency(source: Source, at: JsonPath, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_LATENCY_MS:
        source.add(at, f"'latency_ms' must be a number of milliseconds from 0 to {MAX_LATENCY_MS:,}")
