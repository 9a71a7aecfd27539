"""A child that does what it is told, harm included."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from modex.core.sandbox.child import Confinement, serve


def handle(request: dict[str, Any]) -> dict[str, Any]:
    what = request["do"]
    if what == "sleep":
        time.sleep(60)
    elif what == "die":
        os._exit(3)
    elif what == "be killed":
        marks = list(Path(request["folder"]).iterdir())
        if marks:
            marks[0].unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    elif what == "raise":
        raise ValueError("planted")
    elif what == "print":
        print("noise", flush=True)
        return {"printed": True}
    elif what == "environ":
        return {"names": list(os.environ)}
    elif what == "write":
        Path(request["path"]).write_bytes(b"x" * 100)
    elif what == "memory":
        return {"length": len(bytearray(10**9))}
    elif what == "spin":
        while True:
            pass
    elif what == "echo":
        return {"length": len(request["text"]), "text": request["text"]}
    return {"pid": os.getpid()}


if __name__ == "__main__":
    serve(handle, Confinement())
