"""Trying changes: which tests reach them, a copy of the tree for each worker, and what came out."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Literal, Self

from benchmarks.mutation.changes import Mutant

Outcome = Literal["killed", "lived", "unreached"]
"""`unreached`: no test among the guards calls the function; it lives as well."""
_LEFT_OUT = (".git", ".venv", ".mypy_cache", ".ruff_cache", ".hypothesis", ".mutation", "dist", "build")
_REACH_LIMIT_S = 1800.0
_TOGETHER = 24
"""Changes for which it is found together what their tests call: where time is short, it does not all go into that."""
_LEAST_LIMIT_S = 20.0
_SLOWER = 10.0
"""How many times as long as without a change its tests may take, before it counts as noticed: it goes round for ever."""
_MORE_WORK = 3.0
"""How many times as many seconds of a processor they may take; others who use it do not count there."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one change."""

    identity: str
    path: str
    function: str
    outcome: Outcome
    by: str = ""
    """The first test that failed."""
    seconds: float = 0.0
    module: str = ""
    """Digest of the module as it was."""
    guards: str = ""
    """Digest of the test file that noticed it, or of all guards where none did: what it holds for."""


@dataclass(slots=True)
class ReachOf:
    """What the tests of one file call."""

    tests: dict[str, dict[str, Any]] = field(default_factory=dict)
    collected: list[list[Any]] = field(default_factory=list)
    """Called while it was imported, each as file and qualified name."""


