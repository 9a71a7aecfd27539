"""Dask's scheduler and worker without their web servers, which every user of the machine reaches unasked."""

from __future__ import annotations

from typing import Any

from distributed import LocalCluster, Scheduler, Worker
from tornado.httpserver import HTTPServer


class QuietScheduler(Scheduler):  # type: ignore[misc]
    """A scheduler that listens for its workers and clients only."""

    def start_http_server(self, *given: Any, **named: Any) -> None:
        """Make the server that the scheduler stops at its end, and let it listen nowhere."""
        _silent(self, *given, **named)


class QuietWorker(Worker):  # type: ignore[misc]
    """A worker that listens for its scheduler and for other workers only."""

    def start_http_server(self, *given: Any, **named: Any) -> None:
        """Make the server that the worker stops at its end, and let it listen nowhere."""
        _silent(self, *given, **named)


def _silent(node: Any, *_: Any, **__: Any) -> None:
    node.http_server = HTTPServer(lambda request: request.connection.finish())
    node.http_server.address, node.http_server.port = "", 0


def quieted(cluster: LocalCluster) -> LocalCluster:
    """The cluster, before it is started, with such a scheduler and such workers."""
    cluster.scheduler_spec["cls"] = QuietScheduler
    for spec in [cluster.new_spec, *cluster.worker_spec.values()]:
        spec["options"]["worker_class"] = QuietWorker
    return cluster
