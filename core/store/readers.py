"""Processes that read one store side by side, for questions about every sample of a large run: a part of it each at a time.

Answers come in the order of the parts, and no more than a few are held at once. Every process sees the runs as who began
it does, or is not used; each ends with whoever began it, whatever it is doing.

`python -m modex.core.store.readers` is such a process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO, TypeVar

from modex.core.foundation.errors import ModexError
from modex.core.foundation.processes import cores, ending, spawned
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.selecting import Part
from modex.core.store.tables import IndividualTestResult as Result

P = TypeVar("P")
T = TypeVar("T")

WORTH = 50_000
"""Samples from which on more processes are worth what starting them takes: a third of a second of each."""
_MOST = 4
"""More than that, and who puts the answers together has more to do than each of them."""
_AHEAD = 2
"""Questions that a process is given at once, so that it need not wait for the next one."""
_HEADER = struct.Struct("!Q")
_Seen = tuple[int, str, int]
"""A run as somebody sees it: its id, its name and its newest change."""


def parts_of(reader: Reader, run_id: int, size: int) -> Iterator[Part]:
    """The run in parts of `size` samples, the last one of what is left; none where it has none."""
    places = Result.select(Result.position).where(Result.run == run_id).order_by(Result.position)
    found = reader.database.fetch(places.limit(1))
    while found:
        first = found[0][0]
        found = reader.database.fetch(places.where(Result.position >= first).offset(size).limit(1))
        if found and found[0][0] == first:  # so many at one place: damage, but no reason to go round for ever
            found = reader.database.fetch(places.where(Result.position > first).limit(1))
        yield Part(first, found[0][0] if found else None)


class Readers:
    """Whoever answers questions about runs: this process, and others where there is so much to read and a core for each.

    For use in a `with`, by one thread, one `each` after the other.
    """

    def __init__(self, reader: Reader, runs: Sequence[RunRow], *, processes: int | None = None) -> None:
        """`reader` is asked where nobody else is worth it: with few samples (`WORTH`), or one core.

        Otherwise as many `processes` answer, by default one a core, and a few at most.
        """
        self.reader = reader
        self._children: list[_Child] = []
        many = min(_MOST, cores()) if processes is None else processes
        # What somebody works on would be other for each of them.
        if many > 1 and sum(run.total_tests for run in runs) >= WORTH and not any(run.alive for run in runs):
            self._begin(many, [_seen(run) for run in runs])

    @property
    def several(self) -> bool:
        """Whether other processes answer."""
        return bool(self._children)

    def each(self, ask: Callable[[Reader, P], T], parts: Iterable[P]) -> Iterator[T]:
        """What `ask` says of each of `parts`, in their order.

        `ask` and what it says go from process to process by pickle: it is a function of a module, or a `partial` of one.

        Raises:
            ModexError: what `ask` raised, or a process has ended.
        """
        if not self._children:
            yield from (ask(self.reader, part) for part in parts)
            return
        for child in self._children:
            child.say(ask)
        waiting: deque[_Child] = deque()
        whole = False
        try:
            left = iter(parts)
            for _ in range(_AHEAD):
                for child, part in zip(self._children, islice(left, len(self._children)), strict=False):
                    child.say(part)
                    waiting.append(child)
            while waiting:
                child = waiting.popleft()
                found = child.answer()
                for part in islice(left, 1):
                    child.say(part)
                    waiting.append(child)
                yield found
            whole = True
        finally:
            if not whole:  # what they still say would be taken for answers to the next question
                self.close()

    def close(self) -> None:
        """End the processes; what is asked from now on is answered by this one."""
        children, self._children = self._children, []
        for child in children:
            child.kill()
        for child in children:
            child.wait()

    def __enter__(self) -> Readers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, many: int, seen: list[_Seen]) -> None:
        """Start processes; none stays where the system starts too few, or one of them sees other runs than these."""
        try:
            # Spawned, not forked: a connection of SQLite does not survive a fork.
            for _ in range(many):
                self._children.append(_Child())
            for child in self._children:
                child.say((self.reader.path, seen))
            alike = [child.answer() for child in self._children]
        except OSError:
            alike = [False]
        except BaseException:
            self.close()
            raise
        if not all(alike):
            self.close()


def _seen(run: RunRow) -> _Seen:
    return run.id, run.exp_id, run.seq


class _Child:
    """One process, as who began it has it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            spawned("modex.core.store.readers"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout

    def say(self, message: object) -> None:
        """Let it know. Raises ModexError where it has ended."""
        try:
            _write(self._to, message)
            self._to.flush()
        except OSError:
            raise self._lost() from None

    def answer(self) -> Any:
        """What it says next. Raises ModexError: what it raised, or it has ended."""
        try:
            failed, found = _read(self._from)
        except EOFError:
            raise self._lost() from None
        if failed:
            raise found
        return found

    def _lost(self) -> ModexError:
        self.kill()
        number, code = self._process.pid, self._process.wait()
        return ModexError(
            f"process {number}, which read a part of the run, is gone: {ending(code)}; free memory, then try again"
        )

    def kill(self) -> None:
        """End it, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def wait(self) -> None:
        """Leave nothing of it behind."""
        self._process.wait()
        for stream in (self._to, self._from):
            with contextlib.suppress(OSError):  # what it was not told any more
                stream.close()


def _write(stream: BinaryIO | Any, message: object) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_HEADER.pack(len(data)))
    stream.write(data)


def _read(stream: BinaryIO | Any) -> Any:
    """The next message; EOFError where there is none."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise EOFError
    (length,) = _HEADER.unpack(header)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def main() -> None:
    """Answer until whoever began this process wants no more, or is gone: the kernel closes the pipe then."""
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as told:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1):
            os.dup2(nowhere, descriptor)
        with contextlib.suppress(EOFError, BrokenPipeError):
            _serve(asked, told)
    os._exit(0)  # it holds nothing that would have to be put away, and whoever began it waits


def _serve(asked: BinaryIO, told: BinaryIO) -> None:
    path, seen = _read(asked)
    try:
        reader = Reader(path)
        with reader.as_of_now():
            runs = [reader.find_run(name) for _, name, _ in seen]
            _tell(told, failed=False, found=[run and _seen(run) for run in runs] == seen)
            ask: Callable[[Reader, Any], Any] | None = None
            while True:
                message = _read(asked)
                if callable(message):
                    ask = message
                    continue
                assert ask is not None
                _tell(told, failed=False, found=ask(reader, message))
    except (EOFError, BrokenPipeError):
        raise
    except ModexError as error:
        _tell(told, failed=True, found=error)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        _tell(told, failed=True, found=ModexError(f"a process that read a part of the run failed: {words}; report it"))


def _tell(told: BinaryIO, *, failed: bool, found: object) -> None:
    _write(told, (failed, found))
    told.flush()


if __name__ == "__main__":
    main()
