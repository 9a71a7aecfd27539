"""Why there was no answer: what the chain of exceptions below an HTTP library says, in a person's words.

Both paths end here: urllib3, httpx and aiohttp wrap the same exceptions of the standard library. A fault that every further
call would meet too (a certificate, a TLS version, a proxy that wants a password) comes with what to do about it.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass

_NAME_MISMATCH = {62, 64}
_EXPIRED = {9, 10}
_AUTHORITIES = (
    "if the server's certificate comes from an authority of your own, name its file in SSL_CERT_FILE; "
    "if a proxy reads the traffic, name that proxy's certificate there"
)
_NO_TLS = {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL"}
_TLS_VERSION = {
    "UNSUPPORTED_PROTOCOL",
    "TLSV1_ALERT_PROTOCOL_VERSION",
    "NO_PROTOCOLS_AVAILABLE",
    "VERSION_TOO_LOW",
    "WRONG_SSL_VERSION",
    "SSLV3_ALERT_HANDSHAKE_FAILURE",
    "NO_SHARED_CIPHER",
    "DH_KEY_TOO_SMALL",
}
_OWN_CERTIFICATE = {"TLSV13_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_BAD_CERTIFICATE", "TLSV1_ALERT_ACCESS_DENIED"}
_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})")


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a connection failed; `advice` where trying again changes nothing."""

    why: str
    advice: str | None = None


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and what it came from, outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def broken_by(error: BaseException) -> Broken:
    """What `error`, or anything it came from, says."""
    chain = list(causes(error))
    return permanent(chain) or Broken(_passing(chain))


def permanent(chain: list[BaseException]) -> Broken | None:
    """The fault that every further call would meet too; None where there is none such."""
    for cause in chain:
        own = type(cause).__module__ == ssl.__name__  # aiohttp's errors are of these types too, and hold nothing
        if own and isinstance(cause, ssl.SSLCertVerificationError):
            return _certificate(cause)
        if own and isinstance(cause, ssl.SSLError) and (found := _tls(cause)) is not None:
            return found
        status = _refusal_of_a_proxy(cause)
        if status == 407:
            return Broken(
                "the proxy wants a user and a password (407)",
                "give them in HTTPS_PROXY, as http://user:password@host:port",
            )
        if status in {401, 403, 405}:
            return Broken(
                f"the proxy refuses to connect there ({status})", "take another proxy, or name the server in NO_PROXY"
            )
    return None


def _certificate(error: ssl.SSLCertVerificationError) -> Broken:
    said = error.verify_message
    code = error.verify_code
    if code in _NAME_MISMATCH:
        return Broken(f"the server's certificate is for another name: {said}", "check the host in --api-base")
    if code in _EXPIRED:
        return Broken(f"the server's certificate does not hold now: {said}", "check this machine's clock, or renew it")
    return Broken(f"the server's certificate is not trusted: {said}", _AUTHORITIES)


def _tls(error: ssl.SSLError) -> Broken | None:
    reason = str(error.reason or "")
    if reason in _NO_TLS:
        return Broken("what listens there speaks no TLS", "write http:// instead of https://, or check the port")
    if reason in _TLS_VERSION:
        return Broken(
            f"no common version of TLS with the server ({reason.lower().replace('_', ' ')})",
            "the server needs TLS 1.2 or newer",
        )
    if reason in _OWN_CERTIFICATE:
        return Broken(
            "the server wants a certificate of ours, which modex cannot show",
            "ask it through a proxy that has one, or without",
        )
    return None


def _refusal_of_a_proxy(cause: BaseException) -> int | None:
    """The status with which a proxy refused a tunnel: urllib3 and httpx say it in words, aiohttp in a field."""
    found = _TUNNEL.search(str(cause))
    if found is not None:
        return int(found[1])
    kind = type(cause).__name__
    if kind == "ClientHttpProxyError":
        return int(getattr(cause, "status", 0))
    if kind == "ProxyError" and (number := re.match(r"(\d{3}) ", str(cause))) is not None:
        return int(number[1])
    return None


def _passing(chain: list[BaseException]) -> str:
    """One line for a fault that may pass."""
    root = chain[-1]
    for cause in chain:
        if isinstance(cause, http.client.RemoteDisconnected):
            return "closed without an answer"
        if isinstance(cause, http.client.IncompleteRead) or type(cause).__name__ == "InvalidChunkLength":
            return "the answer was cut off"
        if isinstance(cause, socket.gaierror):
            return f"no address for that name: {cause.strerror or cause}"
        if type(cause).__name__ == "ConnectTimeoutError":
            return "nobody took the connection in time"
        if isinstance(cause, http.client.HTTPException):
            return f"not HTTP: {type(cause).__name__}"
    if isinstance(root, OSError) and root.strerror:
        return root.strerror
    return str(root) or type(root).__name__
