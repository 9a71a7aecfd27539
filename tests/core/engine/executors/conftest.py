"""A Dask cluster of real processes on loopback, started once for the tests that ask for it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(slots=True)
class DaskCluster:
    """Two Dask workers, each kept alive by a nanny."""

    address: str
    cluster: Any

    def workers(self) -> list[int]:
        """The process ids of the Dask workers."""
        return [nanny.pid for nanny in self.cluster.workers.values() if nanny.pid is not None]


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers, whose environment is that of a test: a home of its own, no keys."""
    distributed = pytest.importorskip(
        "distributed", reason="distributed is not installed: pip install 'modex[cluster]'"
    )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    home = tmp_path_factory.mktemp("cluster")
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("MODEX_") or name.endswith(("_API_KEY", "_API_BASE", "_PROXY", "_proxy")):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("MODEX_RETRY_WAIT", "0.01")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", protocol="tcp", dashboard_address=None,
            silence_logs=logging.CRITICAL, local_directory=str(home),
        )  # fmt: skip
    with cluster:
        yield DaskCluster(cluster.scheduler_address, cluster)
