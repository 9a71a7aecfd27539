"""At which addresses a port of this machine is listened to, as the system knows: who started the server need not.

The files' form: https://docs.kernel.org/networking/proc_net_tcp.html.
"""

from __future__ import annotations

import contextlib
import ipaddress
import struct
from collections.abc import Iterator
from pathlib import Path

_LISTENS = "0A"


def public_address(port: int) -> str:
    """An address at which other machines reach `port`; empty where there is none, or the system does not say."""
    return next((str(one) for one in _listening(port) if not one.is_loopback), "")


def _listening(port: int) -> Iterator[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in Path("/proc/net", name).read_text().splitlines()[1:]:
                fields = line.split()
                address, _, own = fields[1].partition(":")
                if fields[3] == _LISTENS and int(own, 16) == port:
                    yield _address(address)


def _address(digits: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Of words of four bytes, each in the machine's own order."""
    words = [struct.pack("=I", int(digits[at : at + 8], 16)) for at in range(0, len(digits), 8)]
    found = ipaddress.ip_address(b"".join(words))
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
