"""Commands of modex as real processes at the price of a fork: one process has imported the program, and makes the others.

A process made so has arguments, environment, folder, files, signals and an end of its own, but begins where an interpreter has
imported everything, which takes seconds of a core. All workers of a session share the one that makes them. Tests of the start
itself run the command instead.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import fcntl
import gc
import importlib
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "SSL_CERT_FILE")
_FIRST = "modex.core.llm.litellm_path"
"""Sets litellm up before anything else imports it."""
_LATER = (
    "litellm.litellm_core_utils.default_encoding",
    "litellm._service_logger",
    "litellm.integrations.prometheus_services",
    "litellm.llms.deepseek.chat.transformation",
    "litellm.llms.edenai.chat.transformation",
    "litellm.llms.fal_ai.chat.transformation",
    "litellm.llms.fal_ai.cost_calculator",
    "litellm.llms.fal_ai.image_generation",
    "litellm.llms.litellm_proxy.chat.transformation",
    "litellm.llms.openai_like.dynamic_config",
    "litellm.llms.vertex_ai.vertex_ai_partner_models.anthropic.transformation",
    "litellm.proxy.openai_files_endpoints.common_utils",
    "anyio._backends._asyncio",
)
"""What libraries import with their first use."""
_STATUS_BYTES = 16
_NOBODY = 65534


class Forked(subprocess.Popen[str]):
    """`modex` with these words, or another module's `main`, as a process that `tests.forked` makes; in all else what its base is.

    Only `Popen`'s two ways to the system are other ones here: how a process begins, and how its end is heard of.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | Path,
        module: str = "modex.tui.cli",
        terminal: bool = False,
        nobody: bool = False,
        **options: Any,
    ) -> None:
        """`terminal`: standard input is one, and becomes the terminal of a session of its own. `nobody`: without any rights."""
        session = terminal or options.get("start_new_session", False)
        self._wanted = {
            "words": list(words),
            "module": module,
            "env": dict(env),
            "cwd": str(cwd),
            "terminal": terminal,
            "nobody": nobody,
            "session": session,
        }
        super().__init__(list(words), **{"text": True, **options})

    def _execute_child(self, *given: Any) -> None:
        pipes = given[10:16]
        files = [number if file == -1 else file for number, file in enumerate((pipes[0], pipes[3], pipes[5]))]
        self._end, telling = os.pipe()
        try:
            socket.send_fds(_maker(), [json.dumps(self._wanted).encode()], [*files, telling])
        finally:
            os.close(telling)
            self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]
        self.pid = int(os.read(self._end, _STATUS_BYTES))
        self._child_created = True

    def tell_where(self) -> None:
        """Let it write to its standard error where each of its threads is, for a test that waits for its end in vain."""
        if self.poll() is None and self.stderr is not None:
            os.kill(self.pid, signal.SIGUSR2)
            select.select([self.stderr], [], [], 5)

    def _try_wait(self, flags: int) -> tuple[int, int]:
        if flags & os.WNOHANG and not select.select([self._end], [], [], 0)[0]:
            return 0, 0
        status = int(os.read(self._end, _STATUS_BYTES))
        os.close(self._end)
        return self.pid, status

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):  # type: ignore[attr-defined]
            try:
                if self.returncode is None:
                    pid, status = self._try_wait(os.WNOHANG)
                    if pid:
                        self.returncode = os.waitstatus_to_exitcode(status)
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


def command(*words: str | Path, folder: str | Path | None = None, **options: Any) -> Forked:
    """`modex` with these words as a process with this one's environment, its output in pipes unless `options` say otherwise."""
    settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return Forked([str(word) for word in words], env=os.environ, cwd=folder or Path.cwd(), **settings)