class Worker:
    """A process in a copy of the tree that answers one request after the other."""

    def __init__(self, root: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="modex-mutation-")).resolve()
        self.tree = self._folder / "tree"
        shutil.copytree(root, self.tree, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
        if not (self.tree / "benchmarks" / "mutation").exists():
            shutil.copytree(Path(__file__).parent, self.tree / "benchmarks" / "mutation")
        env = {**os.environ, "PYTHONPATH": f"{self.tree / '.src'}{os.pathsep}{self.tree}"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.mutation.worker"],
            cwd=self.tree,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        if kind is not None:
            self._process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request.

        Raises:
            RuntimeError: the worker ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker in {self.tree} ended with {self._process.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found


def digest(*paths: Path) -> str:
    """Of what stands in the files."""
    found = hashlib.blake2b(digest_size=8)
    for path in paths:
        found.update(path.read_bytes() if path.exists() else b"\0")
    return found.hexdigest()


class Journal:
    """What was tried and what tests call, kept beside the tree so that work that was broken off goes on."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._tried = folder / "tried.jsonl"
        self._reach = folder / "reach"
        self._reach.mkdir(parents=True, exist_ok=True)
        self._known: dict[str, Tried] = {}
        if self._tried.exists():
            for line in self._tried.read_text(encoding="utf-8").splitlines():
                found = Tried(**json.loads(line))
                self._known[found.identity] = found

    def known(self, mutant: Mutant, guards: Sequence[str]) -> Tried | None:
        """What came of a change, where neither the module nor the tests that said so are other ones now."""
        found = self._known.get(mutant.identity)
        if found is None or found.module != digest(self._root / mutant.path):
            return None
        files = [found.by.partition("::")[0]] if found.by else list(guards)
        return found if found.guards == digest(*(self._root / file for file in files)) else None

    def keep(self, found: Tried) -> None:
        """Note what came of a change."""
        self._known[found.identity] = found
        with self._tried.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(found)) + "\n")

    def reach(self, file: str) -> ReachOf | None:
        """What the tests of a file call, where neither they nor the program are other ones now."""
        path = self._place(self._root, file)
        if not path.exists():
            return None
        return ReachOf(**json.loads(path.read_text(encoding="utf-8")))

    def keep_reach(self, tree: Path, file: str, found: ReachOf) -> None:
        """Note what the tests of a file call in a copy of the tree."""
        self._place(tree, file).write_text(json.dumps(asdict(found)), encoding="utf-8")

    def _place(self, tree: Path, file: str) -> Path:
        names = f"{file.replace('/', '-')}-{digest(tree / file)}"
        return self._reach / f"{names}.json"


def measure(
    root: Path,
    mutants: Sequence[Mutant],
    guards: Mapping[str, Sequence[str]],
    *,
    folder: Path,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Tried]:
    """Try each change on the tests that guard its module; those that are known already come first.

    `guards` names the files of tests by module, both from `root`; `folder` keeps what is found.
    """
    journal = Journal(root, folder)
    left: list[Mutant] = []
    for mutant in mutants:
        if (known := journal.known(mutant, guards[mutant.path])) is not None:
            yield known
        else:
            left.append(mutant)
    if not left:
        return
    reach: dict[str, ReachOf] = {}
    with _workers(root, min(jobs, len(left))) as workers:
        packages = sorted({mutant.path.partition("/")[0] for mutant in left})
        for begin in range(0, len(left), _TOGETHER):
            some = left[begin : begin + _TOGETHER]
            files = sorted({file for mutant in some for file in guards[mutant.path]} - reach.keys())
            reach.update(_reach(workers, journal, files, packages, tell))
            yield from _tried(workers, journal, some, guards, reach, begin)


class _workers:  # noqa: N801
    """Some workers, all ended at the end; free ones wait in a queue."""

    def __init__(self, root: Path, count: int) -> None:
        self.all = [Worker(root) for _ in range(count)]
        self.free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self.all:
            self.free.put(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.all:
            worker.__exit__(kind, error, trace)

    def each(self, requests: Iterable[Any], ask: Callable[[Worker, Any], Any]) -> Iterator[Any]:
        """The answers, in the order of the requests."""

        def work(request: Any) -> Any:
            worker = self.free.get()
            try:
                return ask(worker, request)
            finally:
                self.free.put(worker)

        with ThreadPoolExecutor(len(self.all)) as pool:
            yield from pool.map(work, requests)


def _reach(
    workers: _workers, journal: Journal, files: Sequence[str], packages: Sequence[str], tell: Callable[[str], None]
) -> Iterator[tuple[str, ReachOf]]:
    """What the tests of each file call; files that are new are run once."""

    def ask(worker: Worker, file: str) -> tuple[str, ReachOf]:
        if (known := journal.reach(file)) is not None:
            return file, known
        answer = worker.ask({"do": "reach", "files": [file], "packages": packages, "limit_s": _REACH_LIMIT_S})
        found = ReachOf(answer.get("tests", {}), answer.get("collected", []))
        if broken := [test for test, what in found.tests.items() if not what["ok"]]:
            tell(f"{file}: {len(broken)} tests fail, or are skipped, without any change: {broken[0]}")
        if not found.tests:
            tell(f"{file}: no test ran ({answer})")
        journal.keep_reach(worker.tree, file, found)
        return file, found

    yield from workers.each(files, ask)


def _tried(
    workers: _workers,
    journal: Journal,
    mutants: Sequence[Mutant],
    guards: Mapping[str, Sequence[str]],
    reach: Mapping[str, ReachOf],
    begin: int = 0,
) -> Iterator[Tried]:
    def ask(worker: Worker, numbered: tuple[int, Mutant]) -> Tried:
        number, mutant = numbered
        files = guards[mutant.path]
        tests = tests_for(mutant, [reach[file] for file in files])
        if not tests:
            return _as_tried(worker.tree, mutant, files, {"outcome": "unreached"})
        source = mutant.applied((worker.tree / mutant.path).read_text(encoding="utf-8"))
        usual = sum(seconds for _, seconds in tests)
        held = [reach[file] for file in files]
        request = {
            "do": "try", "path": mutant.path, "source": source, "tests": [test for test, _ in tests], "number": number,
            "limits_s": [_LEAST_LIMIT_S + _SLOWER * seconds for _, seconds in tests],
            "within": "" if works_on_import(mutant, held) else mutant.functions[0], "line": mutant.line, "files": files,
            "limit_s": _LEAST_LIMIT_S + _SLOWER * usual, "cpu_s": _LEAST_LIMIT_S / 2 + _MORE_WORK * usual,
        }  # fmt: skip
        answer = worker.ask(request)
        if answer["outcome"] == "broken":
            raise RuntimeError(f"{mutant.identity}: the tests could not be run: {answer}")
        return _as_tried(worker.tree, mutant, files, answer)

    for found in workers.each(enumerate(mutants, begin), ask):
        journal.keep(found)
        yield found


def _as_tried(tree: Path, mutant: Mutant, files: Sequence[str], answer: Mapping[str, Any]) -> Tried:
    """With digests of the copy that was tried: the tree itself may be edited meanwhile."""
    by = str(answer.get("by", ""))
    held = [by.partition("::")[0]] if by else list(files)
    return Tried(
        mutant.identity, mutant.path, mutant.function, answer["outcome"], by, float(answer.get("seconds", 0.0)),
        digest(tree / mutant.path), digest(*(tree / file for file in held)),
    )  # fmt: skip


def works_on_import(mutant: Mutant, reach: Iterable[ReachOf]) -> bool:
    """Whether the change shows while modules are imported, those of tests among them."""
    return not mutant.functions or any([mutant.path, mutant.functions[0]] in of.collected for of in reach)


def tests_for(mutant: Mutant, reach: Iterable[ReachOf]) -> list[tuple[str, float]]:
    """The tests that call the function, the quickest first, with their seconds.

    What a module does when it is imported, and what is called then, is reached by whatever calls something of the module, and
    what stands outside of functions by every test of its first guard: tests of a table read it and call nothing. A module of
    which no test calls anything works in processes of its own: every test is tried.
    """
    reach = list(reach)
    whole = works_on_import(mutant, reach)
    places = {(mutant.path, name) for name in mutant.functions}
    every, module, own = [], [], []
    for place, of in enumerate(reach):
        reads = not place and not mutant.functions
        for test, found in of.tests.items():
            if not found["ok"]:
                continue
            entry = (test, float(found["seconds"]))
            every.append(entry)
            calls = {(path, name) for path, name in found["calls"] if path == mutant.path}
            if calls or reads:
                module.append(entry)
            if calls & places:
                own.append(entry)
    chosen = (own or (module if whole else [])) if module else every
    return sorted(module or every if whole else chosen, key=lambda entry: entry[1])
