"""The part of GitHub's REST interface that posts comments on a pull request, on loopback."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

OURS = "github-actions[bot]"


class GitHub:
    """The comments of one pull request, the oldest first, as GitHub numbers and pages them."""

    def __init__(self, writable: bool) -> None:
        self.comments: list[dict[str, Any]] = []
        self.writable = writable
        self.port = 0

    def add(self, body: str, author: str = OURS) -> dict[str, Any]:
        comment = {"id": len(self.comments) + 1, "user": {"login": author}, "body": body}
        self.comments.append(comment)
        return comment

    def environment(self, number: str) -> dict[str, str]:
        """What a job's environment says of it."""
        return {
            "GITHUB_API_URL": f"http://127.0.0.1:{self.port}", "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t",
            "PR": number, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
        }  # fmt: skip

    def answer(self, method: str, path: str, token: str | None, body: dict[str, Any]) -> tuple[int, object]:
        """The status and the document; paths and fields as GitHub's reference has them."""
        if token != "Bearer t":
            return 401, {"message": "Bad credentials"}
        if method != "GET" and not self.writable:
            return 403, {"message": "Resource not accessible by integration"}
        parts, issues = urlsplit(path), "/repos/o/r/issues"
        if parts.path == f"{issues}/7/comments" and method == "GET":
            asked = {name: int(values[0]) for name, values in parse_qs(parts.query).items()}
            size = min(asked.get("per_page", 30), 100)
            begin = size * (asked.get("page", 1) - 1)
            return 200, self.comments[begin : begin + size]
        if parts.path == f"{issues}/7/comments" and method == "POST":
            return 201, self.add(body["body"])
        if parts.path.startswith(f"{issues}/comments/") and method == "PATCH":
            comment = self.comments[int(parts.path.rpartition("/")[2]) - 1]
            comment["body"] = body["body"]
            return 200, comment
        return 404, {"message": "Not Found"}


@contextlib.contextmanager
def github(*, writable: bool = True) -> Iterator[GitHub]:
    """A pull request 7 of the repository o/r; `writable` says what the token may do."""
    hub = GitHub(writable)

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else {}
            status, document = hub.answer(self.command, self.path, self.headers.get("Authorization"), body)
            data = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        hub.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
