"""tau2-bench's tasks as tests of ours: policy, tools of agent and user, scenario, initial state, and what the golds come to.

The environments are tau2's own and stay where they are: a suite names the package, and `worlds/tau2_world.py` serves it. The gold
actions are made once, here, by the same program; what they come to stands in the tests, so that judging runs nothing.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.safety import redact

PROGRAM = Path(__file__).parents[1] / "worlds" / "tau2_world.py"
"""What serves the environments; a suite has a copy of it."""
GREETING = "Hi! How can I help you today?"
"""What tau2's orchestrator lets the agent say first."""
STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
"""By which tau2's users end a conversation."""
TURNS = 50
"""Messages of the user, and of the model with calls between two of them: tau2 ends after 100 messages of everybody."""
_LEVELS = {"mock": 1, "retail": 3, "airline": 4, "telecom": 4}
_BASIS = ("DB", "COMMUNICATE")
_SECONDS = 900.0


@dataclass(slots=True)
class Tau2Domain:
    """One domain: its tests, each with its level, its tools, and what of it could not be brought."""

    name: str
    tests: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    system_prompt: str = ""
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tau2Code:
    """The package `tau2`, and the interpreter that has what it imports."""

    package: Path
    python: str

    def domains(self) -> list[str]:
        """The domains that it has, by name."""
        return sorted(path.parent.name for path in (self.package / "domains").glob("*/environment.py"))

    def server(self) -> dict[str, Any]:
        """How a suite's file of tools names the server."""
        command = [self.python, "worlds/tau2_world.py", str(self.package)]
        return {"command": command, "begin": "begin", "state": "state", "reset": "reset"}

    def run(self, *words: str, asked: str = "") -> list[dict[str, Any]]:
        """What the program says, an object a line.

        Raises:
            ConfigurationError: it cannot be run, or does not end.
        """
        command = [self.python, str(PROGRAM), str(self.package), *words]
        try:
            ran = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ConfigurationError(
                f"{self.package}: it cannot be run ({error}); name another interpreter with --python"
            ) from error
        if ran.returncode:
            said = redact(" / ".join(ran.stderr.strip().splitlines()[-3:]))[:600] or f"exit code {ran.returncode}"
            raise ConfigurationError(
                f"{self.package}: it cannot be run: {said}; name an interpreter that has what it imports with --python"
            )
        return [json.loads(line) for line in ran.stdout.splitlines()]


def package_at(place: Path, python: str) -> Tau2Code:
    """The package `tau2` at `place`: itself, a folder of packages that holds it, or a checkout.

    Raises:
        ConfigurationError: it is not there.
    """
    start = place.resolve()
    for package in (start, start / "tau2", start / "src" / "tau2"):
        if (package / "domains").is_dir() and (package / "environment").is_dir():
            return Tau2Code(package, python)
    raise ConfigurationError(
        f"{place}: no package tau2 (a folder with domains/ and environment/); name a checkout of tau2-bench, or the folder "
        "where it is installed"
    )


def iter_domains(code: Tau2Code, names: Iterable[str]) -> Iterator[Tau2Domain]:
    """The domains of these names, or all.

    Raises:
        ConfigurationError: one of them is not there, or the package cannot be run.
    """
    known = code.domains()
    wanted = list(names) or known
    if missing := [name for name in wanted if name not in known]:
        raise ConfigurationError(f"{code.package}: no domain {missing[0]!r}; there are {', '.join(known)}")
    for told in code.run("--describe", *wanted):
        yield _domain(told, code)


