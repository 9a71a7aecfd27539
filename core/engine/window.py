"""A window on the answers that are being written: a Unix socket on which a watcher asks for one sample.

Nothing is copied while nobody looks: a thread waits for a visitor, and who comes is told a few times a second what stands in the
assembly that the call fills anyway. No text is in any file, so that a kill leaves none. The socket stands in a folder that only
this user may enter; the run's pulse says where.

A watcher sends a line, `{"sample": 12}`, whenever it wants another one, and gets a line for each change.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from modex.core.engine.workers import Activity
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.thinking import strip_thinking
from modex.core.safety import without_secrets
from modex.core.store.sample import EvaluationSample

PERIOD_S = 0.25
"""At most so often a watcher is told of a change."""
MOST = 6000
"""Characters of a view: 4 a second of ASCII stay below 30 kB a second; of anything else, as many as JSON's own bytes allow."""
_MOST_BYTES = 7200
_RESULT = 400
"""Characters that are shown of what a tool answered."""
_VISITORS = 16


class Window:
    """Open while a run goes on; where the system has no such sockets it stays shut, and nobody can look."""

    def __init__(self, activities: Callable[[], list[Activity]], look: Callable[[Activity], dict[str, Any]]) -> None:
        """`look` gives what is written at this moment, as `being_written` makes it."""
        self._activities = activities
        self._look = look
        self._closed = threading.Event()
        self._visitors: set[socket.socket] = set()
        self.path: Path | None = None
        try:
            folder = Path(tempfile.mkdtemp(prefix="modex-"))  # which only its owner may enter
        except OSError:
            return
        try:
            self._listening = _listening(folder / "answers")
        except (OSError, AttributeError):
            with contextlib.suppress(OSError):
                folder.rmdir()
            return
        self.path = folder / "answers"
        threading.Thread(target=self._accept, name="modex-window", daemon=True).start()

    def close(self) -> None:
        """Send everybody away and leave nothing behind."""
        self._closed.set()
        if self.path is None:
            return
        for connection in (self._listening, *list(self._visitors)):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        with contextlib.suppress(OSError):
            self.path.unlink()
            self.path.parent.rmdir()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                visitor, _ = self._listening.accept()
            except OSError:
                return
            if len(self._visitors) >= _VISITORS:
                visitor.close()
                continue
            self._visitors.add(visitor)
            try:
                threading.Thread(target=self._show, args=(visitor,), name="modex-visitor", daemon=True).start()
            except RuntimeError:  # no thread to be had now: the next visitor may find one
                self._visitors.discard(visitor)
                visitor.close()

    def _show(self, visitor: socket.socket) -> None:
        """Tell one visitor of the sample that it asked for last, until it goes."""
        asked, wanted, told = b"", 0, b""
        try:
            visitor.settimeout(PERIOD_S)
            while not self._closed.is_set():
                try:
                    data = visitor.recv(4096)
                    if not data:
                        return
                    asked += data
                except TimeoutError:
                    pass
                else:
                    lines = asked.split(b"\n")
                    asked = lines.pop()[:4096]
                    wanted, told = (_wanted(lines[-1]), b"") if lines else (wanted, told)
                    self._closed.wait(0.02)
                view = json.dumps(self.view(wanted)).encode() + b"\n"
                if view != told:
                    told = view
                    visitor.sendall(view)
        except OSError:
            return
        finally:
            self._visitors.discard(visitor)
            visitor.close()

    def view(self, sample_id: int) -> dict[str, Any]:
        """What can be seen of a sample now; `over` where no worker has it (any more)."""
        activity = next((one for one in self._activities() if one.sample.id == sample_id), None)
        if activity is None:
            return {"sample": sample_id, "over": True}
        return {"sample": sample_id, "over": False, "phase": activity.phase, **self._look(activity)}


