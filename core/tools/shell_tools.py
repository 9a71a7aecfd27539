"""What a model may call in its workspace: a shell, and reading, writing, editing, listing and searching files.

The schemas are those that models know from coding agents. Whatever is wrong with a call is an answer to it.
"""

from __future__ import annotations

import json
import posixpath
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from modex.core.llm.gate import Interrupted
from modex.core.sandbox.workspace.box import FOLDER, ShellRan, TooMuchError, WorkBox, seconds_met
from modex.core.sandbox.workspace.difference import named
from modex.core.sandbox.workspace.spec import WorkLimits, part_of
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, changes, packed, with_folders
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.tools.base import ToolHandler, ToolResult, ToolSession

PREFIX = "workspace:"
"""What the handlers' ids begin with."""
_MAX_LISTED = 500
_MAX_FILE = 16 * 1024 * 1024
"""Bytes of a file that is edited."""
_LOCATION = Location("(workspace)")
_PATH = {"type": "string", "description": "Path of the file, relative to the work folder."}


def workspace_tools(limits: WorkLimits) -> tuple[ToolDefinition, ...]:
    """The tools, as a model is told of them."""
    seconds, size = f"{limits.seconds:g}", f"{limits.output_kb:g} kB"
    where = limits.places[0] if limits.places else FOLDER
    kept = "Only the work folder is" if len(limits.places) < 2 else "Only it, and other folders of the task, are"
    return (
        _tool(
            "shell",
            f"Run a command with bash in the work folder ({where}). Each call is a new shell, with no network; it is ended after"
            f" {seconds} seconds of processor time. {kept} kept between calls; processes in the background are"
            f" not. Of its output (stdout and stderr) at most {size} are shown.",
            {"command": {"type": "string", "description": "The command line."}},
            ["command"],
        ),
        _tool(
            "read_file",
            "Read a text file of the work folder.",
            {
                "path": _PATH,
                "start_line": {"type": "integer", "minimum": 1, "description": "First line to read, from 1."},
                "end_line": {"type": "integer", "minimum": 1, "description": "Last line to read."},
            },
            ["path"],
            reads=True,
        ),
        _tool(
            "write_file",
            "Write a text file of the work folder, whole; folders above it are made.",
            {"path": _PATH, "content": {"type": "string", "description": "All of its text."}},
            ["path", "content"],
        ),
        _tool(
            "edit_file",
            "Replace a piece of text in a file of the work folder. It must occur exactly once.",
            {
                "path": _PATH,
                "old_text": {
                    "type": "string",
                    "description": "The text that stands there, with its blanks and line breaks.",
                },
                "new_text": {"type": "string", "description": "What is to stand there."},
            },
            ["path", "old_text", "new_text"],
        ),
        _tool(
            "list_files",
            "List the files of the work folder, or of a folder in it, with all that is below; .git is left out.",
            {"path": {"type": "string", "description": "A folder, relative to the work folder; all of it by default."}},
            [],
            reads=True,
        ),
        _tool(
            "search",
            "Find the lines of files that match a regular expression (as grep -E).",
            {
                "pattern": {"type": "string", "description": "The regular expression."},
                "path": {"type": "string", "description": "A file or folder to look in; all by default."},
            },
            ["pattern"],
            reads=True,
        ),
    )


