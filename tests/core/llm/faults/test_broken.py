"""Why a connection broke, by the exceptions that an HTTP library wraps."""

from __future__ import annotations

import http.client
import socket
import ssl

from modex.core.llm.faults.broken import Broken, broken_by, causes
from tests.rows import each_row


def verification(code: int, said: str = "said") -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "failed")
    error.verify_code, error.verify_message = code, said
    return error


def tls(reason: str | None) -> ssl.SSLError:
    error = ssl.SSLError(1, "failed")
    error.reason = reason  # type: ignore[assignment]
    return error


def like(kind: str, words: str = "", base: type[Exception] = Exception, **fields: object) -> Exception:
    """An exception of a library's class of that name."""
    made: type[Exception] = type(kind, (base,), fields)
    return made(words)


def wrapped(inner: BaseException) -> Exception:
    outer = RuntimeError("outer")
    outer.__cause__ = inner
    return outer


@each_row(
    ("error", "why", "lasting"),
    [
        (verification(9), "the server's certificate does not hold now: said", True),
        (verification(10), "the server's certificate does not hold now: said", True),
        (verification(11), "the server's certificate is not trusted: said", True),
        (verification(8), "the server's certificate is not trusted: said", True),
        (verification(62), "the server's certificate is for another name: said", True),
        (verification(63), "the server's certificate is not trusted: said", True),
        (verification(64), "the server's certificate is for another name: said", True),
        (verification(61), "the server's certificate is not trusted: said", True),
        (verification(65), "the server's certificate is not trusted: said", True),
        (like("ClientConnectorCertificateError", "x", ssl.SSLCertVerificationError), "('x',)", False),
        (tls("WRONG_VERSION_NUMBER"), "what listens there speaks no TLS", True),
        (tls("VERSION_TOO_LOW"), "no common version of TLS with the server (version too low)", True),
        (
            tls("TLSV13_ALERT_CERTIFICATE_REQUIRED"),
            "the server wants a certificate of ours, which modex cannot show",
            True,
        ),
        (tls("OTHER"), "failed", False),
        (tls(None), "failed", False),
        (OSError("Tunnel connection failed: 407 x"), "the proxy wants a user and a password (407)", True),
        (OSError("Tunnel connection failed: 403 x"), "the proxy refuses to connect there (403)", True),
        (OSError("Tunnel connection failed: 401 x"), "the proxy refuses to connect there (401)", True),
        (OSError("Tunnel connection failed: 405 x"), "the proxy refuses to connect there (405)", True),
        (OSError("Tunnel connection failed: 404 x"), "Tunnel connection failed: 404 x", False),
        (OSError("Tunnel connection failed: 502 x"), "Tunnel connection failed: 502 x", False),
        (like("ClientHttpProxyError", status=407), "the proxy wants a user and a password (407)", True),
        (like("ClientHttpProxyError"), "ClientHttpProxyError", False),
        (like("ProxyError", "403 Forbidden"), "the proxy refuses to connect there (403)", True),
        (like("ProxyError", "Forbidden 403 "), "Forbidden 403 ", False),
        (like("OtherError", "403 Forbidden"), "403 Forbidden", False),
        (http.client.RemoteDisconnected("x"), "closed without an answer", False),
        (http.client.IncompleteRead(b"x"), "the answer was cut off", False),
        (like("InvalidChunkLength", "x"), "the answer was cut off", False),
        (socket.gaierror(-2, "unknown name"), "no address for that name: unknown name", False),
        (socket.gaierror("bare"), "no address for that name: bare", False),
        (like("ConnectTimeoutError", "x"), "nobody took the connection in time", False),
        (http.client.BadStatusLine("x"), "not HTTP: BadStatusLine", False),
        (ConnectionResetError(104, "reset"), "reset", False),
        (OSError("words"), "words", False),
        (ValueError("words"), "words", False),
        (ValueError(), "ValueError", False),
    ],
)
def test_the_reason_is_told_and_what_lasts_comes_with_advice(error: Exception, why: str, lasting: bool) -> None:
    found = broken_by(error)
    assert found.why == why
    assert (found.advice is not None) is lasting
    assert broken_by(wrapped(error)) == found


def test_causes_are_followed_once_each_from_the_outermost() -> None:
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__context__ = second, first
    assert list(causes(first)) == [first, second]
    assert list(causes(None)) == []
    assert broken_by(second) == Broken("first")
