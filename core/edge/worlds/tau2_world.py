"""tau2-bench's environments as a server of the Model Context Protocol, on stdin and stdout; needs what tau2 itself needs.

`python tau2_world.py PACKAGE` serves the environments of the package `tau2` that lies at PACKAGE, as they are. `begin` makes that
of a task, in its initial state; the tools of agent and user are called by their names; `state` tells what the databases hold
that they did not hold at the beginning, and which of the task's assertions are true. With `--describe DOMAIN…` it writes a line
for each domain: policy, tools, tasks, and what agent and user are told. With `--replay` it reads tasks from stdin instead, one
JSON object a line (`{"begin": {…}, "actions": [{"name", "requestor", "arguments"}, …]}`), makes their gold actions, and writes
the state that they come to.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
WORDS = {"begin": "Begin a task.", "state": "Tell the state.", "reset": "Forget the task."}
REMOVED = {"$removed": True}
SIDES = (("agent", "tools"), ("user", "user_tools"))


class Tau2World:
    """The environment of one task."""

    def __init__(self, package: Path) -> None:
        sys.path.insert(0, str(package.resolve().parent))
        self._environment: Any = None
        self._before: dict[str, Any] = {}
        self._as_loaded: dict[str, dict[str, Any]] = {}
        """What the databases of a domain hold before any task."""
        self._assertions: list[dict[str, Any]] = []
        self._of_user: set[str] = set()

    @property
    def begun(self) -> bool:
        """Whether there is a task."""
        return self._environment is not None

    def begin(self, given: dict[str, Any]) -> None:
        """Make the environment that a task names, in the task's initial state."""
        environment = _domain(str(given["domain"])).get_environment()
        started = _model("tasks").InitialState.model_validate(given.get("initial_state") or {})
        environment.set_state(
            initialization_data=started.initialization_data,
            initialization_actions=started.initialization_actions,
            message_history=started.message_history or [],
        )
        self._environment, self._assertions = environment, given.get("assertions") or []
        self._of_user = {tool.name for tool in _tools(environment, "user_tools")} - {
            tool.name for tool in _tools(environment, "tools")
        }
        if given.get("initial_state"):
            self._before = self._held()
        else:
            domain = str(given["domain"])
            if domain not in self._as_loaded:
                self._as_loaded[domain] = self._held()
            self._before = self._as_loaded[domain]

    def forget(self) -> None:
        """Begin anew with the next task."""
        self._environment = None

    def names(self) -> list[str]:
        """What can be called."""
        found = {tool.name for _, kit in SIDES for tool in _tools(self._environment, kit)} if self.begun else set()
        return sorted(found)

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """What a call gives, as tau2 writes it, and whether it is an error."""
        requestor = "user" if name in self._of_user else "assistant"
        asked = _model("message").ToolCall(id="1", name=name, arguments=arguments, requestor=requestor)
        told = self._environment.get_response(asked)
        return str(told.content), bool(told.error)

    def replay(self, actions: list[dict[str, Any]]) -> list[str]:
        """Make gold actions as tau2's evaluator makes them: one that fails is passed over. What failed."""
        failed = []
        for action in actions:
            try:
                self._environment.make_tool_call(
                    tool_name=action["name"], requestor=action["requestor"], **action["arguments"]
                )
            except Exception as error:
                failed.append(f"{action['name']}: {error}")
        return failed

    def state(self) -> dict[str, Any]:
        """What differs from the beginning in either database, and which assertions hold."""
        now = self._held()
        differs = {side: _changes(self._before[side], held) for side, held in now.items()}
        told: dict[str, Any] = json.loads(json.dumps(differs, default=str))
        return {**told, "assertions": {_written(one): self._holds(one) for one in self._assertions}}

    def _holds(self, assertion: dict[str, Any]) -> Any:
        try:
            asked = _model("tasks").EnvAssertion.model_validate(assertion)
            return self._environment.run_env_assertion(asked, raise_assertion_error=False)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _held(self) -> dict[str, Any]:
        held = {}
        for side, kit in SIDES:
            db = getattr(getattr(self._environment, kit, None), "db", None)
            held[side] = db.model_dump() if db is not None else {}
        return held


def _model(name: str) -> Any:
    return importlib.import_module(f"tau2.data_model.{name}")


def _domain(name: str) -> Any:
    return importlib.import_module(f"tau2.domains.{name}.environment")


