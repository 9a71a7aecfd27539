"""What tries changes: a process with the libraries loaded, which forks for each change a child that runs the tests on it.

python -m benchmarks.mutation.worker, in a copy of the tree; asked and answered by lines of JSON.

A change is written into the copy, so that processes which tests start run it too. What a function does is changed in a process
that has the program and the tests loaded already (`Resident`): its child gives the function the changed body, which takes no
longer than the tests themselves. A change of what is done while modules are imported is tried by a child that imports the program
and its tests anew, and inherits the libraries alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import importlib
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TextIO

import pytest
from hypothesis import Phase, settings

_OPTIONS = (
    "-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # of plugins that are inherited
)  # fmt: skip
_OWN = ("benchmarks", "conftest", "core", "docs", "modex", "plugins", "tests", "tui")
_PACKAGE = ".src/modex/"
"""Where Python finds the program: links to the folders at the root, by which its files are named here."""
_LATE = ("distributed", "litellm", "pytest", "xdist", "_hypothesis", "syrupy", "anyio")
"""Not loaded beforehand: too large for most tests, or what pytest loads in its own way."""
_SET_PARENT_DEATH_SIGNAL = 1
_MEMORY = 3 * 1024**3
_SPARED: set[int] = set()
"""The processes of this worker that wait for more to do."""


class Reach:
    """A plugin of pytest that notes which functions of the program each test calls, how long it takes and whether it passes."""

    def __init__(self, root: Path, packages: Sequence[str]) -> None:
        self._folders = tuple(f"{root}/{below}{package}/" for package in packages for below in ("", _PACKAGE))
        self._root = f"{root}/"
        self._seen: set[CodeType] = set()
        self._wanted: dict[str, bool] = {}
        self.tests: dict[str, dict[str, Any]] = {}
        self.collected: list[tuple[str, str]] = []

    def trace(self, frame: FrameType, *_: object) -> None:
        """Called by the interpreter at each call of a function."""
        code = frame.f_code
        if code in self._seen:
            return
        name = code.co_filename
        wanted = self._wanted.get(name)
        if wanted is None:
            wanted = self._wanted[name] = name.startswith(self._folders)
        if wanted:
            self._seen.add(code)

    def _taken(self) -> list[tuple[str, str]]:
        seen, self._seen = self._seen, set()
        return sorted(
            {(code.co_filename.removeprefix(self._root).removeprefix(_PACKAGE), code.co_qualname) for code in seen}
        )

    def pytest_collection_finish(self) -> None:
        """What is called while modules are imported."""
        self.collected = self._taken()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        """Around each test."""
        began = time.perf_counter()
        self.tests[item.nodeid] = {"ok": True}
        yield
        self.tests[item.nodeid] |= {"seconds": round(time.perf_counter() - began, 4), "calls": self._taken()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails without any change tells nothing of a change; nor does one that is skipped."""
        if report.outcome != "passed":
            self.tests[report.nodeid]["ok"] = False


class Chosen:
    """A plugin of pytest that runs these tests alone, in this order, and remembers which failed first."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._places = {test: place for place, test in enumerate(tests)}
        self.failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """No example is made smaller: that a test fails is enough."""
        _only_look()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and order."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._places), key=lambda item: self._places[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember what could not be imported."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


class Failed:
    """A plugin of pytest that remembers whether a test failed."""

    def __init__(self) -> None:
        self.by = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what failed."""
        if report.failed and not self.by:
            self.by = report.nodeid


