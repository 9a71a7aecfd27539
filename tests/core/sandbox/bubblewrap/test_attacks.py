"""What hostile programs try, and what comes of it: nothing gets out, and no verdict is stolen.

Functions are attacked in `test_session.py` (the machine) and `test_judged.py` (their verdict); here whole programs are, which
may start processes where their language does so, and files of pytest's. Many share a box: what one leaves, the next would find.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from modex.core.sandbox.bubblewrap.programs import ProgramBox, ProgramRan, program_box
from modex.core.sandbox.languages import toolchain
from tests.core.evaluators.code.test_program_trial import SOLUTION, TESTS, judged
from tests.rows import each_row

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
MB = 1024 * 1024
CALL = (
    "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    "if libc.syscall({}) < 0: raise OSError(ctypes.get_errno(), 'refused')"
)

CLEAN = "import os\nfor n in os.listdir('.'):\n    os.path.isfile(n) and os.unlink(n)"


@pytest.fixture(scope="module")
def python() -> Iterator[ProgramBox]:
    with program_box(toolchain("python")) as box:
        yield box


@pytest.fixture(scope="module")
def bash() -> Iterator[ProgramBox]:
    with program_box(toolchain("bash")) as box:
        yield box


def ran(box: ProgramBox, code: str, seconds: float = 5, memory_mb: int = 256) -> ProgramRan:
    box.load(code)
    return box.run("", seconds, memory_mb * MB)


@each_row(
    ("code", "said"),
    [
        ("print(open('/proc/1/environ').read() or 'nothing')", "nothing"),
        ("import os\nopen(f'/proc/{os.getppid()}/environ').read()", "PermissionError"),
        ("import os\nopen(f'/proc/{os.getppid()}/mem', 'r+b')", "Error"),
        ("import os\nopen(f'/proc/{os.getppid()}/mem', 'rb')", "PermissionError"),
        ("import os\nos.readlink(f'/proc/{os.getppid()}/fd/4')", "PermissionError"),
        ("import os\nopen(f'/proc/{os.getppid()}/fd/4', 'wb')", "PermissionError"),
        ("import os\nos.readlink(f'/proc/{os.getppid()}/exe')", "PermissionError"),
        ("import os\nos.listdir(f'/proc/{os.getppid()}/root')", "PermissionError"),
        ("import os\nprint(sum(n.isdigit() for n in os.listdir('/proc')))", "3"),
        ("import os\nprint([n for n in range(3, 256) if os.path.exists(f'/proc/self/fd/{n}')])", "[]"),
        ("import os\nprint([n for n in os.environ if 'KEY' in n or 'TOKEN' in n or 'MODEX' in n])", "[]"),
        ("import socket\nsocket.socket()", "PermissionError"),
        ("import socket\nsocket.socketpair()[0].connect('/run/x.sock')", "Error"),
        ("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:80')", "URLError"),
        ("open('/etc/passwd')", "FileNotFoundError"),
        ("import os\nprint([p for p in ('/home', '/root/.bashrc', '/var', '/run', '/mnt', '/opt') if os.path.exists(p)])", "[]"),
        ("import os\nos.symlink('/etc/shadow', '/tmp/work/s')\nopen('/tmp/work/s')", "FileNotFoundError"),
        ("import os\nos.symlink('/usr', '/tmp/work/u')\nopen('/tmp/work/u/x', 'w')", "OSError: [Errno 30]"),
        ("import os\nos.link('/usr/bin/env', '/tmp/work/l')", "OSError"),
        ("import os\nos.rename('/tmp', '/tmp2')", "OSError"),
        ("open('/modex/x', 'w')", "FileNotFoundError"),
        ("open('/packages/x', 'w')", "Error"),
        ("open('/dev/mem')", "FileNotFoundError"),
        ("open('/dev/tty', 'w').write('\\x1b[2J')", "OSError"),
        ("import fcntl\nfcntl.ioctl(0, 0x5412, b'x')", "OSError"),
        ("import os\nos.listdir('/sys')", "FileNotFoundError"),
        ("open('/proc/sys/kernel/core_pattern', 'w')", "OSError"),
        ("open('/proc/sysrq-trigger', 'w')", "Error"),
        ("import os\nos.setuid(0)", "OSError"),
        ("import os\nos.setgroups([0])", "PermissionError"),
        ("import os\nos.chroot('/tmp')", "PermissionError"),
        ("import os\nos.mknod('/tmp/d', 0o60600, os.makedev(8, 0))", "PermissionError"),
        ("import os\nos.fork()", "PermissionError"),
        ("import os\nos.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
        ("import multiprocessing\nmultiprocessing.Process(target=print).start()", "PermissionError"),
        ("import os\nos.nice(-5)", "PermissionError"),
        ("import resource\nresource.setrlimit(resource.RLIMIT_DATA, (2**40, 2**40))", "ValueError"),
        ("x = bytearray(2**30)", "MemoryError"),
        ("import mmap\nmmap.mmap(-1, 2**31)", "OSError"),
        ("import os\nos.write(os.memfd_create('x'), bytes(80 * 2**20)) and os.ftruncate(3, 2**31)", ""),
        ("for n in range(99): open(f'/tmp/work/f{n}', 'wb').write(bytes(2**22))", "OSError: [Errno 28]"),
        ("[open('/dev/null') for _ in range(999)]", "OSError: [Errno 24]"),
        ("import os\nos.mkdir('/tmp/work/d')\nos.chmod('/tmp/work', 0)", ""),
        (CALL.format("101, 16, 1, 0, 0"), "PermissionError"),
        (CALL.format("272, 0x10000000"), "PermissionError"),
        (CALL.format("272, 0x20000"), "PermissionError"),
        (CALL.format("165, 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("308, 0, 0"), "PermissionError"),
        (CALL.format("311, os.getppid(), 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("310, os.getppid(), 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("248, 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("250, 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("321, 0, 0, 0"), "PermissionError"),
        (CALL.format("298, 0, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("323, 0"), "PermissionError"),
        (CALL.format("425, 8, 0"), "PermissionError"),
        (CALL.format("304, 0, 0, 0"), "PermissionError"),
        (CALL.format("438, 0, 0, 0"), "PermissionError"),
        (CALL.format("135, 0x0040000"), "PermissionError"),
        (CALL.format("169, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("56, 0x10000011, 0, 0, 0, 0"), "PermissionError"),
        (CALL.format("435, 0, 0"), "OSError: [Errno 38]"),
    ],
)  # fmt: skip
def test_a_program_reaches_nothing(python: ProgramBox, code: str, said: str) -> None:
    if "libc.syscall" in code and platform.machine() != "x86_64":
        return
    found = ran(python, code)
    told = (found.out + found.err).strip().splitlines()
    assert said in (told[-1] if told else "")
    assert ran(python, CLEAN).well


@each_row(
    ("code", "over"),
    [
        ("import sys\nwhile True: sys.stdout.write('x' * 9999)", "output"),
        ("import sys\nfor _ in range(2000): sys.stderr.write('x' * 9999)", ""),
        ("while True: pass", "seconds"),
        ("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", "seconds"),
        ("import threading\ndef f():\n    while True: pass\nfor _ in range(9): threading.Thread(target=f).start()", "seconds"),
        ("x = []\nwhile True: x.append(bytearray(2**16))", ""),
    ],
)  # fmt: skip
def test_a_program_takes_no_more_than_it_may(python: ProgramBox, code: str, over: str) -> None:
    found = ran(python, code, 0.3, 128)
    assert found.over in (over, over or "memory")
    assert len(found.out) <= MB
    assert len(found.err) <= 16 * 1024
    assert found.memory_bytes < 200 * MB


@each_row(
    ("code", "over"),
    [
        (":(){ :|:& };:; sleep 9", "processes"),
        ("while true; do sleep 99 & done", "processes"),
        ("(trap '' TERM HUP; setsid sleep 999 &) ; echo done", ""),
        ("nohup sleep 999 >/dev/null 2>&1 & disown; echo done", ""),
        ("while true; do :; done & while true; do :; done", "seconds"),
        ("yes", "output"),
        ("head -c 900000000 /dev/zero | tail -c 1", ""),
    ],
)
def test_what_a_script_starts_ends_with_it(bash: ProgramBox, code: str, over: str) -> None:
    found = ran(bash, code, 0.2, 128)
    assert found.over in {"processes": ("processes", "memory", "seconds"), "": ("", "memory", "seconds")}.get(
        over, (over,)
    )
    left = ran(bash, "ls -d /proc/[0-9]* | wc -l")
    assert int(left.out) <= 5, left  # the first process, the one that serves, this script and its two


@each_row(
    "code",
    [
        "import os\nos.kill(os.getppid(), 9)\nprint(42)",
        "import os\nos.kill(-1, 9)\nprint(42)",
        "import os\nos._exit(0)",
        "import atexit, os\natexit.register(os._exit, 0)",
        "print(42)\nraise SystemExit(1)",
        "print('\\x1b]0;42\\x07')",
        "import sys\nprint(42, file=sys.stderr)",
        "import os\nos.close(1)\nprint(42)",
    ],
)
def test_no_program_steals_its_verdict(code: str) -> None:
    assert judged(code, {"cases": [{"output": "42"}], "seconds": 0.5}).score == 0.0


@each_row(
    "stolen",
    [
        "class Liar(int):\n        __eq__ = __ne__ = lambda self, other: True\n    return Liar(9)",
        "class Liar:\n        __eq__ = __ne__ = lambda self, other: True\n    return Liar()",
        "raise type('Skipped', (BaseException,), {})('no')",
        "raise KeyboardInterrupt",
        "if values: raise KeyboardInterrupt\n    return 0",
        "import sys\n    sys.modules['pytest'] = sys.modules['_pytest'] = None\n    return 9",
        "open('/tmp/conftest.py', 'w').write('def pytest_runtest_call(item): pass')\n    return 9",
        "import os, struct\n    for n in range(3, 9):\n        try: os.write(n, struct.pack('!I', 15) + b'{\"value\": null}')"
        "\n        except OSError: pass",
        "import builtins\n    builtins.AssertionError = builtins.sum = None\n    return 9",
    ],
)  # fmt: skip
def test_no_module_steals_the_verdict_of_a_file_of_pytests(stolen: str) -> None:
    assert judged(SOLUTION.replace("return sum(values)", f"\n    {stolen}"), {"pytest": TESTS}).score == 0.0
