"""The process that keeps one server: starts it, sees it answer, starts it again when it dies, and ends it when nobody wants it.

It belongs to no run: it has a session of its own, and is told nothing but by the locks of its folder. Where it is killed, the
supervisor between it and the server ends the server.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType

from modex.core.foundation.errors import ModexError
from modex.core.foundation.processes import ending
from modex.core.llm.served.listeners import public_address
from modex.core.llm.served.log import Log
from modex.core.llm.served.memory import used_by
from modex.core.llm.served.programs import KEY_VARIABLES, find_program, words_of
from modex.core.llm.served.status import (
    KEEPER,
    LEASE,
    LOG,
    WISH,
    State,
    Status,
    clear_away,
    last_lines,
    opened,
    taken,
    write_status,
)
from modex.core.llm.served.wish import Wish
from modex.core.sandbox.supervisor import end, supervised

_LOOK_S = 0.1
_WATCH_S = 0.25
_WEIGH_S = 1.0
_STARTS = 5
_STARTS_WITHIN_S = 600.0
"""A server that died so often in this time is given up."""
_MORE = 1.02
"""A peak is said anew where it grew by more than this: the file is read by others."""
_ANSWER_S = 5.0


class _OverError(Exception):
    """The server is not wanted any more, or cannot be had; the status says so already."""


class Keeper:
    """Keeps the server of one folder; `run` returns when it is over."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._wish = Wish.from_json((place / WISH).read_text(encoding="utf-8"))
        self._status = Status(serial=time.time_ns(), state="starting", key=secrets.token_hex(16), pid=os.getpid())
        self._lease = opened(place, LEASE)
        self._unwanted_since: float | None = None
        self._began: list[float] = []
        self._port = 0
        self._told = False
        self._weighed = 0.0
        self._heard = False

    def run(self) -> None:
        """Start the server and stay with it."""
        signal.signal(signal.SIGTERM, self._hear)
        try:
            while True:
                self._serve()
        except _OverError:
            return
        except ModexError as error:
            self._failed(str(error))
        except OSError as error:
            self._failed(f"{error.filename or self._place}: {error.strerror}")

    def _hear(self, *_: int | FrameType | None) -> None:
        self._told = True

    def _serve(self) -> None:
        """One life of the server."""
        self._began = [moment for moment in self._began if time.monotonic() - moment < _STARTS_WITHIN_S]
        if len(self._began) >= _STARTS:
            self._give_up(f"it was started {_STARTS} times and ended each time; last {self._status.words}")
        self._began.append(time.monotonic())
        self._port = self._port if _is_free(self._port) else _free_port()
        base = f"http://127.0.0.1:{self._port}/v1"
        self._status = replace(self._status, base=base, starts=self._status.starts + 1)
        self._say("starting", self._status.words or "starting")
        process = self._started()
        try:
            if not self._comes_up(process):
                return
            facts = self._facts()
            self._refuse_public()
            self._weighed = 0.0
            self._weigh()
            self._status = replace(self._status, facts=facts)
            self._say("ready", "")
            while process.poll() is None:
                self._go_on()
                time.sleep(_WATCH_S)
            self._status = replace(self._status, words=ending(process.returncode))
        finally:
            end(process)
            self._log.close()

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **dict.fromkeys(KEY_VARIABLES, self._status.key)}
        words = words_of(self._wish, self._port)
        process = subprocess.Popen(
            supervised(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=self._wish.folder,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            self._log = Log(process.stdout, self._place / LOG, self._status.key)
        except BaseException:
            end(process)
            raise
        self._status = replace(self._status, log_from=self._log.begin)
        return process

    def _comes_up(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until it answers; false where it ended and is to be started again.

        Raises:
            _OverError: it cannot be had, or nobody wants it any more.
        """
        deadline = time.monotonic() + self._wish.start_timeout_s
        while not self._answers():
            if process.poll() is not None:
                self._status = replace(self._status, words=ending(process.returncode))
                if self._status.starts == 1 and _is_free(self._port):
                    self._give_up(self._status.words)
                return False
            if time.monotonic() > deadline:
                seconds = f"{self._wish.start_timeout_s:g} s (start_timeout)"
                self._give_up(f"it did not answer at {self._wish.ready} within {seconds}")
            self._go_on()
            time.sleep(_LOOK_S)
        return True

    def _answers(self) -> bool:
        status, _ = _asked(self._port, self._wish.ready, self._status.key)
        if status == 404:
            status, _ = _asked(self._port, "/v1/models", self._status.key)
        return status == 200

    def _go_on(self) -> None:
        """Whether it is still wanted, and how much memory it takes.

        Raises:
            _OverError: nobody wants it.
        """
        if self._told:
            self._say("ended", "told to end")
            raise _OverError
        self._weigh()
        if not taken(self._lease):
            self._unwanted_since = None
            return
        now = time.monotonic()
        self._unwanted_since = self._unwanted_since or now
        if now - self._unwanted_since >= self._wish.linger_s:
            self._say("ended", "nobody wanted it")
            raise _OverError  # with the lease: who wants the server from now on waits until this process is gone
        _let_go(self._lease)

    def _weigh(self) -> None:
        """Note how much memory it takes, now and then."""
        now = time.monotonic()
        if now - self._weighed < _WEIGH_S:
            return
        self._weighed = now
        if (peak := used_by(os.getpid())) > self._status.peak_bytes * _MORE:
            self._status = replace(self._status, peak_bytes=peak)
            self._say(self._status.state, self._status.words)

    def _facts(self) -> dict[str, object]:
        """What the server says of itself."""
        found: dict[str, object] = {"server": "own command" if self._wish.file is None else find_program().name}
        status, told = _asked(self._port, "/props", self._status.key)
        if status == 200:
            settings = told.get("default_generation_settings")
            found["build"] = told.get("build_info")
            found["slots"] = told.get("total_slots")
            found["context"] = settings.get("n_ctx") if isinstance(settings, dict) else None
            if isinstance(template := told.get("chat_template"), str) and template:
                found["template_digest"] = hashlib.sha256(template.encode()).hexdigest()[:16]
        status, told = _asked(self._port, "/v1/models", self._status.key)
        models = told.get("data") if status == 200 else None
        if isinstance(models, list) and models and isinstance(models[0], dict):
            found["model"] = models[0].get("id")
        return {name: value for name, value in found.items() if value is not None}

    def _refuse_public(self) -> None:
        """Root's server that everyone can ask is none that was meant."""
        if os.geteuid() == 0 and (address := public_address(self._port)):
            self._give_up(
                f"it listens at {address}, which others can reach, and runs as root: let the command listen at 127.0.0.1"
            )

    def _give_up(self, words: str) -> None:
        self._log.catch_up()
        self._say("failed", words + last_lines(self._place, self._status.log_from))
        raise _OverError

    def _failed(self, words: str) -> None:
        with contextlib.suppress(_OverError):
            self._say("failed", words)

    def _say(self, state: State, words: str) -> None:
        """Write how it stands.

        Raises:
            _OverError: that cannot be written, and who waits would wait for ever.
        """
        goes_on, self._status = state == self._status.state, replace(self._status, state=state, words=words)
        try:
            write_status(self._place, self._status)
        except OSError as error:
            if goes_on and self._heard:
                return  # what is new is only how much memory it takes
            # Who waits sees that the keeper is gone, and that it cannot be written here either.
            print(error.strerror or error, flush=True)
            raise _OverError from None
        if not self._heard:
            self._heard = True
            _be_quiet()


def _asked(port: int, path: str, key: str) -> tuple[int, Mapping[str, object]]:
    """Status and JSON of a GET; 0 where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        body = answer.read(1_000_000)
        told = json.loads(body) if body.startswith(b"{") else {}
        return answer.status, told
    except (OSError, http.client.HTTPException, ValueError):
        return 0, {}
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    if not port:
        return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _be_quiet() -> None:
    """Who started this process reads what it says until the first status is there."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _let_go(descriptor: int) -> None:
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def main(place: Path) -> None:
    """Keep the server of `place`, unless somebody does."""
    held = opened(place, KEEPER)
    deadline = time.monotonic() + 2.0
    while not taken(held):  # for a moment where somebody looks whether there is a keeper
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    clear_away()
    Keeper(place).run()


if __name__ == "__main__":
    if os.fork():
        os._exit(0)  # who started it has no process to wait for, nor one to leave behind
    main(Path(sys.argv[-1]))
