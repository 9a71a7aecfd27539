"""A worker process: `python -m modex.core.engine.executors.worker` moves what its driver sends over stdin, and ends with it."""

from __future__ import annotations

import os
import platform
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from modex.core.engine.executors.files import Files, placed
from modex.core.engine.executors.messages import (
    STATE,
    Alive,
    AwaitedResult,
    Begin,
    BeingWritten,
    Cancel,
    Content,
    EndCalls,
    Failure,
    Finished,
    Hello,
    Look,
    Noted,
    Phase,
    SampleNoted,
    Setup,
    failure_of,
    packed,
    received,
)
from modex.core.engine.executors.remote import (
    DriverLine,
    NoStore,
    RemotePool,
    RemoteRecorder,
    RemoteReplayer,
    RemoteWriter,
    ThreadLine,
)
from modex.core.engine.window import being_written
from modex.core.engine.work import guard_output, say
from modex.core.foundation.errors import ModelCallError, ModexError
from modex.core.foundation.version import version
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.assembly import SuiteParts, context_of
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.pipeline.benchmarks import find_benchmark
from modex.core.pipeline.plugin_modules import hold_imports
from modex.core.pipeline.plugins import run_plugins
from modex.core.safety import redact
from modex.core.store.sample import EvaluationSample
from modex.core.suite.bundled import bundled_root
from modex.core.suite.templates import Templates
from modex.core.tools.executor import SuiteToolExecutor

BEAT_S = 1.0
_MOST_THREADS = 1024


class Replies:
    """The way to the driver; for any thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._sending = threading.Lock()

    def send(self, message: object) -> None:
        """Write a message whole; where nobody reads any more, the process ends."""
        data = memoryview(packed(message))
        with self._sending:
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                os._exit(1)


class WorkerProcess:
    """The samples that this process moves, each on a thread of its own."""

    def __init__(self, setup: Setup, replies: Replies, files: Files | None) -> None:
        """Open the models and run the plugins that the driver has run.

        `files` has the suite's, where this process does not share the driver's disk.

        Raises:
            ModexError: a plugin fails here, or a model's address; or a key is missing.
        """
        self.send = replies.send
        self._files = files
        self._stop = threading.Event()
        self._lines = ThreadLine()
        self._leases: dict[int, tuple[DriverLine, EvaluationSample, int]] = {}
        """Each with the thread that moves it."""
        self._unwanted: set[int] = set()
        self._threads = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="worker")
        root = Path(setup.suite_root)
        plugins = setup.plugins
        if files is not None and setup.files is not None:
            own = files.lay_out(setup.files) if root != Path(setup.bundled_root) else bundled_root()
            plugins = tuple(placed(plugin, setup, own) for plugin in plugins)
            root = own
            _check_machine(setup)
        if setup.agreed:
            hold_imports(root, {root / name: digest for name, digest in setup.agreed.items()})
        run_plugins(plugins)
        self._pool = RemotePool(setup.config, self._lines, self.send, self._stop)
        context = context_of(
            setup.config,
            SuiteParts(root, setup.evaluators, setup.tools, Templates(root, setup.templates), setup.plays),
            self._pool,
            SuiteToolExecutor(
                stop=self._stop,
                recorder=RemoteRecorder(self._lines) if setup.config.record else None,
                replayer=RemoteReplayer(self._lines) if setup.config.replay else None,
            ),
            progress=lambda _, words: self._lines.line.tell(Phase, words),
            stop=self._stop,
            note=lambda words: self.send(Noted(words)),
            count=lambda words: self.send(SampleNoted(words)),
            asks=setup.asks,
        )
        self._benchmark: BaseBenchmark = find_benchmark(setup.config.benchmark)(NoStore(), setup.run_id, context)

    def hear(self, message: Any) -> None:
        """Take a message; never blocks, so that the driver can always be heard."""
        if isinstance(message, AwaitedResult):
            if (found := self._leases.get(message.lease)) is not None:
                found[0].answer(message.value, message.failure)
        elif isinstance(message, Begin):
            line = DriverLine(message.lease, self.send)
            self._leases[message.lease] = (line, message.sample, 0)
            self._threads.submit(self._move, line, message)
        elif isinstance(message, Cancel):
            if (found := self._leases.get(message.lease)) is not None:
                self._unwanted.add(message.lease)
                self._pool.cancel(found[2])
        elif isinstance(message, Look):
            if (found := self._leases.get(message.lease)) is not None:
                view = being_written(found[1], self._pool.under_way.of(found[2]))
                # On a thread: this one must go on to read, or two full pipes would wait for each other.
                self._threads.submit(self.send, BeingWritten(message.lease, view))
        elif isinstance(message, Content):
            if self._files is not None:
                self._files.take(message)
        elif isinstance(message, EndCalls):
            self._pool.abort()

    def beat(self) -> None:
        """Say every second that this process is alive."""
        pause = threading.Event()
        while True:
            self.send(Alive())
            pause.wait(BEAT_S)

    def _move(self, line: DriverLine, begin: Begin) -> None:
        lease, sample = line.lease, begin.sample
        self._leases[lease] = (line, sample, threading.get_ident())
        self._lines.line = line
        fatal: ModelCallError | None = None
        failure: Failure | None = None
        try:
            fatal = self._processed(line, begin)
        except (Interrupted, ModexError) as error:
            failure = failure_of(error)
        except BaseException:
            failure = Failure("other", redact(traceback.format_exc()), {})
        finally:
            self._pool.under_way.forget()
        del self._leases[lease]
        self._unwanted.discard(lease)
        state = {name: getattr(sample, name) for name in STATE}
        line.tell(Finished, state, failure_of(fatal) if fatal is not None else None, failure)

    def _processed(self, line: DriverLine, begin: Begin) -> ModelCallError | None:
        sample, writer = begin.sample, RemoteWriter(line)
        while True:
            if line.lease in self._unwanted:
                raise Interrupted
            if self._files is not None:
                self._files.bring(sample)
            try:
                if begin.careful and sample.stage == "init" and begin.until != "rollout":
                    fatal = self._benchmark.process(sample, writer, "rollout")
                    if fatal is not None or sample.status == "error":
                        return fatal
                return self._benchmark.process(sample, writer, begin.until)
            except Interrupted:
                if line.lease in self._unwanted or not self._pool.under_way.cancelled():
                    raise
                # The sample that was to be cancelled had ended a moment before, and the thread had gone on to this one.
                self._pool.under_way.forget()


def _brought(setup: Setup, files: Files, read: Callable[[int], bytes]) -> list[object]:
    """Wait for the suite's files; what else the driver says meanwhile."""
    stated: list[object] = []
    coming = [event for file in setup.files or () if (event := files.want(file.digest)) is not None]
    while not all(event.is_set() for event in coming):
        message = received(read)
        if message is None:
            os._exit(0)
        if isinstance(message, Content):
            files.take(message)
        else:
            stated.append(message)
    return stated


