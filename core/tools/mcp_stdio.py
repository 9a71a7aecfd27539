"""A program that speaks the Model Context Protocol on stdio for a sample's tools: `python mcp_stdio.py FILE`.

FILE, which only its owner may read, holds the address of the tools (`endpoint.py`); each line of stdin is sent there, and what is
answered is a line of stdout. Messages that come at once are sent at once. It stands alone: agents start it with an environment of
their own.
"""

from __future__ import annotations

import http.client
import os
import sys
import threading
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

_writing = threading.Lock()


def main(file: str) -> None:
    """Carry messages until the client goes or the tools do."""
    address = urlsplit(Path(file).read_text(encoding="ascii").strip())
    for line in sys.stdin.buffer:
        if line.strip():
            threading.Thread(target=_carry, args=(address, line.strip())).start()


def _carry(address: SplitResult, message: bytes) -> None:
    connection = http.client.HTTPConnection(address.hostname or "", address.port)
    try:
        connection.request("POST", address.path, message, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        answer = reply.read()
    except (OSError, http.client.HTTPException):
        answer = None
    finally:
        connection.close()
    if answer is None or reply.status >= 400:
        sys.stderr.write("the test is over: its tools answer no more\n")
        os._exit(1)
    if answer:
        with _writing:
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except OSError:
        sys.exit("the test is over: its tools answer no more")