def _domain(told: Mapping[str, Any], code: Tau2Code) -> Tau2Domain:
    brought = Tau2Domain(str(told["domain"]))
    if "error" in told:
        brought.left_out.append(f"{brought.name}: it cannot be loaded: {told['error']}")
        return brought
    brought.system_prompt = str(told["agent"])
    sides = {side: [one["function"] for one in told[f"{side}_tools"]] for side in ("agent", "user")}
    both = {one["name"] for one in sides["agent"]} & {one["name"] for one in sides["user"]}
    if both:
        brought.left_out.append(
            f"{brought.name}: agent and user both have a tool {min(both)!r}, which cannot be told apart"
        )
        return brought
    brought.tools = [{"id": f"{brought.name}_{one['name']}", **one} for side in sides.values() for one in side]
    ids = {side: [f"{brought.name}_{one['name']}" for one in tools] for side, tools in sides.items()}
    taken: list[tuple[Mapping[str, Any], dict[str, Any]]] = []
    for task in told["tasks"]:
        try:
            taken.append((task, _test(task, brought.name, ids)))
        except ValueError as problem:
            brought.left_out.append(f"{brought.name}: {task['id']}: {problem}")
    asked = "".join(
        json.dumps({"begin": test["tool_setup"], "actions": _criteria(task).get("actions") or []}) + "\n"
        for task, test in taken
    )
    for (task, test), came in zip(taken, code.run("--replay", asked=asked), strict=True):
        if "error" in came:
            brought.left_out.append(f"{brought.name}: {task['id']}: its golds cannot be made: {came['error']}")
            continue
        test["expected"] = {"end": _expected(_criteria(task), came["state"])}
        brought.tests.append((_LEVELS.get(brought.name, 3), test))
    return brought


def _criteria(task: Mapping[str, Any]) -> dict[str, Any]:
    return task.get("evaluation_criteria") or {}


def _test(task: Mapping[str, Any], domain: str, ids: Mapping[str, list[str]]) -> dict[str, Any]:
    """One task, without what it has to come to.

    Raises:
        ValueError: it has no such form; the message says what is missing.
    """
    initial = task.get("initial_state") or {}
    turns = [_turn(one) for one in initial.get("message_history") or () if one.get("content") and one["role"] != "tool"]
    if initial.get("message_history") and (initial["message_history"][-1]["role"] == "tool" or not turns):
        raise ValueError("its history ends with a result of a tool")
    turns = turns or [{"role": "assistant", "content": GREETING}]
    assertions = _criteria(task).get("env_assertions") or []
    return {
        "id": f"{domain}_{task['id']}" if str(task["id"]).isdigit() else str(task["id"]),
        "prompt": turns,
        "rollout": "conversation",
        "max_iterations": TURNS,
        "tool_ids": ids["agent"],
        "simulated_user": {
            "goal": task["scenario"],
            "system": task["user"],
            "stop_words": list(STOPS),
            "max_turns": TURNS,
            **({"opens": True} if turns[-1]["role"] == "assistant" else {}),
            **({"tool_ids": ids["user"]} if ids["user"] else {}),
        },
        "tool_setup": {
            "domain": domain,
            **({"initial_state": initial} if initial else {}),
            **({"assertions": assertions} if assertions else {}),
        },
    }


def _turn(message: Mapping[str, Any]) -> dict[str, str]:
    return {"role": str(message["role"]), "content": str(message["content"])}


def _expected(criteria: Mapping[str, Any], gold: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of a task's criteria, by its basis of the reward."""
    basis = criteria.get("reward_basis") or (_BASIS if criteria else ())
    state: dict[str, Any] = {}
    if "DB" in basis and not (criteria.get("actions") is None and criteria.get("env_assertions") is None):
        state |= {"agent": gold["agent"], "user": gold["user"]}
    if "ENV_ASSERTION" in basis and criteria.get("env_assertions"):
        state["assertions"] = dict.fromkeys(gold["assertions"], True)
    found: dict[str, Any] = {"state": state} if state else {}
    if "ACTION" in basis and criteria.get("actions"):
        found["calls"] = [_call(one) for one in criteria["actions"]]
    if "COMMUNICATE" in basis and criteria.get("communicate_info"):
        found["says"] = list(criteria["communicate_info"])
    if "NL_ASSERTION" in basis and criteria.get("nl_assertions"):
        found["holds"] = list(criteria["nl_assertions"])
    return found


def _call(action: Mapping[str, Any]) -> dict[str, Any]:
    only = action.get("compare_args")
    return {"name": action["name"], "args": action["arguments"], **({"only": only} if only is not None else {})}