def _check_machine(setup: Setup) -> None:
    """Refuse to begin without what this machine must have of its own.

    Raises:
        ModexError: a key, or an agent's folder.
    """
    missing = (problem for role in setup.asked if (problem := role.key_problem()))
    if problems := list(dict.fromkeys(missing)):
        raise ModexError("; ".join(problems))
    config = setup.config
    if config.agent is not None and config.agent_folder and not Path(config.agent_folder).is_dir():
        raise ModexError(
            f"--agent: its folder {config.agent_folder} is not on this machine: put it there, or leave out --cluster"
        )


def main() -> None:
    """Work until the driver closes the pipe, or dies: the kernel closes it then."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the driver hears the terminal and says what is to be done
    guard_output()
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # what a plugin prints must not stand between two messages
    with os.fdopen(requests, "rb") as stream:
        setup: Setup | None = received(stream.read)
        if setup is None:
            os._exit(0)
        answers, early = Replies(replies), []
        try:
            files = None
            if setup.files is not None:
                files = Files(answers.send)
                files.tidy()
                early = _brought(setup, files, stream.read)
            process = WorkerProcess(setup, answers, files)
        except Exception as error:
            words = str(error) if isinstance(error, ModexError) else f"{type(error).__name__}: {error}"
            answers.send(Hello(version(), platform.python_version(), redact(words)))
            os._exit(1)
        process.send(Hello(version(), platform.python_version(), None))
        threading.Thread(target=process.beat, name="beat", daemon=True).start()
        # Whatever ends this loop ends the process at once: calls in flight have nobody to tell.
        try:
            for message in early:
                process.hear(message)
            while (message := received(stream.read)) is not None:
                process.hear(message)
        except BaseException:
            say(traceback.format_exc())
            os._exit(1)
        os._exit(0)


if __name__ == "__main__":
    main()
