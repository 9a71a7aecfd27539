"""A test's code judges an answer's, which cannot reach it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modex.core.sandbox.bubblewrap.judged import JUDGED_ENDED, judge_code
from modex.core.sandbox.bubblewrap.session import BoxedSession, boxed_session
from modex.core.sandbox.python import Ran
from tests.rows import each_row

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]

ANSWER = """
import math
RATE = 3
class Empty(LookupError):
    pass
class Coded(ValueError):
    def __init__(self, code):
        super().__init__("coded")
        self.code, self.odd, self._own = code, {1, 2}, 1
    @property
    def twice(self): return 2 * self.code
    def told(self, word): return f"{word} {self.code}"
def coded(code): raise Coded(code)
def plain():
    error = ValueError("x")
    error.extra = [1]
    raise error
def says(word):
    print("says", word)
    return 1
def calls(function):
    print("before")
    function()
    print("after")
class Stack:
    def __init__(self): self.items = []
    def push(self, one): self.items.append(one); return self
    def pop(self):
        if not self.items:
            raise Empty("nothing", 3)
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): yield from self.items
    def __eq__(self, other): return self.items == other.items
def ordered(values, key=None, *, reverse=False):
    return sorted(values, key=key, reverse=reverse)
def in_place(values): values.sort()
def grow(values): values["more"] = [1]
def count(n): yield from range(n)
def apply(function, *values):
    try:
        return function(*values)
    except KeyError as error:
        return error.args[0]
