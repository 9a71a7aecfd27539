"""No mode of a run listens on the network: whoever else has an account on the machine finds no port of it.

A cluster of this machine listens for its own workers over TLS: `tests/core/edge/cluster/test_quiet.py` looks at it.
"""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

import pytest

from tests.faults.harness import Modex, descendants, keyword_tests, runners_of, wait_until, write_suite
from tests.faults.test_terminal import Terminal
from tests.server import Reply, serve

pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="sockets are listed by Linux only")

LISTENS, UNCONNECTED = "0A", "07"  # the kernel's numbers of states: TCP_LISTEN, and UDP sockets that take from anybody
SLOW = Reply(content="ok", latency=600)


def listening(processes: set[int]) -> set[str]:
    """The ports, as `tcp:1234`, at which these processes take what others send."""
    inodes = set()
    for process in processes:
        with contextlib.suppress(OSError):  # it has just ended
            for file in Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(OSError):  # the one by which the folder is read is gone again
                    if (name := str(file.readlink())).startswith("socket:["):
                        inodes.add(name[8:-1])
    ports = set()
    for table, state in (("tcp", LISTENS), ("tcp6", LISTENS), ("udp", UNCONNECTED), ("udp6", UNCONNECTED)):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == state and fields[9] in inodes:
                ports.add(f"{table}:{int(fields[1].rpartition(':')[2], 16)}")
    return ports


def test_a_port_that_listens_is_seen() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert f"tcp:{server.getsockname()[1]}" in listening({os.getpid()})


@pytest.mark.process
def test_no_mode_of_a_run_listens(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(2))
    with serve(SLOW) as server:
        words = (
            "run",
            "--model",
            "openai/test-model",
            "--api-base",
            server.url,
            "--suite",
            suite,
            "--exp-id",
            "screen",
        )
        terminal = Terminal(modex, words)
        try:
            direct = modex.start(*modex.headless(server.url, suite, exp="direct"))
            several = modex.start(*modex.headless(server.url, suite, "--processes", "2", exp="several"))
            wait_until(lambda: (terminal.read(), server.in_flight == 6)[1], "two questions of each run")
            (runner,) = runners_of(modex.db)
            starters = {terminal.pid, runner, direct.pid, several.pid}
            below = {process for starter in starters for process in descendants(starter)}
            assert len(set(descendants(several.pid)) - set(descendants(direct.pid))) >= 2
            assert listening(starters | below) == set()
        finally:
            terminal.close()
