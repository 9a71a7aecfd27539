"""BFCL's tests of several turns: questions, the classes that answer their calls, and what the golds come to.

The classes are BFCL's own and stay where they are: a suite names the folder, and `worlds/bfcl_world.py` serves it. The gold calls
are made once, here, by the same program; what every turn gave and changed stands in the tests, so that judging runs nothing.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.edge.dialects.bfcl import BfclTests, as_tool, category_of, find_files, golds_of, read_file, rows_of
from modex.core.foundation.errors import ConfigurationError
from modex.core.jsonvalues.changes import changes
from modex.core.safety import redact

PROGRAM = Path(__file__).parents[1] / "worlds" / "bfcl_world.py"
"""What serves the classes; a suite has a copy of it."""
TURNS = "multi_turn"
"""In the names of these categories."""
STEPS = 21
"""Messages with calls that BFCL lets a model write in a turn: it gives up after the one that is more than 20."""
_MORE = "I have updated some more functions you can choose from. What about now?"
_LEVELS = {"base": 3, "miss_param": 4, "miss_func": 4, "long_context": 5, "composite": 5}
_SECONDS = 600.0


@dataclass(slots=True)
class BfclCode:
    """The Python classes of a checkout, and the interpreter that runs them."""

    folder: Path
    documents: Path
    python: str
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Every function that a test offers, by name, as `tool_mocks` has it."""
    _offered: dict[str, list[str]] = field(default_factory=dict)
    _modules: dict[str, str] = field(default_factory=dict)

    def server(self) -> dict[str, Any]:
        """The file of tools that a suite needs."""
        command = [self.python, "worlds/bfcl_world.py", str(self.folder)]
        mcp = {"command": command, "begin": "begin", "state": "state", "reset": "reset"}
        return {"mcp": mcp, "tools": [self.tools[name] for name in sorted(self.tools)]}

    def functions(self, classes: Iterable[str]) -> list[str]:
        """The names of the functions of some classes, in the order of their documents.

        Raises:
            ValueError: a class, or its document, is not there.
        """
        return [name for one in classes for name in self._functions(one)]

    def _functions(self, of: str) -> list[str]:
        if of not in self._offered:
            self._modules = self._modules or _classes(self.folder)
            path = self.documents / f"{self._modules.get(of, of)}.json"
            rows = list(rows_of(path)) if of in self._modules and path.is_file() else []
            functions = [as_tool(row)["function"] for row in rows if not isinstance(row, str)]
            if not functions or len(functions) < len(rows):
                raise ValueError(
                    f"the checkout has no class {of} with a document in {self.documents.name} that can be read"
                )
            self.tools |= {str(function["name"]): function for function in functions}
            self._offered[of] = [str(function["name"]) for function in functions]
        return self._offered[of]

    def replayed(self, tests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What the calls of each test come to.

        Raises:
            ConfigurationError: the program cannot be run, or does not end.
        """
        asked = "".join(json.dumps(test) + "\n" for test in tests)
        command = [self.python, str(PROGRAM), str(self.folder), "--replay"]
        try:
            ran = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ConfigurationError(
                f"{self.folder}: its classes cannot be run ({error}); name another interpreter with --python"
            ) from error
        told = [json.loads(line) for line in ran.stdout.splitlines()]
        if ran.returncode or len(told) != asked.count("\n"):
            said = redact(" / ".join(ran.stderr.strip().splitlines()[-3:]))[:600] or f"exit code {ran.returncode}"
            raise ConfigurationError(
                f"{self.folder}: its classes cannot be run: {said}; name an interpreter that has what they import with --python"
            )
        return told


def code_beside(place: Path, python: str) -> BfclCode:
    """The classes of the checkout, or of the installed package, that the questions at `place` belong to.

    Raises:
        ConfigurationError: they are not there.
    """
    start = place.resolve()
    for above in (start, *start.parents):
        folder = above / "eval_checker" / "multi_turn_eval" / "func_source_code"
        documents = start if start.is_dir() else start.parent
        if folder.is_dir():
            return BfclCode(folder, documents / "multi_turn_func_doc", python)
    raise ConfigurationError(
        f"{place}: no eval_checker/multi_turn_eval/func_source_code above it; name the questions within a checkout of BFCL, "
        "or within the package bfcl-eval"
    )


def read_turns(path: Path, code: BfclCode) -> BfclTests:
    """The tests of a file of several turns.

    Raises:
        ConfigurationError: the file cannot be read, or the classes cannot be run.
    """
    category = category_of(path)
    brought = BfclTests(category, evaluator="world")
    golds = dict(golds_of(path))
    taken: list[tuple[dict[str, Any], list[list[str]], dict[str, Any]]] = []
    for number, row in enumerate(rows_of(path), 1):
        if isinstance(row, str):
            brought.left_out.append(f"{path.name}: {row}")
            continue
        try:
            gold = golds.get(str(row.get("id")))
            if gold is None or not _is_gold(gold):
                raise ValueError("no possible answer; it stands in possible_answer/ under the file's name")
            taken.append((row, gold, _test(row, code, category)))
        except ValueError as problem:
            brought.left_out.append(f"{path.name}:{number}: {row.get('id')}: {problem}")
    asked = [{"begin": test["tool_setup"], "turns": gold} for _, gold, test in taken]
    level = _LEVELS.get(category.rpartition(f"{TURNS}_")[2], 3)
    for (row, gold, test), told in zip(taken, code.replayed(asked), strict=True):
        if "error" in told:
            brought.left_out.append(f"{path.name}: {row.get('id')}: its gold cannot be made: {told['error']}")
            continue
        test["expected"] = {"turns": [_expected(calls, told, number) for number, calls in enumerate(gold)]}
        brought.tests.append((level, test))
    return brought


def _is_gold(gold: Any) -> bool:
    return isinstance(gold, list) and all(
        isinstance(turn, list) and all(isinstance(call, str) for call in turn) for turn in gold
    )


def _expected(calls: list[str], told: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What a turn has to come to; nothing where nothing can be done in it."""
    if not calls:
        return {}
    turn = told["turns"][number]
    return {"acts": True, "changes": changes(told["begun"], turn["state"]), "results": turn["results"]}


def _test(row: Mapping[str, Any], code: BfclCode, category: str) -> dict[str, Any]:
    """One row, without what it has to come to.

    Raises:
        ValueError: it has no such form; the message says what is missing.
    """
    question, classes = row.get("question"), row.get("involved_classes")
    if not isinstance(question, list) or not question or not all(isinstance(turn, list) for turn in question):
        raise ValueError("no question of turns")
    if not isinstance(classes, list) or not classes:
        raise ValueError("no involved classes")
    missed = row.get("missed_function") or {}
    says = [_said(turn, missed.get(str(number)), code) for number, turn in enumerate(question) if number]
    if not question[0]:
        raise ValueError("nothing is said in its first turn")
    first = [{"role": one.get("role", "user"), "content": str(one.get("content", ""))} for one in question[0]]
    return {
        "id": str(row.get("id") or ""),
        "prompt": first[0]["content"] if len(first) == 1 and first[0]["role"] == "user" else first,
        "rollout": "conversation",
        "max_iterations": STEPS,
        "tool_ids": code.functions(classes),
        "simulated_user": {"says": says},
        "tool_setup": {
            "classes": classes,
            "config": row.get("initial_config") or {},
            "long_context": "long_context" in category or "composite" in category,
        },
    }


def _said(turn: list[Any], brought: Any, code: BfclCode) -> Any:
    """What the user says in a later turn, with the functions that it brings."""
    if brought:
        return {"content": _more(code), "tools": [str(name) for name in brought]}
    if len(turn) != 1 or not isinstance(turn[0], dict) or turn[0].get("role") != "user":
        raise ValueError("a later turn is not one message of the user")
    return str(turn[0].get("content", ""))


def _more(code: BfclCode) -> str:
    """What BFCL's user says where functions are added: as the checkout has it."""
    path = code.folder.parents[2] / "constants" / "default_prompts.py"
    if not path.is_file():
        return _MORE
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if "DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC" in names:
                return node.value.value
    return _MORE


def _classes(folder: Path) -> dict[str, str]:
    """The module of each class in a folder; nothing is run."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = path.stem
    return found


def iter_files(place: Path, code: BfclCode | None = None) -> Iterator[BfclTests]:
    """What every question file at `place` holds; of tests of several turns with the `code` that they need alone.

    Raises:
        ConfigurationError: there is none, or one cannot be read.
    """
    for path in find_files(place):
        yield read_turns(path, code) if code is not None and TURNS in category_of(path) else read_file(path)