class Answering:
    """A plugin of pytest that runs what was collected only when asked: each time in a child with one function changed."""

    def __init__(self, root: Path, requests: TextIO, answers: TextIO) -> None:
        self._root = root
        self._requests = requests
        self._answers = answers

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """No example is made smaller: that a test fails is enough."""
        _only_look()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer until nobody asks any more."""
        items = {item.nodeid: item for item in session.items}
        bodies, remembered = _loaded(f"{self._root}/")
        gc.collect()
        gc.freeze()
        for line in self._requests:
            request = json.loads(line)
            chosen = [items[test] for test in request["tests"] if test in items]
            found = bodies.get((f"{self._root / request['path']}", *request["function"]), [])
            body = _body(request["source"], f"{self._root / request['path']}", *request["function"])
            alike = [
                one for one in found if body is not None and len(body.co_freevars) == len(one.__code__.co_freevars)
            ]
            if len(chosen) < len(request["tests"]) or not found or len(alike) < len(found) or body is None:
                answer = {"outcome": "broken"}
            else:
                limited = list(zip(chosen, request["limits_s"], strict=True))
                work = functools.partial(_run, session, limited, found, body, remembered)
                answer = _forked(work, request["limit_s"], request["cpu_s"])
            self._answers.write(json.dumps(answer) + "\n")
            self._answers.flush()
        return True


class Resident:
    """A child that has the program and some files of tests loaded."""

    def __init__(self, root: Path, files: Sequence[str]) -> None:
        self.files = list(files)
        asked, asking = os.pipe()
        answered, answering = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                _end_with_parent()
                os.close(asking)
                os.close(answered)
                _SPARED.update((os.getppid(), os.getpid()))
                with os.fdopen(asked) as requests, os.fdopen(answering, "w") as answers:
                    pytest.main([*_OPTIONS, *files], plugins=[Answering(root, requests, answers)])
            finally:
                os._exit(0)
        os.close(asked)
        os.close(answering)
        _SPARED.add(self.pid)
        self._requests = os.fdopen(asking, "w")
        self._answers = os.fdopen(answered)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; `broken` where it has to be tried otherwise."""
        try:
            self._requests.write(json.dumps(request) + "\n")
            self._requests.flush()
            line = self._answers.readline()
        except BrokenPipeError:
            line = ""
        found: dict[str, Any] = json.loads(line) if line else {"outcome": "broken"}
        return found

    def end(self) -> None:
        """Nobody asks any more."""
        for pipe in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                pipe.close()
        _SPARED.discard(self.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _only_look() -> None:
    settings.register_profile("looking", settings.default, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("looking")


def _loaded(root: str) -> tuple[dict[tuple[str, str, int], list[FunctionType]], list[Any]]:
    """The functions of the tree by file, qualified name and line, and those that remember what they returned."""
    bodies: dict[tuple[str, str, int], list[FunctionType]] = {}
    remembered: list[Any] = []
    gc.unfreeze()  # a conftest may freeze what was collected, and what is frozen is not listed
    for one in gc.get_objects():
        if type(one) is FunctionType:
            code = one.__code__
            if code.co_filename.startswith(root):
                bodies.setdefault(
                    (code.co_filename.replace(f"{root}{_PACKAGE}", root), code.co_qualname, code.co_firstlineno), []
                ).append(one)
        elif type(one) is functools._lru_cache_wrapper:
            remembered.append(one)
    return bodies, remembered


def _body(source: str, file: str, name: str, line: int) -> CodeType | None:
    """The code of a function in a module's source."""
    waiting = [compile(source, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        if (code.co_qualname, code.co_firstlineno) == (name, line):
            return code
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    return None


def _run(
    session: pytest.Session,
    items: Sequence[tuple[pytest.Item, float]],
    functions: Sequence[FunctionType],
    body: CodeType,
    remembered: Sequence[Any],
) -> dict[str, Any]:
    """Whether one of the tests fails with another body of the functions; what they returned before is forgotten.

    With each test stands how many seconds it may take: one that goes on for longer ends this process, which is an answer too.
    """
    for function in functions:
        function.__code__ = body
    for cache in remembered:
        cache.cache_clear()
    plugin = Failed()
    session.config.pluginmanager.register(plugin)
    for (item, limit_s), following in zip(items, [*(item for item, _ in items[1:]), None], strict=True):
        timer = threading.Timer(limit_s, os._exit, (0,))
        timer.daemon = True
        timer.start()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        timer.cancel()
        if plugin.by:
            return {"outcome": "killed", "by": plugin.by}
    return {"outcome": "lived", "by": ""}


def _places(source: str) -> Iterator[tuple[str, int]]:
    """The functions of a module's source by qualified name and the line of their code."""
    waiting = [compile(source, "", "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        yield code.co_qualname, code.co_firstlineno
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]


def main() -> None:
    """Answer requests until there are no more."""
    root = Path.cwd()
    _SPARED.add(os.getpid())
    resident: list[Resident] = []
    answers, nothing = os.dup(1), os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)  # whatever tests print is no answer
    with os.fdopen(answers, "w") as out:
        for line in sys.stdin:
            request = json.loads(line)
            answer = _reach(root, request) if request["do"] == "reach" else _try(root, request, resident)
            out.write(json.dumps(answer) + "\n")
            out.flush()
    for one in resident:
        one.end()


def _reach(root: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Which functions the tests of some files call; libraries that they load are loaded here too."""

    def work() -> dict[str, Any]:
        plugin = Reach(root, request["packages"])
        threading.settrace(plugin.trace)
        sys.settrace(plugin.trace)
        options = [option for option in _OPTIONS if option != "-x"]
        code = pytest.main([*options, *request["files"]], plugins=[plugin])
        sys.settrace(None)
        loaded = [name for name in sys.modules if name.partition(".")[0] not in _OWN and not name.startswith(_LATE)]
        return {"code": int(code), "tests": plugin.tests, "collected": plugin.collected, "loaded": loaded}

    found = _forked(work, request["limit_s"], None)
    for name in found.pop("loaded", ()):
        if name not in sys.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    return found


def _try(root: Path, request: dict[str, Any], residents: list[Resident]) -> dict[str, Any]:
    """Whether tests notice a change; `residents` holds the process that has the tests of the last one loaded, if any."""
    path = root / request["path"]
    before, stamp = path.read_bytes(), path.stat()
    function = _holding(before.decode(), request) if request["within"] else None
    if function is not None and not (residents and residents[0].files == request["files"]):
        while residents:
            residents.pop().end()
        residents.append(Resident(root, request["files"]))

    def work() -> dict[str, Any]:
        plugin = Chosen(request["tests"])
        files = list(dict.fromkeys(test.partition("::")[0] for test in request["tests"]))
        try:
            code = int(pytest.main([*_OPTIONS, *files], plugins=[plugin]))
        except Exception:  # a warning of what a test left open, told when all are over: only a test that failed counts
            return {"outcome": "killed" if plugin.failed else "lived", "by": plugin.failed, "code": None}
        # 2 and 4: a file of tests, or a conftest, can no longer be imported; without the change it could.
        outcomes = {0: "lived", 1: "killed", 2: "killed", 4: "killed"}
        return {"outcome": outcomes.get(code, "broken"), "by": plugin.failed, "code": code}

    began = time.monotonic()
    path.write_text(request["source"], encoding="utf-8")
    # Another moment for each change: two of the same size within a second would share one compiled file.
    os.utime(path, (time.time(), stamp.st_mtime + 10 + request["number"]))
    try:
        found = {"outcome": "broken"}
        if function is not None:
            found = residents[0].ask({**request, "function": function})
        if found["outcome"] == "broken":
            found = _forked(work, request["limit_s"], request["cpu_s"])
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    return {**found, "seconds": round(time.monotonic() - began, 3)}


def _holding(source: str, request: dict[str, Any]) -> tuple[str, int] | None:
    """The outermost function that a change stands in, by qualified name and line; None where no function has its name."""
    above = [place for place in _places(source) if place[0] == request["within"] and place[1] <= request["line"]]
    return max(above, key=lambda place: place[1], default=None)


def _forked(work: Callable[[], dict[str, Any]], limit_s: float, cpu_s: float | None) -> dict[str, Any]:
    """What `work` makes in a child of a process group of its own, which is ended with all that it left behind."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            _end_with_parent()
            os.close(reading)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
            if cpu_s is not None:
                resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 3))
            try:
                answer = work()
            except MemoryError:  # it goes round for ever and keeps what it makes, as one that takes too long does
                answer = {"outcome": "killed", "by": "", "code": None, "late": True}
            except BaseException:  # whatever goes wrong here is no test that failed
                answer = {"outcome": "broken", "error": traceback.format_exc()}
            with os.fdopen(writing, "wb") as out:
                out.write(json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(writing)
    timer = threading.Timer(limit_s, _end, (child,))
    timer.daemon = True
    timer.start()
    with os.fdopen(reading, "rb") as answers:
        said = _read(answers.fileno())
    timer.cancel()
    _end(child)
    os.waitpid(child, 0)
    if not said:
        return {"outcome": "killed", "by": "", "code": None, "late": True}
    found: dict[str, Any] = json.loads(said)
    return found


def _end_with_parent() -> None:
    """Let this process end when the worker does, however that ends; where the system cannot, it ends with its tests."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _read(descriptor: int) -> bytes:
    """All that the child says; a process that it started may hold the other end open for longer than it lives."""
    said = b""
    while piece := os.read(descriptor, 1 << 20):
        said += piece
        if said.endswith(b"}"):
            with contextlib.suppress(ValueError):
                json.loads(said)
                break
    return said


def _end(child: int) -> None:
    """End the child with its group, and what it started in sessions of their own: they know this tree by their environment."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    tree = f"PYTHONPATH={Path.cwd()}".encode()
    for place in Path("/proc").glob("[0-9]*/environ"):
        pid = int(place.parent.name)
        with contextlib.suppress(OSError):
            if pid not in (os.getpid(), child, *_SPARED) and tree in place.read_bytes().split(b"\0"):
                os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