def _tools(environment: Any, kit: str) -> list[Any]:
    found = getattr(environment, kit, None)
    return list(found.get_tools().values()) if found is not None else []


def _changes(before: Any, after: Any, above: str = "") -> dict[str, Any]:
    """Every place of one object that differs from another, by its JSON pointer; a list is one value."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys((*before, *after)):
        place = f"{above}/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in after:
            found[place] = REMOVED
        elif name not in before:
            found[place] = after[name]
        elif isinstance(before[name], dict) and isinstance(after[name], dict):
            found.update(_changes(before[name], after[name], place))
        elif before[name] != after[name]:
            found[place] = after[name]
    return found


def _written(assertion: dict[str, Any]) -> str:
    """An assertion in one line: whose, its function, arguments and the answer that is asked."""
    arguments = json.dumps(assertion.get("arguments") or {}, ensure_ascii=False)
    wanted = "" if assertion.get("assert_value", True) else "not "
    return f"{wanted}{assertion.get('env_type')}.{assertion.get('func_name')}({arguments})"


def describe(package: Path, domains: list[str], out: Any) -> None:
    """Write what each domain has; `{"domain", "error"}` where it cannot be loaded."""
    agent, user = _prompts(package / "agent" / "llm_agent.py"), _prompts(package / "user" / "user_simulator.py")
    for name in domains:
        told: dict[str, Any] = {"domain": name}
        try:
            module = _domain(name)
            environment = module.get_environment()
            told["agent"] = agent["SYSTEM_PROMPT"].format(
                agent_instruction=agent.get("AGENT_INSTRUCTION", ""), domain_policy=environment.get_policy()
            )
            for side, kit in SIDES:
                told[f"{side}_tools"] = [tool.openai_schema for tool in _tools(environment, kit)]
            guidelines = _guidelines(tools=bool(told["user_tools"]))
            told["tasks"] = [_task(one, user["SYSTEM_PROMPT"], guidelines) for one in module.get_tasks()]
        except Exception as error:
            told["error"] = f"{type(error).__name__}: {error}"
        out.write(json.dumps(told) + "\n")
        out.flush()


def _task(task: Any, template: str, guidelines: str) -> dict[str, Any]:
    scenario = str(task.user_scenario)
    told: dict[str, Any] = {"id": str(task.id), "scenario": scenario}
    told["user"] = template.format(global_user_sim_guidelines=guidelines, instructions=scenario)
    for name in ("initial_state", "evaluation_criteria"):
        value = getattr(task, name)
        told[name] = value.model_dump(mode="json") if value is not None else None
    return told


def _guidelines(*, tools: bool) -> str:
    name = "simulation_guidelines_tools.md" if tools else "simulation_guidelines.md"
    data = Path(importlib.import_module("tau2.utils.utils").DATA_DIR)
    return (data / "tau2" / "user_simulator" / name).read_text(encoding="utf-8")


def _prompts(path: Path) -> dict[str, str]:
    """The texts that a module keeps by a name; it is not run, since it asks for a client of models."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        value = node.value
        stripped = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "strip"
        if stripped:
            value = value.func.value  # type: ignore[attr-defined]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found[node.targets[0].id] = value.value.strip() if stripped else value.value
    return found


def replay(world: Tau2World, lines: Any, out: Any) -> None:
    """Make the gold actions of each task, and write what they come to."""
    for line in lines:
        if not line.strip():
            continue
        task = json.loads(line)
        try:
            world.begin(task["begin"])
            failed = world.replay(task["actions"])
            told: dict[str, Any] = {"state": world.state(), "failed": failed}
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(told) + "\n")
        out.flush()


def answer(world: Tau2World, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one request."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tau2", "version": "1"},
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
        world.forget()
        return _content("forgotten", False)
    if not world.begun:
        sys.exit("a call before begin: what the task had reached is lost")
    if name == "state":
        return _content(json.dumps(world.state()), False)
    return _content(*world.call(name, given))


def _content(text: str, is_error: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def serve(world: Tau2World, lines: Any, out: Any) -> None:
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
    """Serve, describe or replay. What the classes print goes to stderr: stdout is the protocol's."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    named = [one for one in sys.argv[1:] if not one.startswith("--")]
    world = Tau2World(Path(named[0]))
    if "--describe" in sys.argv:
        describe(Path(named[0]), named[1:], out)
    else:
        (replay if "--replay" in sys.argv else serve)(world, sys.stdin, out)


if __name__ == "__main__":
    main()
