"""A cluster of this machine listens for its own workers and clients, over TLS, and for nobody else."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from modex.core.engine.executors.address import ClusterAddress

pytestmark = pytest.mark.process


def _listening(processes: set[int]) -> set[int]:
    """The TCP ports on which these processes listen."""
    inodes = set()
    for process in processes:
        for file in Path(f"/proc/{process}/fd").iterdir():
            try:
                name = str(file.readlink())
            except OSError:
                continue
            if name.startswith("socket:["):
                inodes.add(name[8:-1])
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def _below(process: int) -> set[int]:
    found = {process}
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            found |= _below(int(child))
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="sockets are listed by Linux only")
def test_no_port_of_a_local_cluster_speaks_http() -> None:
    pytest.importorskip("distributed")
    from modex.core.edge.cluster.cluster import Cluster

    before = _listening(_below(os.getpid()))
    cluster = Cluster(ClusterAddress("local:1", local=1), insecure=False, log=lambda _kind, _words: None)
    try:
        ports = _listening(_below(os.getpid())) - before
        assert ports
        for port in ports:
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                connection.settimeout(5)
                connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
                try:
                    said = connection.recv(100)
                except OSError:
                    said = b""
                assert not said.startswith(b"HTTP/"), port
    finally:
        cluster.close()
