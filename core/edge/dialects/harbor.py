"""Tasks of Harbor and of Terminal-Bench as tests in a workspace: instruction, folder, hidden tests and the task's own solution.

A task of Harbor is a folder with `task.toml`, `instruction.md`, `environment/`, `tests/test.sh` and `solution/solve.sh`; its test
writes `/logs/verifier/reward.txt` (harborframework.com/docs/tasks). One of Terminal-Bench has `task.yaml`, a Dockerfile,
`docker-compose.yaml`, `run-tests.sh`, `tests/` and `solution.sh` or `solution.yaml` (tbench.ai/docs/task-overview). Those that
need no more than an ordinary machine are brought; each other one says why not, with file and line.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.edge.dialects.harbor_image import CannotRunError, Image, is_ordinary, read_image
from modex.core.edge.dialects.harbor_verifier import STAND_INS, VERDICT, fetched, packages_of
from modex.core.foundation.errors import ConfigurationError
from modex.core.sandbox.workspace.spec import ELSEWHERE, WORKSPACE_LIMITS, part_of
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, file_of, with_folders
from modex.core.suite.files import FileFaultError, read_text
from modex.core.suite.workspaces import digest_of, read_folder

_LEVELS = {"easy": 2, "medium": 3, "hard": 5}
_CALLS = 100
_TESTS, _LOGS = "/tests", "/logs"
_OUTCOME = "solved"
"""What the last line of a check is where the tests of the task hold."""


@dataclass(slots=True)
class HarborTask:
    """One task: its test with its level and the folders of it, or why it cannot be had."""

    name: str
    test: dict[str, Any] = field(default_factory=dict)
    level: int = 3
    folders: dict[str, Tree] = field(default_factory=dict)
    """By their path in the suite."""
    refused: str = ""


@dataclass(slots=True)
class _Parts:
    """What both forms come to."""

    instruction: str
    image: Image
    tests: Tree
    command: str
    """By which the tests are run, in the folder of the task."""
    solution: Tree | None
    solve: str
    difficulty: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    seconds: float = 300.0
    memory_mb: float = 2048.0


def iter_tasks(folder: Path) -> Iterator[HarborTask]:
    """Each task in the folder or below it, by name; the folder may be a task itself.

    Raises:
        ConfigurationError: there is none.
    """
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder; name one that holds tasks of Harbor or Terminal-Bench")
    found = sorted(_task_folders(folder))
    if not found:
        raise ConfigurationError(
            f"{folder} holds no task.toml and no task.yaml, in it or below it; name a folder of tasks"
        )
    taken: set[str] = set()
    for place in found:
        name = re.sub(r"[^a-z0-9]+", "_", place.resolve().name.lower()).strip("_") or "task"
        while name in taken:
            name = f"{name}_2"
        taken.add(name)
        yield _brought(place, name)


def _task_folders(folder: Path) -> Iterator[Path]:
    for place, inner, files in os.walk(folder):
        if "task.toml" in files or "task.yaml" in files:
            inner.clear()
            yield Path(place)
        inner[:] = sorted(one for one in inner if not one.startswith("."))


def _brought(place: Path, name: str) -> HarborTask:
    task = HarborTask(name)
    source = place / ("task.toml" if (place / "task.toml").exists() else "task.yaml")
    try:
        parts = _harbor(place, source) if source.suffix == ".toml" else _terminal_bench(place, source)
        _write(task, parts, place.name)
    except _RefusedError as error:
        task.refused = str(error)
    except (CannotRunError, FileFaultError, OSError, ValueError) as error:
        words = error.message if isinstance(error, FileFaultError) else str(error)
        task.refused = f"{source}: {words}"
    return task


class _RefusedError(Exception):
    """Why a task cannot be had, with file and line."""


def _refused(path: Path, words: str, line: int = 0) -> _RefusedError:
    return _RefusedError(f"{path}:{line}: {words}" if line else f"{path}: {words}")


def _harbor(place: Path, source: Path) -> _Parts:
    text = _text(source)
    try:
        said = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place_of = re.search(r"line (\d+)", str(error))
        line = int(place_of[1]) if place_of else len(text.splitlines())
        raise _refused(source, f"{error}; correct it, as TOML", line) from None
    world, verifier = _table(said.get("environment")), _table(said.get("verifier"))
    for key, given, words in (
        ("steps", said.get("steps"), "is told in several steps"),
        ("gpus", world.get("gpus"), "needs a GPU"),
        ("tpu", world.get("tpu"), "needs a TPU"),
        ("mcp_servers", world.get("mcp_servers"), "needs MCP servers of its own"),
        ("env", world.get("env"), "needs variables of its environment, which a workspace does not set"),
        ("env", verifier.get("env"), "gives its tests variables, which are not set here"),
        ("env", _table(said.get("solution")).get("env"), "gives its solution variables, which are not set here"),
        ("environment_mode", verifier.get("environment_mode") == "separate", "judges in an environment of its own"),
        ("os", str(world.get("os", "linux")).lower() != "linux", f"needs {world.get('os')}"),
    ):
        if given:
            raise _refused(source, words, _line_of(text, key))
    folder = place / "environment"
    _no_services(folder)
    if (folder / "Dockerfile").exists():
        image = _image(folder / "Dockerfile", folder, place)
    elif isinstance(named := world.get("docker_image"), str) and is_ordinary(named):
        image = Image()
    else:
        raise _refused(source, f"needs image {named or '?'}, without a Dockerfile", _line_of(text, "docker_image"))
    tests = _folder(place, "tests")
    if "test.sh" not in tests:
        raise _refused(place / "tests", "holds no test.sh")
    solution = _folder(place, "solution") if (place / "solution").is_dir() else None
    metadata = _table(said.get("metadata"))
    return _Parts(
        instruction=_text(place / "instruction.md").strip(),
        image=image,
        tests=tests,
        command=f"bash {_TESTS}/test.sh",
        solution=solution if solution and "solve.sh" in solution else None,
        solve="bash /solution/solve.sh",
        difficulty=str(metadata.get("difficulty", "")),
        metadata=metadata,
        seconds=_number(verifier.get("timeout_sec"), 300.0),
        memory_mb=_megabytes(world),
    )


def _terminal_bench(place: Path, source: Path) -> _Parts:
    import yaml

    text = _text(source)
    try:
        said = _table(yaml.safe_load(text))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        words = getattr(error, "problem", None) or "it cannot be read as YAML"
        raise _refused(source, f"{words}; correct it, as YAML", mark.line + 1 if mark else 0) from None
    instruction = said.get("instruction")
    if not isinstance(instruction, str) and isinstance(told := said.get("descriptions"), list):
        instruction = next(
            (one.get("description") for one in told if isinstance(one, dict) and one.get("key") == "base"), None
        )
    if not isinstance(instruction, str) or not instruction.strip():
        raise _refused(source, "has no instruction")
    parser = str(said.get("parser_name", "pytest"))
    if parser != "pytest":
        raise _refused(source, f"its tests are read by the parser {parser}", _line_of(text, "parser_name"))
    _no_services(place)
    image = _image(place / "Dockerfile", place, place)
    tests = _folder(place, "tests") if (place / "tests").is_dir() else {}
    script = place / "run-tests.sh"
    tests["run-tests.sh"] = file_of(_text(script) if script.exists() else "pytest $TEST_DIR/test_outputs.py -rA\n")
    return _Parts(
        instruction=instruction.strip(),
        image=image,
        tests=tests,
        command=f"TEST_DIR={_TESTS} bash {_TESTS}/run-tests.sh",
        solution=_solution_of(place),
        solve="bash /solution/solution.sh",
        difficulty=str(said.get("difficulty", "")),
        metadata=said,
        seconds=_number(said.get("max_test_timeout_sec"), 300.0),
    )


def _solution_of(place: Path) -> Tree | None:
    """Terminal-Bench's solution as a script."""
    if (place / "solution.sh").exists():
        return {"solution.sh": file_of(_text(place / "solution.sh"))}
    if not (place / "solution.yaml").exists():
        return None
    import yaml

    try:
        typed = yaml.safe_load(_text(place / "solution.yaml"))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _refused(place / "solution.yaml", f"cannot be read as YAML ({error})") from None
    lines = [one.get("command") for one in typed if isinstance(one, dict)] if isinstance(typed, list) else []
    if not lines or not all(isinstance(one, str) for one in lines):
        raise _refused(place / "solution.yaml", "is no list of commands")
    return {"solution.sh": file_of("\n".join(map(str, lines)) + "\n")}


