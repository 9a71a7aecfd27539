"""One process in namespaces of its own (bubblewrap), as its other side sees it: started, asked, ended.

It has no network, no environment, no other processes in sight, a read-only system (`/usr`, the libraries, this Python's standard
library), and a `/tmp` of its own with a size. https://github.com/containers/bubblewrap.
"""

from __future__ import annotations

import contextlib
import functools
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from modex.core.foundation.errors import ModexError
from modex.core.sandbox.bubblewrap.binary import find_bubblewrap
from modex.core.sandbox.bubblewrap.loading import BOOT, handed_in
from modex.core.sandbox.bubblewrap.seccomp import seccomp_filter
from modex.core.sandbox.wire import HEADER, MAX_MESSAGE, pack, unpack

_START_S = 60.0
_HEARS_S = 0.5
_PIECE = 65536
_STDERR_CHARS = 500
_ALLOW = (
    "let users make namespaces (sysctl user.max_user_namespaces above 0, kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; a container: --security-opt seccomp=unconfined)"
)
PACKAGES = "/packages"
"""Where a box shows the packages of its test."""


class BoxError(ModexError):
    """No box can be started, or one was lost: the machine, and not what was to run, is at fault."""


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """What a boxed program may take."""

    memory_bytes: int = 512 * 1024 * 1024
    """Of address space."""
    file_bytes: int = 8 * 1024 * 1024
    tmp_bytes: int = 32 * 1024 * 1024
    """Of all files in `/tmp`."""
    processes: bool = False
    """Whether it may start others."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """What a box shows beside the system, read-only, and what runs in it."""

    serving: str = "inside"
    """The module of this folder that serves."""
    shows: tuple[str, ...] = ()
    """Folders, each at its own place."""
    shows_at: tuple[tuple[str, str], ...] = ()
    """Files and folders, each with the place where it is shown."""
    packages: str = ""
    """A folder of packages; empty for none."""
    terminal: int | None = None
    """A descriptor of a terminal that the box is given, under its own number; None for none."""
    links: tuple[tuple[str, str], ...] = ()
    """Links, each as where it leads and where it is; where something of the system is there is none."""


class BoxEnded(Exception):  # noqa: N818 - how it ended is an answer
    """The box gave no answer: its deadline passed, or it ended. `code` is its exit code, 128 and more a signal's."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code
        """None: it was ended here at its deadline, or because it wrote what is no message."""


