"""What a test says of its sandbox: packages and limits, and the folder that the model works in with its hidden checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.json_kinds import kind_of
from modex.core.sandbox.names import LIMITS, package_fault

MAX_FILES = 2000
"""As many files as a test may give by their text."""
MAX_CHECKS = 100
WORKSPACE_LIMITS: Mapping[str, float] = {
    "seconds": 600,
    "memory_mb": 8192,
    "output_kb": 1024,
    "processes": 512,
    "calls": 200,
    "size_mb": 512,
}
"""The most that a test may give the commands in its workspace; `LIMITS` hold for code of answers."""
_OF_A_WORKSPACE = ("files", "workspace", "checks", "tests", "needs")
KEYS = ("packages", "limits", *_OF_A_WORKSPACE, "places", "solution", "digest")
"""`digest` is written by the loader: of the folders that the test names."""
_CHECK_KEYS = ("run", "stdin", "exit", "prints")
_PROGRAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")


ELSEWHERE = ".at"
"""The folder of the workspace below which the places beside the first are: `/data` is `.at/data`."""
_MAX_PLACES = 20
_OF_THE_SYSTEM = (
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "packages", "proc", "root", "run", "sbin", "sys", "tmp", "usr",
)  # fmt: skip


def has_workspace(sandbox: Mapping[str, Any]) -> bool:
    """Whether the test gives the model a folder to work in."""
    return any(name in sandbox for name in ("files", "workspace", "checks"))


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """What the commands in a workspace may take, each by itself but `calls` and `size_mb`."""

    seconds: float = 60.0
    """Of processor time; of time that passes twice as many and a little."""
    memory_mb: float = 2048.0
    output_kb: float = 16.0
    """Of what a command prints: its beginning and its end, so much together."""
    processes: int = 64
    calls: int = 40
    """Calls of tools until the model must answer."""
    size_mb: float = 64.0
    """Of all files."""
    places: tuple[str, ...] = ()
    """Where else the folder is in its box: the first is the folder itself, each other one a part of it (`part_of`)."""

    @classmethod
    def of(cls, sandbox: Mapping[str, Any]) -> WorkLimits:
        """Those of a test, else these."""
        given = sandbox.get("limits") or {}
        plain = cls()
        return cls(
            float(given.get("seconds", plain.seconds)),
            float(given.get("memory_mb", plain.memory_mb)),
            float(given.get("output_kb", plain.output_kb)),
            int(given.get("processes", plain.processes)),
            int(given.get("calls", plain.calls)),
            float(given.get("size_mb", plain.size_mb)),
            tuple(sandbox.get("places") or ()),
        )


def part_of(places: Sequence[str], path: str) -> str | None:
    """The path within the folder of what is at an absolute path in the box; None where that is not in the folder."""
    for number, place in enumerate(places):
        if path == place or path.startswith(f"{place}/"):
            rest = path[len(place) :].lstrip("/")
            return rest if not number else f"{ELSEWHERE}{place}/{rest}".rstrip("/")
    return None


@dataclass(frozen=True, slots=True)
class Check:
    """A command that is run when the model is done, in a copy of what it left."""

    run: str
    stdin: str = ""
    exit: int = 0
    """The code that it must end with."""
    prints: str | None = None
    """What it must print, as a whole and without blanks at line ends; compared where no program of the box can reach."""

    @classmethod
    def of(cls, given: str | Mapping[str, Any]) -> Check:
        """As a test writes it: a command, or an object."""
        if isinstance(given, str):
            return cls(given)
        return cls(given["run"], given.get("stdin", ""), given.get("exit", 0), given.get("prints"))


def checks_of(sandbox: Mapping[str, Any]) -> tuple[Check, ...]:
    """The hidden checks of a test."""
    return tuple(Check.of(one) for one in sandbox.get("checks") or ())


def sandbox_fault(value: Any) -> str | None:
    """What is wrong with the key `sandbox` of a test, or None."""
    if not isinstance(value, dict):
        return f'must say what the code of answers needs, {{"packages": ["numpy==2.3"]}}, not {kind_of(value)}'
    if unknown := sorted(set(value) - set(KEYS[:-1])):
        return f"does not know '{unknown[0][:40]}'; known are {', '.join(sorted(KEYS[:-1]))}"
    return next(_faults(value), None)


def _faults(value: Mapping[str, Any]) -> Iterator[str]:
    packages = value.get("packages", [])
    if not isinstance(packages, list):
        yield f"must list its packages, not {kind_of(packages)}"
        return
    yield from (fault for one in packages if (fault := package_fault(one)) is not None)
    yield from _limit_faults(value.get("limits", {}), WORKSPACE_LIMITS if has_workspace(value) else LIMITS)
    needs = value.get("needs", [])
    if not isinstance(needs, list) or not all(isinstance(one, str) and _PROGRAM.fullmatch(one) for one in needs):
        yield 'must list the programs that it needs, {"needs": ["git", "make"]}'
    yield from file_faults(value.get("files", {}), "files")
    yield from place_faults(value.get("places", []))
    if "workspace" in value and not _is_text(value["workspace"]):
        yield "must name a folder or a git bundle of the suite as its workspace"
    tests = value.get("tests", {})
    if isinstance(tests, dict):
        yield from file_faults(tests, "tests")
    elif not _is_text(tests):
        yield "must have tests as files, each with its text, or name a folder of the suite"
    yield from _check_faults(value.get("checks", []))
    yield from _solution_faults(value.get("solution", ""))


def place_faults(places: Any) -> Iterator[str]:
    """What is wrong with the places at which a folder is to be found, one message each."""
    if not isinstance(places, list) or len(places) > _MAX_PLACES or not all(isinstance(one, str) for one in places):
        yield f'must list places of its folder, {{"places": ["/app", "/data"]}}, at most {_MAX_PLACES}'
        return
    for one in places:
        steps = one.split("/")
        if not one.startswith("/") or path_fault(one[1:]) is not None:
            yield f"has a place that cannot be: {json.dumps(one[:80])} must be absolute, with plain steps"
        elif steps[1] in _OF_THE_SYSTEM:
            yield f"has a place that cannot be: {json.dumps(one[:80])} is the system's; name one such as /app"
    if any(one != other and f"{other}/".startswith(f"{one}/") for one in places for other in places):
        yield "has a place within another one; name the outer one alone"
    if len(set(places)) < len(places):
        yield "has a place twice"


def _limit_faults(limits: Any, known: Mapping[str, float]) -> Iterator[str]:
    for name, most in known.items():
        value = limits.get(name, 1) if isinstance(limits, dict) else None
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= most:
            yield f"must have limits such as {{'seconds': 2, 'memory_mb': 512}}, {name} above 0 and at most {most:g}"
            return
        if name in ("calls", "processes") and not isinstance(value, int):
            yield f"must have a whole number as its limit {name}"
    if unknown := sorted(set(limits) - set(known)):
        more = "; the others are those of a workspace" if known is LIMITS and unknown[0] in WORKSPACE_LIMITS else ""
        yield f"does not know the limit '{unknown[0][:40]}'; known are {', '.join(known)}{more}"


def file_faults(files: Any, key: str) -> Iterator[str]:
    """What is wrong with files that are given by their text."""
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        yield f'must have {key} such as {{"main.py": "print(1)\\n"}}, each file with its text'
        return
    if len(files) > MAX_FILES:
        yield f"must have at most {MAX_FILES:,} {key}; name a folder for more"
    for name in files:
        if (fault := path_fault(name)) is not None:
            yield f"has a file among its {key} that cannot be: {json.dumps(name[:80])} {fault}"
    if (inner := _nested(files)) is not None:
        yield f"has '{inner[:80]}' among its {key} as a file and as a folder"


def _nested(files: Mapping[str, Any]) -> str | None:
    for name in files:
        steps = name.split("/")
        for count in range(1, len(steps)):
            if (above := "/".join(steps[:count])) in files:
                return above
    return None


def path_fault(path: str) -> str | None:
    """What is wrong with a path within a workspace, or None: relative, and plain steps only."""
    if not path or "\0" in path:
        return "is no name of a file"
    if path.startswith("/"):
        return "is absolute; write it relative to the folder"
    if any(step in ("", ".", "..") for step in path.split("/")):
        return "must have plain steps, without . and .."
    if len(path.encode("utf-8", "surrogateescape" if path.isascii() else "surrogatepass")) > 1000:
        return "is longer than 1,000 bytes"
    return None


def _check_faults(checks: Any) -> Iterator[str]:
    words = 'must list its checks, each a command or {"run": "python3 main.py", "stdin": "…", "prints": "…", "exit": 0}'
    if not isinstance(checks, list) or len(checks) > MAX_CHECKS:
        yield f"{words}, at most {MAX_CHECKS}"
        return
    for number, one in enumerate(checks, 1):
        if _is_text(one):
            continue
        if not isinstance(one, dict) or not _is_text(one.get("run")):
            yield f"{words}; number {number} has no command"
        elif unknown := sorted(set(one) - set(_CHECK_KEYS)):
            yield f"has a check number {number} with '{unknown[0][:40]}', which is not known; known are {', '.join(_CHECK_KEYS)}"
        elif not isinstance(one.get("stdin", ""), str) or not isinstance(one.get("prints", ""), str):
            yield f"has a check number {number} whose stdin or prints is no text"
        elif not isinstance(code := one.get("exit", 0), int) or isinstance(code, bool) or not 0 <= code <= 255:
            yield f"has a check number {number} whose exit is no whole number from 0 to 255"


def _solution_faults(solution: Any) -> Iterator[str]:
    if isinstance(solution, str):
        return
    if not isinstance(solution, dict) or set(solution) - {"files", "folder", "run"} or not solution:
        yield 'must have a solution as text, or {"files": {…}}, {"folder": "…"}, {"run": "command"}'
        return
    yield from file_faults(solution.get("files", {}), "solution's files")
    if not all(_is_text(solution.get(name, "x")) for name in ("folder", "run")):
        yield "must have texts as its solution's folder and command"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value
