"""What runs within the namespaces: pieces of code one after the other in one module, and what others ask of its values.

A process has one other side. Either may ask (`{"do": …}`) while it is being asked, so that a function which is given a callable
can call it. Values go as they are (`values`), what cannot go stays where it is, known by a number. Standard library only.
"""

from __future__ import annotations

import _ast
import io
import posix
import sys
from _signal import ITIMER_PROF, setitimer  # type: ignore[import-not-found]

from modex.core.sandbox.bubblewrap.pipe import receive, send
from modex.core.sandbox.bubblewrap.remote import THERE, Remote, exception_class, operators, update
from modex.core.sandbox.bubblewrap.values import packed, shown, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_MAX_PRINTED = 64 * 1024
_MAX_ERROR = 2000
_FRAMES = 8
_FILE = "<answer>"
_ONLY_AST = 0x400
"""`ast.PyCF_ONLY_AST`: importing `ast` takes as long as all else here."""
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_Module = type(sys)


class OtherSideGone(BaseException):
    """Nobody listens any more."""


class Printed(io.TextIOBase):
    """What was printed, its first `_MAX_PRINTED` characters."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = _MAX_PRINTED

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, text: str) -> int:
        """Keep what still fits."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._left > 0 and text:
            self._parts.append(text[: self._left])
            self._left -= len(text)
        return len(text)

    def taken(self) -> str:
        """All of it, and begin anew."""
        text = "".join(self._parts)
        self._parts, self._left = [], _MAX_PRINTED
        return text


class Inside:
    """One namespace of code, and the pipe to the other side. For one thread."""

    def __init__(self, requests: int, replies: int, *, guarded: bool) -> None:
        """`guarded` gives the other side only what was handed to it: of an object's attributes those without an underscore."""
        self._requests, self._replies, self._guarded = requests, replies, guarded
        self._kept: dict[int, Any] = {}
        self._classes: dict[int, type[BaseException]] = {}
        self._module = _Module("answer")
        sys.modules["answer"] = self._module
        self._printed = Printed()
        self._count = 0
        self._sources: dict[str, str] = {}

    def say_ready(self) -> None:
        """Tell the other side that it is listened to."""
        send(self._replies, {"ready": True})

    def serve(self) -> None:
        """Answer until the other side is gone, or says that this is the end."""
        while (request := receive(self._requests)) is not None and request.get("do") != "end":
            self._answer(request)

    def serve_many(self) -> None:
        """Answer each that asks for it in a process of its own, which knows nothing of the others, and say how it ended."""
        import traceback  # noqa: F401 - once, for all that will be judged here

        confine = confining()
        self.say_ready()
        while (request := receive(self._requests)) is not None:
            if request.get("do") != "fork":
                continue
            process = posix.fork()
            if process == 0:
                confine(request["rules"])
                self.say_ready()
                self.serve()
                posix._exit(0)
            status = posix.waitpid(process, 0)[1]
            _clean()
            send(self._replies, {"ended": posix.waitstatus_to_exitcode(status)})

    def ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Let the other side do an operation; raises what it raises there, and brings what it did to lists and their like."""
        asked = {"do": "op", "name": name, "args": self._pack(args), "kwargs": self._pack(kwargs)}
        send(self._replies, asked if self._guarded else {**asked, "printed": self._printed.taken()})
        while True:
            message = receive(self._requests)
            if message is None:
                raise OtherSideGone
            if "do" not in message:
                break
            self._answer(message)
        self._print(message)
        for place, form in message.get("after", []):
            update(args[place], self._unpack(form))
        if "error" not in message:
            return self._unpack(message["value"])
        raise self._raised(message)

    def _print(self, message: Mapping[str, Any]) -> None:
        """What the answer printed, where a test prints now: it may have put something of its own there."""
        if self._guarded and isinstance(printed := message.get("printed"), str) and printed:
            sys.stdout.write(printed)

    def _answer(self, request: dict[str, Any]) -> None:
        if not self._guarded or request["do"] != "op":
            sys.stdout = self._printed
        seconds = request.get("seconds")
        try:
            self._print(request)
            if seconds:
                setitimer(ITIMER_PROF, seconds)
            reply = self._did(request)
        except OtherSideGone:
            posix._exit(0)
        except BaseException as failure:  # whatever the code raises is an answer
            reply = self._failure(failure)
        if seconds:
            setitimer(ITIMER_PROF, 0)
        try:
            send(self._replies, {**reply, "printed": self._printed.taken()} if "do" in request and seconds else reply)
        except ValueError as failure:
            send(self._replies, {"error": str(failure), "type": "ValueError"})

    def _did(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request["do"] == "names":
            return {"value": {"dict": [[name, self._pack(value)] for name, value in vars(self._module).items()]}}
        if request["do"] == "run":
            return {"value": self._pack(self._run(request["code"], self._unpack(request.get("inputs"))))}
        name = request["name"]
        args, kwargs = self._unpack(request["args"]), self._unpack(request["kwargs"])
        if self._guarded and (name in ("setattr", "delattr") or (name == "getattr" and str(args[1]).startswith("_"))):
            raise AttributeError(f"{args[1]} is not handed over")
        before = [packed(one) if isinstance(one, list | dict | set | bytearray) else None for one in args]
        result = operators()[name](*args, **kwargs)
        if self._guarded and isinstance(result, _Module):
            raise AttributeError("a module is not handed over")
        reply: dict[str, Any] = {"value": self._pack(result)}
        changed = [place for place, form in enumerate(before) if form is not None and packed(args[place]) != form]
        if changed:
            reply["after"] = [[place, self._pack(args[place])] for place in changed]
        return reply

    def _run(self, code: str, inputs: Mapping[str, Any] | None) -> Any:
        """Execute `code`; the value of its last expression."""
        space = vars(self._module)
        space.update({name: value for name, value in (inputs or {}).items() if isinstance(name, str)})
        self._count += 1
        file = _FILE if self._count == 1 else f"<case {self._count - 1}>"
        tree: Any = compile(code, file, "exec", _ONLY_AST, dont_inherit=True)
        if self._guarded:
            from modex.core.sandbox.bubblewrap.asserting import telling

            tree = telling(tree, space)
        self._sources[file] = code
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None
        exec(compile(tree, file, "exec", dont_inherit=True), space)
        if last is not None:
            return eval(compile(_ast.Expression(last.value), file, "eval", dont_inherit=True), space)
        return None

    def _failure(self, failure: BaseException) -> dict[str, Any]:
        """An exception as it goes over the pipe, with the end of its traceback and without our own frames."""
        kind = type(failure)
        bases = [one.__name__ for one in kind.__mro__[1:-1]]
        reply: dict[str, Any] = {
            "error": _told(failure, self._sources)[-_MAX_ERROR:],
            "type": kind.__name__,
            "bases": bases,
        }
        compared = failure.args[0] if failure.args and isinstance(failure, AssertionError) else None
        if self._guarded and compared is not None and type(compared).__name__ == "BothSides":
            reply["compared"] = compared.told()
        try:
            reply |= {"class": self._keep(kind), "args": self._pack(failure.args)}
            if not self._guarded:
                reply["attributes"] = [
                    [name, self._pack(one)] for name, one in vars(failure).items() if name[:1] != "_"
                ]
                if kind.__module__ != "builtins":
                    failure.__traceback__ = failure.__context__ = None  # what its frames hold would stay as long as it
                    reply["raised"] = self._keep(failure)
        except BaseException:  # as above
            return reply
        return reply

    def _raised(self, message: Mapping[str, Any]) -> BaseException:
        """The other side's exception as one of ours."""
        kind = self._unpack(message["class"]) if "class" in message else RuntimeError
        args = self._unpack(message["args"]) if "args" in message else (message["error"],)
        try:
            made: BaseException = kind(*args)
        except Exception:
            made = RuntimeError(message["error"])
        vars(made).update({str(name): self._unpack(form) for name, form in message.get("attributes", [])})
        if "raised" in message:
            vars(made)[THERE] = self._unpack(message["raised"])
        return made

    def _pack(self, value: Any) -> Any:
        return packed(value, self._keep)

    def _keep(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Remote):
            return {"yours": object.__getattribute__(value, "_number")}
        number = id(value)
        self._kept[number] = value
        if isinstance(value, type) and issubclass(value, BaseException):
            for other, known in self._classes.items():
                if known is value:
                    return {"yours": other}
            bases = [one.__name__ for one in value.__mro__ if one.__module__ == "builtins"]
            return {"exception": [number, value.__name__, bases]}
        return {"mine": [number, type(value).__name__, shown(value)]}

    def _unpack(self, form: Any) -> Any:
        return unpacked(form, self._find)

    def _find(self, form: dict[str, Any]) -> Any:
        ((name, body),) = form.items()
        if name == "yours":
            return self._kept[body]
        if name == "exception":
            number, kind, bases = body
            if bases[:1] == [kind]:
                return exception_class(kind, [])
            return self._classes.setdefault(number, exception_class(kind, bases))
        if name == "mine":
            return Remote(self.ask, *body)
        raise ValueError("a value of no known form")


