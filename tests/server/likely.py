"""A server of `/v1/completions` whose log-probabilities follow from the text alone: of a prompt's tokens, or of the next one's
alternatives.

Its tokens are words with the blank before them, and signs. It also answers `/tokenize`, `/detokenize` and `/tokenizer_info` as
vLLM's server does, so that lm-eval asks it too. `python -m tests.server.likely PORT` serves until it is ended.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["echo", "next", "bare", "none"]
"""What it tells: a prompt's log-probabilities; the next token's alternatives (llama.cpp); neither; it has no such address."""
_TOKEN = re.compile(r" ?[^\W_]+| ?[^\w\s]+|\s|_")


def tokens_of(text: str) -> list[str]:
    """The text's tokens, which joined are the text."""
    return _TOKEN.findall(text)


def logprob(before: Sequence[str], token: str) -> float:
    """The natural logarithm of how likely `token` is behind the last eight tokens `before`: -0.001 to -9."""
    words = "\0".join([*before[-8:], token]).encode()
    return -(int.from_bytes(hashlib.blake2b(words, digest_size=4).digest()) % 8999 + 1) / 1000


@dataclass
class Likely:
    """The server's state; `asked` are the bodies that it was sent, in their order."""

    kind: Kind = "echo"
    asked: list[dict[str, Any]] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    """The statuses of the next answers, before it answers again."""
    letters: str = "ABCDEFGHIJ"
    """The letters among the next token's alternatives."""
    on_ask: threading.Event | None = None
    """Set when it is asked about options for the first time."""
    url: str = ""
    _words: list[str] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ids(self, text: str) -> list[int]:
        """The tokens as numbers."""
        with self._lock:
            for token in tokens_of(text):
                if token not in self._ids:
                    self._ids[token] = len(self._words)
                    self._words.append(token)
            return [self._ids[token] for token in tokens_of(text)]

    def tokens(self, prompt: str | list[int]) -> list[str]:
        """A prompt, given as a text or as numbers, as tokens."""
        return tokens_of(prompt) if isinstance(prompt, str) else [self._words[number] for number in prompt]

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer of `/v1/completions`."""
        given = body["prompt"]
        prompts = [given] if isinstance(given, str) or (given and isinstance(given[0], int)) else given
        found = [self.tokens(one) for one in prompts]
        choices = [{"index": place, **self._choice(tokens, body)} for place, tokens in enumerate(found)]
        counted = {"prompt_tokens": sum(map(len, found)), "completion_tokens": len(found)}
        choices.reverse()  # their numbers say which is which, not their order
        return {"object": "text_completion", "model": body.get("model"), "choices": choices, "usage": counted}

    def _choice(self, tokens: list[str], body: dict[str, Any]) -> dict[str, Any]:
        if self.kind == "next":
            told = [(f" {one}", logprob(tokens, f" {one}")) for one in self.letters] + [(" The", -0.5)]
            listed = [{"token": token, "logprob": value} for token, value in told]
            return {
                "text": " The",
                "finish_reason": "length",
                "logprobs": {"content": [{**listed[-1], "top_logprobs": listed}]},
            }
        if self.kind == "bare" or not body.get("logprobs"):
            return {"text": " The", "finish_reason": "length", "logprobs": None}
        whole = [*tokens, " The"]
        values = [None, *(logprob(whole[:place], whole[place]) for place in range(1, len(whole)))]
        tops = [None if value is None else {token: value} for token, value in zip(whole, values, strict=True)]
        logprobs = {"tokens": whole, "token_logprobs": values, "top_logprobs": tops, "text_offset": []}
        return {"text": "".join(whole), "finish_reason": "length", "logprobs": logprobs}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Likely

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        self._answer(200, {"eos_token": "</s>", "bos_token": "<s>", "data": [{"id": "likely"}]})

    def do_POST(self) -> None:
        state = self.state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            self._answer(200, {"tokens": state.ids(body["prompt"])})
        elif self.path == "/detokenize":
            self._answer(200, {"prompt": "".join(state.tokens(body["tokens"]))})
        elif self.path != "/v1/completions" or state.kind == "none":
            self._answer(404, {"error": {"message": "no such address"}})
        else:
            state.asked.append(body)
            if state.on_ask is not None and len(state.asked) > 1:
                state.on_ask.set()
            if state.breaks:
                self._answer(state.breaks.pop(0), {"error": {"message": "not now"}})
            else:
                self._answer(200, state.complete(body))

    def _answer(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data)


def _server(state: Likely, port: int) -> http.server.ThreadingHTTPServer:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"state": state}))
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return server


@contextlib.contextmanager
def likely(kind: Kind = "echo") -> Iterator[Likely]:
    """The server on a free port, while it is wanted."""
    state = Likely(kind)
    server = _server(state, 0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    _server(Likely(), int(sys.argv[1])).serve_forever()
