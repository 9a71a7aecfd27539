"""Where worker processes can be: the places of a run, and those of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from modex.core.engine.executors.address import ClusterAddress
from modex.core.engine.executors.channel import Channel, Pipes
from modex.core.foundation.processes import cores


@dataclass(frozen=True, slots=True)
class WorkerPlace:
    """Room for one worker process of the run, and for a second one where a sample is to be moved alone."""

    name: str
    """Never used for another place."""
    start: Callable[[], Channel]
    """Start a process here.

    Raises:
        OSError: the system starts no more.
    """
    sure: bool
    """Whether a process that is started here can be counted on, so that samples need not wait until it is ready."""
    problem: str | None = None
    """Why none may be started here."""


class Places(Protocol):
    """The places of a run; those of a cluster come and go."""

    shares_disk: bool
    """Whether processes there read the driver's files; else the suite is sent to them."""

    def now(self) -> Sequence[WorkerPlace]:
        """Those that there are at this moment; never blocks."""
        ...

    def no_places(self) -> str:
        """Who has no places, where there are none."""
        ...

    def close(self) -> None:
        """Give back what they needed."""
        ...


class Connect(Protocol):
    """What connects to the places of a cluster."""

    def __call__(self, address: ClusterAddress, *, insecure: bool, log: Callable[[str, str], None]) -> Places:
        """The places at `address`.

        Raises:
            ModexError: nobody answers there.
        """
        ...


CLUSTER = "modex.core.edge.cluster.cluster:Cluster"
"""What connects to a cluster, as `module:name`: it needs Dask, which only a run on a cluster has."""


def processes_of(wanted: int) -> int:
    """How many processes move samples: `wanted`, or for 0 as many as there are cores for this process."""
    if wanted:
        return wanted
    return cores()


class Here:
    """This machine."""

    shares_disk = True

    def __init__(self, count: int) -> None:
        self._places = tuple(WorkerPlace(f"here {number}", Pipes, sure=True) for number in range(count))

    def now(self) -> Sequence[WorkerPlace]:
        """See `Places`."""
        return self._places

    def no_places(self) -> str:
        """See `Places`."""
        return "this machine"

    def close(self) -> None:
        """See `Places`."""
