"""BFCL's API classes as a server of the Model Context Protocol, on stdin and stdout; needs Python 3.9 and nothing else.

`python bfcl_world.py FOLDER` serves the classes that stand in FOLDER (`…/multi_turn_eval/func_source_code`), as they are. `begin`
makes those of a test, with its configuration; `state` tells all their public attributes. With `--replay` it reads tests from
stdin instead, one JSON object a line (`{"begin": {…}, "turns": [["f(x=1)", …], …]}`), makes the calls of each turn, and writes a
line for each: what every turn's calls gave, and the state at the beginning and after every turn.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
WORDS = {"begin": "Begin a test.", "state": "Tell the state.", "reset": "Forget the test."}


class World:
    """The classes of one test."""

    def __init__(self, folder: Path) -> None:
        self._package, self._files = _package(folder)
        self._methods: dict[str, Any] = {}
        self._made: dict[str, Any] = {}
        self.begun = False

    def begin(self, given: dict[str, Any]) -> None:
        """Make the classes that a test names, each with its part of the configuration."""
        self._methods, self._made, self.begun = {}, {}, True
        config = given.get("config") or {}
        for name in given.get("classes") or ():
            module = importlib.import_module(f"{self._package}.{self._files[name]}")
            made = getattr(module, name)()
            if hasattr(made, "_load_scenario"):
                made._load_scenario(copy.deepcopy(config.get(name, {})), long_context=bool(given.get("long_context")))
            self._made[name] = made
            for method, bound in inspect.getmembers(made, predicate=inspect.ismethod):
                if not method.startswith("_"):
                    self._methods[method] = bound

    def names(self) -> list[str]:
        """What can be called."""
        return sorted(self._methods)

    def call(self, name: str, positional: list[Any], named: dict[str, Any]) -> tuple[str, bool]:
        """What a call gives, as BFCL writes it, and whether it is an error."""
        try:
            return _written(self._methods[name](*positional, **named)), False
        except Exception as error:
            return f"Error during execution: {error}", True

    def run(self, text: str) -> str:
        """What a call gives that is written in Python."""
        try:
            return _written(self._value(ast.parse(text.strip(), mode="eval").body))
        except Exception as error:
            return f"Error during execution: {error}"

    def _value(self, node: ast.expr) -> Any:
        """A call's value; its arguments are constants or calls."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = {str(one.arg): self._value(one.value) for one in node.keywords}
            return self._methods[node.func.id](*(self._value(one) for one in node.args), **named)
        return ast.literal_eval(node)

    def state(self) -> dict[str, Any]:
        """The public attributes of every class, as JSON."""
        return {name: _plain(_public(made), []) for name, made in self._made.items()}


def _package(folder: Path) -> tuple[str, dict[str, str]]:
    """The package that a folder of modules is, found from its outermost one on, and in which module each class stands."""
    folder = folder.resolve()
    top = folder.parent
    while (top / "__init__.py").is_file() or top.name in ("eval_checker", "multi_turn_eval"):
        top = top.parent
    sys.path.insert(0, str(top))
    files = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                files[node.name] = path.stem
    return ".".join(folder.relative_to(top).parts), files


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        with contextlib.suppress(TypeError, ValueError):
            return json.dumps(value)
    return str(value)


def _public(made: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(made).items() if not name.startswith("_")}


def _plain(value: Any, above: list[int]) -> Any:
    """A value as JSON: objects by their public attributes, what stands above itself left out."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if id(value) in above:
        return None
    above = [*above, id(value)]
    if isinstance(value, dict):
        return {str(key): _plain(item, above) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, above) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item, above) for item in value), key=repr)
    if hasattr(value, "__dict__"):
        return {"class": type(value).__name__, **_plain(_public(value), above)}
    return str(value)


def replay(world: World, lines: Any, out: Any) -> None:
    """Make the calls of each test, and write what came of it."""
    for line in lines:
        if not line.strip():
            continue
        test = json.loads(line)
        try:
            world.begin(test["begin"])
            told: dict[str, Any] = {"begun": world.state(), "turns": []}
            for calls in test["turns"]:
                results = [world.run(call) for call in calls]
                told["turns"].append({"results": results, "state": world.state()})
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(told) + "\n")
        out.flush()


def answer(world: World, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one request."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "bfcl", "version": "1"},
        }
    if method == "tools/list":
        names = [*WORDS, *world.names()]
        return {"tools": [{"name": name, "description": WORDS.get(name, ""), "inputSchema": NOTHING} for name in names]}
    if method != "tools/call":
        return {}
    name, given = str(params.get("name")), params.get("arguments") or {}
    if name == "begin":
        world.begin(given)
        return _content("begun", False)
    if name == "reset":
        world.begin({})
        world.begun = False
        return _content("forgotten", False)
    if not world.begun:
        sys.exit("a call before begin: what the test had reached is lost")
    if name == "state":
        return _content(json.dumps(world.state()), False)
    return _content(*world.call(name, [], given))


def _content(text: str, is_error: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def serve(world: World, lines: Any, out: Any) -> None:
    """Answer requests until there are no more."""
    for line in lines:
        request = json.loads(line)
        if "id" not in request:
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = answer(world, str(request.get("method")), request.get("params") or {})
        except Exception as error:
            reply["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(reply) + "\n")
        out.flush()


def main() -> None:
    """Serve, or replay. What the classes print goes to stderr: stdout is the protocol's."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder = Path(next(one for one in sys.argv[1:] if not one.startswith("--")))
    (replay if "--replay" in sys.argv else serve)(World(folder), sys.stdin, out)


if __name__ == "__main__":
    main()
