from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.sandbox.python import close_python, python_unavailable
from modex.core.tools.base import ToolSession
from modex.core.tools.workspace import MAX_OUTPUT_CHARS, code_workspace
from tests.rows import each_row


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    close_python()


def _run(code: str) -> tuple[dict[str, str], bool]:
    result = code_workspace({"code": code}, ToolSession())
    return json.loads(result.content), result.is_error


def test_it_gives_what_was_printed_and_the_last_value() -> None:
    assert _run("import math\nprint('hi')\nmath.comb(10, 3)") == ({"stdout": "hi\n", "result": "120"}, False)
    assert _run("x = 1") == ({"stdout": "", "result": ""}, False)


def test_nothing_is_kept_between_calls() -> None:
    _run("x = 41")
    answer, is_error = _run("x + 1")
    assert is_error
    assert "NameError" in answer["error"]


@each_row(("code", "said"), [("1 / 0", "ZeroDivisionError"), ("def (", "SyntaxError"), ("'\ud800'", "UTF-8")])
def test_an_error_comes_back_with_its_traceback(code: str, said: str) -> None:
    answer, is_error = _run(code)
    assert is_error
    assert said in answer["error"]


ESCAPES = [
    "import os\nos.environ",
    "import os\nos.getenv('MODEX_CANARY')",
    "open('/proc/self/environ').read()",
    "open('/proc/PARENT/environ').read()",
    "open('/etc/passwd').read()",
    "open('/tmp/modex-escape', 'w').write('x')",
    "from pathlib import Path\nPath('/etc/passwd').read_text()",
    "import os\nos.listdir('/')",
    "import os\nos.system('true')",
    "import os\nos.fork()",
    "import os\nos.kill(1, 9)",
    "import subprocess",
    "import socket",
    "import urllib.request",
    "import ctypes",
    "import multiprocessing",
    "import threading",
    "import importlib",
    "__import__('os').system('true')",
    "().__class__.__bases__[0].__subclasses__()",
    "(lambda: 0).__globals__",
    'eval(\'__import__("os").system("true")\')',
    "exec('import socket')",
    "print.__self__",
    "import sys\nsys.modules['os'].fork()",
]


@pytest.mark.parametrize("code", ESCAPES)
def test_the_host_cannot_be_reached(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_CANARY", "canary-4711")
    answer, _ = _run(code.replace("PARENT", str(os.getpid())))
    assert "error" in answer or answer["result"] == ""
    assert "canary-4711" not in json.dumps(answer)
    assert "root:" not in json.dumps(answer)
    assert not Path("/tmp/modex-escape").exists()


GREEDY = [
    "'x' * 10**10",
    "9**9**9",
    "a = []\nwhile True: a.append('x' * 1000)",
    "def f(n): return f(n + 1)\nf(0)",
    "x = []\nfor _ in range(10**5): x = [x]\nx",
    "import time\ntime.sleep(1000)",
    "[0] * 10**9",
    "'a' * 10**7 + 'b' * 10**8",
]


@each_row("code", GREEDY)
def test_greed_ends_soon_and_the_next_call_works(code: str) -> None:
    before = time.monotonic()
    code_workspace({"code": code}, ToolSession())
    assert time.monotonic() - before < 10
    assert _run("1 + 1")[0]["result"] == "2"


SLOW = ["while True: pass", "while True: print('x' * 1000)", "import re\nre.match('(a|aa)+$', 'a' * 60 + '!')"]


@pytest.mark.parametrize("code", SLOW)
def test_time_is_bounded(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.tools.workspace.TIMEOUT_S", 0.3)
    before = time.monotonic()
    answer, _ = _run(code)
    assert time.monotonic() - before < 6
    assert len(json.dumps(answer)) < MAX_OUTPUT_CHARS * 2
    assert _run("1 + 1")[0]["result"] == "2"


def test_a_large_value_is_shown_in_part_and_costs_the_host_little() -> None:
    answer, _ = _run("list(range(200000))")
    assert "characters left out" in answer["result"]
    assert len(answer["result"]) < 5000


@pytest.mark.long
def test_no_interpreter_is_left_after_closing() -> None:
    _run("1")
    close_python()
    children = [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    assert not [pid for pid in children if "monty" in Path(f"/proc/{pid}/cmdline").read_text()]


@each_row("arguments", [{}, {"code": ""}, {"code": 5}, {"code": "x" * 60_000}])
def test_odd_arguments_are_tool_errors(arguments: dict[str, object]) -> None:
    assert code_workspace(arguments, ToolSession()).is_error


def test_without_the_interpreter_the_tool_says_that_it_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_monty", None)
    assert "pydantic-monty" in (python_unavailable() or "")
