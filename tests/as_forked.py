"""`modex` for a shell, at the price of a fork: `python -I -S as_forked.py WORD…` is a process that `tests.forked` makes.

It imports nothing of ours: what it costs is the start of a bare interpreter.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

_STATUS_BYTES = 16


def main() -> int:
    """Have the process made with this one's files and environment, and end as it ends."""
    folder = os.environ["TESTS_SESSION"].partition(":")[2]
    wanted = {
        "words": sys.argv[1:],
        "module": "modex.tui.cli",
        "env": dict(os.environ),
        "cwd": str(Path.cwd()),
        "terminal": False,
        "nobody": False,
        "session": False,
    }
    end, telling = os.pipe()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.connect(f"{folder}/maker")
        socket.send_fds(asked, [json.dumps(wanted).encode()], [0, 1, 2, telling])
        os.close(telling)
        os.read(end, _STATUS_BYTES)  # its id
        return os.waitstatus_to_exitcode(int(os.read(end, _STATUS_BYTES)))


if __name__ == "__main__":
    sys.exit(main())