def confining() -> Callable[[str], None]:
    """What lets this process make no others any more (seccomp(2)); its rules are in hexadecimal, none where there are none."""
    import ctypes

    class Filter(ctypes.Structure):
        """`struct sock_fprog` of linux/filter.h."""

        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    prctl = ctypes.CDLL(None).prctl

    def confine(rules: str) -> None:
        steps = bytes.fromhex(rules)
        if steps:
            held = Filter(len(steps) // 8, steps)
            if prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(held), 0, 0) != 0:
                posix._exit(125)

    return confine


def _clean() -> None:
    """Leave nothing of one to the next."""
    import shutil
    from pathlib import Path

    for place in Path("/tmp").iterdir():
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)


def _told(failure: BaseException, sources: Mapping[str, str]) -> str:
    kind = type(failure)
    try:
        import linecache
        import traceback

        for file, code in sources.items():
            linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        own = [one for one in traceback.extract_tb(failure.__traceback__) if one.filename.startswith("<")]
        parts = traceback.format_list(own[-_FRAMES:]) + traceback.format_exception_only(kind, failure)
    except BaseException:  # a class may do anything while it is printed
        return kind.__name__
    return "".join(["Traceback (most recent call last):\n", *parts])


def _main() -> None:
    """Confine this process (getrlimit(2)), then serve: arguments are `guarded` or `open`, and bytes of memory and of a file."""
    import resource

    role, memory, file_size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(limit, (value, value))
    requests, replies = posix.dup(0), posix.dup(1)
    nowhere = posix.open("/dev/null", posix.O_RDWR)
    for descriptor in (0, 1, 2):
        posix.dup2(nowhere, descriptor)
    posix.close(nowhere)
    sys.stdin, sys.stderr = open(0, encoding="utf-8", closefd=False), io.StringIO()  # noqa: SIM115
    del sys.argv[1:]
    serving = Inside(requests, replies, guarded=role == "guarded")
    if role == "guarded":
        serving.serve_many()
    else:
        serving.say_ready()
        serving.serve()


if __name__ == "__main__":
    _main()
