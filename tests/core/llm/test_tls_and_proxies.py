"""Certificates, TLS and proxies as they are met: what works, and what is said, on both paths, where it does not."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Via, open_client
from modex.core.llm.http import AbortedError, DeadlineError, Http, HttpError
from modex.core.llm.pool import ClientPool
from modex.core.llm.proxies import proxy_for
from modex.core.llm.retry import RetryPolicy
from tests.server.certificates import AVAILABLE, Authority, make_authority
from tests.server.proxy import ForwardProxy
from tests.server.raw import RawServer, answer

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="openssl makes the certificates, and is not installed")
BOTH = pytest.mark.parametrize("path", ["direct", "litellm"])
COMPLETION = answer(
    b'{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"4"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}'
)
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


@pytest.fixture
def client() -> Iterator[Http]:
    made = Http()
    yield made
    made.close()


def asked(path: Via, base: str) -> str | ModelCallError:
    """The answer of a model at `base`, or the error."""
    pool = ClientPool(timeout_s=15)
    pool.policy = RetryPolicy(first_wait_s=0, attempts=1)
    try:
        spec = ModelSpec(model="openai/m", api_base=base)
        return open_client(spec, pool=pool, via=path).complete([{"role": "user", "content": "2+2?"}]).text
    except ModelCallError as error:
        return error
    finally:
        pool.close()


def https(server: RawServer) -> str:
    return server.url.replace("http:", "https:")


@BOTH
def test_an_authority_of_ones_own_is_named_by_ssl_cert_file(
    path: Via, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with RawServer(lambda _: COMPLETION, authority.server("IP:127.0.0.1")) as server:
        assert asked(path, server.url) == "4"


@BOTH
@pytest.mark.parametrize(
    ("names", "known", "words"),
    [
        (("IP:127.0.0.1",), False, "SSL_CERT_FILE"),
        (("DNS:other.example",), True, "for another name"),
    ],
    ids=["unknown authority", "another name"],
)
def test_a_certificate_that_proves_nothing_ends_the_run_at_once(
    names: tuple[str, ...],
    known: bool,
    words: str,
    path: Via,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if known:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with RawServer(lambda _: COMPLETION, authority.server(*names)) as server:
        error = asked(path, server.url)
        assert isinstance(error, ModelCallError)
        assert (error.error_type, error.fatal) == (ErrorType.CONNECTION, True)
        assert words in str(error)
        assert server.asked == []


@BOTH
def test_a_server_without_tls_is_said_and_ends_the_run(path: Via) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for _ in range(3):
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=serve, daemon=True).start()
        error = asked(path, f"https://127.0.0.1:{listening.getsockname()[1]}/v1")
    assert isinstance(error, ModelCallError)
    assert error.fatal
    assert "speaks no TLS" in str(error)


@BOTH
def test_no_common_version_of_tls_is_said_and_ends_the_run(path: Via, authority: Authority) -> None:
    tls = authority.server("IP:127.0.0.1")
    tls.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        tls.minimum_version = tls.maximum_version = ssl.TLSVersion.TLSv1_1
    with RawServer(lambda _: COMPLETION, tls) as server:
        error = asked(path, server.url)
    assert isinstance(error, ModelCallError)
    assert error.fatal
    assert "version of TLS" in str(error)


# On a machine that stands still, the deadline passes before the handshake: the plain socket is closed when it is collected.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_a_handshake_that_never_comes_ends_at_the_deadline_and_on_abort(client: Http) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/v1"
        started = time.monotonic()
        with pytest.raises(DeadlineError):
            client.post(url, b"{}", {}, 0.3)
        threading.Timer(0.2, client.abort).start()
        with pytest.raises(AbortedError):
            client.post(url, b"{}", {}, 30)
        assert time.monotonic() - started < 10


def test_what_waits_decrypted_behind_an_answer_belongs_to_nobody(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, client: Http
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with RawServer(lambda asked: answer(asked.body) + answer(b"stale"), authority.server("IP:127.0.0.1")) as server:
        for number in range(20):
            body = str(number).encode() * 5000
            assert client.post(server.url, body, {}, 10).body == body
        assert len(server.connections) == 20


def test_what_comes_over_tls_while_the_connection_is_idle_belongs_to_nobody(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, client: Http
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with RawServer(lambda asked: answer(asked.body), authority.server("IP:127.0.0.1")) as server:
        for number in range(20):
            body = str(number).encode()
            assert client.post(server.url, body, {}, 10).body == body
            server.spill(answer(b"stale"))


def test_a_connection_with_tls_is_used_again_and_closed_with_the_client(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, client: Http
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with RawServer(lambda asked: answer(asked.body), authority.server("IP:127.0.0.1")) as server:
        for number in range(20):
            body = str(number).encode()
            assert client.post(server.url, body, {}, 10).body == body
        assert len(server.connections) == 1
        client.close()
        assert server.wait_until_none_is_open(10)


def proxied(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", url)
    monkeypatch.setenv("HTTPS_PROXY", url)


@BOTH
def test_a_proxy_with_a_password_leads_to_a_server_with_tls(
    path: Via, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with (
        RawServer(lambda _: COMPLETION, authority.server("DNS:models.example")) as server,
        ForwardProxy(server.port, credentials="me:secret pass") as proxy,
    ):
        proxied(monkeypatch, f"http://me:secret%20pass@127.0.0.1:{proxy.port}")
        assert asked(path, "https://models.example/v1") == "4"
        assert proxy.lines[0].startswith("CONNECT models.example:443 ")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_spoken_to_by_tls(
    scheme: str, authority: Authority, monkeypatch: pytest.MonkeyPatch, client: Http
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    tls = authority.server("DNS:models.example") if scheme == "https" else None
    with (
        RawServer(lambda _: COMPLETION, tls) as server,
        ForwardProxy(server.port, tls=authority.server("IP:127.0.0.1")) as proxy,
    ):
        proxied(monkeypatch, f"https://127.0.0.1:{proxy.port}")
        for _ in range(2):
            assert client.post(f"{scheme}://models.example/v1", b"{}", {}, 10).status == 200
        assert len(proxy.lines) == 1


@BOTH
def test_a_proxy_that_wants_a_password_ends_the_run_and_names_itself_without_ours(
    path: Via, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ForwardProxy(9, credentials="me:right") as proxy:
        proxied(monkeypatch, f"http://me:canarypassword@127.0.0.1:{proxy.port}")
        error = asked(path, "https://models.example/v1")
    assert isinstance(error, ModelCallError)
    assert error.fatal
    assert "407" in str(error)
    assert "HTTPS_PROXY" in str(error)
    assert "canarypassword" not in str(error)


def test_a_proxy_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch, client: Http) -> None:
    with ForwardProxy(9, refuse=403) as proxy:
        proxied(monkeypatch, f"http://me:canarypassword@127.0.0.1:{proxy.port}")
        with pytest.raises(HttpError, match=rf"refuses .*http://127\.0\.0\.1:{proxy.port}\)") as caught:
            client.post("https://models.example/v1", b"{}", {}, 10)
    assert "canarypassword" not in str(caught.value)
    assert caught.value.advice


@BOTH
def test_loopback_is_asked_without_the_proxy_on_both_paths(path: Via, monkeypatch: pytest.MonkeyPatch) -> None:
    proxied(monkeypatch, "http://127.0.0.1:9")
    with RawServer(lambda _: COMPLETION) as server:
        assert asked(path, server.url) == "4"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("http://box", "http://box:1080"), ("https://box", "https://box:443"), ("box:3128", "http://box:3128")],
)
def test_a_proxy_without_a_port_listens_where_curl_looks(
    written: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", written)
    found = proxy_for("https://models.example/v1")
    assert found is not None
    assert found.url == meant
