"""Which proxy the environment names for an address: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`.

Curl's rules, which most programs follow: https://curl.se/docs/manpage.html#ENVIRONMENT.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

_DEFAULT_PORTS = {"http": 1080, "https": 443}
"""Curl's: a proxy given without a port listens on 1080, one that is spoken to by TLS on 443."""
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1", "0.0.0.0")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy on the way to a server. `url` is without credentials, so that any message may name it."""

    url: str
    credentials: str | None = None
    """`user:password`, or None."""

    @property
    def socks(self) -> bool:
        """Whether it is one of those that speak SOCKS."""
        return self.url.startswith("socks")


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine, which is never asked through a proxy."""
    return host in LOOPBACK_NAMES or host.startswith("127.")


def proxy_for(url: str) -> Proxy | None:
    """The proxy for `url`, or None where it is asked directly.

    Raises:
        ValueError: the variable does not hold an address.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or is_loopback(host) or proxy_bypass(f"{host}:{port}"):
        return None
    return _proxy(found)


def _proxy(address: str) -> Proxy:
    parts = urlsplit(address if "://" in address else f"http://{address}")
    host = parts.hostname or ""
    if not host:
        raise ValueError("the proxy of the environment is no address")
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 1080)
    bracketed = f"[{host}]" if ":" in host else host
    user = unquote(parts.username) if parts.username is not None else None
    credentials = None if user is None else f"{user}:{unquote(parts.password or '')}"
    return Proxy(f"{parts.scheme}://{bracketed}:{port}", credentials)
