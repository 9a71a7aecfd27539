"""Several processes read parts of a run side by side: what they say is what one would say, and none outlives who asked."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from benchmarks.stores import add_run
from modex.core.foundation.errors import ModexError, StoreError
from modex.core.store import readers as module
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.readers import Readers, parts_of
from modex.core.store.rows import RunRow
from modex.core.store.selecting import Part, SampleQuery
from tests.faults.harness import descendants
from tests.rows import each_row

SAMPLES = 25


@pytest.fixture
def run(manager: DBDataManager, monkeypatch: pytest.MonkeyPatch) -> RunRow:
    """A run that is worth two processes."""
    monkeypatch.setattr(module, "WORTH", SAMPLES)
    return manager.reader.run_by_id(add_run(manager.path, "a", SAMPLES))


@pytest.fixture
def readers(manager: DBDataManager, run: RunRow) -> Iterator[Readers]:
    """Two processes."""
    with Readers(manager.reader, [run], processes=2) as opened:
        assert opened.several
        yield opened


def named_by(run_id: int, reader: Reader, part: Part) -> tuple[int, list[str]]:
    """Who says it, and the tests of a part."""
    return os.getpid(), [head.test_id for head in reader.heads(run_id, SampleQuery(part=part))]


def refused(reader: Reader, part: Part) -> None:
    """What cannot be read."""
    raise StoreError(f"{reader.path.name}: no part {part.first}")


def fails(_: Reader, __: Part) -> None:
    """A defect."""
    raise LookupError("lost")


def dies(_: Reader, __: Part) -> None:
    """What a process does not survive."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_parts_hold_every_sample_once_in_their_order(manager: DBDataManager, run: RunRow) -> None:
    manager.database.run("UPDATE individual_test_results SET position = position / 3 * 1000000")
    whole = [head.test_id for head in manager.reader.heads(run.id)]
    for size in (1, 2, 7, SAMPLES, 1000):
        parts = list(parts_of(manager.reader, run.id, size))
        found = [named_by(run.id, manager.reader, part)[1] for part in parts]
        assert [test for tests in found for test in tests] == whole
        assert max(map(len, found)) <= size + 2
    assert not list(parts_of(manager.reader, run.id + 1, 5))


def test_several_answer_in_the_order_of_the_parts(manager: DBDataManager, run: RunRow, readers: Readers) -> None:
    found = list(readers.each(partial(named_by, run.id), parts_of(manager.reader, run.id, 3)))
    assert [test for _, tests in found for test in tests] == [f"test_{number}" for number in range(SAMPLES)]
    assert len({pid for pid, _ in found} - {os.getpid()}) == 2
    again = list(readers.each(partial(named_by, run.id), [Part(0, 1)]))
    assert again == [(found[0][0], ["test_0"])]


@pytest.mark.long
def test_no_more_than_a_few_parts_are_asked_for_ahead(run: RunRow, readers: Readers) -> None:
    asked = []

    def parts() -> Iterator[Part]:
        for number in range(SAMPLES):
            asked.append(number)
            yield Part(number, number + 1)

    for number, _ in enumerate(readers.each(partial(named_by, run.id), parts())):
        assert len(asked) <= number + 1 + 2 * 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (refused, "modex.db: no part 0"),
        (fails, "LookupError: lost"),
        (dies, "is gone: it was ended by signal 9 (SIGKILL); free memory, then try again"),
    ],
)
def test_what_goes_wrong_in_one_is_told_and_nobody_is_left(
    manager: DBDataManager, run: RunRow, readers: Readers, ask: Callable[[Reader, Part], None], words: str
) -> None:
    with pytest.raises(ModexError) as caught:
        list(readers.each(ask, parts_of(manager.reader, run.id, 3)))
    assert words in str(caught.value)
    assert not readers.several
    assert not spawned_here()


@pytest.mark.long
def test_who_asks_no_further_ends_them_and_is_answered_by_itself_from_then_on(
    manager: DBDataManager, run: RunRow, readers: Readers
) -> None:
    answers = readers.each(partial(named_by, run.id), parts_of(manager.reader, run.id, 1))
    assert next(answers)[0] != os.getpid()
    assert len(spawned_here()) == 2
    answers.close()  # type: ignore[attr-defined]  # a generator
    assert not spawned_here()
    assert list(readers.each(partial(named_by, run.id), [Part(0, 2)])) == [(os.getpid(), ["test_0", "test_1"])]


def test_nobody_else_reads_a_small_run_one_that_somebody_works_on_or_one_that_has_changed(
    manager: DBDataManager, run: RunRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Readers(manager.reader, [run], processes=1) as alone:
        assert not alone.several
    manager.update_run(run.id, note="seen by a person meanwhile")
    with Readers(manager.reader, [run], processes=2) as changed:
        assert not changed.several
        assert not spawned_here()
    manager.update_run(run.id, status="running")
    with (
        RunLock(manager.path, run.id, "a"),
        Readers(manager.reader, [manager.reader.run_by_id(run.id)], processes=2) as held,
    ):
        assert not held.several
    now = manager.reader.run_by_id(run.id)
    with Readers(manager.reader, [now], processes=2) as free:
        assert free.several
    monkeypatch.setattr(module, "WORTH", SAMPLES + 1)
    with Readers(manager.reader, [now], processes=2) as small:
        assert not small.several


def spawned_here() -> list[str]:
    """The processes below this one that read."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        if "modex.core.store.readers" in words:
            found.append(words)
    return found


def test_a_process_answers_over_streams_that_nobody_else_holds_and_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[object] = []

    class System:
        """The descriptors 0 and 1 are the pipes; new ones count on from 10."""

        devnull, O_RDWR = "/dev/null", 2

        def dup(self, descriptor: int) -> int:
            return descriptor + 10

        def fdopen(self, descriptor: int, mode: str) -> object:
            return nullcontext((descriptor, mode))

        def open(self, path: str, flags: int) -> int:
            return 20

        def dup2(self, one: int, other: int) -> None:
            done.append(("dup2", one, other))

        def _exit(self, code: int) -> None:
            done.append(("exit", code))

    def serve(asked: object, told: object) -> None:
        done.append((asked, told))
        raise EOFError

    monkeypatch.setattr(module, "os", System())
    monkeypatch.setattr(module, "_serve", serve)
    module.main()
    assert done == [("dup2", 20, 0), ("dup2", 20, 1), ((10, "rb"), (11, "wb")), ("exit", 0)]


@each_row("cut", [0, 1, 7, 8, 9, 30])
def test_a_message_that_ends_early_is_the_end(cut: int) -> None:
    stream = io.BytesIO()
    module._write(stream, ("a message", 3))
    whole = stream.getvalue()
    assert module._read(io.BytesIO(whole)) == ("a message", 3)
    assert len(whole) > 30
    with pytest.raises(EOFError):
        module._read(io.BytesIO(whole[:cut]))
