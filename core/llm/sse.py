"""Server-sent events: bytes as they arrive → events, by the rules of the WHATWG's HTML standard (section 9.2.6).

Lines end with LF, CR or CRLF, wherever the network cut them; comments are skipped; several `data` lines are one text; an
event that its blank line does not end is none. Characters are decoded once their line is whole.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"


class Event(NamedTuple):
    """One event: its name (mostly empty) and its text."""

    name: str
    data: str


def events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """The events in `chunks`, each as soon as its blank line is there."""
    name = ""
    data: list[bytes] = []
    for lines in _lines(chunks):
        for line in lines:
            if not line:
                if data:
                    yield Event(name, (data[0] if len(data) == 1 else b"\n".join(data)).decode("utf-8", "replace"))
                    data = []
                name = ""
            elif line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b" ", 5) else line[5:])
            elif line.startswith(b"event:"):
                name = line[6:].removeprefix(b" ").decode("utf-8", "replace")
            elif line == b"data":
                data.append(b"")


def _lines(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The whole lines of each chunk, without their ends; what no line end follows waits for the next one."""
    begun: list[bytes] = []
    first, after_return = True, False
    for given in chunks:
        chunk = given
        if first:
            # The mark may come in pieces; nothing shorter than it can hold an event.
            begun.append(chunk)
            head = b"".join(begun)
            if len(head) < len(_BOM) and _BOM.startswith(head):
                continue
            begun, first = [], False
            chunk = head.removeprefix(_BOM)
        if after_return:
            chunk = chunk.removeprefix(b"\n")
        if not chunk:
            after_return = after_return and not given
            continue
        after_return = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        end = chunk.rfind(b"\n")
        if end < 0:
            begun.append(chunk)
            continue
        if begun:
            begun.append(chunk[:end])
            whole = b"".join(begun)
        else:
            whole = chunk[:end]
        begun = [chunk[end + 1 :]] if end + 1 < len(chunk) else []
        yield whole.split(b"\n")
