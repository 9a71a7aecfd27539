"""Objects of another process as if they were here: what is done with one is done there. Runs within the namespaces.

The code of a test is one process, the code that it tests another, so that no answer can reach what judges it: neither by a
function put in another's place nor by ending early. https://rpyc.readthedocs.io calls such objects net references.
"""

from __future__ import annotations

import _operator as operator
import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Ask = Callable[..., Any]
THERE = "_there"
"""The attribute of an exception that holds the other side's own."""
_UNARY = ("neg", "pos", "abs", "invert", "index")
_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and", "or", "xor",
)  # fmt: skip
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")


def operators() -> dict[str, Callable[..., Any]]:
    """What may be asked of an object, by name."""
    return _OPERATORS


def update(mine: Any, theirs: Any) -> None:
    """Give a list, dict, set or bytearray the content that it has on the other side now."""
    if isinstance(mine, list | bytearray):
        mine[:] = theirs
    elif isinstance(mine, dict | set):
        mine.clear()
        mine.update(theirs)


def exception_class(name: str, bases: Iterable[str]) -> type[BaseException]:
    """The builtin exception of that name, else a class of that name below the first builtin exception of `bases`."""
    for known in [] if bases else [name]:
        kind = getattr(builtins, known, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return kind
    for base in bases:
        kind = getattr(builtins, base, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return type(name, (kind,), {"__getattr__": _of_there})
    return type(name, (Exception,), {"__getattr__": _of_there})


def _of_there(failure: BaseException, name: str) -> Any:
    """What an exception has on the other side: properties and methods of its class."""
    there = None if name.startswith("_") else vars(failure).get(THERE)
    if there is None:
        raise AttributeError(f"{type(failure).__name__!r} object has no attribute {name!r}")
    return getattr(there, name)


class Remote:
    """An object of the other side."""

    __slots__ = ("_ask", "_number", "_shown")

    def __init__(self, ask: Ask, number: int, type_name: str, shown: str) -> None:
        object.__setattr__(self, "_ask", ask)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_shown", (type_name, shown))

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__instancecheck__", "__subclasscheck__"):
            return object.__getattribute__(self, name)
        return _asked(self, "getattr", name)

    def __setattr__(self, name: str, value: Any) -> None:
        _asked(self, "setattr", name, value)

    def __delattr__(self, name: str) -> None:
        _asked(self, "delattr", name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there."""
        return object.__getattribute__(self, "_ask")("call", self, *args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remote) and bool(_asked(self, "eq", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return int(_asked(self, "hash"))

    def __bool__(self) -> bool:
        return bool(_asked(self, "bool"))

    def __len__(self) -> int:
        return int(_asked(self, "len"))

    def __iter__(self) -> Any:
        return _Remotely(_asked(self, "iter"))

    def __next__(self) -> Any:
        return _asked(self, "next")

    def __contains__(self, value: Any) -> bool:
        return bool(_asked(self, "contains", value))

    def __getitem__(self, key: Any) -> Any:
        return _asked(self, "getitem", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _asked(self, "setitem", key, value)

    def __delitem__(self, key: Any) -> None:
        _asked(self, "delitem", key)

    def __repr__(self) -> str:
        return str(_asked(self, "repr"))

    def __str__(self) -> str:
        return str(_asked(self, "str"))

    def __int__(self) -> int:
        return int(_asked(self, "int"))

    def __float__(self) -> float:
        return float(_asked(self, "float"))

    def __round__(self, *digits: int) -> Any:
        return _asked(self, "round", *digits)

    def __enter__(self) -> Any:
        return _asked(self, "enter")

    def __exit__(self, *failure: Any) -> Any:
        return _asked(self, "exit", *(None for _ in failure))

    def __instancecheck__(self, value: Any) -> bool:
        return bool(_asked(self, "instance", value))

    def __subclasscheck__(self, value: Any) -> bool:
        return bool(_asked(self, "subclass", value))


class _Remotely:
    """An iterator: a local one for what came as a list's, the other side's otherwise."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __iter__(self) -> _Remotely:
        return self

    def __next__(self) -> Any:
        return next(self._source)


def _asked(remote: Remote, name: str, *args: Any) -> Any:
    return object.__getattribute__(remote, "_ask")(name, remote, *args)


def _method(name: str) -> Callable[..., Any]:
    def method(self: Remote, *args: Any) -> Any:
        return _asked(self, name, *args)

    return method


def _reflected(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: operation(other, one)


def _call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _operation(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(operator, f"{name}_" if name in ("and", "or") else name)
    return found


_OPERATORS: dict[str, Callable[..., Any]] = {
    "call": _call, "getattr": getattr, "setattr": setattr, "delattr": delattr,
    "hash": hash, "bool": bool, "len": len, "iter": iter, "next": next, "contains": operator.contains,
    "getitem": operator.getitem, "setitem": operator.setitem, "delitem": operator.delitem,
    "repr": repr, "str": str, "int": int, "float": float, "round": round,
    "enter": lambda value: type(value).__enter__(value), "exit": lambda value, *failure: type(value).__exit__(value, *failure),
    "instance": lambda kind, value: isinstance(value, kind), "subclass": lambda kind, value: issubclass(value, kind),
    **{name: _operation(name) for name in (*_UNARY, *_BINARY, *_COMPARED)},
    **{f"r{name}": _reflected(_operation(name)) for name in _BINARY},
}  # fmt: skip
for _name in (*_UNARY, *_BINARY, *(f"r{name}" for name in _BINARY), *_COMPARED[2:]):
    setattr(Remote, f"__{_name}__", _method(_name))