class SampleWorkspace:
    """The workspace of one sample: its box, and how many calls it may still take. Calls come one at a time."""

    def __init__(
        self,
        beginning: Tree,
        limits: WorkLimits,
        packages: str = "",
        *,
        now: Tree | None = None,
        calls: int = 0,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """`now` and `calls` are where it is taken up again; the box is started with its first call.

        `given_up` is asked while a command runs: true ends it.
        """
        self.beginning = with_folders(beginning)
        self.limits, self.calls = limits, calls
        self.too_much = ""
        """What of the folder could not be kept after the last call; empty where all is."""
        self._now: Tree = dict(now if now is not None else self.beginning)
        self._packages, self._given_up = packages, given_up
        self._box: WorkBox | None = None
        self._lock = threading.Lock()
        self._packed: tuple[Tree, str] | None = None

    @property
    def now(self) -> Tree:
        """What stands in the folder after the last call."""
        return self._box.kept if self._box is not None else dict(self._now)

    @property
    def is_used_up(self) -> bool:
        """Whether no call is answered any more."""
        return self.calls >= self.limits.calls

    def packed_now(self) -> str:
        """How the folder differs from its beginning, as the store keeps it; packed once for each state.

        Raises:
            ValueError: it is too large.
        """
        now = self.now
        if self._packed is None or self._packed[0] != now:
            self._packed = (now, packed(changes(self.beginning, now)))
        return self._packed[1]

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Answer a call.

        Raises:
            BoxError: no box can be started.
            Interrupted: the run is stopping.
        """
        with self._lock:
            if self.is_used_up:
                return _failed(f"all {self.limits.calls} calls are used up; give your answer now")
            self.calls += 1
            if self._box is None:
                self._box = WorkBox(self._now, self.limits, self._packages, self._given_up)
            try:
                result = _DOING[name](self._box, arguments, self.limits)
            except OSError as error:
                result = _failed(f"{arguments.get('path', '')}: {error.strerror or error}".removeprefix(": "))
            if name not in ("read_file", "list_files", "search"):
                result = self._kept(self._box, result)
            if self._given_up():
                raise Interrupted
            return result

    def close(self) -> None:
        """End its box; what stood in the folder is still known."""
        with self._lock:
            if self._box is not None:
                self._now = self._box.kept
                self._box.close()
                self._box = None

    def _kept(self, box: WorkBox, result: ToolResult) -> ToolResult:
        try:
            box.keep()
        except TooMuchError as error:
            self.too_much = str(error)
            words = f"\n[the work folder holds {error}: nothing since is kept until they are removed]"
            return ToolResult(result.content + words, is_error=result.is_error)
        self.too_much = ""
        return result


def workspace_handler(handler_id: str) -> ToolHandler | None:
    """What answers the tool of that id; None where there is none."""
    name = handler_id.removeprefix(PREFIX)
    if name not in _DOING:
        return None

    def answer(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        workspace = session.workspace
        if not isinstance(workspace, SampleWorkspace):
            return _failed(f"{name} works in the workspace of a test, and this one has none")
        return workspace.call(name, arguments)

    return answer


def _tool(
    name: str, description: str, properties: dict[str, Any], required: list[str], *, reads: bool = False
) -> ToolDefinition:
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return ToolDefinition(
        PREFIX + name, name, description, parameters, _LOCATION, handler=PREFIX + name, read_only=reads
    )


def _shell(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    ran = box.shell(str(arguments["command"]))
    said = _ended(ran, limits)
    out = ran.out + (ran.err and f"\n{ran.err}")
    text = f"{out.rstrip()}\n[{said}]" if said else out
    return ToolResult(text if text.strip() else "[no output]", is_error=bool(said))


def _ended(ran: ShellRan, limits: WorkLimits) -> str:
    """How a command ended that did not end well; empty for one that did."""
    if ran.lost:
        return "the command ended the whole sandbox; the work folder is as it was before"
    over = {
        "seconds": f"ended: more than {seconds_met(ran, limits)}",
        "memory": f"ended: more than {limits.memory_mb:g} MB of memory",
        "processes": f"ended: more than {limits.processes} processes",
        "output": "ended: too much output",
    }
    if ran.over:
        return over.get(ran.over, ran.over)
    if ran.code < 0:
        return f"ended by signal {-ran.code}"
    return f"exit code {ran.code}" if ran.code else ""


def _read(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    data = _whole(box, _path(arguments, limits))
    if b"\0" in data[:8192]:
        return _failed(f"{arguments['path']} is no text: {len(data):,} bytes")
    lines = data.decode("utf-8", "replace").splitlines(keepends=True)
    first, last = int(arguments.get("start_line") or 1), int(arguments.get("end_line") or len(lines))
    if first > max(1, len(lines)):
        return _failed(f"{arguments['path']} has {len(lines):,} lines")
    text = "".join(lines[first - 1 : last])
    most = int(limits.output_kb * 1024)
    if len(text) > most:
        text = f"{text[:most]}\n[… {len(text) - most:,} of {len(text):,} characters left out; read by start_line and end_line]"
    return ToolResult(text or "[the file is empty]")


def _write(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    path = _path(arguments, limits)
    data = str(arguments["content"]).encode("utf-8", "surrogatepass")
    _put(box, path, data)
    return ToolResult(f"wrote {len(data):,} bytes to {named(path)}")


def _edit(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    path = _path(arguments, limits)
    old, new = (str(arguments[key]).encode("utf-8", "surrogatepass") for key in ("old_text", "new_text"))
    data = _whole(box, path)
    if not old:
        return _failed("old_text is empty; write_file writes a whole file")
    if (count := data.count(old)) != 1:
        words = "does not occur in it" if not count else f"occurs {count} times in it; give more of the lines around it"
        return _failed(f"{named(path)}: old_text {words}")
    line = data[: data.index(old)].count(b"\n") + 1
    _put(box, path, data.replace(old, new))
    return ToolResult(f"edited {named(path)} at line {line}")


def _list(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    given = str(arguments.get("path") or ".")
    above = "" if _normal(given, limits) == "." else _normal(given, limits)
    tree = box.keep()
    if above and (above not in tree or tree[above].kind != "folder"):
        return _failed(f"{named(given)}: there is no such folder")
    found = [
        f"{named(path)}{'/' if one.kind == 'folder' else ''}"
        for path, one in tree.items()
        if (not above or path.startswith(f"{above}/")) and ".git" not in path.split("/")
    ]
    more = f"\n[… {len(found) - _MAX_LISTED:,} more left out; list a folder]" if len(found) > _MAX_LISTED else ""
    return ToolResult("\n".join(sorted(found)[:_MAX_LISTED]) + more if found else "[no files]")


def _search(box: WorkBox, arguments: Mapping[str, Any], limits: WorkLimits) -> ToolResult:
    path = _normal(str(arguments.get("path") or "."), limits)
    words = ["/usr/bin/grep", "-rnIE", "--exclude-dir=.git", "-e", str(arguments["pattern"]), "--", path]
    if not Path(words[0]).exists():
        words[0] = "/bin/grep"
    ran = box.run(words)
    if ran.code == 1 and not ran.over:
        return ToolResult("[no line matches]")
    if ran.code or ran.over:
        return _failed(ran.err.strip().removeprefix("/usr/bin/") or _ended(ran, limits))
    return ToolResult(re.sub(r"(?m)^\./", "", ran.out))


def _path(arguments: Mapping[str, Any], limits: WorkLimits) -> str:
    """The path of a file within the folder.

    Raises:
        OSError: it leads out of it, or is none.
    """
    path = _normal(str(arguments["path"]), limits)
    if path == ".":
        raise OSError("it is the work folder itself; name a file in it")
    return path


def _normal(given: str, limits: WorkLimits) -> str:
    if (part := part_of(limits.places, posixpath.normpath(given))) is not None:
        given = part or "."
    inner = given.removeprefix(FOLDER).lstrip("/") if given == FOLDER or given.startswith(f"{FOLDER}/") else given
    path = posixpath.normpath(inner or ".")
    if path.startswith("/") or path.split("/")[0] == ".." or "\0" in path:
        raise OSError("it is outside of the work folder")
    return path


def _whole(box: WorkBox, path: str) -> bytes:
    data, path = bytearray(), box.led(path)
    while piece := box.read(path, len(data)):
        data += piece
        if len(data) > _MAX_FILE:
            raise OSError(f"it is larger than {_MAX_FILE // 1024 // 1024} MB; use the shell")
    return bytes(data)


def _put(box: WorkBox, path: str, data: bytes) -> None:
    """Write a file, through links that stay in the folder; one that is there keeps its permissions."""
    import time

    path = box.led(path)
    known = box.kept.get(path)
    mode = known.mode if known is not None and known.kind == "file" else 0o755 if data.startswith(b"#!") else 0o644
    box.lay({path: TreeEntry("file", data, mode, time.time_ns())})


def _failed(words: str) -> ToolResult:
    return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)


_DOING: Mapping[str, Callable[[WorkBox, Mapping[str, Any], WorkLimits], ToolResult]] = {
    "shell": _shell, "read_file": _read, "write_file": _write, "edit_file": _edit, "list_files": _list, "search": _search,
}  # fmt: skip