def _image(dockerfile: Path, context: Path, place: Path) -> Image:
    try:
        return read_image(dockerfile, context, place)
    except CannotRunError as error:
        raise _refused(dockerfile, str(error), error.line) from None


def _no_services(folder: Path) -> None:
    """Refuse what starts more than one container, or more than a container has.

    Raises:
        _RefusedError: it does.
    """
    for name in ("docker-compose.yaml", "docker-compose.yml", "compose.yaml"):
        if not (path := folder / name).exists():
            continue
        import yaml

        text = _text(path)
        try:
            services = _table(_table(yaml.safe_load(text)).get("services"))
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise _refused(path, f"cannot be read as YAML ({error})") from None
        if len(services) > 1:
            other = next((one for one in services if one not in ("client", "main")), "?")
            raise _refused(path, f"needs a service beside its own container: {other}", _line_of(text, str(other)))
        for service in services.values():
            for key in ("privileged", "devices", "gpus", "cap_add", "runtime"):
                if _table(service).get(key):
                    raise _refused(path, f"needs {key} of its container", _line_of(text, key))
            if "nvidia" in str(_table(service).get("deploy", "")):
                raise _refused(path, "needs a GPU", _line_of(text, "deploy"))


def _write(task: HarborTask, parts: _Parts, name: str) -> None:
    """Put the test together, with its folders."""
    image = parts.image
    scripts = [entry.data.decode("utf-8", "replace") for path, entry in parts.tests.items() if path.endswith(".sh")]
    if (address := fetched(scripts)) is not None:
        raise CannotRunError(f"its tests need the network ({address})")
    places = image.places()
    for one in (_TESTS, _LOGS, "/solution"):
        if part_of(places, one) is None:
            places.append(one)
    hidden = f"{ELSEWHERE}/.{digest_of(parts.tests)[:16]}"
    laid = {f"{hidden}/tests/{path}": entry for path, entry in parts.tests.items()}
    laid |= {f"{hidden}/bin/{path}": file_of(text, executable=True) for path, text in STAND_INS.items()}
    laid[f"{hidden}/verdict.py"] = file_of(VERDICT)
    laid[f"{hidden}/judge"] = file_of(_judge(hidden, parts.command, places))
    packages = list(dict.fromkeys([*image.packages, *packages_of(scripts)]))
    limits = {
        "seconds": min(max(parts.seconds, 60.0), WORKSPACE_LIMITS["seconds"]),
        "memory_mb": min(max(parts.memory_mb, 1024.0), WORKSPACE_LIMITS["memory_mb"]),
        "size_mb": 256,
        "processes": 256,
        "calls": _CALLS,
    }
    sandbox: dict[str, Any] = {
        "places": places,
        "checks": [{"run": f"bash {hidden}/judge", "prints": _OUTCOME}],
        "limits": limits,
        "tests": f"files/{task.name}/tests",
    }
    task.folders[f"files/{task.name}/tests"] = laid
    beginning = image.laid()
    if beginning:
        sandbox["workspace"] = f"files/{task.name}/workspace"
        task.folders[f"files/{task.name}/workspace"] = beginning
    if image.needs:
        sandbox["needs"] = sorted(set(image.needs))
    if packages:
        sandbox["packages"] = packages
    if parts.solution:
        where = part_of(places, "/solution") or "solution"
        sandbox["solution"] = {
            "folder": f"files/{task.name}/solution",
            "run": f"{parts.solve}; code=$?; rm -rf {where}; exit $code",
        }
        task.folders[f"files/{task.name}/solution"] = {
            f"{where}/{path}": entry for path, entry in parts.solution.items()
        }
    task.level = _LEVELS.get(parts.difficulty.lower(), 3)
    task.test = {
        "id": task.name,
        "name": name,
        "prompt": parts.instruction,
        "sandbox": sandbox,
        "metadata": {
            key: parts.metadata[key]
            for key in ("difficulty", "category", "tags", "keywords")
            if parts.metadata.get(key)
        },
    }


