"""A Hub of datasets on loopback: what `huggingface_hub` asks of the real one, and every way in which it can fail.

Its routes are those that the library asks, as it was recorded: `GET /api/datasets/<owner>/<name>/revision/<revision>?blobs=true`
says the commit and every file with size, blob and, of large ones, SHA-256; `HEAD` and `GET
/datasets/<owner>/<name>/resolve/<commit>/<path>` tell and give a file, a large one by a redirect to another host, where no token
belongs. A download begins with `Range: bytes=N-` where it goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

LARGE = (".parquet", ".zip")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def blob(data: bytes) -> str:
    return hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


@dataclass
class Repository:
    """A dataset: its commits with their files, and which commit each branch is."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    token: str = ""
    """Who may download: the one who sends this; empty is everybody."""

    def commit(self, files: Mapping[str, bytes], branch: str = "main") -> str:
        """A new commit, which the branch is from now on."""
        name = hashlib.sha1(repr(sorted(files.items())).encode() + branch.encode()).hexdigest()
        self.commits[name] = dict(files)
        self.branches[branch] = name
        return name


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    path: str
    range: str
    token: str
    host: str


@dataclass
class Faults:
    """What goes wrong."""

    breaks: list[int] = field(default_factory=list)
    """The next downloads break off after so many bytes."""
    refuses: list[int] = field(default_factory=list)
    """The statuses of the next downloads."""
    wrong: bytes | None = None
    """What is given in place of a file's content."""
    status: int = 0
    """The status of every answer."""
    holds: threading.Event | None = None
    """Downloads give half, and the rest once this is set."""
    half: threading.Event = field(default_factory=threading.Event)
    """Set once a download that is held gave its half."""

    def breaks_then(self, status: int, after: int = 1000) -> None:
        """The next download breaks off, and the one that goes on with it at once is refused."""
        self.breaks, self.refuses = [after], [status]


class Hub:
    """The server; `address` is what HF_ENDPOINT says."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.asked: list[Asked] = []
        self.faults = Faults()
        hub = self

        class Handler(_Handler):
            served = hub

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def repository(self, name: str) -> Repository:
        return self.repositories.setdefault(name, Repository())

    def downloads(self) -> list[Asked]:
        """The requests that gave content."""
        return [one for one in self.asked if one.method == "GET" and not one.path.startswith("/api/")]

    def close(self) -> None:
        if self.faults.holds is not None:
            self.faults.holds.set()
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def hub() -> Iterator[Hub]:
    """A Hub that is closed again."""
    served = Hub()
    try:
        yield served
    finally:
        served.close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: Hub

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        heads = self.headers
        token = (heads.get("Authorization") or "").removeprefix("Bearer ")
        host = (heads.get("Host") or "").partition(":")[0]
        self.served.asked.append(Asked(self.command, path, heads.get("Range") or "", token, host))
        if self.served.faults.status:
            self._say(self.served.faults.status, b"{}")
        elif path.startswith("/api/datasets/"):
            self._info(path.removeprefix("/api/datasets/"))
        elif path.startswith("/datasets/"):
            self._resolve(path.removeprefix("/datasets/"), token)
        elif path.startswith("/large/"):
            self._give(self._large(path.removeprefix("/large/")), {})
        else:
            self._say(404, b"{}")

    def _found(self, name: str, revision: str) -> tuple[Repository, str] | None:
        repository = self.served.repositories.get(name)
        if repository is None:
            self._say(404, b"{}", {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})
            return None
        commit = repository.branches.get(revision, revision)
        if commit not in repository.commits:
            self._say(404, b"{}", {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "Invalid rev id"})
            return None
        return repository, commit

    def _info(self, rest: str) -> None:
        name, _, revision = rest.partition("/revision/")
        if (found := self._found(name, revision or "main")) is None:
            return
        repository, commit = found
        siblings = []
        for path, data in repository.commits[commit].items():
            one: dict[str, Any] = {"rfilename": path, "size": len(data), "blobId": blob(data)}
            if path.endswith(LARGE):
                one["lfs"] = {"sha256": sha256(data), "size": len(data), "pointerSize": 130}
            siblings.append(one)
        gated = "auto" if repository.token else False
        told = {"id": name, "sha": commit, "private": False, "gated": gated, "tags": [], "siblings": siblings}
        self._say(200, json.dumps(told).encode())

    def _resolve(self, rest: str, token: str) -> None:
        name, _, more = rest.partition("/resolve/")
        revision, _, path = more.partition("/")
        if (found := self._found(name, revision)) is None:
            return
        repository, commit = found
        if repository.token and token != repository.token:
            message = f"Access to dataset {name} is restricted. You must have access to it and be authenticated."
            status = 403 if token else 401
            self._say(status, b"", {"X-Error-Code": "GatedRepo", "X-Error-Message": message})
            return
        data = repository.commits[commit].get(path)
        if data is None:
            self._say(404, b"", {"X-Error-Code": "EntryNotFound", "X-Error-Message": "Entry not found"})
            return
        heads = {"X-Repo-Commit": commit}
        if path.endswith(LARGE):
            heads |= {"X-Linked-Etag": f'"{sha256(data)}"', "X-Linked-Size": str(len(data))}
            heads["Location"] = f"http://localhost:{self.served.port}/large/{sha256(data)}?Signature=private"
            self._say(302, b"", heads)
            return
        self._give(data, {**heads, "ETag": f'"{blob(data)}"'})

    def _large(self, digest: str) -> bytes:
        every = (
            data
            for one in self.served.repositories.values()
            for files in one.commits.values()
            for data in files.values()
        )
        return next(data for data in every if sha256(data) == digest)

    def _give(self, data: bytes, heads: Mapping[str, str]) -> None:
        faults = self.served.faults
        if self.command == "GET" and faults.refuses and not faults.breaks:
            self._say(faults.refuses.pop(0), b"")
            return
        if self.command == "GET" and faults.wrong is not None:
            data = faults.wrong
        begin = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=").partition("-")[0])
        part = data[begin:]
        more = {"Content-Range": f"bytes {begin}-{len(data) - 1}/{len(data)}"} if begin else {}
        if self.command == "GET" and faults.breaks:
            self._head(206 if begin else 200, len(part), {**heads, **more})
            self.wfile.write(part[: faults.breaks.pop(0)])
            self.wfile.flush()
            self.close_connection = True
            return
        if self.command == "GET" and faults.holds is not None:
            self._head(206 if begin else 200, len(part), {**heads, **more})
            self.wfile.write(part[: len(part) // 2])
            self.wfile.flush()
            faults.half.set()
            faults.holds.wait()
            with contextlib.suppress(OSError):
                self.wfile.write(part[len(part) // 2 :])
            return
        self._say(206 if begin else 200, part, {**heads, **more})

    def _say(self, status: int, body: bytes, heads: Mapping[str, str] | None = None) -> None:
        self._head(status, len(body), heads or {})
        if self.command == "GET":
            self.wfile.write(body)

    def _head(self, status: int, length: int, heads: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(length), "Content-Type": "application/json", **heads}.items():
            self.send_header(name, value)
        self.end_headers()