def _listening(path: Path) -> socket.socket:
    """A socket that listens there.

    Raises:
        OSError: none can; the path may be longer than a socket's name.
    """
    made = socket.socket(socket.AF_UNIX)
    try:
        made.bind(str(path))
        made.listen(_VISITORS)
    except OSError:
        made.close()
        raise
    return made


def being_written(sample: EvaluationSample, answer: StreamAssembly | None) -> dict[str, Any]:
    """What a watcher is shown of a sample: its transcript so far, and the answer that is being read."""
    said = _parts_in_progress(answer)
    if sample.stage != "init":  # its own answer is whole: an extractor's or a judge's is being read
        said = [("judging" if kind == "text" else kind, text) for kind, text in said]
    left_out, shown = _tail([*_earlier_parts(sample.transcript), *said])
    return {"parts": shown, "left_out": left_out, "speed": _speed(answer)}


def _wanted(line: bytes) -> int:
    try:
        asked = json.loads(line)
        return int(asked["sample"])
    except (ValueError, TypeError, KeyError):
        return 0


def _earlier_parts(transcript: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The calls of this rollout that are over: what the model said, which tools it called, what they answered."""
    parts: list[tuple[str, str]] = []
    for entry in list(transcript):
        if entry.get("role") == "assistant":
            parts += [("thinking", entry["reasoning"])] if entry.get("reasoning") else []
            parts += [("text", entry["content"])] if entry.get("content") else []
            parts += [("call", f"{call['name']}({call['arguments']})") for call in entry.get("tool_calls") or ()]
        elif entry.get("role") == "tool":
            parts.append(("result", str(entry.get("content") or "")[:_RESULT]))
    return parts


def _parts_in_progress(answer: StreamAssembly | None) -> list[tuple[str, str]]:
    """The answer that is being written, as far as it is. Its lists only grow: reading them needs no lock."""
    if answer is None:
        return []
    split = strip_thinking("".join(answer.text))
    parts = [("thinking", "".join(answer.thinking)), ("thinking", split.reasoning or ""), ("text", split.answer)]
    parts += [("call", f"{call.name}({''.join(call.arguments)}") for call in list(answer.calls)]
    return [(kind, text) for kind, text in parts if text]


def _tail(parts: list[tuple[str, str]]) -> tuple[int, list[tuple[str, str]]]:
    """The end of all that was said, small enough to be sent four times a second, and how many characters stand before it."""
    whole = sum(len(text) for _, text in parts)
    room = MOST
    while True:
        left, shown = room, []
        for kind, text in reversed(parts):
            if left <= 0:
                break
            # Masked with what stands before: a key may begin outside the window.
            piece = without_secrets(text[-(left + 200) :])[-left:]
            shown.append((kind, piece))
            left -= len(piece)
        shown.reverse()
        if room <= 100 or len(json.dumps(shown)) <= _MOST_BYTES:
            return max(0, whole - sum(len(text) for _, text in shown)), shown
        room = room * 2 // 3


def _speed(answer: StreamAssembly | None) -> Mapping[str, float | None] | None:
    timing = answer.timing() if answer is not None else None
    if timing is None:
        return None
    seconds = time.monotonic() - (answer.started if answer is not None else 0.0)
    return {
        "first_s": round(timing.first_s, 2),
        "pieces": timing.pieces,
        "per_s": round(timing.pieces / max(seconds - timing.first_s, 0.05), 1) if timing.tells_speed else None,
    }


def sweep() -> None:
    """Remove windows of this user that nobody stands behind: a killed runner leaves its empty socket."""
    own = os.getuid() if hasattr(os, "getuid") else -1
    try:
        folders = list(Path(tempfile.gettempdir()).glob("modex-*"))
    except OSError:  # no run ends since nobody can look into the folder
        return
    for folder in folders:
        place = folder / "answers"
        with contextlib.suppress(OSError):
            if folder.stat().st_uid != own or not place.is_socket():
                continue
            with socket.socket(socket.AF_UNIX) as probe:
                try:
                    probe.connect(str(place))
                except ConnectionRefusedError:
                    place.unlink()
                    folder.rmdir()
