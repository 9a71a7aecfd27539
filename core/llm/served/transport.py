"""Asking a model whose server is this program's: wherever that is at the moment, and again where it was started again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.direct import DirectTransport
from modex.core.llm.faults import Provider
from modex.core.llm.gate import Interrupted
from modex.core.llm.reply import Reply
from modex.core.llm.request import CallRequest
from modex.core.llm.routing import Route
from modex.core.llm.served.filling import wire_name
from modex.core.llm.served.status import Status

if TYPE_CHECKING:
    from modex.core.llm.pool import ClientPool


@dataclass(frozen=True, slots=True)
class _Reached:
    base: str
    key: str
    transport: DirectTransport


class ServedTransport:
    """Asks one model at the server that is started for it."""

    def __init__(self, spec: ModelSpec, who: Provider, pool: ClientPool) -> None:
        self._spec = spec
        self._who = who
        self._pool = pool
        self._reached: _Reached | None = None

    def prepare_early(self) -> None:
        """See `Transport.prepare_early`: the server is started, and answers while tests are still read."""
        threading.Thread(target=self._begin, name="start-server", daemon=True).start()

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """See `Transport.send`; waits for the server first, as long as that is starting."""
        pool = self._pool
        try:
            status = pool.leases.of(self._spec).ready(pool.stop.is_set, pool.gate(self._spec).note)
        except ConfigurationError as error:
            raise ModelCallError(str(error), ErrorType.CONNECTION, fatal=True, attempts=0) from None
        except TimeoutError:
            raise Interrupted from None
        return self._at(status).send(request, refused)

    def _begin(self) -> None:
        """What it cannot do here is said by the first call."""
        try:
            self._pool.leases.of(self._spec)
        except (ConfigurationError, Interrupted):
            return

    def _at(self, status: Status) -> DirectTransport:
        found = self._reached
        if found is None or (found.base, found.key) != (status.base, status.key):
            route = Route("direct", wire_name(self._spec), status.base, key=status.key)
            pool = self._pool
            found = _Reached(status.base, status.key, DirectTransport(route, self._who, pool.http, pool.under_way))
            self._reached = found
        return found.transport
