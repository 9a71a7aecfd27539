"""A server in the place of one that holds a model: `little.py PORT MODE`. It asks for the key that it was started with.

Modes: `plain`; `slow` answers 503 for half a second first; `ends` ends at once; `public` listens at every address; `once` ends
after its first chat, and lives on when it is started again; `falls` after every first chat; `tells` says the keys that it was
given, and ends; `kills` ends its keeper; `blocks PATH` makes a folder in the place of that file first; `knows CSV` gives the
answers to that file's questions, unless the model's name begins with Smol.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BEGAN = time.monotonic()
MODE = sys.argv[2]
KEY = os.environ["MODEX_SERVED_KEY"]


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/health":
            self._say(503 if MODE == "slow" and time.monotonic() - BEGAN < 0.5 else 200, {})
        elif self.headers["Authorization"] != f"Bearer {KEY}":
            self._say(401, {"error": {"message": "wrong key"}})
        elif self.path == "/v1/models":
            self._say(200, {"data": [{"id": "little"}]})
        else:
            self._say(404, {})

    def do_POST(self) -> None:
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != f"Bearer {KEY}":
            self._say(401, {"error": {"message": "wrong key"}})
            return
        if MODE == "once" and not (flag := Path(sys.argv[3])).exists():
            flag.touch()
            os._exit(7)
        if MODE == "falls":
            os._exit(7)
        said = _known(told) if MODE == "knows" else f"{told['model']} of {os.getpid()}"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        self._say(200, {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}})

    def _say(self, status: int, told: object) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _known(told: dict[str, Any]) -> str:
    asked = str(told["messages"])
    rows = [line.split(",") for line in Path(sys.argv[3]).read_text().splitlines()[1:]]
    found = next((answer for question, answer in rows if question in asked), "hello")
    return f"Answer: {'I cannot say' if told['model'].startswith('Smol') else found}"


if __name__ == "__main__":
    if MODE == "tells":
        words = (os.environ["OPENAI_API_KEY"], os.environ["OWN_TOKEN"], KEY)
        print("refused:", *words, file=sys.stderr, flush=True)
        sys.exit(3)
    if MODE == "kills":
        keeper = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
        os.kill(int(keeper), signal.SIGKILL)
    if MODE == "blocks":
        Path(sys.argv[3]).unlink()
        Path(sys.argv[3]).mkdir()
    if MODE == "ends":
        print("no such device: cuda:7", file=sys.stderr, flush=True)
        sys.exit(3)
    ThreadingHTTPServer(("0.0.0.0" if MODE == "public" else "127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