def total(values): return sum(values)
async def later(): return 5
"""


@pytest.fixture(scope="module")
def answer() -> Iterator[BoxedSession]:
    with boxed_session(5) as session:
        assert session.run(ANSWER).error is None
        yield session


@each_row(
    "code",
    [
        "assert ordered([3, 1]) == [1, 3]",
        "assert ordered(['bb', 'a'], key=len) == ['a', 'bb']",
        "assert ordered([1, 2], reverse=True) == [2, 1]",
        "values = [2, 1]\nin_place(values)\nassert values == [1, 2]",
        "kept = {'a': 1}\ngrow(kept)\nassert kept == {'a': 1, 'more': [1]}",
        "assert list(count(3)) == [0, 1, 2]",
        (
            "numbers = count(2)\nassert [next(numbers), next(numbers)] == [0, 1]\ntry:\n    next(numbers)\n"
            "    assert False\nexcept StopIteration: pass"
        ),
        "assert len(Stack().push(1).push(2)) == 2",
        "assert Stack().push(1).pop() == 1",
        "assert Stack() == Stack() and isinstance(Stack(), Stack)",
        "assert [x + 1 for x in Stack().push(1).push(2)] == [2, 3]",
        "try:\n    Stack().pop()\nexcept Empty as error:\n    assert error.args == ('nothing', 3)\nelse:\n    assert False",
        "try:\n    Stack().pop()\nexcept LookupError:\n    pass",
        (
            "try:\n    coded(5)\n    assert False\nexcept ValueError as error:\n"
            "    assert (error.code, str(error), error.odd, error.twice, error.told('no')) == (5, 'coded', {1, 2}, 10, 'no 5')\n"
            "    assert not hasattr(error, 'none') and not hasattr(error, '_own')"
        ),
        "try:\n    plain()\nexcept ValueError as error:\n    assert error.extra == [1]",
        (
            "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as out:\n    says('hi')\n"
            "    calls(lambda: print('in'))\n    print('own')\n"
            "assert out.getvalue().split() == ['says', 'hi', 'before', 'in', 'after', 'own'], out.getvalue()"
        ),
        "assert RATE == 3",
        "def missing(key): raise KeyError(key)\nassert apply(missing, 'k') == 'k'",
        (
            "class Own:\n    def __len__(self): return 4\n    def __add__(self, other): return other + 1\n"
            "assert apply(lambda own: len(own), Own()) == 4"
        ),
        "assert total(x for x in [1, 2]) == 3",
        "def check(candidate):\n    assert candidate([2, 1]) == [1, 2]\ncheck(candidate)",
        "import math\nassert math.pi > 3",
        "import random, collections\nassert total(random.Random(1).choices([1], k=3)) == 3",
        "assert 'math' not in globals() or math.pi > 3",
    ],
)
def test_a_test_that_holds_passes(answer: BoxedSession, code: str) -> None:
    assert judge_code(answer, code, {"candidate": "ordered"}) == Ran()


@each_row(
    ("code", "compared"),
    [
        ("assert ordered([2, 1]) == [2, 1]", ("ordered([2, 1])", "[2, 1]", "[1, 2]")),
        ("for n in (1, 5):\n    assert total([n]) < 3", ("total([n])", "< 3", "5")),
        ("assert Stack().push(1) == Stack()", None),
    ],
)
def test_what_does_not_hold_is_told_with_both_sides(
    answer: BoxedSession, code: str, compared: tuple[str, str, str] | None
) -> None:
    ran = judge_code(answer, code)
    assert ran.error_type == "AssertionError"
    assert ran.compared is not None
    if compared is not None:
        assert ran.compared == compared


@each_row(
    ("code", "kind"),
    [
        ("total(3)", "TypeError"), ("unknown(3)", "NameError"), ("Stack().pop()", "Empty"), ("while True: pass", "TimeoutError"),
        ("import os; os._exit(0)", "Ended"),
    ],
)  # fmt: skip
def test_an_error_keeps_its_kind(answer: BoxedSession, code: str, kind: str) -> None:
    assert judge_code(answer, code, seconds=0.3).error_type == kind
    assert judge_code(answer, "assert total([1]) == 1") == Ran()


HOSTILE = [
    "import os, atexit\natexit.register(os._exit, 0)\ndef f(x): os._exit(0)",
    "def f(x): raise SystemExit(0)",
    (
        "class Liar(int):\n    __eq__ = __ne__ = __lt__ = __gt__ = lambda self, other: True\n"
        "    __hash__ = int.__hash__\ndef f(x): return Liar(0)"
    ),
    (
        "class Liar:\n    __eq__ = __ne__ = lambda self, other: True\n    __hash__ = lambda self: 0\n"
        "    def __class__(self): return int\ndef f(x): return Liar()"
    ),
    "class Liar(list):\n    __eq__ = lambda self, other: True\ndef f(x): return Liar()",
    "import builtins\nbuiltins.AssertionError = type('Held', (Exception,), {})\ndef f(x): return 0",
    "import builtins\nbuiltins.isinstance = lambda *_: True\nbuiltins.repr = lambda _: '6'\ndef f(x): return 0",
    "import sys\nsys.modules['modex.core.sandbox.bubblewrap.inside'].Inside._answer = None\ndef f(x): return 0",
    (
        "import os, json, struct\nreply = json.dumps({'value': None}).encode()\ndef f(x):\n"
        "    for n in range(3, 10):\n        try: os.write(n, struct.pack('!I', len(reply)) + reply)\n"
        "        except OSError: pass"
    ),
    (
        "import os, json, struct\n"
        "theft = 'import modex.core.sandbox.bubblewrap.inside as i; i.Inside._failure = lambda *_: {\"value\": None}'\n"
        "ask = json.dumps({'do': 'run', 'code': theft}).encode()\n"
        "def f(x):\n    for n in range(3, 10):\n"
        "        try: os.write(n, struct.pack('!I', len(ask)) + ask)\n        except OSError: pass"
    ),
    (
        "def f(x):\n    import gc\n    for one in gc.get_objects():\n"
        "        if type(one) is dict and 'check' in one: one['check'] = print\n    return 0"
    ),
    "def f(x):\n    x.__globals__['check'] = print\n    return 0",
    "check = candidate = print\ndef f(x): return 0",
    (
        "import threading, time, os\nthreading.Thread(target=lambda: (time.sleep(.05), os._exit(0))).start()\n"
        "def f(x): time.sleep(.2)"
    ),
    "f = print",
    "class f:\n    def __new__(cls, x): return 0",
    "def f(x):\n    import inspect\n    for frame in inspect.stack(): frame.frame.f_globals['check'] = print\n    return 0",
]
JUDGE = "def check(candidate):\n    held = candidate(lambda: 3)\n    assert held == 6\n    assert held != 0\ncheck(candidate)"


@each_row("code", HOSTILE)
def test_no_answer_steals_its_verdict(code: str) -> None:
    with boxed_session(2) as session:
        session.run(code)
        assert judge_code(session, JUDGE, {"candidate": "f"}, seconds=2).error is not None


def test_the_judged_ending_is_not_the_judges() -> None:
    with boxed_session(2) as session:
        session.run("def f():\n    import os; os._exit(0)\ndef g():\n    while True: pass")
        ran = judge_code(session, "f()")
        assert (ran.error_type, ran.error) == (JUDGED_ENDED, "the code ended its interpreter (exit code 0)")
        assert judge_code(session, "1").error_type == JUDGED_ENDED
    with boxed_session(0.3) as session:
        session.run("def g():\n    while True: pass")
        assert judge_code(session, "g()", seconds=0.3).error_type == "TimeoutError"
