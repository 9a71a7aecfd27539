"""The servers that one process wants, each once."""

from __future__ import annotations

import threading
from typing import Any

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.gate import Interrupted
from modex.core.llm.served.facts import facts_of
from modex.core.llm.served.filling import wish_of
from modex.core.llm.served.lease import ServerLease


class ServerLeases:
    """Rights to servers, used by any thread; given back by `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leases: dict[str, tuple[ModelSpec, ServerLease]] = {}
        self._known: dict[tuple[object, ...], ServerLease] = {}
        """By what was asked for: to make a wish reads the file's head, a tenth of a second for each call."""
        self._closed = False

    def of(self, spec: ModelSpec) -> ServerLease:
        """The lease of a model that is served; taken where it is not yet.

        Raises:
            ConfigurationError: it cannot be served.
            Interrupted: all are given back.
        """
        asked = (spec.model, spec.gguf, spec.gguf_digest, spec.serve)
        with self._lock:
            if self._closed:
                raise Interrupted
            if asked not in self._known:
                wish = wish_of(spec)
                if wish.key not in self._leases:
                    self._leases[wish.key] = spec, ServerLease(wish, spec.said)
                self._known[asked] = self._leases[wish.key][1]
            return self._known[asked]

    def facts(self) -> list[dict[str, Any]]:
        """How each model is served, as far as that is known by now; see `facts_of`."""
        with self._lock:
            held = list(self._leases.values())
        return [facts_of(spec, lease.status()) for spec, lease in held]

    def close(self) -> None:
        """Give all back; may be called twice."""
        with self._lock:
            self._closed = True
            for _, lease in self._leases.values():
                lease.close()
