"""Our own code as it comes into a box: compiled once here and handed in by the pipe, so that no box compiles or finds it again.

Both sides are the same Python (`box.interpreter`), whose own form of compiled code (`marshal`) this is.
"""

from __future__ import annotations

import functools
import marshal
from pathlib import Path

_NAMES = {
    "inside": ("pipe", "values", "remote", "inside"),
    "running": ("pipe", "running"),
    "working": ("pipe", "running", "working"),
}
"""By what serves: its modules, each behind those that it imports."""
_GUARDED = ("pipe", "values", "asserting", "remote", "inside")
BOOT = """
import sys, marshal, posix
def take(count):
    parts = b""
    while len(parts) < count:
        part = posix.read(0, count - len(parts))
        if not part: posix._exit(0)
        parts += part
    return parts
sys.path.append("/packages")
for name, code in marshal.loads(take(int.from_bytes(take(4), "big"))):
    module = sys.modules[name] = type(sys)(name)
    exec(code, vars(module))
vars(module).pop("_main")()
"""
"""What Python starts with in a box: it reads our modules from its standard input, and runs the last one."""


@functools.cache
def handed_in(serving: str, *, guarded: bool) -> bytes:
    """What `BOOT` reads, its length in four bytes first."""
    names = _GUARDED if guarded else _NAMES[serving]
    body = marshal.dumps([(f"{__package__}.{name}", _compiled(name)) for name in names])
    return len(body).to_bytes(4, "big") + body


def _compiled(name: str) -> object:
    """A module of this folder; where it lies on this machine is not in it."""
    source = Path(__file__).with_name(f"{name}.py").read_bytes()
    return compile(source, f"/modex/{name}.py", "exec", dont_inherit=True)
