"""Pieces of Python in a box: what they give, how they end, and that they reach nothing of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.sandbox.bubblewrap.box import Box, BoxEnded, BoxError, BoxLimits, BoxView
from modex.core.sandbox.bubblewrap.session import BoxedSession, boxed_session, ran_of, ran_of_end
from modex.core.sandbox.python import Ran
from tests.rows import each_row

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]


@pytest.fixture(scope="module")
def session() -> Iterator[BoxedSession]:
    with boxed_session(5) as one:
        yield one


@each_row(
    ("code", "value"),
    [
        ("1 + 1", 2),
        ("x = 3", None),
        ("", None),
        ("def f():\n    yield from (1, 2)\nlist(f())", [1, 2]),
        ("class A(dict): pass\nA(a=1)", {"a": 1}),
        ("x = [1, 2]\ndel x[0]\nx", [2]),
        ("import heapq, operator, string, statistics, contextlib, asyncio\nheapq.nsmallest(1, [3, 1])", [1]),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(3) == P(3)", True),
        ("import sys\nsys.stdin.read()", ""),
        (
            "import threading\nt = threading.Thread(target=lambda: seen.append(1))\nseen = []\nt.start()\nt.join()\nseen",
            [1],
        ),
        ("open('/tmp/a', 'w').write('x')\nopen('/tmp/a').read()", "x"),
    ],
)
def test_python_is_python(session: BoxedSession, code: str, value: object) -> None:
    assert session.run(code) == Ran(value)


def test_what_is_defined_stays_and_what_is_given_is_there(session: BoxedSession) -> None:
    session.run("def double(x):\n    print('doubling')\n    return x * 2")
    assert session.run("double(y)", {"y": (1, {"a": None})}) == Ran((1, {"a": None}, 1, {"a": None}), "doubling\n")


def test_an_error_says_where_and_what_and_which_kind_it_is(session: BoxedSession) -> None:
    ran = session.run("class Odd(ValueError):\n    pass\ndef f(x):\n    raise Odd(f'no {x}')\nf(3)")
    assert (ran.error_type, ran.error_bases) == ("Odd", ("ValueError", "Exception", "BaseException"))
    assert ran.error is not None
    assert "in f\n    raise Odd(f'no {x}')" in ran.error
    assert ran.error.endswith("Odd: no 3\n")
    assert "inside.py" not in ran.error


def test_an_error_that_cannot_be_printed_is_known_by_its_name(session: BoxedSession) -> None:
    ran = session.run("class Shy(Exception):\n    def __str__(self): raise KeyError\n    __repr__ = __str__\nraise Shy")
    assert ran.error_type == "Shy"


def test_what_is_printed_is_cut(session: BoxedSession) -> None:
    assert session.run("print('a' * 70_000)").printed == "a" * 65_536
    assert session.run("print('b')").printed == "b\n"


@each_row(
    ("code", "kind"),
    [
        ("open('/etc/passwd').read()", "FileNotFoundError"),
        (f"open({str(Path(__file__))!r}).read()", "FileNotFoundError"),
        ("open('/x', 'w')", "OSError"),
        ("open('/dev/shm/x', 'w')", "OSError"),
        ("open('/usr/x', 'w')", "OSError"),
        ("open('/modex/x', 'w')", "FileNotFoundError"),
        ("open('/proc/sys/kernel/core_pattern', 'w')", "OSError"),
        ("open('/proc/sys/kernel/hostname', 'w')", "OSError"),
        ("open('/proc/1/mem', 'r+b')", "OSError"),
        ("open('/proc/self/uid_map', 'w')", "OSError"),
        ("raise LookupError(open('/proc/1/environ').read() or 'nothing')", "LookupError"),
        ("import socket; socket.socket()", "PermissionError"),
        ("import socket; socket.socket(socket.AF_UNIX)", "PermissionError"),
        ("import subprocess; subprocess.run(['/bin/true'])", "PermissionError"),
        ("import os; os.fork()", "PermissionError"),
        ("import os; os.setuid(0)", "OSError"),
        ("import os; os.chroot('/tmp')", "PermissionError"),
        ("import os; os.mknod('/tmp/d', 0o60600, os.makedev(8, 0))", "PermissionError"),
        ("import resource; resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))", "ValueError"),
        ("open('/tmp/large', 'wb').write(bytes(9 * 2**20))", "OSError"),
        ("[open(f'/tmp/f{n}', 'wb').write(bytes(2**20 * 7)) for n in range(9)]", "OSError"),
        ("bytearray(2**30)", "MemoryError"),
        ("[open('/dev/null') for _ in range(100)]", "OSError"),
        (
            "import ctypes; raise OSError(0 if ctypes.CDLL(None).unshare(0x10000000) == 0 else 1, 'refused')",
            "PermissionError",
        ),
        (
            "import ctypes; raise OSError(0 if ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0 else 1, 'refused')",
            "PermissionError",
        ),
    ],
)
def test_nothing_of_this_machine_is_reached(session: BoxedSession, code: str, kind: str) -> None:
    assert session.run(code).error_type == kind


def test_neither_environment_nor_processes_nor_the_name_of_this_machine_are_seen(
    session: BoxedSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    with boxed_session(5) as fresh:
        ran = fresh.run(
            "import os, socket\n(dict(os.environ), os.getpid(), os.getuid(), socket.gethostname(), os.listdir('/proc'))"
        )
    environment, pid, user, host, processes = ran.value
    assert set(environment) <= {"PATH", "HOME", "LANG", "TZ", "PWD"}
    assert pid < 10
    assert user == 65534
    assert host == "sandbox"
    assert sum(name.isdigit() for name in processes) <= 2


def test_signals_reach_nobody_else(session: BoxedSession) -> None:
    with boxed_session(5) as fresh:
        fresh.run("import os; os.kill(-1, 9)")
        fresh.run("import os; os.kill(1, 9)")
    assert session.run("1") == Ran(1)
    assert os.getpid()


@each_row(
    ("code", "kind", "words"),
    [
        ("while True: pass", "TimeoutError", "no result in time"),
        ("10 ** 10 ** 9", "TimeoutError", "no result in time"),
        ("import os; os._exit(0)", "Ended", "the code ended its interpreter (exit code 0)"),
        ("import os; os._exit(3)", "Ended", "the code ended its interpreter (exit code 3)"),
        ("import ctypes; ctypes.string_at(0)", "Ended", "the interpreter crashed (segmentation fault)"),
        ("import os; os.kill(os.getpid(), 9)", "Ended", "the interpreter was killed: it used too much memory"),
        ("import os; os.write(4, b'\\xff\\xff\\xff\\xff')", "TimeoutError", "no result in time"),
        ("import os; os.write(4, b'\\0\\0\\0\\1[')", "TimeoutError", "no result in time"),
        ("import os; os.write(4, b'\\0\\0\\0\\2{}')", "Ended", "the code gave back what is no value"),
    ],
)
def test_an_interpreter_that_ends_says_how(code: str, kind: str, words: str) -> None:
    with boxed_session(0.3) as session:
        ran = session.run(code)
        assert (ran.error_type, ran.error) == (kind, words)


def test_a_deadline_that_the_code_switched_off_holds_all_the_same() -> None:
    with boxed_session(0.1) as session:
        began = time.monotonic()
        ran = session.run("import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True: pass")
        assert ran.error_type == "TimeoutError"
        assert time.monotonic() - began < 60


def test_after_its_end_every_piece_ends() -> None:
    with boxed_session(5) as session:
        session.run("import os; os._exit(0)")
        assert session.run("1").error_type == "Ended"


@each_row(
    ("reply", "ran"),
    [
        ({"value": [1], "printed": "a"}, Ran([1], "a")),
        ({"error": "e", "type": "KeyError", "printed": "p"}, Ran(None, "p", "e", "KeyError")),
        ({"error": 5, "bases": "no", "compared": [1, 2]}, Ran(None, "", "5", "Error")),
        (
            {"error": "e", "type": "T", "bases": ["A"], "compared": ["a", "b", "c"]},
            Ran(None, "", "e", "T", ("A",), ("a", "b", "c")),
        ),
        ({}, Ran(None, "", "the code gave back what is no value", "Ended")),
        ({"value": {"set": [[]]}}, Ran(None, "", "the code gave back what is no value", "Ended")),
        ({"value": {"yours": 1}}, Ran(None, "", "the code gave back what is no value", "Ended")),
    ],
)
def test_a_reply_is_read_with_care(reply: dict[str, object], ran: Ran) -> None:
    assert ran_of(reply) == ran


def test_how_an_end_is_told() -> None:
    assert ran_of_end(BoxEnded(None)) == Ran(error="no result in time", error_type="TimeoutError")
    assert ran_of_end(BoxEnded(128 + 24)).error_type == "TimeoutError"
    assert ran_of_end(BoxEnded(1)).error == "the code ended its interpreter (exit code 1)"


@pytest.mark.parametrize("end", ["_in", "_out"])
def test_a_pipe_that_fails_is_no_doing_of_the_code(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in the pipe's place can be neither read nor written, which a broken pipe is not."""
    with Box(BoxLimits(), BoxView("inside")) as box:
        folder = os.open(tmp_path, os.O_RDONLY)
        monkeypatch.setattr(box, end, folder)
        monkeypatch.setattr(box, "_wait", lambda *_: None)
        with pytest.raises(BoxError, match="judge again"):
            box.ask({"code": "1"}, 5.0)
        os.close(folder)
        assert not box.alive