def _judge(hidden: str, command: str, places: list[str]) -> str:
    """The script that puts the task's tests in their place, whatever stands there, and says what they came to."""
    tests, logs = (part_of(places, one) or one for one in (_TESTS, _LOGS))
    return f"""rm -rf {tests} {logs}
mkdir -p {ELSEWHERE} {logs}/verifier "$HOME/.local/bin"
mv {hidden}/tests {tests} && mv {hidden}/bin {hidden}/verdict.py "$HOME/" && rm -rf {hidden} || exit 1
: > "$HOME/.local/bin/env"
PATH="$HOME/bin:$PATH" {command} > "$HOME/said" 2>&1
code=$?
tail -c 30000 "$HOME/said" >&2
exec python3 -I "$HOME/verdict.py" "$code"
"""


def _text(path: Path) -> str:
    """A file of the task.

    Raises:
        _RefusedError: it cannot be read.
    """
    try:
        return read_text(path)
    except FileFaultError as fault:
        raise _refused(path, fault.message) from None


def _folder(place: Path, name: str) -> Tree:
    return {path: entry for path, entry in with_folders(read_folder(place, name)).items() if entry.kind != "folder"}


def write_folder(out: Path, name: str, tree: Mapping[str, TreeEntry]) -> None:
    """Write a folder of a test into the suite at `out`."""
    for path, entry in tree.items():
        place = out / name / path
        if entry.kind == "folder":
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "link":
            place.symlink_to(os.fsdecode(entry.data))
        else:
            place.write_bytes(entry.data)
            place.chmod(entry.mode)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any, otherwise: float) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else otherwise


def _megabytes(world: Mapping[str, Any]) -> float:
    """`memory_mb`, or `memory` as 2G."""
    given = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([GM])i?B?", str(world.get("memory", "")))
    if given:
        return float(given[1]) * (1024 if given[2] == "G" else 1)
    return _number(world.get("memory_mb"), 2048.0)


def _line_of(text: str, key: str) -> int:
    """The line at which the key stands; 0 where it does nowhere."""
    wanted = re.compile(rf"\s*\[*(?:\w+\.)*{re.escape(key)}\b")
    return next((number for number, line in enumerate(text.splitlines(), 1) if wanted.match(line)), 0)