def ran(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """That command, ended; a minute is what none takes."""
    with command(*words) as process:
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def shell_command(folder: Path) -> Path:
    """A program `modex` for a shell to find in this new folder: each call of it is such a process."""
    _maker()
    folder.mkdir()
    program = folder / "modex"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {ROOT}/tests/as_forked.py "$@"\n')
    program.chmod(0o755)
    return program


def on_terminal(words: Sequence[str], environment: Mapping[str, str], folder: str | Path) -> tuple[Forked, int]:
    """`modex` with these words on a pseudo-terminal, and the end of it that a person would look at."""
    outer, inner = pty.openpty()
    try:
        return Forked(words, env=environment, cwd=folder, terminal=True, stdin=inner, stdout=inner, stderr=inner), outer
    finally:
        os.close(inner)


SESSION = "TESTS_SESSION"
"""The variable by which the processes of one test session know it: the id of its first process, and a folder of its own."""


def session() -> str:
    """A new session's value of `SESSION`; the folder can go when it is over."""
    return f"{os.getpid()}:{tempfile.mkdtemp(prefix='modex-tests-')}"


def folder_of(session: str) -> Path:
    """The folder of such a value."""
    return Path(session.partition(":")[2])


@cache
def _maker() -> socket.socket:
    """What the process that makes the others listens to: one for the session, which whoever needs it first starts."""
    given = os.environ[SESSION]
    place = folder_of(given) / "maker"
    ours = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with place.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            _start(place, int(given.partition(":")[0]))
        ours.connect(str(place))
    atexit.register(ours.close)
    return ours


def _start(place: Path, session: int) -> None:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"PYTHONPATH": str(ROOT)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.bind(str(place))
        asked.listen()
        command = [sys.executable, "-P", "-m", "tests.forked", str(asked.fileno()), str(session)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            pass_fds=[asked.fileno()],
            env=environment,
            cwd="/",
            start_new_session=True,
        )
    process.returncode = 0  # it ends with the session, which may be after this process: nobody waits for it


# the process that makes the others


def _make(asked: socket.socket, session: int, own: set[str]) -> Callable[[], Any]:
    """Make a process for each message; returns in each of these, with the command that it is ready to be."""
    made: dict[int, tuple[int, int]] = {}
    asking: dict[int, socket.socket] = {}
    while True:
        for ready in select.select([asked.fileno(), session, *asking, *made], [], [])[0]:
            if ready == session:
                os._exit(0)
            elif ready == asked.fileno():
                new, _ = asked.accept()
                asking[new.fileno()] = new
            elif ready in asking:
                message, files = _received(asking[ready])
                if not message:
                    asking.pop(ready).close()
                    continue
                pid = os.fork()
                if pid == 0:
                    for inherited in (asked, *asking.values()):
                        inherited.detach()  # else it closes its number once more when it goes, whoever has that by then
                    return _become(json.loads(message), files, own)
                _tell(files[3], pid)
                for file in files[:3]:
                    os.close(file)
                made[os.pidfd_open(pid)] = pid, files[3]
            else:
                pid, telling = made.pop(ready)
                os.close(ready)
                _tell(telling, os.waitpid(pid, 0)[1])
                os.close(telling)


def _tell(telling: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # who asked may have been killed
        os.write(
            telling, f"{number:>{_STATUS_BYTES}}".encode()
        )  # whole, or the id and an early end would be read as one


def _received(asking: socket.socket) -> tuple[bytes, list[int]]:
    try:
        message, files, _, _ = socket.recv_fds(asking, 1 << 20, 4)
    except ConnectionResetError:
        return b"", []
    return message, files


def _become(wanted: dict[str, Any], files: list[int], own: set[str]) -> Callable[[], Any]:
    """Be a process as the command finds itself: nothing of its maker's but what is imported. Gives the command."""
    if wanted["session"]:
        os.setsid()
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    if wanted["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name in set(os.listdir("/proc/self/fd")) - own:  # noqa: PTH208 - names, not paths
        with contextlib.suppress(OSError):
            os.close(int(name))
    for number, name in enumerate(
        ("stdin", "stdout", "stderr")
    ):  # a stream asks its file when it is made what that can do
        old = getattr(sys, name)
        lines = number == 2 or os.isatty(number)
        new = os.fdopen(
            number, "w" if number else "r", 1 if lines else -1, encoding=old.encoding, errors=old.errors, closefd=False
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.chdir(wanted["cwd"])
    if wanted["nobody"]:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    os.environ.clear()
    os.environ.update(wanted["env"])
    tempfile.tempdir = None  # the maker's is that of whichever test needed it first
    sys.argv = ["modex", *wanted["words"]]
    main: Callable[[], Any] = sys.modules[wanted["module"]].main
    return main


def main() -> None:
    """Import the program, and be each of the commands that are asked for."""
    code = 1

    def leave() -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)

    # What is registered first is called last: to take everything apart that was imported lasts longer than most commands.
    atexit.register(leave)
    from modex import core, tui

    before = dict(os.environ)
    ours = [found.name for package in (core, tui) for found in walk_packages(package.__path__, f"{package.__name__}.")]
    gc.disable()  # what is imported stays
    for module in (_FIRST, *ours, *_LATER):
        importlib.import_module(module)
    sys.modules["modex.core.evaluators.text.fluency"].detect_language("What each process would read from its files.")
    sys.modules["modex.core.evaluators.registry"].installed("")
    added = {name: value for name, value in os.environ.items() if name not in before}
    faulthandler.register(signal.SIGUSR2, file=2)
    assert threading.active_count() == 1, threading.enumerate()
    gc.collect()
    gc.freeze()
    gc.enable()
    own = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    asked = socket.socket(fileno=int(sys.argv[1]))
    own.discard(str(asked.fileno()))
    command = _make(asked, os.pidfd_open(int(sys.argv[2])), own)
    os.environ.update(added | dict(os.environ))
    try:
        sys.exit(command())
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
        raise


if __name__ == "__main__":
    main()