class Box:
    """A process in namespaces that serves. For one thread, which must live as long as the box does."""

    def __init__(self, limits: BoxLimits, view: BoxView | None = None, *, guarded: bool = False) -> None:
        """Start it and wait until it listens.

        Raises:
            BoxError: it cannot be started; the message has bubblewrap's own words.
        """
        self.given_up: Callable[[], bool] = lambda: False
        """Asked while nothing comes: where it is true nobody waits any longer, and the box is ended."""
        view = view or BoxView()
        words, descriptors = _words(limits, view, guarded=guarded)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd="/",
                bufsize=0,
                start_new_session=True,
                pass_fds=descriptors if view.terminal is None else [*descriptors, view.terminal],
            )
        except OSError as error:
            raise BoxError(f"{words[0]} cannot be started: {error}; free memory or processes") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._came = bytearray()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        try:
            end = time.monotonic() + _START_S
            self._write(handed_in(view.serving, guarded=guarded), end)
            self.receive(end)
        except BoxEnded:
            said = self._said()
            self.close()
            advice = _ALLOW if "namespace" in said else "`modex doctor` says which sandboxes work here"
            raise BoxError(f"{said or 'it did not start'}; {advice}") from None

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ask(self, message: dict[str, Any], wall_s: float) -> dict[str, Any]:
        """Send `message` and wait for what comes back, at most `wall_s` seconds in all; ends the box where nothing comes.

        Raises:
            BoxEnded: nothing came.
            BoxError: it can be spoken with no more.
        """
        end = time.monotonic() + wall_s
        self.send(message, end)
        return self.receive(end)

    def send(self, message: dict[str, Any], end: float) -> None:
        """Send `message` until `end` (monotonic seconds).

        Raises:
            BoxEnded: it was not taken.
            BoxError: it can be spoken with no more.
            ValueError: it is larger than MAX_MESSAGE.
        """
        self._write(pack(message), end)

    def receive(self, end: float) -> dict[str, Any]:
        """The next message until `end` (monotonic seconds).

        Raises:
            BoxEnded: none came.
            BoxError: it can be spoken with no more.
        """
        (length,) = HEADER.unpack(self._read(HEADER.size, end))
        if length > MAX_MESSAGE:
            self.close()
            raise BoxEnded(None)
        try:
            message = unpack(self._read(length, end))
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self.close()
            raise BoxEnded(None)
        return message

    def close(self) -> None:
        """End it with all that it started. May be called twice."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> Box:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, text: bytes, end: float) -> None:
        data = memoryview(text)
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait(self._in, select.POLLOUT, end)
            except (BrokenPipeError, ConnectionResetError):
                raise BoxEnded(self._code()) from None
            except OSError as error:
                raise self._lost(error) from error

    def _read(self, count: int, end: float) -> bytes:
        while len(self._came) < count:
            self._wait(self._out, select.POLLIN, end)
            try:
                part = os.read(self._out, _PIECE)
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._lost(error) from error
            if not part:
                raise BoxEnded(self._code())
            self._came += part
        taken = bytes(self._came[:count])
        del self._came[:count]
        return taken

    def _lost(self, error: OSError) -> BoxError:
        """It cannot be spoken with any more, which is no doing of what runs in it."""
        self.close()
        return BoxError(f"a sandbox was lost: {error.strerror or error}; judge again")

    def _wait(self, descriptor: int, event: int, end: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        while True:
            # A signal that comes just before the wait, or to another thread, does not end it: look up now and then.
            left = max(0.0, end - time.monotonic())
            if poll.poll(min(left, _HEARS_S) * 1000):
                return
            if left <= _HEARS_S or self.given_up():
                self.close()
                raise BoxEnded(None)

    def _code(self) -> int | None:
        try:
            return self._process.wait(_HEARS_S)
        except subprocess.TimeoutExpired:  # it closed its pipe, and lives
            self.close()
            return None

    def _said(self) -> str:
        stream = self._process.stderr
        if stream is None or self._process.poll() is None:
            return ""
        os.set_blocking(stream.fileno(), False)
        return (stream.read() or b"").decode(errors="replace").strip()[:_STDERR_CHARS]


def _words(limits: BoxLimits, view: BoxView, *, guarded: bool) -> tuple[list[str], list[int]]:
    """The command, and the descriptors that it is given."""
    binary = find_bubblewrap()
    if binary is None:
        raise BoxError("bubblewrap is not here; `modex doctor` says how to have it")
    rules = seccomp_filter(processes=limits.processes)
    descriptors: list[int] = []
    filtered = ["--disable-userns"]
    if rules is not None:
        read, write = os.pipe()
        os.write(write, rules)
        os.close(write)
        descriptors.append(read)
        filtered = ["--seccomp", str(read)]
    return [
        str(binary), "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
        "--uid", "65534", "--gid", "65534", "--hostname", "sandbox",
        "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "LANG", "C.UTF-8", "--setenv", "TZ", "UTC",
        *_mounts(),
        # Where root starts it, what root may write in /proc (sysctls) is its own all the same.
        "--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
        "--size", str(limits.tmp_bytes), "--tmpfs", "/tmp", *_shown(view), "--remount-ro", "/",
        "--chdir", "/tmp", *filtered, "--",
        _interpreter(), "-I", "-S", "-B", "-X", "utf8", "-c", BOOT,
        "guarded" if guarded else "open", str(limits.memory_bytes), str(limits.file_bytes),
    ], descriptors  # fmt: skip


def _shown(view: BoxView) -> list[str]:
    """The folders of a view."""
    words = [word for place in view.shows for word in ("--ro-bind", place, place)]
    words += [word for place, at in view.shows_at for word in ("--ro-bind", place, at)]
    links = [(leads, at) for leads, at in view.links if not Path(_interpreter()).is_relative_to(at)]
    words += [word for leads, at in links for word in ("--symlink", leads, at)]
    if view.packages:
        words += ["--ro-bind", view.packages, PACKAGES]
        # Their threads are stacks beside the memory that the code may take.
        words += ["--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1"]
    return words


@functools.cache
def _mounts() -> tuple[str, ...]:
    """The read-only system: what a program and this Python need to start."""
    words: list[str] = ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        place = Path(name)
        if place.is_symlink():
            words += ["--symlink", str(place.readlink()), name]
        elif place.is_dir():
            words += ["--ro-bind", name, name]
    words += [
        "--ro-bind-try",
        "/etc/ld.so.cache",
        "/etc/ld.so.cache",
        "--ro-bind-try",
        "/etc/alternatives",
        "/etc/alternatives",
    ]
    base = Path(sys.base_prefix).resolve()
    if not base.is_relative_to("/usr"):
        for name in ("bin", "lib", "lib64"):
            if (base / name).is_dir():
                words += ["--ro-bind", str(base / name), str(base / name)]
    return tuple(words)


def _interpreter() -> str:
    """This Python without its virtual environment."""
    return str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())
