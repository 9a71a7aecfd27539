"""Which cluster a run names, and why it may not be asked: read without Dask."""

from __future__ import annotations

import importlib.util
import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ConfigurationError

_LOCAL = re.compile(r"local(?::(\d{1,3}))?")
_MOST_LOCAL = 256
_EXTRA = "--cluster needs Dask; install modex with the extra: pip install 'modex[cluster]'"


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """A Dask scheduler's address, or how many workers of this machine to start."""

    text: str
    local: int = 0

    @property
    def is_local(self) -> bool:
        """Whether the driver starts the workers itself, so that they have its environment."""
        return self.local > 0


def cluster_address(text: str) -> ClusterAddress:
    """Read what `--cluster` says.

    Raises:
        ConfigurationError: it is no such address.
    """
    if match := _LOCAL.fullmatch(text.strip()):
        count = int(match[1] or 2)
        if not 1 <= count <= _MOST_LOCAL:
            raise ConfigurationError(f"--cluster {text}: from 1 to {_MOST_LOCAL} workers; write local:4")
        return ClusterAddress(text, count)
    try:
        parts = urlsplit(text.strip())
        found = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None
    except ValueError:
        found = False
    if not found:
        raise ConfigurationError(
            f"--cluster {text[:80]}: write the address of a Dask scheduler with its port, tls://host:8786 or tcp://127.0.0.1:8786,"
            " or local:N for N workers of this machine"
        )
    return ClusterAddress(text.strip())


def open_to_others(address: str) -> bool:
    """Whether what is said at this address of a cluster can be read and changed on the way."""
    parts = urlsplit(address)
    return parts.scheme != "tls" and not is_loopback(address)


def is_loopback(address: str) -> bool:
    """Whether this address of a cluster is this machine's own, or a tunnel's end on it."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def cluster_of(config: RunConfig) -> ClusterAddress | None:
    """The cluster that moves a run's samples, if any does.

    Raises:
        ConfigurationError: it cannot or may not be used: what is wrong, and what to do.
    """
    if config.cluster is None:
        return None
    address = cluster_address(config.cluster)
    if not address.is_local and open_to_others(address.text) and not config.insecure_cluster:
        raise ConfigurationError(
            f"--cluster {address.text}: a plain tcp:// connection to another machine can be read and changed on its way, and Dask"
            " runs whatever it is sent: use tls:// (docs/cluster.md), a tunnel to 127.0.0.1, or --insecure-cluster in a network"
            " that you trust"
        )
    if config.processes != 1:
        raise ConfigurationError("--cluster and --processes both say where samples are moved: leave one of them out")
    if importlib.util.find_spec("distributed") is None:
        raise ConfigurationError(_EXTRA)
    return address
