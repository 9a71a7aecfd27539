"""An object of another process is used as if it were here."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.sandbox.bubblewrap.remote import Remote, exception_class, operators, update
from tests.rows import each_row


class Held:
    """The other side: objects by number."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self.asked: list[str] = []

    def remote(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str | list | tuple | dict):
            return value
        self.objects.append(value)
        return Remote(self.ask, len(self.objects) - 1, type(value).__name__, "?")

    def here(self, value: Any) -> Any:
        return self.objects[object.__getattribute__(value, "_number")] if isinstance(value, Remote) else value

    def ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        self.asked.append(name)
        return self.remote(operators()[name](*map(self.here, args), **kwargs))


class Vector:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.x == other.x

    def __hash__(self) -> int:
        return self.x

    def __add__(self, other: Any) -> Vector:
        return Vector(self.x + (other.x if isinstance(other, Vector) else other))

    __radd__ = __add__

    def __neg__(self) -> Vector:
        return Vector(-self.x)

    def __lt__(self, other: Vector) -> bool:
        return self.x < other.x

    def __len__(self) -> int:
        return self.x

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Any:
        yield from range(self.x)

    def __getitem__(self, place: int) -> int:
        return self.x * place

    def __setitem__(self, place: int, value: int) -> None:
        self.x = place * value

    def __delitem__(self, place: int) -> None:
        self.x = place

    def __contains__(self, value: int) -> bool:
        return value == self.x

    def __repr__(self) -> str:
        return f"V({self.x})"

    def __str__(self) -> str:
        return f"<{self.x}>"

    def __int__(self) -> int:
        return self.x

    def __float__(self) -> float:
        return self.x / 2

    def __round__(self, digits: int = 0) -> int:
        return self.x + digits

    def __enter__(self) -> int:
        return self.x

    def __exit__(self, *failure: object) -> None:
        self.x = 99

    def scaled(self, by: int, *, plus: int = 0) -> int:
        return self.x * by + plus


@pytest.fixture
def vector() -> Any:
    return Held().remote(Vector)


@each_row(
    ("expression", "value"),
    [
        ("v.x", 3),
        ("v.scaled(2, plus=1)", 7),
        ("(v + V(2)).x", 5),
        ("(v + 2).x", 5),
        ("(2 + v).x", 5),
        ("(-v).x", -3),
        ("v < V(4)", True),
        ("v < V(3)", False),
        ("v == V(3)", True),
        ("v != V(3)", False),
        ("v == V(4)", False),
        ("v == 3", False),
        ("v != 3", True),
        ("len(v)", 3),
        ("list(v)", [0, 1, 2]),
        ("v[2]", 6),
        ("3 in v", True),
        ("4 in v", False),
        ("repr(v)", "V(3)"),
        ("str(v)", "<3>"),
        ("f'{v}'", "<3>"),
        ("int(v)", 3),
        ("float(v)", 1.5),
        ("round(v, 2)", 5),
        ("bool(V(0))", True),
        ("hash(v)", 3),
        ("isinstance(v, V)", True),
        ("isinstance(3, V)", False),
        ("issubclass(V, V)", True),
        ("next(iter(v))", 0),
    ],
)
def test_what_is_done_with_it_is_done_there(vector: Any, expression: str, value: Any) -> None:
    assert eval(expression, {"V": vector, "v": vector(3)}) == value


def test_it_is_changed_there(vector: Any) -> None:
    one = vector(3)
    one.x = 4
    assert one.x == 4
    one[2] = 5
    assert one.x == 10
    del one[7]
    assert one.x == 7
    with one as inside:
        assert inside == 7
    assert one.x == 99
    del one.x
    with pytest.raises(AttributeError):
        _ = one.x


def test_an_answer_that_equals_everything_equals_no_value_of_the_test() -> None:
    class Liar:
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    liar = Held().remote(Liar)()
    assert liar != 5
    assert 5 != liar  # noqa: SIM300 - the reflected comparison is what is asked for
    assert liar not in [1, 2]
    assert liar not in {5: 1}


@each_row(
    ("mine", "theirs"),
    [([1, 2], [3]), ({1: 2}, {3: 4}), ({1, 2}, {3}), (bytearray(b"ab"), bytearray(b"c"))],
)
def test_what_a_call_changed_is_changed_here(mine: Any, theirs: Any) -> None:
    same = mine
    update(mine, theirs)
    assert same == theirs


def test_an_exception_is_the_builtin_one_or_stands_below_it() -> None:
    assert exception_class("KeyError", []) is KeyError
    made = exception_class("Empty", ["LookupError", "Exception"])
    assert (made.__name__, made.__bases__) == ("Empty", (LookupError,))
    assert exception_class("ValueError", ["Exception"]) is not ValueError
    assert issubclass(exception_class("print", []), Exception)
    assert issubclass(exception_class("Odd", ["print", "int"]), Exception)
